//! Fixed-radius neighbor searches by other Rust crates, on identical points.
//! Every call builds its search structure from scratch, as a moving crowd requires.
//!
//! No time is printed unless all crates find the same number of neighbors.

use flockwork::behaviors::Separation;
use flockwork::{Scene, Simulation, Species, World};
use kiddo::{ImmutableKdTree, SquaredEuclidean};
use rstar::RTree;
use zelll::CellGrid;

mod flock;
mod rules;
mod vector;

pub(crate) use flock::ZelllFlock;
pub(crate) use rules::world_size;
pub(crate) use vector::{Vector, nearest_offset};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peer {
    Flockwork,
    Zelll,
    Kiddo,
    Rstar,
}

impl Peer {
    pub(crate) const ALL: [Self; 4] = [Self::Flockwork, Self::Zelll, Self::Kiddo, Self::Rstar];

    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::Flockwork => "flockwork",
            Self::Zelll => "zelll",
            Self::Kiddo => "kiddo",
            Self::Rstar => "rstar",
        }
    }

    /// Returns a search. Each call builds its structure and counts the ordered pairs of distinct
    /// points that lie within the radius of each other.
    pub(crate) fn on(self, points: &Points) -> Box<dyn FnMut() -> u64 + '_> {
        let numbered = || points.at.iter().copied().enumerate();
        let without_themselves = |seen: usize| (seen - points.at.len()) as u64;
        match self {
            Self::Flockwork => {
                let mut crowd = points.crowd();
                let start = crowd.snapshot();
                Box::new(move || {
                    // Restoring a snapshot marks the crowd as unsorted. Otherwise,
                    // `neighbor_counts` would skip the sort, which is part of the search.
                    crowd.restore(&start);
                    (crowd.neighbor_counts().mean_neighbors * crowd.len() as f64).round() as u64
                })
            }
            // zelll keeps cell lists in a sparse hash map and visits each pair once.
            Self::Zelll => {
                let mut grid = CellGrid::new(numbered(), RADIUS);
                Box::new(move || {
                    grid.rebuild_mut(numbered(), Some(RADIUS));
                    let mut pairs = 0;
                    for (&(_, a), &(_, b)) in grid.particle_pairs() {
                        let (x, y) = (a[0] - b[0], a[1] - b[1]);
                        pairs += u64::from(x * x + y * y < RADIUS * RADIUS);
                    }
                    2 * pairs
                })
            }
            Self::Kiddo => Box::new(move || {
                let tree = ImmutableKdTree::<f32, 2>::new_from_slice(&points.at);
                let (tree, mut seen) = (tree.expect("finite points"), 0);
                for at in &points.at {
                    let within = tree.query(at).within::<SquaredEuclidean<f32>>(RADIUS * RADIUS);
                    within.unsorted().visit(|_| seen += 1);
                }
                without_themselves(seen)
            }),
            Self::Rstar => Box::new(move || {
                let tree = RTree::bulk_load(points.at.clone());
                let seen =
                    |at: &[f32; 2]| tree.locate_within_distance(*at, RADIUS * RADIUS).count();
                without_themselves(points.at.iter().map(seen).sum())
            }),
        }
    }
}

/// Coordinates are multiples of 1/4, so squared distances are multiples of 1/16. The radius squared
/// is 2500.03, about halfway between two multiples, so rounding cannot change who is a neighbor.
const RADIUS: f32 = 50.0003;
const STEPS_PER_UNIT: f32 = 4.0;

/// Positions, quantized so that rounding errors cannot change which points are neighbors.
pub(crate) struct Points {
    pub(crate) at: Vec<[f32; 2]>,
    pub(crate) side: f32,
}

impl Points {
    pub(crate) fn of(crowd: &Simulation) -> Self {
        let state = crowd.agents();
        let rounded = |value: f32| (value * STEPS_PER_UNIT).floor() / STEPS_PER_UNIT;
        let at = state.x.iter().zip(state.y).map(|(&x, &y)| [rounded(x), rounded(y)]);
        Self { at: at.collect(), side: crowd.world_size()[0] }
    }

    fn crowd(&self) -> Simulation {
        let agent = Species::new("point", 0).view_distance(RADIUS).behavior(Separation::default());
        let scene = Scene::new(World::bounded(self.side, self.side)).species(agent);
        let mut crowd = scene.build().expect("the scene is in range");
        crowd.set_execution(crowd.execution().threads(1)).expect("one thread");
        for &at in &self.at {
            crowd.spawn("point", at, [1.0, 0.0]).expect("points are in the world");
        }
        crowd
    }
}
