//! The rungs of the ladder below the engine's own methods: scene W as in a book on game AI, the
//! same over columns, and with the book's own cells.
//!
//! All start from a crowd of the engine and take plain scalar steps on one thread. They must end in
//! the engine's state: same hash, bit for bit.

use flockwork::Simulation;

mod book;
mod book_cells;
mod book_pairs;
mod column_pairs;
mod flock;
mod hash;
mod order;
mod rules;
mod vec2;

use book::Vehicle;
use book_cells::BookCells;
use book_pairs::BookPairs;
use column_pairs::ColumnPairs;
pub use flock::Flock;
use order::Order;
use rules::Motion;
pub(crate) use rules::Rules;
pub(crate) use vec2::Vec2;

/// A way to compute a step without the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rung {
    /// Array of structs, all pairs.
    BookPairs,
    /// Structure of arrays, all pairs.
    ColumnPairs,
    /// Array of structs, linked lists per cell, all cells scanned.
    BookCells,
}

impl Rung {
    pub const ALL: [Self; 3] = [Self::BookPairs, Self::ColumnPairs, Self::BookCells];

    /// The name in options and reports.
    pub fn id(self) -> &'static str {
        match self {
            Self::BookPairs => "book-all-pairs",
            Self::ColumnPairs => "columns-all-pairs",
            Self::BookCells => "book-cells",
        }
    }

    pub fn about(self) -> &'static str {
        match self {
            Self::BookPairs => "all pairs, array of structs as in the book, one thread",
            Self::ColumnPairs => {
                "all pairs, the book's loops over a structure of arrays, one thread"
            }
            Self::BookCells => "the book's linked lists per cell, all cells scanned, one thread",
        }
    }

    /// The expected exponent of the time of a step over the number of agents. The number of the
    /// book's cells grows with the world, and every agent scans them all.
    pub fn expected_slope(self) -> f64 {
        2.0
    }

    /// A flock in the state of `crowd`; `None` if the crowd differs from scene W, or agents were
    /// removed from it.
    pub fn flock(self, crowd: &mut Simulation) -> Option<Box<dyn Flock>> {
        let rules = Rules::of(crowd)?;
        let order = Order::of(crowd);
        let state = crowd.agents();
        let whole = (0..crowd.len()).all(|slot| {
            let id = crowd.id_at(slot);
            id.generation == 0 && (id.index as usize) < crowd.len()
        });
        if !whole {
            return None;
        }
        let agents = (0..crowd.len()).map(|slot| {
            let [vx, vy] = crowd.velocity_at(slot);
            let motion = Motion {
                position: Vec2::new(state.x[slot], state.y[slot]),
                velocity: Vec2::new(vx, vy),
                heading: Vec2::new(state.hx[slot], state.hy[slot]),
            };
            (state.index[slot], motion)
        });
        let vehicles =
            || agents.clone().map(|(id, motion)| Vehicle::new(id, motion, &rules)).collect();
        let tick = crowd.tick();
        Some(match self {
            Self::BookPairs => Box::new(BookPairs::new(rules, order, vehicles(), tick)),
            Self::ColumnPairs => Box::new(ColumnPairs::new(rules, order, agents, tick)),
            Self::BookCells => Box::new(BookCells::new(rules, order, vehicles(), tick)),
        })
    }
}
