use flockwork::behaviors::{HideInFlock, Seek, Separation};
use flockwork::slab::Slab;
use flockwork::{
    AgentId, Number, Obstacle, OwnTarget, Scene, Simulation, Spawn, Species, Start, Target, Vector,
    World,
};

use super::slabs::{Join, Slabs, random_borders};
use crate::common::agents::id;
use crate::common::rooms::Room;
use crate::common::scenes::flock;
use crate::outside::behaviors::{Everything, Lift};

#[test]
fn every_scene_in_slabs_is_the_scene_of_one_host() {
    for name in Scene::names() {
        let scene = few(Scene::named(name).unwrap());
        for slabs in [1, 2, 3, 4, 7] {
            for at_random in [false, true] {
                let mut whole = scene.build().unwrap();
                let mut parts = Slabs::new(&scene, slabs);
                let mut draw = slabs as u64;
                for step in 0..20 {
                    whole.step().unwrap();
                    let borders = |rows| at_random.then(|| random_borders(&mut draw, rows, slabs));
                    parts.step(borders).unwrap();
                    let context = format!("{name}, {slabs} slabs, {at_random}, step {step}");
                    parts.assert_are(&whole, &context);
                }
            }
        }
    }
}

#[test]
fn random_solid_rooms_in_slabs_are_those_of_one_host() {
    let mut compared = 0;
    for seed in 0..30 {
        let Room { scene, .. } = [Room::random, Room::in_space][seed as usize % 2](seed);
        // Some rooms have no space for all of their large agents.
        let Ok(mut whole) = scene.build() else { continue };
        compared += 1;
        let slabs = 2 + seed as usize % 4;
        let mut parts = Slabs::new(&scene, slabs);
        let mut draw = 1 + seed;
        for step in 0..12 {
            whole.step().unwrap();
            parts.step(|rows| Some(random_borders(&mut draw, rows, slabs))).unwrap();
            parts.assert_are(&whole, &format!("room {seed}, {slabs} slabs, step {step}"));
        }
    }
    assert!(compared > 20, "{compared} rooms");
}

#[test]
fn ghosts_have_the_columns_that_behaviors_read_only_in_space() {
    let bird = Species::new("bird", 300).column("lift", [0.0, 1.0]).behavior(Lift::default());
    let scene = Scene::new(World::torus(200.0, 200.0).depth(200.0)).species(bird);
    let mut whole = scene.build().unwrap();
    let mut parts = Slabs::new(&scene, 2);
    for step in 0..3 {
        whole.step().unwrap();
        parts.step(|_| None).unwrap();
        parts.assert_are(&whole, &format!("step {step}"));
    }
}

/// A crowded circle lies between two lines of agents, which no agent touches until the first pass
/// has pushed agents out of the circle. If a line has its own slab, the first pass pushes only in
/// the other slab. In cells lower than an agent, a search returns few candidates beyond its reach.
#[test]
fn pushes_reach_as_far_as_agents_of_other_slabs_were_pushed() {
    let crowded = Species::new("agent", 400)
        .start(Start::in_circle([20.0, 20.0], 4.0))
        .radius(2.0)
        .view_distance(1.0)
        .max_speed(1.0e-3);
    let scene = Scene::new(World::bounded(40.0, 40.0)).species(crowded).cell_size(0.25);
    let mut start = Scene { non_penetration: 2, ..scene }.build().unwrap();
    for column in 0..10_u8 {
        for y in [11.5, 28.5] {
            start.spawn("agent", [f32::from(column) * 4.1 + 1.5, y], [1.0, 0.0]).unwrap();
        }
    }
    let start = start.snapshot();
    for border in 0..40 {
        let mut whole = start.build().unwrap();
        let mut parts = Slabs::of_snapshot(&start, 2);
        whole.step().unwrap();
        parts.step(|rows| Some(vec![0, border.min(rows), rows])).unwrap();
        parts.assert_are(&whole, &format!("{border} rows in the lower slab"));
    }
}

/// Steps 64 slabs of equally many rows beside the whole crowd.
fn assert_even_slabs_are(whole: Simulation, steps: u32) {
    let start = whole.snapshot();
    let (mut whole, mut parts) = (start.build().unwrap(), Slabs::of_snapshot(&start, 64));
    for step in 0..steps {
        whole.step().unwrap();
        parts.step(|rows| Some((0..=64).map(|k| k * rows / 64).collect())).unwrap();
        parts.assert_are(&whole, &format!("step {step}"));
    }
}

/// Regression: where coordinates are coarse, solid scenery moves an agent by more than its radius
/// in every pass. Slabs panicked, or had too few ghosts for two agents that meet in a late pass.
#[test]
fn scenery_lifts_agents_farther_than_their_radius() {
    let agent = Species::new("a", 8000).radius(1.0).max_speed(1.0e-3).view_distance(1.0);
    let scene = Scene::new(World::open(80.0, 80.0)).species(agent);
    let scene = scene.obstacle(Obstacle::new([9.0e6, 9.0e6], 300.0));
    let scene = scene.obstacle(Obstacle::new([9.0e6, 8_999_392.0], 300.0));
    let mut start = Scene { solid: true, non_penetration: 15, ..scene }.build().unwrap();
    for x in [-20.0, -10.0, 0.0, 10.0, 20.0] {
        for y in [8_999_722.0, 8_999_668.0] {
            start.spawn("a", [9.0e6 + x, y], [1.0, 0.0]).unwrap();
        }
    }
    assert_even_slabs_are(start, 3);
}

/// Regression: the agent reached rows that slabs did not expect it to reach in a step.
#[test]
fn scenery_lifts_a_small_agent_over_many_rows() {
    let agent = Species::new("a", 2000).radius(0.1).max_speed(1.0e-3).view_distance(1.0);
    let scene = Scene::new(World::open(40.0, 40.0)).species(agent);
    let scene = scene.obstacle(Obstacle::new([9.0e6, 9.0e6], 300.0));
    let mut start = Scene { solid: true, non_penetration: 15, ..scene }.build().unwrap();
    start.spawn("a", [9.0e6, 8_999_900.0], [1.0, 0.0]).unwrap();
    assert_even_slabs_are(start, 2);
}

#[test]
fn a_single_fast_agent_leaps_over_slabs() {
    let fish = Species::new("fish", 300).view_distance(10.0).max_speed(30.0);
    let scene =
        Scene::new(World::torus(400.0, 400.0)).species(fish.behavior(Separation::default()));
    let mut start = scene.build().unwrap();
    start.set(Number::MaxSpeed, id(0), 7_000.0).unwrap();
    start.set(Vector::Velocity, id(0), [0.0, 7_000.0]).unwrap();
    let start = start.snapshot();
    let (mut whole, mut parts) = (start.build().unwrap(), Slabs::of_snapshot(&start, 8));
    for step in 0..20 {
        whole.step().unwrap();
        parts.step(|_| None).unwrap();
        parts.assert_are(&whole, &format!("step {step}"));
    }
}

#[test]
fn agents_of_another_species_are_no_cover_in_slabs_either() {
    let hiding = |name: &str| {
        let hide = HideInFlock { threat: [100.0, 100.0].into(), ..HideInFlock::default() };
        Species::new(name, 150).view_distance(40.0).behavior(hide)
    };
    let scene =
        Scene::new(World::torus(200.0, 200.0)).species(hiding("fish")).species(hiding("squid"));
    let (mut whole, mut parts) = (scene.build().unwrap(), Slabs::new(&scene, 3));
    for step in 0..10 {
        whole.step().unwrap();
        parts.step(|_| None).unwrap();
        parts.assert_are(&whole, &format!("step {step}"));
    }
}

/// Regression: ghosts had no species where all species were sorted together, so every ghost was
/// taken for an agent of the first one.
#[test]
fn cover_is_of_the_own_species_even_where_all_species_are_sorted_together() {
    let hiding = |name: &str| {
        let hide = HideInFlock { threat: [100.0, 100.0].into(), ..HideInFlock::default() };
        Species::new(name, 60).view_distance(40.0).behavior(hide)
    };
    let species = ["a", "b", "c", "d", "e"].map(hiding);
    let scene = species.into_iter().fold(Scene::new(World::torus(200.0, 200.0)), Scene::species);
    let (mut whole, mut parts) = (scene.build().unwrap(), Slabs::new(&scene, 3));
    for step in 0..10 {
        whole.step().unwrap();
        parts.step(|_| None).unwrap();
        parts.assert_are(&whole, &format!("step {step}"));
    }
}

/// Limits a scene to 1000 agents and keeps its density, unless it has routes, whose goals must stay
/// in place.
fn few(scene: Scene) -> Scene {
    let agents = scene.agents_at_start().min(1000);
    let scale = (agents as f32 / scene.agents_at_start() as f32).sqrt();
    let mut scene = scene.agents(agents);
    if scale < 1.0 && scene.routes.is_empty() {
        scene.world.width = scene.world.width.map(|width| width * scale);
        scene.world.height = scene.world.height.map(|height| height * scale);
    }
    scene
}

fn agrees(join: Join, thin: bool) -> bool {
    let scene = few(Scene::named("stress").unwrap());
    let mut whole = scene.build().unwrap();
    let mut parts = Slabs { join, thin, ..Slabs::new(&scene, 4) };
    let mut draw = 1;
    (0..30).all(|_| {
        whole.step().unwrap();
        parts.step(|rows| Some(random_borders(&mut draw, rows, 4))).unwrap();
        parts.state_hash() == whole.state_hash()
    })
}

/// Confirms that these tests detect lists joined in the wrong order.
#[test]
fn lists_joined_in_any_other_order_give_another_crowd() {
    assert!(agrees(Join::BySender, false));
    assert!(!agrees(Join::Reversed, false));
    assert!(!agrees(Join::NeighborsSwapped, false));
}

/// Confirms that these tests detect missing ghosts.
#[test]
fn a_halo_one_row_too_thin_gives_another_crowd() {
    assert!(!agrees(Join::BySender, true));
}

#[test]
fn a_crowd_too_large_for_serpentine_rows_is_the_same_in_slabs() {
    let scene = Scene::named("stress").unwrap().agents(140_000);
    let mut whole = scene.build().unwrap();
    let mut parts = Slabs::new(&scene, 3);
    parts.each_slab(|slab| slab.set_execution(slab.execution().threads(2)), &Ok(()));
    let mut draw = 1;
    for step in 0..3 {
        whole.step().unwrap();
        parts.step(|rows| Some(random_borders(&mut draw, rows, 3))).unwrap();
        parts.assert_are(&whole, &format!("step {step}"));
    }
}

/// Regression: each new slab started as many threads as the machine has, before its caller could
/// set their number.
#[test]
fn a_new_slab_steps_on_one_thread() {
    let scene = Scene::new(World::torus(400.0, 400.0)).species(flock(60));
    let snapshot = scene.build().unwrap().snapshot();
    let slab = Slab::new(&scene, 0, 1).unwrap();
    let part = slab.part();
    let resumed = Slab::resume([(&part, 0..60)], 0, 1).unwrap();
    for slab in [slab, resumed, Slab::from_snapshot(&snapshot, 0, 1).unwrap()] {
        assert_eq!(slab.execution().threads, 1);
    }
}

/// A custom behavior that reads and writes columns, in a crowd with smoothed headings and
/// non-penetration.
#[test]
fn custom_behaviors_and_columns_in_slabs_are_those_of_one_host() {
    let fish = Species::new("fish", 300)
        .column("hunger", [2.0, 3.0])
        .max_speed([50.0, 90.0])
        .behavior(Everything::default());
    let shark = Species::new("shark", 20).behavior(Separation::default()).column("hunger", 1.0);
    let scene = Scene::new(World::torus(400.0, 400.0))
        .species(Species { own_target: Some(OwnTarget::Previous), ..fish })
        .species(shark)
        .non_penetration(2)
        .heading_samples(5);
    let mut whole = scene.build().unwrap();
    let mut parts = Slabs::new(&scene, 3);
    let mut draw = 3;
    for step in 0..20 {
        whole.step().unwrap();
        parts.step(|rows| Some(random_borders(&mut draw, rows, 3))).unwrap();
        parts.assert_are(&whole, &format!("step {step}"));
    }
}

#[test]
fn a_removed_agent_is_a_target_in_no_slab_even_when_its_index_is_reused() {
    let seek = Seek { weight: 1.0, target: Target::member("flock", 0) };
    let scene = Scene::new(World::torus(400.0, 400.0)).species(flock(60).behavior(seek));
    let mut whole = scene.build().unwrap();
    let mut parts = Slabs::new(&scene, 3);
    let newcomer = Spawn::at(&[[200.0, 200.0]]);
    for change in ["none", "removal", "birth"] {
        match change {
            "removal" => {
                whole.remove(id(0)).unwrap();
                parts.remove_many(&[id(0)]).unwrap();
            }
            "birth" => {
                assert_eq!(whole.spawn_many("flock", &newcomer).unwrap()[0].index, 0);
                parts.spawn_many("flock", &newcomer).unwrap();
            }
            _ => {}
        }
        for step in 0..3 {
            whole.step().unwrap();
            parts.step(|_| None).unwrap();
            parts.assert_are(&whole, &format!("{change}, step {step}"));
        }
    }
}

/// Regression: a slab remembered a target agent's slot after the agent had moved to another slab,
/// so the next query panicked, or took the agent in that slot for the target.
#[test]
fn a_slab_forgets_the_slot_of_a_target_agent_that_has_moved_to_another_slab() {
    let first = Target::member("flock", 0);
    let scene = Scene::new(World::torus(400.0, 400.0))
        .species(flock(1).behavior(Seek { weight: 1.0, target: first }));
    let mut whole = scene.build().unwrap();
    let mut parts = Slabs::new(&scene, 2);
    for owner in [0, 1, 0] {
        whole.step().unwrap();
        parts.step(|rows| Some(vec![0, if owner == 0 { rows } else { 0 }, rows])).unwrap();
        parts.assert_answers(&whole, [0.0; 3], 200.0);
    }
}

/// Regression: each slab searched all its agents once for every target agent of another slab.
#[test]
fn many_target_agents_are_found_in_whichever_slab_owns_them() {
    let seek = |number| Seek { weight: 1.0, target: Target::member("flock", number) };
    let follower = |number| {
        // Two targets may be the same agent.
        let target = Target::Agent(id(number));
        let same = Seek { weight: 0.5, target };
        Species::new(format!("after {number}"), 5).behavior(seek(number)).behavior(same)
    };
    let scene = Scene::new(World::torus(400.0, 400.0)).species(flock(90));
    let scene = (0..30).map(|k| follower(3 * k)).fold(scene, Scene::species);
    let (mut whole, mut parts) = (scene.build().unwrap(), Slabs::new(&scene, 3));
    let mut draw = 5;
    for step in 0..20 {
        if step == 10 {
            let removed: Vec<AgentId> = (0..15).map(|k| id(6 * k)).collect();
            whole.remove_many(&removed).unwrap();
            parts.remove_many(&removed).unwrap();
        }
        whole.step().unwrap();
        parts.step(|rows| Some(random_borders(&mut draw, rows, 3))).unwrap();
        parts.assert_are(&whole, &format!("step {step}"));
    }
}

/// Regression: the table of agents' slots kept an agent that had moved to another slab, so forces
/// toward it panicked, or led to the agent in that slot.
#[test]
fn forces_toward_an_agent_that_has_moved_to_another_slab_are_zero() {
    // Rows of cells are as high as the view distance, and no agent has a neighbor that close.
    let species = Species::new("follower", 4)
        .view_distance(4.0)
        .behavior(Separation::default())
        .behavior(Seek { weight: 1.0, target: Target::Own });
    let scene = Scene::new(World::bounded(100.0, 100.0)).species(species);
    let mut parts = Slabs::new(&scene, 2);
    let ids: Vec<AgentId> = (0..4).map(id).collect();
    let follow = |slab: &mut Slab| slab.set_own_target(ids[0], ids[3]);
    parts.each_slab(follow, &Ok(()));
    let mut forces_of_first = |heights: [f32; 4]| {
        let at = heights.map(|y| [50.0, y]);
        parts.each_slab(|slab| slab.set_many(Vector::Position, &ids, &at), &Ok(()));
        parts.step(|rows| Some(vec![0, rows / 2, rows])).unwrap();
        let slab = parts.slabs[0].simulation();
        let slot = slab.slot_of(ids[0]).unwrap();
        slab.forces()[slot]
    };
    assert_ne!(forces_of_first([10.0, 20.0, 25.0, 30.0]), [0.0; 3]);
    assert_eq!(forces_of_first([10.0, 90.0, 90.0, 90.0]), [0.0; 3]);
    assert_eq!(forces_of_first([10.0, 20.0, 25.0, 90.0]), [0.0; 3]);
}

/// The removed agent's slot is filled by an agent from another slab, of a species that this slab
/// has not counted yet.
#[test]
fn an_agent_from_another_slab_changes_its_species_before_the_first_step() {
    let species = |name| Species::new(name, 4).view_distance(10.0).behavior(Separation::default());
    let scene = Scene::new(World::torus(80.0, 60.0)).species(species("fish"));
    let mut whole = scene.species(species("shark")).build().unwrap();
    let mut parts = Slabs::of_snapshot(&whole.snapshot(), 2);
    let [removed, last] = [0, 7].map(|slot| whole.agents().id(slot));
    whole.remove_many(&[removed]).unwrap();
    parts.remove_many(&[removed]).unwrap();
    let expected = whole.change_species(&[last], "fish");
    parts.each_slab(|slab| slab.change_species(&[last], "fish"), &expected);
    whole.step().unwrap();
    parts.step(|_| None).unwrap();
    parts.assert_are(&whole, "after the first step");
}
