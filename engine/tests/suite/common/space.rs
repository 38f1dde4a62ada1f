//! Scenes in worlds with depth, made from flat ones.

use std::sync::Arc;

use flockwork::behaviors::FieldValue;
use flockwork::{Point, Scene, Spawn, StartPlace, Target, World};

/// Calls `change` for each point that has a third coordinate in worlds with depth: all but the
/// points of walls.
pub(crate) fn each_point(scene: &mut Scene, mut change: impl FnMut(&mut Point)) {
    scene.points.values_mut().for_each(&mut change);
    let obstacles = Arc::make_mut(&mut scene.obstacles).iter_mut();
    obstacles.for_each(|obstacle| change(&mut obstacle.center));
    let paths = Arc::make_mut(&mut scene.paths).iter_mut();
    paths.flat_map(|path| &mut path.points).for_each(&mut change);
    for species in &mut scene.species {
        match &mut species.start.place {
            StartPlace::Circle { center, .. } => change(center),
            StartPlace::Box { low, high } => [low, high].into_iter().for_each(&mut change),
            StartPlace::Anywhere | StartPlace::Clusters { .. } => {}
        }
        for behavior in &mut species.behaviors {
            let mut fields = behavior.fields();
            for field in &mut fields {
                if let FieldValue::Target(Target::Point(point)) = &mut field.value {
                    change(point);
                }
            }
            behavior.set_fields(fields);
        }
    }
}

/// Gives a flat scene depth: its circles become spheres, and its points get heights from `height`.
pub(crate) fn lifted(mut scene: Scene, depth: f32, mut height: impl FnMut() -> f32) -> Scene {
    scene.world.depth = Some(depth);
    each_point(&mut scene, |point| {
        let [x, y] = point.xy();
        *point = [x, y, height()].into();
    });
    scene
}

/// Gives a point of a world with depth a height from 0 to 20.
pub(crate) fn place_in(world: &World, [x, y]: [f32; 2]) -> [f32; 3] {
    [x, y, if world.depth.is_some() { (7.3 * x + 3.1 * y).rem_euclid(20.0) } else { 0.0 }]
}

/// The vector (x, y, z), whose z depends on x and y in worlds with depth and is 0 in flat worlds.
pub(crate) fn vector_in(world: &World, [x, y]: [f32; 2]) -> [f32; 3] {
    [
        x,
        y,
        if world.depth.is_some() {
            0.5 * (5.0 * x + 3.0 * y).sin() * (x.abs() + y.abs())
        } else {
            0.0
        },
    ]
}

/// The point `at`, with as many coordinates as the world has axes.
pub(crate) fn point_in(world: &World, at: [f32; 3]) -> Point {
    if world.depth.is_some() { at.into() } else { [at[0], at[1]].into() }
}

/// Writes vectors of three components; a flat world uses only the first two.
macro_rules! set_vectors {
    ($crowd:expr, $vector:expr, $ids:expr, $values:expr) => {{
        use flockwork::InSpace;
        let (crowd, vector, ids, values) = ($crowd, $vector, $ids, $values);
        if crowd.scene().world.depth.is_some() {
            crowd.set_many(InSpace(vector), ids, values)
        } else {
            crowd.set_many(vector, ids, &crate::common::space::flattened(values))
        }
    }};
}
pub(crate) use set_vectors;

/// Spawns agents with vectors of three components; a flat world uses only the first two.
macro_rules! spawn_in {
    ($crowd:expr, $world:expr, $name:expr, $spawn:expr) => {{
        let (crowd, name, spawn): (_, &str, &flockwork::Spawn<'_, 3>) = ($crowd, $name, $spawn);
        if $world.depth.is_some() {
            crowd.spawn_many(name, spawn)
        } else {
            use crate::common::space::{flat_spawn, flattened};
            let at = flattened(spawn.positions);
            let vectors = [spawn.headings, spawn.velocities].map(|all| all.map(flattened));
            crowd.spawn_many(name, &flat_spawn(spawn, &at, &vectors))
        }
    }};
}
pub(crate) use spawn_in;

pub(crate) fn flattened(vectors: &[[f32; 3]]) -> Vec<[f32; 2]> {
    vectors.iter().map(|&[x, y, _]| [x, y]).collect()
}

pub(crate) fn flat_spawn<'a>(
    spawn: &Spawn<'a, 3>,
    positions: &'a [[f32; 2]],
    [headings, velocities]: &'a [Option<Vec<[f32; 2]>>; 2],
) -> Spawn<'a> {
    let columns = spawn.columns.clone();
    let (headings, velocities) = (headings.as_deref(), velocities.as_deref());
    Spawn { positions, headings, velocities, columns }
}

/// Spreads the points of a flat scene over the depth.
pub(crate) fn in_space(scene: Scene, depth: f32) -> Scene {
    let mut share = 0.1;
    lifted(scene, depth, || {
        share = (share + 0.618_f32).fract();
        share * depth
    })
}
