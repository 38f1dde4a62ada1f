use flockwork::behaviors::OffsetPursuit;
use flockwork::inspect::{Feature, Shape};
use flockwork::{AgentId, Scene, Simulation, Snapshot, Spawn, Species, Target, World};

use crate::common::agents::{flat, resting};
use crate::common::snapshots::{BODY, NO_LIMITS};

const SPACING: f32 = 20.0;

fn follower(name: &str, agents: usize, abreast: u32) -> Species {
    let leader = Target::member("leader", 0);
    let pursuit = OffsetPursuit {
        leader,
        offset: [0.0, 0.0],
        abreast,
        spacing: SPACING,
        ..OffsetPursuit::default()
    };
    Species::new(name, agents).behavior(pursuit)
}

/// A leader that heads to the right from (0, 0), and two species that queue up behind it.
fn queues(agents: usize, others: usize) -> Simulation {
    let scene = Scene::new(World::open(400.0, 400.0))
        .species(resting("leader", [0.0, 0.0], 0.0))
        .species(follower("a", agents, 1))
        .species(follower("b", others, 3));
    scene.build().unwrap()
}

fn queue(simulation: &Simulation, species: usize) -> Vec<AgentId> {
    let members = simulation.ids_ascending();
    let members = members.filter(|&id| simulation.agent(id).unwrap().species == species);
    let mut members: Vec<(f32, AgentId)> =
        members.map(|id| (-goal(simulation, id)[0], id)).collect();
    members.sort_by(|one, next| one.0.total_cmp(&next.0));
    for (k, (behind, _)) in (0_u8..).zip(&members) {
        assert_eq!(*behind, f32::from(k) * SPACING, "each place of the queue is taken once");
    }
    members.into_iter().map(|(_, id)| id).collect()
}

fn goal(simulation: &Simulation, id: AgentId) -> [f32; 2] {
    let why = simulation.explain(id).unwrap();
    let mark = why.contributions[0].marks.iter().find(|mark| mark.feature == Feature::Goal);
    match mark.unwrap().shape {
        Shape::Point(at) => flat(at),
        other => panic!("{other:?}"),
    }
}

fn spawn(simulation: &mut Simulation, species: &str, agents: u8) -> Vec<AgentId> {
    let at: Vec<[f32; 2]> = (0..agents).map(|k| [9.0 * f32::from(k), 50.0]).collect();
    simulation.spawn_many(species, &Spawn::at(&at)).unwrap()
}

#[test]
fn agents_that_join_an_empty_species_have_places_of_their_own() {
    let mut simulation = queues(0, 0);
    let spawned = spawn(&mut simulation, "a", 10);
    assert_eq!(queue(&simulation, 1), spawned);
}

#[test]
fn newcomers_join_the_end_and_gaps_close() {
    let mut simulation = queues(10, 0);
    let first = queue(&simulation, 1);
    let removed = [first[0], first[4], first[5]];
    simulation.remove_many(&removed).unwrap();
    let rest: Vec<AgentId> = first.into_iter().filter(|id| !removed.contains(id)).collect();
    assert_eq!(queue(&simulation, 1), rest);
    // The newcomers reuse the indices of the removed agents, but not their places.
    let spawned = spawn(&mut simulation, "a", 5);
    let all = [rest, spawned].concat();
    assert_eq!(queue(&simulation, 1), all);
    simulation.run(30).unwrap();
    assert_eq!(queue(&simulation, 1), all);
}

#[test]
fn agents_that_change_species_leave_one_formation_and_join_the_other_at_its_end() {
    let mut simulation = queues(10, 4);
    let mut before = queue(&simulation, 1);
    let moved = [before[7], before[2], before[9]];
    simulation.change_species(&moved, "b").unwrap();
    before.retain(|id| !moved.contains(id));
    assert_eq!(queue(&simulation, 1), before);
    // Three abreast: the fifth to seventh agents stand in the second and third rows.
    let places = moved.map(|id| goal(&simulation, id));
    assert_eq!(places, [[-20.0, 0.0], [-20.0, 20.0], [-40.0, -20.0]]);
    let back = [moved[1], moved[0]];
    simulation.change_species(&back, "a").unwrap();
    assert_eq!(queue(&simulation, 1), [&before[..], &back].concat());
}

#[test]
fn a_snapshot_keeps_the_order_of_joining() {
    let mut simulation = queues(6, 0);
    let first = queue(&simulation, 1);
    simulation.remove(first[1]).unwrap();
    spawn(&mut simulation, "a", 3);
    let bytes = simulation.snapshot().to_bytes();
    let mut restored = Snapshot::from_bytes(&bytes).unwrap().build().unwrap();
    assert_eq!(queue(&restored, 1), queue(&simulation, 1));
    assert_eq!(restored.snapshot().to_bytes(), bytes);
    for simulation in [&mut simulation, &mut restored] {
        spawn(simulation, "a", 2);
        simulation.run(5).unwrap();
    }
    assert_eq!(restored.state_hash(), simulation.state_hash());
}

#[test]
fn a_snapshot_has_no_order_of_joining_unless_agents_joined_a_formation() {
    let ends_without =
        |simulation: &Simulation| simulation.snapshot().to_bytes()[BODY..].ends_with(&NO_LIMITS);
    let mut simulation = queues(6, 0);
    simulation.remove(queue(&simulation, 1)[1]).unwrap();
    spawn(&mut simulation, "a", 0);
    assert!(ends_without(&simulation));
    spawn(&mut simulation, "a", 1);
    assert!(!ends_without(&simulation));
    // Without formations, a snapshot no longer stores the order.
    for name in ["a", "b"] {
        simulation.set_species(&Species::new(name, 0)).unwrap();
    }
    assert!(ends_without(&simulation));
}

#[test]
fn a_species_that_begins_to_form_lines_up_by_index() {
    let mut simulation = queues(0, 0);
    simulation.set_species(&follower("a", 0, 0)).unwrap();
    let spawned = spawn(&mut simulation, "a", 4);
    simulation.set_species(&follower("a", 0, 1)).unwrap();
    assert_eq!(queue(&simulation, 1), spawned);
}

#[test]
fn the_order_of_joining_lasts_while_any_species_forms() {
    for others_form in [false, true] {
        let mut simulation = queues(4, 0);
        simulation.set_species(&follower("b", 0, u32::from(others_form))).unwrap();
        let first = queue(&simulation, 1);
        simulation.remove_many(&first[..2]).unwrap();
        let spawned = spawn(&mut simulation, "a", 2);
        let joined = [&first[2..], &spawned].concat();
        assert_eq!(queue(&simulation, 1), joined);
        for abreast in [0, 1] {
            simulation.set_species(&follower("a", 0, abreast)).unwrap();
        }
        let mut by_index = joined.clone();
        by_index.sort_unstable_by_key(|id| id.index);
        assert_eq!(queue(&simulation, 1), if others_form { joined } else { by_index });
    }
}

/// The order decides which agent stands where in later steps, so the hash must include it.
#[test]
fn the_order_of_joining_is_hashed() {
    let [one, other] = [[0, 1], [1, 0]].map(|order| {
        let mut simulation = queues(4, 0);
        let first = queue(&simulation, 1);
        simulation.change_species(&order.map(|k| first[k]), "b").unwrap();
        simulation.state_hash()
    });
    assert_ne!(one, other);
}
