//! The book's cell-space partition: square cells, each with a linked list of its vehicles.
//! As published, each vehicle checks *all* cells for overlap with its query box,
//! so a step is still O(n · cells).
//!
//! Vehicles stay at their initial indices, so the lists jump through memory at random,
//! like a `std::list` of pointers. Two changes from the book make the neighbors and their order
//! match the engine's: query boxes extend across the seam of the torus, and each step refills
//! the lists in the engine's order.

use super::book::{Loops, Vehicle};
use super::order::Order;
use super::rules::{Rules, Vec2, Vector};

const NONE: u32 = u32::MAX;

pub(crate) struct BookCells {
    vehicles: Vec<Vehicle>,
    next: Vec<Vehicle>,
    cells: Vec<Cell>,
    successors: Vec<u32>,
    /// Vehicle indices in the engine's order.
    sorted: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Cell {
    bounds: Bounds,
    first: u32,
    last: u32,
}

#[derive(Clone, Copy)]
struct Bounds {
    low: Vec2,
    high: Vec2,
}

impl Bounds {
    fn overlap(&self, other: &Self) -> bool {
        let [low, high] = [self.low.0, self.high.0];
        let [other_low, other_high] = [other.low.0, other.high.0];
        low[0] <= other_high[0]
            && other_low[0] <= high[0]
            && low[1] <= other_high[1]
            && other_low[1] <= high[1]
    }
}

impl BookCells {
    pub(crate) fn new(rules: &Rules<2>, order: &Order, mut vehicles: Vec<Vehicle>) -> Self {
        let sorted = vehicles.iter().map(|vehicle| vehicle.id).collect();
        vehicles.sort_by_key(|vehicle| vehicle.id);
        Self {
            cells: cells(rules, order),
            successors: vec![NONE; vehicles.len()],
            next: vehicles.clone(),
            vehicles,
            sorted,
        }
    }

    fn fill_cells(&mut self, order: &Order) {
        let vehicles = &self.vehicles;
        let position = |index: u32| vehicles[index as usize].motion.position;
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

    fn find_neighbors(
        &self,
        vehicle: &Vehicle,
        rules: &Rules<2>,
        queries: &mut Vec<Bounds>,
        seen: &mut Vec<u32>,
    ) {
        seen.clear();
        query_boxes(vehicle.motion.position, rules, queries);
        for cell in &self.cells {
            if cell.first != NONE && queries.iter().any(|query| query.overlap(&cell.bounds)) {
                let mut index = cell.first;
                while index != NONE {
                    let other = &self.vehicles[index as usize];
                    if rules.sees(vehicle.offset_to(other.motion.position, rules)) {
                        seen.push(index);
                    }
                    index = self.successors[index as usize];
                }
            }
        }
    }
}

/// Lists the view box around a position, and its periodic images that overlap the world.
fn query_boxes(position: Vec2, rules: &Rules<2>, queries: &mut Vec<Bounds>) {
    let size = rules.size;
    let world = Bounds { low: Vec2::ZERO, high: size };
    // Slightly more than the view distance, to allow for rounding at cell edges.
    let margin = |size: f32| rules.view * 1.0001 + size * 1.0e-6;
    let half = size.map(margin);
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

fn cells(rules: &Rules<2>, order: &Order) -> Vec<Cell> {
    let corner = |column: u32, row: u32| {
        let edge = |size: f32, k: u32, count: u32| size * k as f32 / count as f32;
        let Vector([width, height]) = rules.size;
        Vector([edge(width, column, order.squares), edge(height, row, order.rows)])
    };
    let column = |k: u32, row: u32| order.position_in_row(row, k, order.squares);
    let squares =
        (0..order.rows).flat_map(|row| (0..order.squares).map(move |k| (column(k, row), row)));
    let cell = |(column, row): (u32, u32)| Cell {
        bounds: Bounds { low: corner(column, row), high: corner(column + 1, row + 1) },
        first: NONE,
        last: NONE,
    };
    squares.map(cell).collect()
}

impl Loops for BookCells {
    fn step(&mut self, rules: &Rules<2>, order: &Order) {
        self.fill_cells(order);
        let (mut queries, mut seen) = (Vec::new(), Vec::new());
        for me in 0..self.vehicles.len() {
            let vehicle = self.vehicles[me];
            self.find_neighbors(&vehicle, rules, &mut queries, &mut seen);
            let neighbors = seen.iter().map(|&index| self.vehicles[index as usize].motion);
            self.next[me] = vehicle.updated(neighbors, rules);
        }
        std::mem::swap(&mut self.vehicles, &mut self.next);
    }

    fn vehicles(&self) -> &[Vehicle] {
        &self.vehicles
    }
}
