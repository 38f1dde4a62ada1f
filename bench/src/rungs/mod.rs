//! The lower rungs of the benchmark ladder: workload W's flock as Buckland (2004) implements it,
//! first without and then with his cell-space partition. The engine's variants are the upper rungs.
//!
//! Each rung starts from one of the engine's crowds and takes scalar steps on one thread.
//! Its state hash must equal the engine's, which shows that the states are bitwise equal.

use flockwork::Simulation;

mod book;
mod book_cells;
mod order;
mod rules;
mod vector;

use book::{BookPairs, Loops, Vehicle};
use book_cells::BookCells;
use order::Order;
use rules::Motion;
pub(crate) use rules::{Rules, SOFTENING, SPENT, Vector, world_size, wrapped};

pub struct RungFlock {
    rules: Rules<2>,
    order: Order,
    tick: u64,
    loops: Box<dyn Loops>,
}

impl RungFlock {
    pub fn step(&mut self) {
        self.loops.step(&self.rules, &self.order);
        self.tick += 1;
    }

    /// Equals [`flockwork::Simulation::state_hash`] of the same state.
    pub fn state_hash(&self) -> u64 {
        state_hash(self.tick, self.loops.vehicles())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rung {
    /// Array of structs, all pairs.
    BookPairs,
    /// Array of structs with a linked list per cell; every search scans all cells.
    BookCells,
}

impl Rung {
    pub const ALL: [Self; 2] = [Self::BookPairs, Self::BookCells];

    pub fn id(self) -> &'static str {
        match self {
            Self::BookPairs => "book-all-pairs",
            Self::BookCells => "book-cells",
        }
    }

    pub fn flock(self, crowd: &Simulation) -> Option<RungFlock> {
        let rules = Rules::of(crowd)?;
        let order = Order::of(crowd);
        let state = crowd.agents();
        let whole = state.ids().all(|id| id.generation == 0 && (id.index as usize) < crowd.len());
        if !whole {
            return None;
        }
        let agent = |slot: usize| {
            let [vx, vy, _] = state.velocity(slot);
            let motion = Motion {
                position: Vector([state.x[slot], state.y[slot]]),
                velocity: Vector([vx, vy]),
                heading: Vector([state.hx[slot], state.hy[slot]]),
            };
            (state.index[slot], motion)
        };
        let agents: Vec<(u32, Motion)> = (0..crowd.len()).map(agent).collect();
        let vehicles = || agents.iter().map(|&(id, motion)| Vehicle::new(id, motion, &rules));
        let loops: Box<dyn Loops> = match self {
            Self::BookPairs => Box::new(BookPairs::new(vehicles().collect())),
            Self::BookCells => Box::new(BookCells::new(&rules, &order, vehicles().collect())),
        };
        Some(RungFlock { rules, order, tick: crowd.tick(), loops })
    }
}

/// Multiplier from the engine's state hash.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

fn mix(hash: u64, word: u64) -> u64 {
    let hash = (hash ^ word).wrapping_mul(SPREAD);
    hash ^ (hash >> 29)
}

/// The engine's state hash after `tick` steps, if no agent was ever removed.
fn state_hash(tick: u64, vehicles: &[Vehicle]) -> u64 {
    let count = vehicles.len() as u64;
    let mut sum = 0_u64;
    for &Vehicle { id, motion: Motion { position, velocity, heading }, .. } in vehicles {
        let values = [position.0, velocity.0, heading.0];
        // Adding zero turns -0.0 into 0.0, so that values that behave the same hash the same.
        let bits = values.as_flattened().iter().map(|value| u64::from((value + 0.0).to_bits()));
        let hash = bits.fold(mix(SPREAD, u64::from(id)), mix);
        sum = sum.wrapping_add(mix(hash, SPREAD));
    }
    mix(mix(sum, tick), count)
}
