use std::time::Duration;

use flockwork::{Scene, Snapshot};

use crate::experiments::group::Group;
use crate::failure::Failure;
use crate::measure::schedule::Expected;
use crate::variant::Variant;

/// Total agents per repeat: too many for a branch predictor to memorize, and enough work
/// to be timed accurately.
const AGENTS_PER_REPEAT: usize = 16_000;
const MAX_CROWDS: usize = 64;
const VERIFIED_STEPS: u64 = 3;
pub(super) const MIN_TURNS: usize = 2;

/// Multi-threaded variants run for this long before their steps are timed.
pub(super) const SETTLING_TIME: Duration = Duration::from_millis(100);
pub(super) const SETTLED_REPEATS: usize = 4;

/// Rough costs of building a crowd and of each warm-up step, used to plan the run.
const BUILD_SECONDS_PER_AGENT: f64 = 1.0e-6;
const STEP_SECONDS_PER_AGENT: f64 = 3.0e-8;

pub(super) fn crowds(group: &Group) -> u64 {
    (AGENTS_PER_REPEAT / group.agents().max(1)).clamp(1, MAX_CROWDS) as u64
}

pub(super) fn preparation(group: &Group) -> f64 {
    let agents = group.agents() as f64 * crowds(group) as f64;
    agents * (BUILD_SECONDS_PER_AGENT + STEP_SECONDS_PER_AGENT * group.warm_up as f64)
}

/// Duration of the shortest possible block in seconds: one untimed repeat and `MIN_TURNS` turns.
/// `seconds` is the time of one step.
pub(super) fn block(group: &Group, variant: Variant, seconds: f64) -> f64 {
    let repeat = seconds * (group.steps * crowds(group)) as f64;
    if variant.uses_threads() {
        let turn = SETTLING_TIME.as_secs_f64() + SETTLED_REPEATS as f64 * repeat;
        return repeat + MIN_TURNS as f64 * turn;
    }
    repeat * (1 + MIN_TURNS) as f64
}

pub(super) fn expected(group: &Group, step_seconds: f64) -> Expected {
    let usual = |variant: &Variant| variant.usual_seconds(group.agents());
    let variants = || group.variants.iter().filter(|variant| usual(variant) <= step_seconds);
    let blocks: f64 = variants().map(|variant| block(group, *variant, usual(variant))).sum();
    Expected {
        experiment: group.experiment,
        rows: variants().count().max(1),
        seconds: preparation(group) + blocks,
    }
}

/// Warmed-up states of a group's crowd, and of its flat twin if a variant steps the twin.
pub(crate) struct Warm {
    states: Vec<Snapshot>,
    flat: Vec<Snapshot>,
}

impl Warm {
    pub(super) fn states(&self, variant: Variant) -> &[Snapshot] {
        if variant.is_flat() { &self.flat } else { &self.states }
    }
}

/// Warms up a group's crowds. Calls `stops` with the name of each upcoming activity. If `stops`
/// returns true, returns `None`.
pub(crate) fn warm(group: &Group, stops: &dyn Fn(&str) -> bool) -> Result<Option<Warm>, Failure> {
    let flat = group.variants.iter().any(|variant| variant.is_flat()).then(|| group.flat());
    let [states, flat] = [Some(&group.scene), flat.as_ref()].map(|scene| match scene {
        Some(scene) => warm_states(group, scene, stops),
        None => Ok(Some(Vec::new())),
    });
    Ok(states?.zip(flat?).map(|(states, flat)| Warm { states, flat }))
}

/// Returns the warmed-up states of a crowd. A small crowd is built several times with different
/// seeds. The scene's own seed comes last, because the last state is reported.
fn warm_states(
    group: &Group,
    scene: &Scene,
    stops: &dyn Fn(&str) -> bool,
) -> Result<Option<Vec<Snapshot>>, Failure> {
    let warm = |offset: u64| -> Result<Option<Snapshot>, Failure> {
        let seed = scene.seed.wrapping_add(offset);
        if stops("building") {
            return Ok(None);
        }
        let mut simulation = Scene { seed, ..scene.clone() }.build()?;
        for step in 1..=group.warm_up {
            if stops(&format!("warm-up step {step} of {}", group.warm_up)) {
                return Ok(None);
            }
            simulation.step()?;
        }
        Ok(Some(simulation.snapshot()))
    };
    (0..crowds(group)).rev().map(warm).collect()
}

/// Fails unless cells and all pairs step the crowd to the same state.
pub(super) fn verify(name: &str, small: &Scene) -> Result<(), Failure> {
    let reached = |variant: Variant| -> Result<u64, Failure> {
        let mut simulation = small.build()?;
        variant.apply(&mut simulation, 1)?;
        simulation.run(VERIFIED_STEPS)?;
        Ok(simulation.state_hash())
    };
    let [cells, pairs] = [reached(Variant::CellsSimd)?, reached(Variant::AllPairsSimd)?];
    if cells == pairs {
        return Ok(());
    }
    Err(Failure::WrongResult(format!(
        "cells and all pairs disagree on a small crowd of {name}: {cells:016x} and {pairs:016x}"
    )))
}
