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

# A world of the picture's shape: a square would show parts of itself twice.
wide=$(mktemp --suffix .toml)
trap 'rm "$wide"' EXIT
sed 's/^mean_neighbors.*/width = 9344.0\nheight = 5256.0/' engine/scenes/stress.toml >"$wide"
"$viewer" --headless --scene "$wide" --steps 600 --out docs/images/stress.png
"$viewer" --headless --scene reef --agents 4000 --steps 900 --size 1280x600 --zoom 1.2 \
    --yaw -25 --pitch 15 --out docs/images/reef.png
"$viewer" --headless --scene flock --steps 200 --frames 45 --every 3 --trails 0.4 --size 400x240 \
    --out docs/images/flock.gif
