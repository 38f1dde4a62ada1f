#!/usr/bin/env bash
# Renders the pictures of README.md and docs/viewer.md, but for the window and the scenes. Run it
# from the repository root:
#
#     cargo build --release -p flockwork-viewer
#     docs/pictures/readme.sh
#
# VIEWER names another program to render with.
set -euo pipefail

viewer=${VIEWER:-target/release/flockwork-viewer}

"$viewer" --headless --scene stress --agents 1e5 --steps 600 --out docs/images/stress.png
"$viewer" --headless --scene reef --agents 4000 --steps 900 --size 1280x600 --zoom 1.2 \
    --yaw -25 --pitch 15 --out docs/images/reef.png
"$viewer" --headless --scene flock --steps 200 --frames 45 --every 3 --trails 0.4 --size 400x240 \
    --out docs/images/flock.gif
