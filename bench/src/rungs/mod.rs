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

use book::{Vehicle, step_all_pairs};
use book_cells::CellSpace;
use order::Order;
pub(crate) use rules::{Rules, SOFTENING, SPENT, world_size, wrapped};
pub(crate) use vector::Vector;

pub struct RungFlock {
    rules: Rules<2>,
    order: Order,
    tick: u64,
    /// In no particular order.
    vehicles: Vec<Vehicle>,
    /// Updated vehicles. In-place updates would let later vehicles see earlier vehicles' new state.
    next: Vec<Vehicle>,
    /// `None` to search all pairs.
    cells: Option<CellSpace>,
}

impl RungFlock {
    pub fn step(&mut self) {
        let Self { rules, order, vehicles, next, .. } = self;
        match &mut self.cells {
            Some(cells) => cells.step(vehicles, next, rules, order),
            None => step_all_pairs(vehicles, next, rules, order),
        }
        std::mem::swap(&mut self.vehicles, &mut self.next);
        self.tick += 1;
    }

    /// Equals [`Simulation::state_hash`] of the same state, if no agent was ever removed.
    pub fn state_hash(&self) -> u64 {
        let mut sum = 0_u64;
        for &Vehicle { id, position, velocity, heading, .. } in &self.vehicles {
            let values = [position.0, velocity.0, heading.0];
            // Adding zero turns -0.0 into 0.0, so that values that behave the same hash the same.
            let bits = values.as_flattened().iter().map(|value| u64::from((value + 0.0).to_bits()));
            let hash = bits.fold(mix(SPREAD, u64::from(id)), mix);
            sum = sum.wrapping_add(mix(hash, SPREAD));
        }
        mix(mix(sum, self.tick), self.vehicles.len() as u64)
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
        let vehicle = |slot: usize| {
            let [vx, vy, _] = state.velocity(slot);
            Vehicle {
                id: state.index[slot],
                tagged: false,
                position: Vector([state.x[slot], state.y[slot]]),
                velocity: Vector([vx, vy]),
                heading: Vector([state.hx[slot], state.hy[slot]]),
                mass: rules.mass,
                max_speed: rules.max_speed,
                max_force: rules.max_force,
            }
        };
        let mut vehicles: Vec<Vehicle> = (0..crowd.len()).map(vehicle).collect();
        let has_cells = self == Self::BookCells;
        let cells = has_cells.then(|| CellSpace::new(&rules, &order, &mut vehicles));
        let (tick, next) = (crowd.tick(), vehicles.clone());
        Some(RungFlock { rules, order, tick, vehicles, next, cells })
    }
}

/// Multiplier from the engine's state hash.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

fn mix(hash: u64, word: u64) -> u64 {
    let hash = (hash ^ word).wrapping_mul(SPREAD);
    hash ^ (hash >> 29)
}
