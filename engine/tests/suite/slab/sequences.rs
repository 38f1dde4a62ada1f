use flockwork::behaviors::{OffsetPursuit, Seek, Separation};
use flockwork::cpu::Level;
use flockwork::{
    AgentId, Execution, Locomotion, Method, Obstacle, Partition, Scene, Simulation, Snapshot,
    Spawn, Species, Target, Vector, Wall, World,
};
use proptest::prelude::*;

use super::slabs::{Slabs, random_borders};
use crate::common::agents::{ids, set_outliers, set_property};
use crate::common::refusals::assert_no_panic;
use crate::common::scenes::flock;
use crate::common::space::{place_in, point_in, set_vectors, spawn_in, vector_in};
use crate::common::{arbitrary, extremes};

/// Steps a crowd both undivided and in slabs whose borders move in every other step. Both refuse
/// the same steps with the same error.
fn assert_agree(scene: &Scene, slabs: usize, steps: usize, mut draw: u64) {
    let mut whole = scene.build().unwrap();
    let mut parts = Slabs::new(scene, slabs);
    let few: Vec<AgentId> = whole.agents().ids().take((draw % 4) as usize).collect();
    let large = draw.is_multiple_of(8);
    let expected = set_outliers!(&mut whole, &few, large);
    parts.each_slab(|slab| set_outliers!(&mut *slab, &few, large), &expected);
    for step in 0..steps {
        let expected = whole.step();
        assert_no_panic(&expected);
        let moves = step % 2 == 0;
        let found = parts.step(|rows| moves.then(|| random_borders(&mut draw, rows, slabs)));
        assert_eq!(found, expected.map_err(|error| error.to_string()), "step {step}");
        parts.assert_are(&whole, &format!("step {step}"));
    }
    let saved = parts.saved();
    let joined = Snapshot::join(&saved).unwrap();
    assert_eq!(joined.to_bytes(), whole.snapshot().to_bytes());
    let mut resumed = Slabs::resume(&saved, slabs % 3 + 1).unwrap();
    let expected = whole.step().map_err(|error| error.to_string());
    assert_eq!(resumed.step(|_| None), expected);
    resumed.assert_are(&whole, "resumed");
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(300)
    })]

    #[test]
    fn random_scenes_in_slabs_are_those_of_one_host(
        scene in arbitrary::scene(), slabs in 1..6_usize, draw: u64,
    ) {
        assert_agree(&scene, slabs, 5, draw);
    }

    #[test]
    fn scenes_at_the_limits_of_their_ranges_in_slabs_are_those_of_one_host(
        scene in extremes::scene().prop_filter("refused", |scene| scene.build().is_ok()),
        slabs in 1..4_usize,
        draw: u64,
    ) {
        assert_agree(&scene, slabs, 4, draw);
    }
}

#[derive(Clone, Debug)]
enum Change {
    Spawn(u8, Vec<[f32; 2]>, f32),
    Remove(Vec<usize>),
    Ask(f32, f32, f32),
    Velocity(usize, f32, f32),
    Step(u8),
    Species(u8, f32, f32, u8),
    Add(f32, f32, u8),
    Aim(usize, usize, [f32; 2]),
    AimAt(Vec<usize>, [f32; 2]),
    Convert(Vec<usize>, u8),
    Method(u8),
    Pushes(u32),
    Samples(u32),
    Seed(u64),
    Solid(bool),
    Scenery(u8),
    Set(u8, usize, f32),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => (0..3_u8, prop::collection::vec([0.0_f32..=120.0, 0.0_f32..=90.0], 0..4), 0.0_f32..6.3)
            .prop_map(|(kind, places, angle)| Change::Spawn(kind, places, angle)),
        3 => prop::collection::vec(any::<usize>(), 0..9).prop_map(Change::Remove),
        2 => (0.0_f32..=120.0, 0.0_f32..=90.0, 0.0_f32..50.0)
            .prop_map(|(x, y, radius)| Change::Ask(x, y, radius)),
        2 => (any::<usize>(), -150.0_f32..150.0, -90.0_f32..90.0)
            .prop_map(|(pick, x, y)| Change::Velocity(pick, x, y)),
        6 => (1..4_u8).prop_map(Change::Step),
        2 => (0..2_u8, 1.0_f32..80.0, 0.0_f32..9.0, 0..8_u8)
            .prop_map(|(kind, view, radius, bits)| Change::Species(kind, view, radius, bits)),
        1 => (1.0_f32..80.0, 0.0_f32..9.0, 0..8_u8)
            .prop_map(|(view, radius, bits)| Change::Add(view, radius, bits)),
        2 => (any::<usize>(), any::<usize>(), [-300.0_f32..300.0, -1.0_f32..1.0e7])
            .prop_map(|(agent, target, point)| Change::Aim(agent, target, point)),
        2 => (prop::collection::vec(any::<usize>(), 0..5), [-200.0_f32..200.0, 0.0_f32..1.2e7])
            .prop_map(|(agents, point)| Change::AimAt(agents, point)),
        2 => (prop::collection::vec(any::<usize>(), 0..5), 0..3_u8)
            .prop_map(|(agents, kind)| Change::Convert(agents, kind)),
        1 => (0..8_u8).prop_map(Change::Method),
        1 => (0..4_u32).prop_map(Change::Pushes),
        1 => (0..4_u32).prop_map(Change::Samples),
        1 => (0..3_u64).prop_map(Change::Seed),
        1 => any::<bool>().prop_map(Change::Solid),
        1 => (0..3_u8).prop_map(Change::Scenery),
        4 => (0..8_u8, any::<usize>(), 0.0_f32..1.0)
            .prop_map(|(which, pick, share)| Change::Set(which, pick, share)),
    ]
}

/// Adds an obstacle and a closed wall unless `which` is 0. If `which` is 2, the wall is too long to
/// be solid on the torus. Worlds with depth also get a ramp.
fn furnished(scene: Scene, which: u8) -> Scene {
    let block = [[70.0, 20.0], [80.0, 20.0 + 30.0 * f32::from(which)], [100.0, 40.0]];
    let obstacle = Obstacle::new(point_in(&scene.world, [30.0, 40.0, 25.0]), 12.0);
    let ramp = Wall::new([[10.0, 60.0, 5.0], [50.0, 60.0, 25.0], [50.0, 85.0, 25.0]]);
    let is_deep = scene.world.depth.is_some();
    let scene = match which {
        0 => return scene,
        _ => scene.obstacle(obstacle).wall(Wall::new(block).closed()),
    };
    if is_deep { scene.wall(ramp) } else { scene }
}

const NOBODY: AgentId = AgentId { index: 1_000_000, generation: 0 };

fn kind(name: &str, agents: usize, view: f32, radius: f32, bits: u8) -> Species {
    let species = Species {
        view_includes_radius: bits & 1 != 0,
        immovable: bits & 6 == 4,
        locomotion: if bits & 2 != 0 { Locomotion::ConstantSpeed } else { Locomotion::PointMass },
        ..flock(agents).view_distance(view).radius(radius)
    };
    let species = Species { name: name.into(), ..species };
    match bits {
        7 => Species {
            behaviors: vec![Separation { weight: 50.0, ..Separation::default() }.into()],
            ..species
        },
        4 | 5 => species.behavior(Seek { weight: 1.0, target: Target::Own }),
        6 => species.behavior(Seek { weight: 1.0, target: Target::member("a", 0) }),
        1 => species.behavior(OffsetPursuit {
            leader: Target::member("a", 0),
            abreast: 2,
            ..OffsetPursuit::default()
        }),
        // Writes to the column are refused unless a species defines it.
        3 => species.column("fear", [0.0, 1.0]),
        _ => species,
    }
}

fn make(change: &Change, whole: &mut Simulation, parts: &mut Slabs, draw: &mut u64) {
    let (slabs, world) = (parts.slabs.len(), whole.scene().world);
    let mut all = ids(whole);
    all.sort_unstable();
    match *change {
        Change::Spawn(kind, ref places, angle) => {
            let name = ["a", "b", "c"][usize::from(kind)];
            let heading = vector_in(&world, [angle.cos(), angle.sin()]);
            let headings = vec![heading; places.len()];
            // Some velocities are too fast for agents with ranges, or for this scene.
            let velocities: Vec<[f32; 3]> =
                (0..places.len()).map(|k| heading.map(|x| x * k as f32 * angle * 9.0)).collect();
            let fear = vec![angle - 2.0; places.len()];
            let places: Vec<[f32; 3]> = places.iter().map(|&at| place_in(&world, at)).collect();
            let spawn = Spawn::at(&places);
            let spawn = match (angle * 1.0e3) as u32 % 5 {
                0 => spawn,
                1 => spawn.headings(&headings),
                2 => spawn.velocities(&velocities),
                3 => spawn.column("fear", &fear),
                _ => spawn.headings(&headings).velocities(&velocities).column("fear", &fear),
            };
            let expected = spawn_in!(&mut *whole, world, name, &spawn);
            assert_eq!(spawn_in!(&mut *parts, world, name, &spawn), expected);
        }
        Change::Remove(ref picks) if !all.is_empty() => {
            // Often refused because of duplicates; then removes the same agents without duplicates.
            let mut picked: Vec<AgentId> = picks.iter().map(|pick| all[pick % all.len()]).collect();
            let expected = whole.remove_many(&picked);
            assert_eq!(parts.remove_many(&picked), expected);
            parts.assert_are(whole, "some removed");
            picked.retain(|&id| whole.agent(id).is_ok());
            picked.sort_unstable();
            picked.dedup();
            whole.remove_many(&picked).unwrap();
            parts.remove_many(&picked).unwrap();
        }
        Change::Ask(x, y, radius) => parts.assert_answers(whole, place_in(&world, [x, y]), radius),
        Change::Velocity(pick, x, y) if !all.is_empty() => {
            let id = all[pick % all.len()];
            let velocity = [vector_in(&world, [x, y])];
            let expected = set_vectors!(&mut *whole, Vector::Velocity, &[id], &velocity);
            let found = parts.set_velocity(id, point_in(&world, velocity[0]));
            assert_eq!(found, expected.map_err(|error| error.to_string()));
            let slab = &mut parts.slabs[0];
            let refused = set_vectors!(slab, Vector::Velocity, &[id], &velocity).unwrap_err();
            assert!(refused.to_string().contains("set_velocity"), "{refused}");
        }
        Change::Step(steps) => {
            for _ in 0..steps {
                let expected = whole.step().map_err(|error| error.to_string());
                let borders = |rows| (steps > 1).then(|| random_borders(draw, rows, slabs));
                assert_eq!(parts.step(borders), expected);
            }
        }
        Change::Species(which, view, radius, bits) => {
            let species = kind(["a", "b"][usize::from(which)], 0, view, radius, bits);
            assert_eq!(parts.set_species(&species), whole.set_species(&species));
        }
        Change::Add(view, radius, bits) => {
            let add = |scene: &mut Scene| scene.species.push(kind("c", 0, view, radius, bits));
            // A second species of the same name is refused.
            let expected = whole.edit(add);
            parts.each_slab(|slab| slab.edit(add), &expected);
        }
        Change::Aim(agent, target, point) if !all.is_empty() => {
            let id = all[agent % all.len()];
            let target = match target % (all.len() + 5) {
                0 => Target::Unset,
                1 | 2 => point_in(&world, [point[0], point[1], 0.7 * point[0]]).into(),
                // Refused: an own target cannot refer to own targets.
                3 => Target::Own,
                other => all.get(other - 4).copied().unwrap_or(NOBODY).into(),
            };
            let expected = whole.set_own_target(id, target.clone());
            parts.each_slab(|slab| slab.set_own_target(id, target.clone()), &expected);
            // An agent may be listed twice, and the last target may be refused.
            let ids = [all[0], all[agent % all.len()], all[agent / 2 % all.len()]];
            let targets = [Target::Unset, all[all.len() - 1].into(), target];
            let expected = whole.set_own_targets(&ids, &targets);
            parts.each_slab(|slab| slab.set_own_targets(&ids, &targets), &expected);
        }
        Change::AimAt(ref picks, [x, y]) if !all.is_empty() => {
            let ids: Vec<AgentId> = picks.iter().map(|pick| all[pick % all.len()]).collect();
            let points: Vec<[f32; 3]> =
                (0..ids.len()).map(|k| [x * k as f32, y, 0.3 * y]).collect();
            let expected = set_vectors!(&mut *whole, Vector::OwnTarget, &ids, &points);
            parts.each_slab(|slab| set_vectors!(slab, Vector::OwnTarget, &ids, &points), &expected);
        }
        Change::Convert(ref picks, kind) => {
            // May include an id and a species that do not exist.
            let pick = |pick: &usize| all.get(pick % (all.len() + 1)).copied().unwrap_or(NOBODY);
            let ids: Vec<AgentId> = picks.iter().map(pick).collect();
            let name = ["a", "b", "c"][usize::from(kind)];
            let expected = whole.change_species(&ids, name);
            parts.each_slab(|slab| slab.change_species(&ids, name), &expected);
        }
        Change::Set(which, pick, share) if !all.is_empty() => {
            let ids: Vec<AgentId> =
                (0..pick % 5).map(|k| all[(pick / 5 * k) % all.len()]).collect();
            let expected = set_property!(&mut *whole, which, &ids[..], share);
            parts.each_slab(|slab| set_property!(&mut *slab, which, &ids[..], share), &expected);
        }
        Change::Remove(_)
        | Change::Aim(..)
        | Change::AimAt(..)
        | Change::Set(..)
        | Change::Velocity(..) => {}
        Change::Method(bits) => {
            let levels: Vec<Level> = Level::available().collect();
            let level = levels[usize::from(bits) % levels.len()];
            let partitions = [Partition::Auto, Partition::Cells, Partition::AllPairs];
            let partition = partitions[usize::from(bits / 2) % 3];
            for slab in &mut parts.slabs {
                let method = if bits == 7 { Method::Scalar } else { Method::Simd };
                let threads = 1 + usize::from(bits % 2);
                slab.set_execution(Execution { partition, method, level, threads }).unwrap();
            }
        }
        Change::Pushes(iterations) => {
            let expected = whole.edit(|scene| scene.non_penetration = iterations);
            parts
                .each_slab(|slab| slab.edit(|scene| scene.non_penetration = iterations), &expected);
        }
        Change::Seed(seed) => {
            whole.edit(|scene| scene.seed = seed).unwrap();
            parts.each_slab(|slab| slab.edit(|scene| scene.seed = seed), &Ok(()));
        }
        Change::Solid(solid) => {
            let expected = whole.edit(|scene| scene.solid = solid);
            parts.each_slab(|slab| slab.edit(|scene| scene.solid = solid), &expected);
        }
        Change::Scenery(which) => {
            let Scene { obstacles, walls, .. } = furnished(Scene::new(world), which);
            let furnish = |scene: &mut Scene| {
                scene.obstacles.clone_from(&obstacles);
                scene.walls.clone_from(&walls);
            };
            let expected = whole.edit(furnish);
            parts.each_slab(|slab| slab.edit(furnish), &expected);
        }
        Change::Samples(samples) => {
            let samples = (samples > 0).then_some(samples);
            let expected = whole.edit(|scene| scene.heading_samples = samples);
            parts.each_slab(|slab| slab.edit(|scene| scene.heading_samples = samples), &expected);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(300)
    })]

    #[test]
    fn any_sequence_of_calls_in_slabs_is_that_of_one_host(
        changes in prop::collection::vec(change(), 1..40),
        topology in 0..3,
        slabs in 1..5_usize,
        first in prop::sample::select(vec![0_usize, 1, 20, 100]),
        others in 1..5_usize,
        depth in prop::sample::select(vec![None, Some(50.0)]),
        solid: bool,
        mut draw: u64,
    ) {
        let world = match topology {
            0 => World::torus(120.0, 90.0),
            1 => World::bounded(120.0, 90.0),
            _ => World::open(120.0, 90.0),
        };
        let world = World { depth, ..world };
        let scene = Scene::new(world)
            .species(kind("a", first.max(1), 10.0, 3.0, 0))
            .species(kind("b", first / 2, 15.0, 5.0, 1));
        let scene = Scene { solid, ..furnished(scene, u8::from(solid)) };
        let mut whole = scene.build().unwrap();
        let mut parts = Slabs::new(&scene, slabs);
        for change in changes {
            make(&change, &mut whole, &mut parts, &mut draw);
            parts.assert_are(&whole, &format!("after {change:?}"));
        }
        let saved = parts.saved();
        let joined = Snapshot::join(&saved).unwrap();
        prop_assert_eq!(joined.to_bytes(), whole.snapshot().to_bytes());
        let mut resumed = Slabs::resume(&saved, others).unwrap();
        for _ in 0..3 {
            let expected = whole.step().map_err(|error| error.to_string());
            prop_assert_eq!(resumed.step(|rows| Some(random_borders(&mut draw, rows, others))), expected);
            resumed.assert_are(&whole, "resumed");
        }
    }
}
