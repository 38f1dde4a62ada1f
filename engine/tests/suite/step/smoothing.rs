use std::collections::{HashMap, VecDeque};

use flockwork::{AgentId, COORDINATE_LIMIT, Scene, Simulation, World};

use crate::common::agents::{flat, ids, place};
use crate::common::measures::distance;
use crate::common::scenes::flock;
use crate::common::variants::Variant;

fn scene(agents: usize, samples: u32) -> Scene {
    let scene = Scene::new(World::torus(300.0, 250.0)).species(flock(agents));
    Scene { heading_samples: Some(samples), ..scene }
}

fn smoothed(simulation: &Simulation, id: AgentId) -> [f32; 3] {
    let slot = simulation.slot_of(id).unwrap();
    simulation.agents().smoothed_heading(slot).unwrap()
}

/// Latest headings of every agent by id. A new agent starts with copies of its first heading.
#[derive(Clone)]
struct Ledger {
    samples: usize,
    latest: HashMap<AgentId, VecDeque<[f32; 3]>>,
}

impl Ledger {
    fn new(simulation: &Simulation, samples: usize) -> Self {
        let mut ledger = Self { samples, latest: HashMap::new() };
        ledger.add_new(simulation);
        ledger
    }

    fn add_new(&mut self, simulation: &Simulation) {
        for id in ids(simulation) {
            let heading = simulation.agent(id).unwrap().heading;
            let first = || std::iter::repeat_n(heading, self.samples).collect();
            self.latest.entry(id).or_insert_with(first);
        }
    }

    fn step(&mut self, simulation: &mut Simulation) {
        self.add_new(simulation);
        simulation.step().unwrap();
        for id in ids(simulation) {
            let latest = self.latest.get_mut(&id).unwrap();
            latest.pop_front();
            latest.push_back(simulation.agent(id).unwrap().heading);
        }
    }

    fn check(&self, simulation: &Simulation, case: &str) {
        for id in ids(simulation) {
            let got = smoothed(simulation, id);
            for axis in 0..3 {
                let all = self.latest[&id].iter().map(|heading| f64::from(heading[axis]));
                let mean = all.sum::<f64>() / self.samples as f64;
                // Each heading is rounded to a multiple of 2⁻²⁴; the mean is rounded three times.
                let off = (f64::from(got[axis]) - mean).abs();
                assert!(off <= 2.2e-7, "{id}: {off} off, {case}");
            }
        }
    }
}

#[test]
fn one_sample_is_the_heading() {
    let mut simulation = scene(500, 1).build().unwrap();
    for _ in 0..50 {
        for id in ids(&simulation) {
            let (mean, heading) =
                (smoothed(&simulation, id), simulation.agent(id).unwrap().heading);
            assert!((0..2).all(|axis| (mean[axis] - heading[axis]).abs() <= 3.0e-8), "{id}");
        }
        simulation.step().unwrap();
    }
}

#[test]
fn a_smoothed_heading_is_the_mean_of_the_latest() {
    for (samples, depth) in [2, 3, 7, 10, 100].into_iter().zip([None, Some(90.0)].repeat(3)) {
        let mut scene = scene(300, samples);
        scene.world.depth = depth;
        let mut simulation = scene.build().unwrap();
        let mut ledger = Ledger::new(&simulation, samples as usize);
        ledger.check(&simulation, "at the start");
        for step in 0..130 {
            ledger.step(&mut simulation);
            ledger.check(&simulation, &format!("{samples} samples, step {step}"));
        }
    }
}

#[test]
fn smoothing_survives_added_and_removed_agents() {
    let mut simulation = scene(200, 10).build().unwrap();
    let mut ledger = Ledger::new(&simulation, 10);
    for round in 0..40_u8 {
        ledger.step(&mut simulation);
        let all = ids(&simulation);
        for k in 0..3 {
            simulation.remove(all[usize::from(round) * 3 + k * 17]).unwrap();
        }
        for k in 0..3_u8 {
            place(&mut simulation, [f32::from(round) * 7.0, f32::from(k) * 80.0]);
        }
        // Counting neighbors sorts the crowd, which must not change the latest headings.
        if round % 2 == 0 {
            simulation.neighbor_counts();
        }
        ledger.add_new(&simulation);
        ledger.check(&simulation, &format!("changed in round {round}"));
        ledger.step(&mut simulation);
        ledger.check(&simulation, &format!("round {round}"));
    }
}

#[test]
fn agents_added_and_removed_between_two_steps_leave_no_headings_behind() {
    let mut simulation = scene(20, 10).build().unwrap();
    let mut ledger = Ledger::new(&simulation, 10);
    (0..5).for_each(|_| ledger.step(&mut simulation));
    let mut most = 0;
    for round in 0..5_000_u16 {
        let first = ids(&simulation)[usize::from(round) % 20];
        simulation.remove(first).unwrap();
        place(&mut simulation, [f32::from(round % 300), f32::from(round % 250)]);
        most = most.max(simulation.bytes());
    }
    ledger.add_new(&simulation);
    ledger.check(&simulation, "all agents replaced");
    // Reused indices have new generations; the headings of removed agents are dropped.
    assert!(most < 400_000, "{most} bytes");
    ledger.step(&mut simulation);
    ledger.check(&simulation, "a step later");
}

#[test]
fn smoothing_survives_snapshots_and_a_refused_step() {
    let mut simulation = scene(200, 10).build().unwrap();
    let mut ledger = Ledger::new(&simulation, 10);
    (0..25).for_each(|_| ledger.step(&mut simulation));
    let (kept, kept_ledger) = (simulation.snapshot(), ledger.clone());
    (0..13).for_each(|_| ledger.step(&mut simulation));
    let later: Vec<_> = ids(&simulation).iter().map(|&id| smoothed(&simulation, id)).collect();

    let mut other = scene(3, 4).build().unwrap();
    other.restore(&kept);
    let mut ledger = kept_ledger;
    ledger.check(&other, "restored");
    (0..13).for_each(|_| ledger.step(&mut other));
    ledger.check(&other, "after restoring");
    let again: Vec<_> = ids(&other).iter().map(|&id| smoothed(&other, id)).collect();
    assert_eq!(later, again);

    let open = Scene::new(World::open(100.0, 100.0)).species(flock(50).max_speed(1.0e5));
    let mut simulation = Scene { heading_samples: Some(5), ..open }.build().unwrap();
    let mut ledger = Ledger::new(&simulation, 5);
    ledger.step(&mut simulation);
    let edge = COORDINATE_LIMIT;
    let doomed = simulation.spawn("flock", [edge, 0.0], [1.0, 0.0]).unwrap();
    ledger.add_new(&simulation);
    assert!(simulation.step().is_err());
    ledger.check(&simulation, "refused");
    simulation.remove(doomed).unwrap();
    ledger.step(&mut simulation);
    ledger.check(&simulation, "after the refusal");
}

#[test]
fn changing_the_number_of_samples_starts_over() {
    let mut simulation = scene(100, 10).build().unwrap();
    simulation.run(17).unwrap();
    simulation.edit(|scene| scene.heading_samples = Some(4)).unwrap();
    let mut ledger = Ledger::new(&simulation, 4);
    ledger.check(&simulation, "changed");
    for _ in 0..9 {
        ledger.step(&mut simulation);
        ledger.check(&simulation, "with four");
    }
    simulation.edit(|scene| scene.heading_samples = None).unwrap();
    simulation.step().unwrap();
    assert_eq!(simulation.agents().smoothed_heading(0), None);
    assert!(simulation.edit(|scene| scene.heading_samples = Some(0)).is_err());
    assert!(simulation.edit(|scene| scene.heading_samples = Some(101)).is_err());
}

#[test]
fn taking_the_samples_away_and_setting_as_many_starts_over() {
    let mut simulation = scene(100, 10).build().unwrap();
    let mut ledger = Ledger::new(&simulation, 10);
    for _ in 0..17 {
        ledger.step(&mut simulation);
    }
    simulation.edit(|scene| scene.heading_samples = Some(10)).unwrap();
    ledger.check(&simulation, "an edit of nothing keeps the samples");
    simulation.edit(|scene| scene.heading_samples = None).unwrap();
    simulation.edit(|scene| scene.heading_samples = Some(10)).unwrap();
    Ledger::new(&simulation, 10).check(&simulation, "set again");
}

#[test]
fn smoothed_headings_are_the_same_bits_by_every_method_and_thread_count() {
    let run = |scene: &Scene, steps: u64, variant: Variant, threads: usize| {
        let mut simulation = scene.build().unwrap();
        variant.set(&mut simulation);
        simulation.set_execution(simulation.execution().threads(threads)).unwrap();
        simulation.run(steps).unwrap();
        let mut all: Vec<_> = ids(&simulation)
            .into_iter()
            .map(|id| (id, smoothed(&simulation, id).map(f32::to_bits)))
            .collect();
        all.sort_unstable();
        all
    };
    for samples in [1, 3, 10] {
        let expected = run(&scene(300, samples), 40, Variant::scalar(), 1);
        for variant in Variant::vectors() {
            let kernels = run(&scene(300, samples), 40, variant, 1);
            assert!(kernels == expected, "{variant:?}, {samples} samples");
        }
    }
    let large = Scene { world: World::torus(2_000.0, 1_500.0), ..scene(17_000, 10) };
    let one = run(&large, 15, Variant::nth_vector(2), 1);
    assert!(run(&large, 15, Variant::nth_vector(2), 3) == one);
}

#[test]
fn smoothing_calms_a_heading_that_jumps() {
    // With the book's weights, headings tremble; the mean of ten headings hides most of it.
    let mut simulation = scene(200, 10).build().unwrap();
    simulation.run(20).unwrap();
    let (mut raw, mut calm) = (0.0, 0.0);
    for _ in 0..60 {
        let headings = |s: &Simulation, id| (s.agent(id).unwrap().heading, smoothed(s, id));
        let before: Vec<_> =
            ids(&simulation).into_iter().map(|id| (id, headings(&simulation, id))).collect();
        simulation.step().unwrap();
        for (id, (heading, mean)) in before {
            let (now, mean_now) = headings(&simulation, id);
            raw += distance(flat(now), flat(heading));
            calm += distance(flat(mean_now), flat(mean));
        }
    }
    assert!(calm < raw, "{calm} against {raw}");
}
