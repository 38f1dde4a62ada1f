use flockwork::Scene;

use crate::experiment::Experiment;
use crate::failure::Failure;
use crate::method::Method;
use crate::options::Request;

/// Untimed steps that warm up caches, threads and memory.
pub(crate) const WARM_UP_STEPS: u64 = 3;

/// Steps per repeat. With smoothed headings, a repeat takes enough steps to compact the heading
/// history once.
const STEPS: u64 = 4;
const STEPS_WITH_HEADINGS: u64 = 16;

/// If a step takes at least this many seconds, a repeat is a single step.
const LONG_STEP: f64 = 0.2;

/// A crowd and the methods measured on it. Repeats of the methods alternate,
/// and all methods must reach the same state.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) experiment: Experiment,
    pub(crate) point: String,
    pub(crate) x: f64,
    pub(crate) scene: Scene,
    pub(crate) warm_up: u64,
    /// Steps per repeat. This number must not depend on the machine's speed,
    /// or two runs would do different work.
    pub(crate) steps: u64,
    pub(crate) methods: Vec<Method>,
    pub(crate) threads: usize,
}

impl Group {
    pub(crate) fn new(
        request: &Request,
        experiment: Experiment,
        point: impl ToString,
        x: f64,
        scene: Scene,
        methods: &[Method],
    ) -> Self {
        // Methods far over budget are skipped, so they must not shorten the repeats of the others.
        let long = LONG_STEP..2.0 * request.step_seconds();
        let agents = scene.agent_count();
        let has_long_steps =
            methods.iter().any(|method| long.contains(&method.usual_seconds(agents)));
        let steps = match experiment {
            // Dense crowds have long steps, and every neighbor search starts from scratch.
            Experiment::Density | Experiment::NeighborCount => 1,
            _ if has_long_steps => 1,
            _ if scene.heading_samples.is_some() => STEPS_WITH_HEADINGS,
            _ => STEPS,
        };
        Self {
            experiment,
            point: point.to_string(),
            x,
            scene,
            warm_up: WARM_UP_STEPS,
            steps,
            methods: methods.to_vec(),
            threads: request.threads()[0],
        }
    }

    /// True if only the steering stage is timed, by the engine's own clock.
    pub(crate) fn times_steering(&self) -> bool {
        self.experiment == Experiment::Kernels
    }

    pub(crate) fn agents(&self) -> usize {
        self.scene.agent_count()
    }

    pub(crate) fn id(&self, method: Method) -> String {
        format!("{}/{method}/{}", self.experiment, self.point)
    }

    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.experiment, self.point)
    }
}

pub(crate) fn ids(groups: &[Group]) -> impl Iterator<Item = String> {
    groups.iter().flat_map(|group| group.methods.iter().map(|&method| group.id(method)))
}

pub(crate) fn point_of_size(name: &str, agents: usize, several_sizes: bool) -> String {
    if several_sizes { format!("{name}, {agents} agents") } else { name.to_owned() }
}

/// Returns workload W, the plain flock that most experiments measure.
pub(crate) fn workload(agents: usize, mean_neighbors: f32, seed: u64) -> Result<Scene, Failure> {
    let mut scene = Scene::named("stress")?.seed(seed).agents(agents);
    scene.world.mean_neighbors = Some(mean_neighbors);
    Ok(scene)
}
