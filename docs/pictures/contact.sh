#!/usr/bin/env bash
# Renders every scene small and joins the pictures into docs/images/scenes.png. Needs
# ImageMagick. Run it from the repository root:
#
#     cargo build --release -p flockwork-viewer
#     docs/pictures/contact.sh
#
# VIEWER names another program to render with.
set -euo pipefail

viewer=${VIEWER:-target/release/flockwork-viewer}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

# Steps, and perhaps how to look, where a scene shows best what it is about.
default="300"
declare -A views=(
    [stress]="600"
    [stress-clustered]="90"
    [flock]="300 --zoom 2 --center 740,330"
    [birds]="600 --zoom 2"
    [flock-rules]="900 --zoom 2"
    [sheepdog]="90"
    [seek]="60"
    [flee]="40"
    [arrive]="200"
    [pursuit]="60"
    [hide]="330"
    [offset-pursuit]="250"
    [leader-following]="640"
    [flow-field]="90"
    [obstacle-avoidance]="200 --zoom 2"
    [look-ahead]="200 --zoom 2"
    [wall-avoidance]="150"
    [containment]="120"
    [birds-3d]="900"
    [reef]="900"
    [routes]="600 --explain 0"
    [velocity-matching]="60 --zoom 2"
)

pictures=()
while read -r scene _; do
    picture=$folder/$scene.png
    # shellcheck disable=SC2086 # the options are words of their own
    "$viewer" --headless --scene "$scene" --size 400x240 --out "$picture" \
        --steps ${views[$scene]:-$default} > /dev/null
    pictures+=(-label "$scene" "$picture")
done < <("$viewer" --list)

montage "${pictures[@]}" -tile 5x -geometry +6+4 -background '#14171f' -fill '#b8c0d0' \
    -font DejaVu-Sans -pointsize 15 "$folder/sheet.png"
convert "$folder/sheet.png" +dither -colors 128 -define png:compression-level=9 \
    "PNG8:docs/images/scenes.png"
