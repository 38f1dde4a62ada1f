//! What is measured of a crowd. Of a large one, a sample: counting all neighbors takes longer than
//! a step.

use std::time::{Duration, Instant};

use flockwork::{AgentId, Simulation, StageTimes};

use crate::raster::shapes::length;

/// Up to this many agents, all are counted.
const MAX_COUNTED: usize = 20_000;
/// How many agents of a larger crowd are looked at.
const SAMPLES: usize = 256;
/// Minimum time between two measures.
const MIN_INTERVAL: Duration = Duration::from_millis(250);
/// At most one part in this many of the time is spent on them.
const TIME_SHARE: u32 = 50;

/// What the stages of a step took, in milliseconds: sorting, steering and moving, non-penetration,
/// smoothing.
pub(crate) fn stages(times: StageTimes) -> [f64; 4] {
    let StageTimes { sort, steer, non_penetration, smooth, .. } = times;
    [sort, steer, non_penetration, smooth].map(|time| 1.0e3 * time.as_secs_f64())
}

/// Measures are taken occasionally: they cost something.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statistics {
    /// How long the latest took.
    pub(crate) took: Duration,
    next: Option<Instant>,
}

impl Statistics {
    /// Measures after a step, if it is time to, and returns what is new.
    pub(super) fn update(&mut self, simulation: &mut Simulation) -> Option<Row> {
        let start = Instant::now();
        if self.next.is_some_and(|next| start < next) {
            return None;
        }
        let step_ms = stages(simulation.stage_times()).iter().sum();
        let measures = Measures::of(simulation);
        let took = start.elapsed();
        let next = Some(Instant::now() + MIN_INTERVAL.max(took * TIME_SHARE));
        *self = Self { took, next };
        Some(Row { measures, step_ms })
    }
}

/// Measures over time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) measures: Measures,
    /// Milliseconds of the step before.
    pub(crate) step_ms: f64,
}

/// Measures of a crowd after a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Measures {
    /// Simulated seconds since the start.
    pub(crate) seconds: f64,
    pub(crate) agents: usize,
    /// The length of the crowd's mean heading, from 0 to 1.
    pub(crate) order: f64,
    /// Mean speed in world units per second.
    pub(crate) speed: f64,
    /// Mean number of neighbors, and the largest of those that were counted.
    pub(crate) neighbors: f64,
    pub(crate) max_neighbors: u32,
    /// Mean distance to the nearest neighbor in view, in world units; `None` if none was in view.
    pub(crate) nearest: Option<f64>,
    /// Pairs tested per agent, where all were counted.
    pub(crate) pairs: Option<f64>,
}

impl Measures {
    pub(crate) fn of(simulation: &mut Simulation) -> Self {
        let agents = simulation.len();
        let mut measures = Self {
            seconds: simulation.tick() as f64 / f64::from(simulation.scene().steps_per_second),
            agents,
            order: simulation.alignment_order(),
            ..Self::default()
        };
        let stride = agents.div_ceil(SAMPLES).max(1);
        let sample: Vec<AgentId> =
            (0..agents).step_by(stride).map(|slot| simulation.id_at(slot)).collect();
        let (mut speeds, mut nearest, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        for id in sample {
            // An agent of the sample is always there.
            let (Ok(agent), Ok(neighbors)) = (simulation.agent(id), simulation.neighbors(id))
            else {
                continue;
            };
            speeds.push(length(agent.velocity.map(f64::from)));
            counts.push(neighbors.len() as f64);
            measures.max_neighbors = measures.max_neighbors.max(neighbors.len() as u32);
            nearest.extend(nearest_of(simulation, agent.position, &neighbors));
        }
        measures.speed = mean(&speeds).unwrap_or(0.0);
        measures.neighbors = mean(&counts).unwrap_or(0.0);
        measures.nearest = mean(&nearest);
        if agents <= MAX_COUNTED {
            let census = simulation.census();
            measures.neighbors = census.mean_neighbors;
            measures.max_neighbors = census.max_neighbors;
            measures.pairs = Some(census.pairs_per_agent);
        }
        measures
    }
}

fn nearest_of(simulation: &Simulation, at: [f32; 2], neighbors: &[AgentId]) -> Option<f64> {
    let distance = |&other: &AgentId| {
        let to = simulation.agent(other).ok()?.position;
        Some(length(simulation.displacement(at, to).map(f64::from)))
    };
    neighbors.iter().filter_map(distance).min_by(f64::total_cmp)
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flockwork::{Scene, Species, World};

    #[test]
    fn the_measures_of_a_small_crowd_are_exact() {
        let kind = Species::new("a", 0).view_distance(20.0).max_speed(60.0);
        let mut three = Scene::new(World::torus(100.0, 100.0)).species(kind).build().unwrap();
        for (x, heading) in [(10.0, [1.0, 0.0]), (15.0, [1.0, 0.0]), (99.0, [-1.0, 0.0])] {
            three.spawn("a", [x, 50.0], heading).unwrap();
        }
        let measures = Measures::of(&mut three);
        assert_eq!((measures.agents, measures.seconds), (3, 0.0));
        assert!((measures.order - 1.0 / 3.0).abs() < 1.0e-6);
        assert_eq!(measures.max_neighbors, 2);
        // 5 and 5 to one another, 11 across the seam.
        assert!((measures.nearest.unwrap() - 7.0).abs() < 1.0e-4, "{:?}", measures.nearest);
        assert!(measures.pairs.is_some());
        assert_eq!(
            Measures::of(&mut Scene::new(World::torus(9.0, 9.0)).build().unwrap()).nearest,
            None
        );
    }

    #[test]
    fn a_sample_is_close_to_the_whole() {
        let mut crowd = Scene::named("stress").unwrap().agents(30_000).build().unwrap();
        crowd.run(5).unwrap();
        let measures = Measures::of(&mut crowd);
        let all = crowd.census().mean_neighbors;
        assert!((measures.neighbors / all - 1.0).abs() < 0.1, "{} {all}", measures.neighbors);
        assert_eq!(measures.pairs, None);
    }
}
