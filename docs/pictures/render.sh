#!/usr/bin/env bash
# Renders the pictures of docs/model.md. Run it from the repository root:
#
#     cargo build --release -p flockwork-viewer
#     docs/pictures/render.sh          # all of them, or: docs/pictures/render.sh hide seek
#
# VIEWER names another program to render with.
set -euo pipefail

viewer=${VIEWER:-target/release/flockwork-viewer}
wanted=" $* "

# picture SCENE STEPS EXPLAINED-AGENTS [more options]
picture() {
    local scene=$1 steps=$2 agents=$3
    [[ $wanted == "  " || $wanted == *" $scene "* ]] || return 0
    "$viewer" --headless --scene "$scene" --steps "$steps" --explain "$agents" \
        --size 640x384 --png "docs/pictures/$scene.png" "${@:4}"
}

picture birds 600 17 --zoom 4
picture boids 1200 30
# The same crowd with one neighborhood for all three rules.
if [[ $wanted == "  " || $wanted == *" boids "* ]]; then
    one_radius=$(mktemp --suffix .toml)
    sed 's/, distance = [^}]* }/ }/' engine/scenes/boids.toml >"$one_radius"
    "$viewer" --headless --scene "$one_radius" --steps 1200 --size 640x384 \
        --png docs/pictures/boids-one-radius.png
    rm "$one_radius"
fi
picture flock 90 20 --zoom 5
picture velocity-matching 10 9 --zoom 3
picture flock-rules 900 60 --zoom 5
picture seek 36 59
picture flee 8 0,5,9
picture arrive 285 0,6,12
picture pursuit 6 2,8
picture evade 10 0,2,80
picture wander 120 0,12,20 --zoom 2
picture interpose 300 0,1
picture hide 330 0,1
picture offset-pursuit 330 0,1,2 --zoom 2
picture leader-following 680 0,1,9 --zoom 2
picture path-following 400 0,14
picture stay-on-path 300 0,1,2
picture flow-field 12 20,50,80
picture routes 900 0
picture obstacle-avoidance 200 18 --zoom 2.5
picture look-ahead 200 3 --zoom 2.5
picture wall-avoidance 150 17,15,47
picture containment 120 8,3,17
picture collision-avoidance 300 8 --zoom 2.5
