use flockwork::Scene;

use crate::experiment::Experiment;
use crate::failure::Failure;
use crate::options::Request;
use crate::variant::Variant;

/// Minimum number of untimed steps, which warm up caches, threads and memory.
pub(super) const MIN_WARM_UP: u64 = 3;

/// Steps per repeat. With smoothed headings, a repeat is long enough to include one compaction
/// of the heading history.
const STEPS: u64 = 4;
const STEPS_WITH_HEADINGS: u64 = 16;

/// If a step takes at least this many seconds, a repeat is a single step.
const LONG_STEP: f64 = 0.2;

/// A crowd and the variants measured on it. Repeats of the variants alternate,
/// and all variants must reach the same state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    pub(crate) experiment: Experiment,
    pub(crate) point: String,
    pub(crate) x: f64,
    pub(crate) scene: Scene,
    pub(crate) variants: Vec<Variant>,
    pub(crate) warm_up: u64,
    /// Steps per repeat. This number must not depend on the machine's speed,
    /// or two runs would do different work.
    pub(crate) steps: u64,
    pub(crate) threads: usize,
    /// A small crowd of the same kind, or of the flat twin's kind, that checks the group: cells and
    /// all pairs must step it to the same state.
    pub(crate) small: Option<Scene>,
}

/// Size of a crowd small enough to verify with all pairs before each measurement.
pub(super) const SMALL: usize = 1_000;

impl Group {
    pub(super) fn new(
        experiment: Experiment,
        point: String,
        n: usize,
        scene: Scene,
        variants: &[Variant],
    ) -> Self {
        let (x, variants) = (n as f64, variants.to_vec());
        Self { experiment, point, x, scene, variants, ..Self::default() }
    }

    /// Returns a crowd of workload W, the plain flock. In the `density` experiment, `x` is the mean
    /// number of neighbors. In `cell-size`, it is the ratio of cell height to view distance.
    /// Other experiments vary only the crowd size.
    pub(crate) fn plain(
        request: &Request,
        experiment: Experiment,
        n: usize,
        x: Option<f32>,
    ) -> Result<Self, Failure> {
        let mut scene = Scene::named("stress")?.seed(request.seed).agents(n);
        scene.world.mean_neighbors = Some(request.mean_neighbors() as f32);
        scene.world.dimensions = request.in_space().then_some(3);
        let point = match (experiment, x) {
            (Experiment::Density, Some(neighbors)) => {
                scene.world.mean_neighbors = x;
                format!("{n} agents, {neighbors} neighbors")
            }
            (_, Some(height)) => {
                scene.cell_size = x;
                format!("{n} agents, cells of {height}")
            }
            _ => n.to_string(),
        };
        let x = x.map_or(n as f64, f64::from);
        let group = Self { experiment, point, x, scene, ..Self::default() };
        let small = || group.flat().agents(n.min(SMALL));
        Ok(Self { small: request.in_space().then(small), ..group })
    }

    /// Returns the same group with `n` agents.
    pub(crate) fn of_size(&self, n: usize) -> Self {
        let scene = self.scene.clone().agents(n);
        let small = self.small.clone().map(|small| small.agents(n.min(SMALL)));
        Self { point: n.to_string(), x: n as f64, scene, small, ..self.clone() }
    }

    /// Returns the flat twin: the crowd in a flat world with the same mean number of neighbors.
    pub(crate) fn flat(&self) -> Scene {
        let mut scene = self.scene.clone();
        scene.world.dimensions = None;
        scene
    }

    pub(super) fn steps_per_repeat(&self, step_seconds: f64) -> u64 {
        // Variants far over budget are skipped, so they must not set the number of steps.
        let long = LONG_STEP..2.0 * step_seconds;
        let is_long = |variant: &Variant| long.contains(&variant.usual_seconds(self.agents()));
        match self.experiment {
            // One step is enough: dense crowds are slow, and neighbor searches keep no state.
            Experiment::Density | Experiment::NeighborCount => 1,
            // Some of these crowds take a hundred times as long as estimated.
            Experiment::Uneven => 2,
            _ if self.variants.iter().any(is_long) => 1,
            _ if self.scene.heading_samples.is_some() => STEPS_WITH_HEADINGS,
            _ => STEPS,
        }
    }

    pub(crate) fn agents(&self) -> usize {
        self.scene.agents_at_start()
    }

    pub(crate) fn id(&self, variant: Variant) -> String {
        format!("{}/{variant}/{}", self.experiment, self.point)
    }

    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.experiment, self.point)
    }
}

pub(crate) fn ids(groups: &[Group]) -> impl Iterator<Item = String> {
    groups.iter().flat_map(|group| group.variants.iter().map(|&variant| group.id(variant)))
}

pub(crate) fn point_of_size(name: &str, agents: usize, sizes: &[usize]) -> String {
    if sizes.len() > 1 { format!("{name}, {agents} agents") } else { name.to_owned() }
}
