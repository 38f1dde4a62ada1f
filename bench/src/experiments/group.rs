//! What an experiment consists of: groups of ways to compute the same steps of the same crowd.

use flockwork::Scene;

use crate::failure::Failure;
use crate::method::Method;
use crate::peers::{Peer, Task};
use crate::rungs::Rung;

/// Steps before anything is timed: caches, threads and memory are warm after these.
pub(crate) const WARM_UP_STEPS: u64 = 3;

/// Steps in a repeat; with smoothed headings so many that one of those which tidy them up is among
/// them.
const STEPS: u64 = 4;
const STEPS_WITH_HEADINGS: u64 = 16;

/// Seconds that a step usually takes from which on a repeat is a single one.
const LONG_STEP: f64 = 0.5;

/// One crowd, and the ways to compute its steps, which are measured in turns and must all
/// reach the same state.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) experiment: &'static str,
    /// Where this is on the experiment's curves, in words and as a number.
    pub(crate) point: String,
    pub(crate) x: f64,
    /// The scene with the number of agents it is measured with.
    pub(crate) scene: Scene,
    /// Steps taken before the measured ones.
    pub(crate) warm_up: u64,
    /// Steps in a repeat. They must not depend on how fast the machine happens to be: two runs
    /// would do other work.
    pub(crate) steps: u64,
    pub(crate) timed: Timed,
    pub(crate) cases: Vec<Case>,
}

/// One way to compute steps.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The curve that this is a point of.
    pub(crate) series: String,
    pub(crate) way: Way,
    /// Threads of a method that uses more than one.
    pub(crate) threads: usize,
}

/// What computes the steps.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// The engine.
    Engine(Method),
    /// What one would write without it; for workload W only.
    Rung(Rung),
    /// A crate that finds neighbors, where the agents of workload W are: no step, but a part of it.
    Peer(Peer, Task),
}

impl Way {
    /// How the time of a step grows with the number of agents, as a power.
    pub(crate) fn expected_slope(self) -> f64 {
        match self {
            Self::Engine(method) => method.expected_slope(),
            Self::Rung(rung) => rung.expected_slope(),
            Self::Peer(..) => 1.0,
        }
    }

    /// About what a step takes: 1.2 ns per pair of all, an eighth of it for SIMD, and 300 per agent
    /// with cells.
    fn usual_seconds(self, agents: usize) -> f64 {
        let pairs = self.expected_slope() > 1.5;
        let ns = match self {
            Self::Engine(Method::AllPairsSimd) => 0.15,
            _ if pairs => 1.2,
            _ => 300.0,
        };
        (agents as f64).powf(self.expected_slope()) * ns * 1.0e-9
    }
}

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Timed {
    /// Whole steps.
    Step,
    /// The stage that steers and moves, as the engine times it.
    Steer,
}

impl Case {
    /// A method under its own name.
    pub(crate) fn of(method: Method, threads: usize) -> Self {
        Self { series: method.id().to_owned(), way: Way::Engine(method), threads }
    }

    /// A rung under its own name.
    pub(crate) fn of_rung(rung: Rung) -> Self {
        Self { series: rung.id().to_owned(), way: Way::Rung(rung), threads: 1 }
    }
}

impl Group {
    /// Whole steps of `scene` soon after its start.
    pub(crate) fn new(
        experiment: &'static str,
        point: impl ToString,
        x: f64,
        scene: Scene,
        cases: Vec<Case>,
    ) -> Self {
        let smooths = scene.heading_samples.is_some();
        Self {
            experiment,
            point: point.to_string(),
            x,
            scene,
            warm_up: WARM_UP_STEPS,
            steps: if smooths { STEPS_WITH_HEADINGS } else { STEPS },
            timed: Timed::Step,
            cases,
        }
    }

    /// The same with single steps in a repeat if a step takes long, for any of the ways that a
    /// budget of so many seconds per step leaves.
    pub(crate) fn for_budget(self, budget: f64) -> Self {
        let seconds = |case: &Case| case.way.usual_seconds(self.agents());
        let long = |case: &Case| (LONG_STEP..2.0 * budget).contains(&seconds(case));
        let steps = if self.cases.iter().any(long) { 1 } else { self.steps };
        Self { steps, ..self }
    }

    pub(crate) fn agents(&self) -> usize {
        self.scene.agent_count()
    }

    pub(crate) fn id(&self, case: &Case) -> String {
        format!("{}/{}/{}", self.experiment, case.series, self.point)
    }

    /// For messages.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.experiment, self.point)
    }
}

/// The name of a point; with the size, if the same is measured at several.
pub(crate) fn point_of_size(name: &str, agents: usize, several_sizes: bool) -> String {
    if several_sizes { format!("{name}, {agents} agents") } else { name.to_owned() }
}

/// The scene that most experiments use, workload W.
pub(crate) fn workload(agents: usize, mean_neighbors: f32, seed: u64) -> Result<Scene, Failure> {
    let mut scene = Scene::named("stress")?.seed(seed).agents(agents)?;
    scene.world.mean_neighbors = Some(mean_neighbors);
    Ok(scene)
}

/// The density of workload W.
pub(crate) const MEAN_NEIGHBORS: f32 = 16.0;
