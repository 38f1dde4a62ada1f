//! Crowds on several ranks, here threads, give the same bits as on one host.

mod crowd;
mod fragile;

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crowd::{borders, few, hashes_of_one_host};
use flockwork::behaviors::Seek;
use flockwork::kernel::{Batch, Force, Lanes, behavior};
use flockwork::{
    Combine, InSpace, Number, OwnTarget, Scene, Simulation, Spawn, Species, Target, Vector, World,
};
use flockwork_cluster::checkpoint::Checkpoint;
use flockwork_cluster::failure::Failure;
use flockwork_cluster::rank::Rank;
use flockwork_cluster::transport::threads::{Threads, run};
use flockwork_cluster::transport::{Exchange, Transport};

fn on_ranks<R: Send + PartialEq + std::fmt::Debug>(
    ranks: usize,
    program: impl Fn(&mut Threads) -> Result<R, Failure> + Sync,
) -> R {
    let mut results = run(ranks, program).unwrap().into_iter();
    let first = results.next().unwrap();
    assert!(results.all(|other| other == first), "all ranks agree");
    first
}

#[test]
fn every_scene_on_any_number_of_ranks_is_that_of_one_host() {
    for name in Scene::names() {
        let scene = few(name);
        let hashes = hashes_of_one_host(&scene, 12);
        for ranks in [1, 2, 3, 4, 7] {
            let found = on_ranks(ranks, |transport| {
                let mut rank = Rank::new(&scene, transport)?;
                (0..12)
                    .map(|step| {
                        rank.step_with(borders(step, ranks))?;
                        rank.state_hash()
                    })
                    .collect::<Result<Vec<u64>, Failure>>()
            });
            assert_eq!(found, hashes, "{name} on {ranks} ranks");
        }
    }
}

/// Two species, with smoothed headings, non-penetration and dithered forces. Agents of one species
/// steer toward agents of the other.
fn varied() -> Scene {
    let fish = Species::new("fish", 300).behavior(Seek { weight: 1.0, target: Target::Own });
    let fish = Species { own_target: Some(OwnTarget::EachOf("shark".into())), ..fish };
    let fish = Species { combine: Combine::Dithered, ..fish };
    let shark =
        Species::new("shark", 5).behavior(flockwork::behaviors::Wander::default()).radius(4.0);
    Scene::new(World::torus(600.0, 500.0))
        .species(fish)
        .species(shark)
        .non_penetration(2)
        .heading_samples(4)
}

const FIRST: [flockwork::AgentId; 2] = [
    flockwork::AgentId { index: 100, generation: 0 },
    flockwork::AgentId { index: 299, generation: 0 },
];

trait Crowd {
    fn steps(&mut self, steps: u64);
    fn add(&mut self, at: [f32; 2]) -> flockwork::AgentId;
    fn drop(&mut self, ids: &[flockwork::AgentId]);
    fn race(&mut self, id: flockwork::AgentId);
    fn hash(&mut self) -> u64;
}

impl Crowd for Simulation {
    fn steps(&mut self, steps: u64) {
        self.run(steps).unwrap();
    }
    fn add(&mut self, at: [f32; 2]) -> flockwork::AgentId {
        self.spawn("fish", at, [1.0, 0.0]).unwrap()
    }
    fn drop(&mut self, ids: &[flockwork::AgentId]) {
        self.remove_many(ids).unwrap();
        self.remove_many(ids).unwrap_err();
    }
    fn race(&mut self, id: flockwork::AgentId) {
        self.set(Vector::Velocity, id, [1.0e6, 0.0]).unwrap_err();
        self.set(Vector::Velocity, id, [20.0, 30.0]).unwrap();
        self.set_many(Number::Mass, &FIRST, &[2.0, f32::NAN]).unwrap_err();
        self.set_many(Number::Mass, &FIRST, &[2.0, 3.0]).unwrap();
        self.set_own_target(FIRST[0], id).unwrap();
        self.set_many(Vector::OwnTarget, &FIRST[1..], &[[9.0, 70.0]]).unwrap();
        self.change_species(&FIRST, "shark").unwrap();
    }
    fn hash(&mut self) -> u64 {
        self.state_hash()
    }
}

impl<T: Transport> Crowd for Rank<'_, T> {
    fn steps(&mut self, steps: u64) {
        (0..steps).for_each(|_| self.step().unwrap());
    }
    fn add(&mut self, at: [f32; 2]) -> flockwork::AgentId {
        let (at, headings) = ([at], [[1.0, 0.0]]);
        let spawn = Spawn::at(&at).headings(&headings);
        self.slab_mut().spawn_many("fish", &spawn).unwrap()[0]
    }
    fn drop(&mut self, ids: &[flockwork::AgentId]) {
        self.remove_many(ids).unwrap();
        self.remove_many(ids).unwrap_err();
    }
    fn race(&mut self, id: flockwork::AgentId) {
        let refused = self.set_velocity(id, [1.0e6, 0.0]).unwrap_err();
        assert!(matches!(refused, Failure::Refused(_)), "{refused}");
        self.set_velocity(id, [20.0, 30.0]).unwrap();
        let slab = self.slab_mut();
        slab.set_many(Number::Mass, &FIRST, &[2.0, f32::NAN]).unwrap_err();
        slab.set_many(Number::Mass, &FIRST, &[2.0, 3.0]).unwrap();
        slab.set_own_target(FIRST[0], id).unwrap();
        slab.set_many(Vector::OwnTarget, &FIRST[1..], &[[9.0, 70.0]]).unwrap();
        slab.change_species(&FIRST, "shark").unwrap();
        let (at, mut found) = ([50.0, 80.0], Vec::new());
        slab.simulation().nearest_agents_into(at, 3, None, &mut found).unwrap();
    }
    fn hash(&mut self) -> u64 {
        self.state_hash().unwrap()
    }
}

fn live(crowd: &mut impl Crowd) -> Vec<u64> {
    let mut hashes = Vec::new();
    let mut ids = Vec::new();
    for round in 0..6 {
        crowd.steps(3);
        hashes.push(crowd.hash());
        ids.push(crowd.add([50.0 * round as f32, 80.0 * round as f32]));
        if round % 2 == 1 {
            crowd.race(ids[0]);
            crowd.drop(&[ids.remove(0), flockwork::AgentId { index: round, generation: 0 }]);
        }
        hashes.push(crowd.hash());
    }
    crowd.steps(3);
    hashes.push(crowd.hash());
    hashes
}

#[test]
fn agents_are_added_and_removed_as_on_one_host() {
    let scene = varied();
    let expected = live(&mut scene.build().unwrap());
    for ranks in [1, 2, 3, 5] {
        let found = on_ranks(ranks, |transport| Ok(live(&mut Rank::new(&scene, transport)?)));
        assert_eq!(found, expected, "{ranks} ranks");
    }
}

#[test]
fn a_refused_step_is_refused_on_all_ranks_and_changes_nothing() {
    // Agents fly out of an open world's coordinate range.
    let start = flockwork::Start {
        place: flockwork::Start::in_box([9.99e6, 0.0], [9.999e6, 1.0e4]).place,
        heading: Some(0.0),
        speed: None,
    };
    let fish = Species { start, ..Species::new("fish", 200).max_speed(1.0e5) };
    let scene = Scene::new(World::open(1000.0, 1000.0)).species(fish);
    let mut whole = scene.build().unwrap();
    let mut taken = 0;
    let error = loop {
        match whole.step() {
            Ok(()) => taken += 1,
            Err(error) => break error.to_string(),
        }
    };
    for ranks in [1, 2, 4] {
        let (found, messages) = on_ranks(ranks, |transport| {
            let mut rank = Rank::new(&scene, transport)?;
            (0..taken).try_for_each(|_| rank.step())?;
            let refused = [rank.step().unwrap_err(), rank.step().unwrap_err()];
            Ok((rank.state_hash()?, refused.map(|error| error.to_string())))
        });
        assert_eq!(found, whole.state_hash(), "{ranks} ranks");
        for message in messages {
            assert!(message.ends_with(&error), "{message}, not {error}");
        }
    }
}

#[test]
fn a_crowd_goes_on_from_a_checkpoint_on_another_number_of_ranks() {
    let scene = varied();
    let mut whole = scene.build().unwrap();
    whole.run(12).unwrap();
    for (before, after) in [(1, 3), (4, 2), (3, 3)] {
        let directory = tempfile::tempdir().unwrap();
        run(before, |transport| {
            let mut rank = Rank::new(&scene, transport)?;
            (0..7).try_for_each(|_| rank.step())?;
            rank.save(directory.path())
        })
        .unwrap();
        let checkpoint = Checkpoint::latest(directory.path()).unwrap();
        let mut one = checkpoint.join().unwrap().build().unwrap();
        one.run(5).unwrap();
        assert_eq!(one.state_hash(), whole.state_hash());
        let found = on_ranks(after, |transport| {
            let mut rank = Rank::resume(&checkpoint, transport)?;
            (0..5).try_for_each(|_| rank.step())?;
            rank.state_hash()
        });
        assert_eq!(found, whole.state_hash(), "{before} ranks, then {after}");
    }
}

fn owned<T: Transport>(rank: &mut Rank<'_, T>) -> Vec<Vec<u32>> {
    let own: Vec<u8> =
        rank.slab().agents().index.iter().flat_map(|index| index.to_le_bytes()).collect();
    let mut all = Vec::new();
    rank.transport().all_gather(&own, &mut all).unwrap();
    let words = |bytes: &Vec<u8>| -> Vec<u32> {
        let mut words: Vec<u32> =
            bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        words.sort_unstable();
        words
    };
    all.iter().map(words).collect()
}

/// On a ring of three ranks, each rank sends to both others: 4 bytes plus the records of
/// migrating agents, and 4 bytes for the number of ghosts plus 16 bytes per ghost.
#[test]
fn a_step_sends_exactly_the_bytes_of_the_formula() {
    // x, y, hx, hy and the index. A message with records also has one byte for each of up to 15
    // attribute columns and 33 motion columns, 16 of which a scene may define.
    const RECORD: u64 = 5 * 4;
    const COLUMNS: u64 = 15 + 33;
    const COPY: u64 = 4 * 4;
    let ranks = 3;
    let scene = Scene::named("stress").unwrap().agents(20_000);
    let steps = run(ranks, |transport| {
        let mut rank = Rank::new(&scene, transport)?;
        for _ in 0..5 {
            rank.step()?;
        }
        let mut left_in_all = 0;
        for _ in 0..20 {
            let before = owned(&mut rank);
            let sent = rank.transport().bytes_sent();
            rank.step()?;
            let sent = rank.transport().bytes_sent() - sent;
            let after = owned(&mut rank);
            let (mut left, mut with_any) = (0, 0);
            for (from, before) in before.iter().enumerate() {
                for (_, after) in after.iter().enumerate().filter(|&(to, _)| to != from) {
                    let moved = before.iter().filter(|index| after.binary_search(index).is_ok());
                    let moved = moved.count() as u64;
                    left += moved;
                    with_any += u64::from(moved > 0);
                }
            }
            let mut totals = [sent, rank.slab().ghosts() as u64];
            rank.transport().sum(&mut totals)?;
            let [sent, copied] = totals;
            let lists = (ranks * (ranks - 1)) as u64;
            let expected = lists * (4 + 4) + with_any * COLUMNS + left * RECORD + copied * COPY;
            assert_eq!(sent, expected, "{left} left, {copied} copied");
            left_in_all += left;
        }
        Ok::<_, Failure>(left_in_all)
    });
    assert!(steps.unwrap()[0] > 20, "some agents leave");
}

#[test]
fn a_panic_in_a_behavior_refuses_the_step_on_all_ranks_by_name_and_they_go_on() {
    let scene = fragile::scene();
    let expected = hashes_of_one_host(&scene, 6)[5];
    for ranks in [1, 3] {
        let (found, message) = on_ranks(ranks, |transport| fragile::panics_once(&scene, transport));
        assert_eq!(found, expected, "{ranks} ranks");
        assert!(message.starts_with("rank ") && message.ends_with(fragile::SAID), "{message}");
    }
}

static BATCHES: AtomicUsize = AtomicUsize::new(0);

behavior! {
    struct Doomed: "doomed" {
        weight: f32 = 1.0, 0.0 to 1.0e6;
    }

    fn force<L: Lanes>(&self, _batch: &mut Batch<'_, L>) -> Force<L> {
        BATCHES.fetch_add(1, Relaxed);
        panic!("out of hay");
    }
}

#[test]
fn a_panic_in_a_behavior_stops_the_other_rows_of_the_rank() {
    let fish = Species::new("fish", 5000).behavior(Doomed::default());
    let scene = Scene::new(World::torus(3.0e3, 3.0e3)).species(fish);
    let refused = run(2, |transport| Rank::new(&scene, transport)?.step()).unwrap_err();
    assert!(refused.reason.contains("behavior `doomed` panicked: out of hay"), "{refused}");
    assert!(BATCHES.load(Relaxed) <= 2, "each rank stops at its first batch");
}

/// When a rank panics outside a behavior, the other ranks do not wait for it.
#[test]
fn a_rank_that_panics_between_steps_ends_all_with_its_reason() {
    let scene = few("flock");
    let lost = run(3, |transport| {
        let mut rank = Rank::new(&scene, transport)?;
        for step in 0..10 {
            assert!(step < 5 || rank.slab().number() != 1, "out of feathers");
            rank.step()?;
        }
        Ok::<_, Failure>(())
    });
    assert_eq!(lost.unwrap_err().to_string(), "rank 1 failed: out of feathers");
}

#[test]
fn velocities_have_three_components_in_worlds_with_depth() {
    let agent = flockwork::AgentId { index: 0, generation: 0 };
    let fish = Species::new("fish", 20);
    let scene = Scene::new(World::torus(100.0, 100.0).depth(50.0)).species(fish);
    let hash = on_ranks(2, |transport| {
        let mut rank = Rank::new(&scene, transport)?;
        rank.set_velocity(agent, [1.0, 0.0]).unwrap_err();
        rank.set_velocity(agent, [1.0, 2.0, 3.0])?;
        rank.state_hash()
    });
    let mut whole = scene.build().unwrap();
    whole.set(InSpace(Vector::Velocity), agent, [1.0, 2.0, 3.0]).unwrap();
    assert_eq!(hash, whole.state_hash());
}
