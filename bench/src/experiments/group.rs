//! What an experiment consists of: groups of ways to compute the same steps of the same crowd.

use flockwork::Scene;

use crate::experiment::Experiment;
use crate::failure::Failure;
use crate::method::Method;
use crate::options::Request;

/// Untimed first steps, which warm caches, threads and memory.
pub(crate) const WARM_UP_STEPS: u64 = 3;

/// Steps in a repeat. With smoothed headings, enough that one of them compacts the history.
const STEPS: u64 = 4;
const STEPS_WITH_HEADINGS: u64 = 16;

/// From this many seconds per step on, a repeat is a single step.
const LONG_STEP: f64 = 0.2;

/// One crowd, and the methods that compute its steps. They are measured in turns and must all reach
/// the same state.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) experiment: Experiment,
    /// The point on the experiment's curves, in words.
    pub(crate) point: String,
    /// Position of the point on the x axis.
    pub(crate) x: f64,
    /// The scene, with the measured number of agents.
    pub(crate) scene: Scene,
    /// Steps before the measured ones.
    pub(crate) warm_up: u64,
    /// Steps in a repeat. They must not depend on the speed of the machine, or two runs would do
    /// different work.
    pub(crate) steps: u64,
    pub(crate) methods: Vec<Method>,
    /// Threads of methods that use several.
    pub(crate) threads: usize,
}

impl Group {
    /// Steps of `scene` soon after its start.
    pub(crate) fn new(
        request: &Request,
        experiment: Experiment,
        point: impl ToString,
        x: f64,
        scene: Scene,
        methods: &[Method],
    ) -> Self {
        // A method that needs longer than the budget is not measured at all.
        let long = LONG_STEP..2.0 * request.step_seconds();
        let agents = scene.agent_count();
        let has_long_steps = methods.iter().any(|way| long.contains(&way.usual_seconds(agents)));
        let steps = match experiment {
            // Dense crowds have long steps; searches start from scratch.
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

    /// True if only the stage that steers and moves is timed, by the engine's own clock.
    pub(crate) fn times_steering(&self) -> bool {
        self.experiment == Experiment::Kernels
    }

    pub(crate) fn agents(&self) -> usize {
        self.scene.agent_count()
    }

    /// The id of the row of one method.
    pub(crate) fn id(&self, method: Method) -> String {
        format!("{}/{method}/{}", self.experiment, self.point)
    }

    /// The name in messages.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.experiment, self.point)
    }
}

/// The ids of the rows that would be measured.
pub(crate) fn ids(groups: &[Group]) -> impl Iterator<Item = String> {
    groups.iter().flat_map(|group| group.methods.iter().map(|&method| group.id(method)))
}

/// The name of a point, with its size if the point is measured at several.
pub(crate) fn point_of_size(name: &str, agents: usize, several_sizes: bool) -> String {
    if several_sizes { format!("{name}, {agents} agents") } else { name.to_owned() }
}

/// Workload W, the scene of most experiments.
pub(crate) fn workload(agents: usize, mean_neighbors: f32, seed: u64) -> Result<Scene, Failure> {
    let mut scene = Scene::named("stress")?.seed(seed).agents(agents);
    scene.world.mean_neighbors = Some(mean_neighbors);
    Ok(scene)
}
