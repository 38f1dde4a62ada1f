//! Draws scenes, species and numbers from arbitrary bytes.

use std::sync::Arc;

use arbitrary::{Result, Unstructured};
use flockwork::behaviors::FieldValue;
use flockwork::behaviors::{Deceleration, Feelers};
use flockwork::{
    Behavior, COORDINATE_LIMIT, Combine, FlowField, Goal, Locomotion, Obstacle, OwnTarget, Point,
    Route, Scattered, Scene, Species, SpeciesValue, Start, StartPlace, Target, Topology, Wall,
    WaypointPath, World,
};

use crate::alarm::{Alarm, FEAR};

pub(crate) const NAMES: [&str; 2] = ["a", "b"];
pub(crate) const SPOT: &str = "spot";
pub(crate) const WIND: &str = "wind";
const ROUTE: &str = "route";
/// Most coordinates are within this distance of the origin.
const NEAR: f32 = 200.0;

/// Draws mostly everyday numbers, and sometimes an end of the range, a number whose square
/// underflows to 0, or a number of any order of magnitude.
pub(crate) fn number(u: &mut Unstructured<'_>, min: f32, max: f32) -> Result<f32> {
    let share = f32::from(u.arbitrary::<u16>()?) / f32::from(u16::MAX);
    Ok(match u.arbitrary::<u8>()? % 16 {
        0 => min,
        1 => max,
        2 => 1.0e-30_f32.clamp(min, max),
        3 => (max * 10.0_f32.powf(-40.0 * share)).clamp(min, max),
        4 => (min * 10.0_f32.powf(-40.0 * share)).clamp(min, max),
        _ => {
            let [low, high] = [min.max(-NEAR), max.min(min.max(0.0) + NEAR)];
            low + share * (high - low)
        }
    })
}

pub(crate) fn vector<const D: usize>(u: &mut Unstructured<'_>) -> Result<[f32; D]> {
    let mut vector = [0.0; D];
    vector[0] = number(u, -COORDINATE_LIMIT, COORDINATE_LIMIT)?;
    for component in &mut vector[1..] {
        *component = number(u, -NEAR, NEAR)?;
    }
    Ok(vector)
}

pub(crate) fn point(u: &mut Unstructured<'_>, axes: usize) -> Result<Point> {
    Ok(if axes == 2 { vector::<2>(u)?.into() } else { vector::<3>(u)?.into() })
}

fn in_scene([x, y, z]: [f32; 3], axes: usize) -> Point {
    if axes == 2 { [x, y].into() } else { [x, y, z].into() }
}

/// The number of coordinates of points in a scene.
pub(crate) fn axes(scene: &Scene) -> usize {
    if scene.world.depth.is_some() { 3 } else { 2 }
}

fn value(u: &mut Unstructured<'_>, min: f32, max: f32) -> Result<SpeciesValue> {
    let [a, b] = [number(u, min, max)?, number(u, min, max)?];
    Ok(if u.arbitrary()? {
        SpeciesValue::Shared(a)
    } else {
        SpeciesValue::Between([a.min(b), a.max(b)])
    })
}

fn target(u: &mut Unstructured<'_>, axes: usize) -> Result<Target> {
    Ok(match u.int_in_range(0..=5)? {
        0 => point(u, axes)?.into(),
        1 => Target::named(SPOT),
        2 => Target::member(NAMES[u.choose_index(NAMES.len())?], u.int_in_range(0..=3)?),
        3 => Target::nearest(NAMES[u.choose_index(NAMES.len())?]),
        4 => Target::Nearest {
            species: NAMES[u.choose_index(NAMES.len())?].into(),
            distance: Some(number(u, 1.0e-3, 1.0e6)?),
            field_of_view: Some(number(u, 0.0, 360.0)?),
            line_of_sight: u.arbitrary()?,
        },
        _ => Target::Own,
    })
}

fn behavior(u: &mut Unstructured<'_>, axes: usize) -> Result<Behavior> {
    let mut all = Behavior::all();
    all.push(Alarm::default().into());
    let mut behavior = all.swap_remove(u.choose_index(all.len())?);
    let mut fields = behavior.fields();
    for field in &mut fields {
        let (min, max) = (field.min, field.max);
        match &mut field.value {
            FieldValue::Target(value) => *value = target(u, axes)?,
            FieldValue::Path(value) => *value = u.choose(&["open", "closed"])?.to_string(),
            _ if u.arbitrary()? => {}
            FieldValue::Number(value) => *value = number(u, min, max)?,
            FieldValue::Optional(value) => {
                *value = if u.arbitrary()? { Some(number(u, min, max)?) } else { None };
            }
            FieldValue::Whole(value) => *value = number(u, min, max)? as u32,
            FieldValue::Flag(value) => *value = u.arbitrary()?,
            FieldValue::Vector(value) => *value = [number(u, min, max)?, number(u, min, max)?],
            FieldValue::Deceleration(value) => {
                *value =
                    *u.choose(&[Deceleration::Fast, Deceleration::Normal, Deceleration::Slow])?;
            }
            FieldValue::Feelers(value) => {
                *value = *u.choose(&[Feelers::Three, Feelers::Sweeping])?;
            }
            FieldValue::Species(names) => {
                for name in NAMES {
                    if u.arbitrary()? {
                        names.push(name.into());
                    }
                }
            }
            FieldValue::Name(value) if field.name == "flow" => *value = Some(WIND.into()),
            FieldValue::Name(value) if axes == 2 => *value = Some(ROUTE.into()),
            _ => {}
        }
    }
    behavior.set_fields(fields);
    Ok(behavior)
}

fn start(u: &mut Unstructured<'_>, axes: usize) -> Result<Start> {
    let place = match u.int_in_range(0..=3)? {
        0 => StartPlace::Circle { center: point(u, axes)?, radius: number(u, 0.0, 1.0e7)? },
        1 => StartPlace::Clusters { count: u.int_in_range(1..=5)?, radius: number(u, 0.0, 1.0e7)? },
        2 => {
            let [low, high] = [[0.0; 3], [number(u, 0.0, 1.0e7)?, 1.0, 1.0]];
            let [low, high] = [low, high].map(|corner| in_scene(corner, axes));
            StartPlace::Box { low, high }
        }
        _ => StartPlace::Anywhere,
    };
    let heading = if u.arbitrary()? { Some(number(u, -360.0, 360.0)?) } else { None };
    let speed = if u.arbitrary()? { Some(number(u, 0.0, 1.0)?) } else { None };
    Ok(Start { place, heading, speed })
}

pub(crate) fn species(u: &mut Unstructured<'_>, name: &str, axes: usize) -> Result<Species> {
    let mut species = Species::new(name, u.int_in_range(0..=24)?);
    let changes: u16 = u.arbitrary()?;
    let changed = |bit: u32| changes & (1 << bit) != 0;
    if changed(0) {
        species.view_distance = number(u, 1.0e-3, 1.0e6)?;
    }
    if changed(1) {
        species.field_of_view = number(u, 0.0, 360.0)?;
    }
    species.view_includes_radius = changed(2);
    species.immovable = changed(15);
    if changed(3) {
        species.max_speed = value(u, 1.0e-3, 1.0e5)?;
    }
    if changed(4) {
        species.max_force = value(u, 0.0, 1.0e9)?;
    }
    if changed(5) {
        species.mass = value(u, 1.0e-3, 1.0e6)?;
    }
    if changed(6) {
        species.radius = value(u, 0.0, 1.0e4)?;
    }
    if changed(7) {
        species.max_turn_rate = Some(number(u, 0.0, 1.0e4)?);
    }
    if changed(8) {
        species.combine = *u.choose(&[Combine::WeightedSum, Combine::Dithered])?;
    }
    if changed(9) {
        let [throttle, brake, steering] =
            [number(u, 0.0, 1.0e9)?, number(u, 0.0, 1.0e9)?, number(u, 0.0, 1.0e9)?];
        species.locomotion = Locomotion::CarLike { throttle, brake, steering };
    } else if changed(10) {
        species.locomotion = Locomotion::ConstantSpeed;
    }
    if changed(11) {
        species.start = start(u, axes)?;
    }
    if changed(12) {
        species.own_target = Some(match u.int_in_range(0..=2)? {
            0 => OwnTarget::Previous,
            1 => OwnTarget::SingleFile(u.choose(&NAMES)?.to_string()),
            _ => OwnTarget::EachOf(u.choose(&NAMES)?.to_string()),
        });
    }
    if changed(13) {
        species.columns.insert(FEAR.into(), value(u, -1.0e9, 1.0e9)?);
    }
    if axes == 3 && changed(15) {
        species.max_climb = Some(number(u, 0.0, 89.0)?);
    }
    for _ in 0..u.int_in_range(0..=4)? {
        let behavior = behavior(u, axes)?;
        if changed(14) {
            species.probabilities.insert(behavior.name().into(), number(u, 1.0e-3, 1.0)?);
        }
        species.behaviors.push(behavior);
    }
    Ok(species)
}

/// Draws obstacles and walls that can replace those of a running crowd. In a world with depth, some
/// walls are triangles.
pub(crate) fn scenery(u: &mut Unstructured<'_>, mut scene: Scene) -> Result<Scene> {
    let axes = axes(&scene);
    for _ in 0..u.int_in_range(0..=3)? {
        let obstacle = Obstacle { center: point(u, axes)?, radius: number(u, 0.0, 1.0e6)? };
        Arc::make_mut(&mut scene.obstacles).push(obstacle);
    }
    for _ in 0..u.int_in_range(0..=2)? {
        let is_triangle = axes == 3 && u.arbitrary()?;
        let axes = if is_triangle { 3 } else { 2 };
        let points = vec![point(u, axes)?, point(u, axes)?, point(u, axes)?];
        Arc::make_mut(&mut scene.walls).push(Wall {
            points,
            closed: !is_triangle && u.arbitrary()?,
            two_sided: u.arbitrary()?,
        });
    }
    if u.ratio(1, 8)? {
        let scattered = Scattered::new(u.int_in_range(0..=9)?);
        let scattered = scattered.size([1.0, number(u, 1.0, 1.0e5)?]).gap(number(u, 0.0, 1.0e5)?);
        scene = scene.scatter_obstacles(scattered);
    }
    Ok(scene)
}

pub(crate) fn flow(u: &mut Unstructured<'_>) -> Result<FlowField> {
    let degrees = [(); 4].map(|()| number(u, -360.0, 360.0)).into_iter().collect::<Result<_>>()?;
    Ok(FlowField { columns: u.int_in_range(1..=4)?, degrees })
}

/// Draws a route with at most 200 × 200 cells, to keep runs fast.
fn route(u: &mut Unstructured<'_>, [width, height]: [f32; 2]) -> Result<Route> {
    let cell = width.max(height).max(NEAR) / 200.0;
    let goal = match u.int_in_range(0..=3)? {
        0 => Goal::from(vec![SPOT.into(), point(u, 2)?.xy().into()]),
        1 => Goal::line([0.0, 0.0], point(u, 2)?),
        2 => Goal::area([0.0, 0.0], point(u, 2)?),
        _ => SPOT.into(),
    };
    Ok(Route::new(ROUTE, goal).radius(2.0 * cell + number(u, 0.0, 1.0e4)?).cell(cell))
}

/// Draws two small species in a world with everything that behaviors may refer to, though half of
/// the flat worlds have no route. A third of the worlds have depth.
pub(crate) fn scene(u: &mut Unstructured<'_>) -> Result<Scene> {
    let topology = *u.choose(&[Topology::Torus, Topology::Bounded, Topology::Open])?;
    let size = [number(u, 1.0, COORDINATE_LIMIT)?, number(u, 1.0, COORDINATE_LIMIT)?];
    let depth = if u.ratio(1, 3)? { Some(number(u, 1.0, COORDINATE_LIMIT)?) } else { None };
    let mut scene = Scene::new(World { topology, depth, ..World::torus(size[0], size[1]) });
    let axes = axes(&scene);
    let place = |[x, y]: [f32; 2]| in_scene([x, y, 0.5 * x], axes);
    let path = |name: &str, closed| WaypointPath {
        name: name.into(),
        points: [[10.0, 10.0], [90.0, 20.0], [40.0, 70.0]].map(place).to_vec(),
        closed,
    };
    scene = scene
        .seed(u.arbitrary::<u8>()?.into())
        .point(SPOT, place([50.0, 40.0]))
        .path(path("open", false))
        .path(path("closed", true))
        .flow(FlowField { columns: 2, degrees: vec![0.0, 100.0, 200.0, 300.0] })
        .named_flow(WIND, FlowField { columns: 1, degrees: vec![45.0] });
    if axes == 2 && topology != Topology::Open && u.arbitrary()? {
        scene = scene.route(route(u, size)?);
    }
    for name in NAMES {
        scene = scene.species(species(u, name, axes)?);
    }
    if u.arbitrary()? {
        scene.steps_per_second = number(u, 1.0, 1.0e5)?;
    }
    if u.arbitrary()? {
        scene.non_penetration = u.int_in_range(0..=3)?;
    }
    if u.arbitrary()? {
        scene.heading_samples = Some(u.int_in_range(1..=20)?);
    }
    if u.arbitrary()? {
        scene.cell_size = Some(number(u, 0.25, 16.0)?);
    }
    scenery(u, scene)
}
