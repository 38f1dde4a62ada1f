//! Runs large scenes for thousands of steps: every number stays valid, and a run that resumes
//! halfway from a file, with other threads and lanes, ends in the same state.

use flockwork::cpu::Level;
use flockwork::{COORDINATE_LIMIT, Scene, Simulation, Snapshot, SpeciesValue};

const INTERVAL: u64 = 100;

fn assert_sound(simulation: &Simulation) {
    let (agents, tick) = (simulation.agents(), simulation.tick());
    let [width, height] = simulation.world_size();
    assert!(width < COORDINATE_LIMIT && height < COORDINATE_LIMIT);
    let fastest = |kind: usize| match simulation.scene().species[kind].max_speed {
        SpeciesValue::Shared(speed) => speed,
        SpeciesValue::Between([_, most]) => most,
    };
    for slot in 0..simulation.len() {
        let (x, y) = (agents.x[slot], agents.y[slot]);
        assert!((0.0..width).contains(&x) && (0.0..height).contains(&y), "step {tick}: ({x}, {y})");
        let heading = agents.hx[slot].hypot(agents.hy[slot]);
        assert!((heading - 1.0).abs() < 1.0e-3, "step {tick}: a heading of length {heading}");
        let [vx, vy, _] = simulation.agents().velocity(slot);
        let kind = agents.species[slot].into();
        assert!(vx.hypot(vy) <= fastest(kind) * 1.001, "step {tick}: ({vx}, {vy})");
        let smoothed = simulation.agents().smoothed_heading(slot);
        assert!(
            smoothed.is_none_or(|[x, y, z]| x.hypot(y).hypot(z) <= 1.001),
            "step {tick}: {smoothed:?}"
        );
    }
}

fn soak(name: &str, agents: usize, half: u64) {
    let mut whole = Scene::named(name).unwrap().agents(agents).build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("half-way");
    while whole.tick() < 2 * half {
        whole.run(INTERVAL).unwrap();
        assert_sound(&whole);
        if whole.tick() == half {
            whole.snapshot().save(&file).unwrap();
        }
    }
    let mut resumed = Snapshot::load(&file).unwrap().build().unwrap();
    assert_eq!(resumed.tick(), half);
    resumed.set_execution(resumed.execution().threads(3).level(Level::Baseline)).unwrap();
    resumed.run(half).unwrap();
    assert_eq!(resumed.state_hash(), whole.state_hash(), "{name}");
    assert_eq!(whole.len(), agents, "{name}");
}

#[test]
fn heavy_stays_sound_and_resumes_exactly() {
    soak("heavy", 2_000, 1_500);
}

#[test]
fn another_big_shoal_stays_sound_and_resumes_exactly() {
    soak("another-big-shoal", 300, 10_000);
}

#[test]
fn stress_stays_sound_and_resumes_exactly() {
    soak("stress", 2_000, 2_000);
}

#[test]
fn stress_on_several_threads_stays_sound_and_resumes_exactly() {
    soak("stress", 20_000, 200);
}
