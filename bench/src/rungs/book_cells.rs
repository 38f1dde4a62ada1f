//! The book's cell-space partition: square cells, each with a linked list of its vehicles.
//! As published, each vehicle checks *all* cells for overlap with its query box,
//! so a step is still O(n · cells).
//!
//! Vehicles stay at their initial indices, so the lists jump through memory at random,
//! like a `std::list` of pointers. Two changes from the book make the neighbors and their order
//! match the engine's: query boxes extend across the seam of the torus, and each step refills
//! the lists in the engine's order.

use super::book::Vehicle;
use super::order::Order;
use super::rules::Rules;
use super::vector::{Vec2, Vector};

const NONE: u32 = u32::MAX;

pub(crate) struct CellSpace {
    cells: Vec<Cell>,
    successors: Vec<u32>,
    /// Vehicle indices in the engine's order.
    sorted: Vec<u32>,
}

struct Cell {
    bounds: Bounds,
    first: u32,
    last: u32,
}

struct Bounds {
    low: Vec2,
    high: Vec2,
}

impl Bounds {
    fn overlap(&self, other: &Self) -> bool {
        let reaches = |low: Vec2, high: Vec2| low.0[0] <= high.0[0] && low.0[1] <= high.0[1];
        reaches(self.low, other.high) && reaches(other.low, self.high)
    }
}

impl CellSpace {
    pub(crate) fn new(rules: &Rules<2>, order: &Order, vehicles: &mut [Vehicle]) -> Self {
        let sorted = vehicles.iter().map(|vehicle| vehicle.id).collect();
        vehicles.sort_by_key(|vehicle| vehicle.id);
        let corner = |column: u32, row: u32| {
            let edge = |size: f32, k: u32, count: u32| size * k as f32 / count as f32;
            let Vector([width, height]) = rules.size;
            Vector([edge(width, column, order.squares), edge(height, row, order.rows)])
        };
        let squares = (0..order.rows).flat_map(|row| (0..order.squares).map(move |k| (k, row)));
        let cell = |(k, row): (u32, u32)| {
            let column = order.position_in_row(row, k, order.squares);
            let bounds = Bounds { low: corner(column, row), high: corner(column + 1, row + 1) };
            Cell { bounds, first: NONE, last: NONE }
        };
        let cells = squares.map(cell).collect();
        Self { cells, successors: vec![NONE; vehicles.len()], sorted }
    }

    pub(crate) fn step(
        &mut self,
        vehicles: &[Vehicle],
        next: &mut [Vehicle],
        rules: &Rules<2>,
        order: &Order,
    ) {
        self.fill(vehicles, order);
        let (mut queries, mut seen) = (Vec::new(), Vec::new());
        for (vehicle, next) in vehicles.iter().zip(next) {
            query_boxes(vehicle.position, rules, &mut queries);
            seen.clear();
            for cell in &self.cells {
                if cell.first != NONE && queries.iter().any(|query| query.overlap(&cell.bounds)) {
                    let mut index = cell.first;
                    while index != NONE {
                        if vehicle.sees(&vehicles[index as usize], rules) {
                            seen.push(index);
                        }
                        index = self.successors[index as usize];
                    }
                }
            }
            *next = vehicle.updated(seen.iter().map(|&index| &vehicles[index as usize]), rules);
        }
    }

    fn fill(&mut self, vehicles: &[Vehicle], order: &Order) {
        let position = |index: u32| vehicles[index as usize].position;
        self.sorted.sort_by_key(|&index| order.cell(position(index)));
        for cell in &mut self.cells {
            (cell.first, cell.last) = (NONE, NONE);
        }
        for &index in &self.sorted {
            let cell = &mut self.cells[order.square(position(index))];
            match cell.last {
                NONE => cell.first = index,
                last => self.successors[last as usize] = index,
            }
            cell.last = index;
            self.successors[index as usize] = NONE;
        }
    }
}

/// Lists the view box around a position, and its periodic images that overlap the world.
fn query_boxes(position: Vec2, rules: &Rules<2>, queries: &mut Vec<Bounds>) {
    let size = rules.size;
    let world = Bounds { low: Vec2::ZERO, high: size };
    // Slightly more than the view distance, to allow for rounding at cell edges.
    let half = size.map(|size| rules.view * 1.0001 + size * 1.0e-6);
    queries.clear();
    let Vector([width, height]) = size;
    for shift_y in [0.0, height, -height] {
        for shift_x in [0.0, width, -width] {
            let image = position + Vector([shift_x, shift_y]);
            let query = Bounds { low: image - half, high: image + half };
            if query.overlap(&world) {
                queries.push(query);
            }
        }
    }
}
