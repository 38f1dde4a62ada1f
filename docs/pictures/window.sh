#!/usr/bin/env bash
# Takes docs/images/window.png, a picture of the window, on a display of its own. Needs Xvfb, xdotool,
# ImageMagick and a driver for Vulkan. Run it from the repository root, on an idle machine:
#
#     cargo build --release -p flockwork-viewer
#     docs/pictures/window.sh
#
# VIEWER names another program.
set -euo pipefail

viewer=${VIEWER:-target/release/flockwork-viewer}
number=$(mktemp)
trap 'kill $(jobs -p); rm "$number"' EXIT

Xvfb -displayfd 3 -screen 0 1280x720x24 -nolisten tcp -noreset 3>"$number" 2>/dev/null &
until [[ -s $number ]]; do sleep 0.1; done
DISPLAY=:$(cat "$number")
export DISPLAY
"$viewer" --scene flock --explain 20 --trails 1 &
window=$(xdotool search --sync --onlyvisible --name '^flockwork: ')
# Long enough for the comparison with all pairs.
sleep 20
import -window "$window" docs/images/window.png
