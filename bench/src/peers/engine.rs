//! flockwork itself: a census for the count, and for the sums a whole step of agents that only
//! separate.

use flockwork::{AgentId, Combine, Scene, Separation, Simulation, Snapshot, Species, World};

use super::points::{Points, RADIUS};
use super::search::Search;

pub(crate) struct Engine {
    crowd: Simulation,
    start: Snapshot,
    ids: Vec<AgentId>,
}

impl Engine {
    pub(crate) fn new(points: &Points) -> Self {
        let agent = Species::new("point", 0)
            .view_distance(RADIUS)
            .max_speed(1.0)
            .combine(Combine::WeightedSum)
            .steer(Separation { weight: 1.0 });
        // Short steps, so that agents hardly move.
        let scene = Scene {
            steps_per_second: 1000.0,
            ..Scene::new(World::bounded(points.side, points.side)).species(agent)
        };
        let mut crowd = scene.build().expect("the scene is in range");
        crowd.set_threads(1).expect("one thread");
        let spawn = |&at| crowd.spawn("point", at, [1.0, 0.0]).expect("points are in the world");
        let ids = points.at.iter().map(spawn).collect();
        Self { start: crowd.snapshot(), crowd, ids }
    }
}

impl Search for Engine {
    fn count(&mut self) -> u64 {
        // Restoring makes the crowd unsorted; a census alone would not sort it again.
        self.crowd.restore(&self.start);
        let census = self.crowd.census();
        (census.mean_neighbors * self.crowd.len() as f64).round() as u64
    }

    fn sum(&mut self) {
        self.crowd.step().expect("a valid step");
    }

    fn sum_at(&mut self, point: usize) -> [f32; 2] {
        self.crowd.restore(&self.start);
        self.crowd.explain(self.ids[point]).expect("no agent was removed").force
    }
}
