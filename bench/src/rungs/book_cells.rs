//! The book's cell-space partition: square cells, each with a linked list of its vehicles. To
//! find neighbors a vehicle goes through *all* cells for those that its query box overlaps,
//! as published; so a step still is O(n · cells).
//!
//! Vehicles stay where they were created, and the lists lead through memory at random, as a
//! `std::list` of pointers does. Two things differ from the book, for the same neighbors in
//! the same order: query boxes reach across the seam of the torus, and the lists are filled
//! anew each step, in the engine's order.

use super::book::Vehicle;
use super::flock::Flock;
use super::hash;
use super::order::Order;
use super::rules::Rules;
use super::vec2::Vec2;

/// The end of a list.
const NONE: u32 = u32::MAX;

pub(crate) struct BookCells {
    rules: Rules,
    order: Order,
    vehicles: Vec<Vehicle>,
    next: Vec<Vehicle>,
    cells: Vec<Cell>,
    /// Of each vehicle, the one after it in its cell's list.
    successors: Vec<u32>,
    /// Places of the vehicles in the engine's order.
    sorted: Vec<u32>,
    tick: u64,
}

/// A rectangle of the world and the ends of its list.
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
        self.low.x <= other.high.x
            && other.low.x <= self.high.x
            && self.low.y <= other.high.y
            && other.low.y <= self.high.y
    }
}

impl BookCells {
    pub(crate) fn new(rules: Rules, order: Order, mut vehicles: Vec<Vehicle>, tick: u64) -> Self {
        let sorted = vehicles.iter().map(|vehicle| vehicle.id).collect();
        vehicles.sort_by_key(|vehicle| vehicle.id);
        Self {
            cells: cells(&rules, &order),
            successors: vec![NONE; vehicles.len()],
            next: vehicles.clone(),
            rules,
            order,
            vehicles,
            sorted,
            tick,
        }
    }

    /// Puts every vehicle into the list of its cell.
    fn fill_cells(&mut self) {
        let (order, vehicles) = (&self.order, &self.vehicles);
        let position = |place: u32| vehicles[place as usize].motion.position;
        self.sorted.sort_by_key(|&place| order.cell(position(place)));
        for cell in &mut self.cells {
            (cell.first, cell.last) = (NONE, NONE);
        }
        for &place in &self.sorted {
            let cell = &mut self.cells[order.square(position(place))];
            match cell.last {
                NONE => cell.first = place,
                last => self.successors[last as usize] = place,
            }
            cell.last = place;
            self.successors[place as usize] = NONE;
        }
    }

    /// Lists those that a vehicle sees.
    fn find_neighbors(&self, vehicle: &Vehicle, queries: &mut Vec<Bounds>, seen: &mut Vec<u32>) {
        seen.clear();
        self.query_boxes(vehicle.motion.position, queries);
        for cell in &self.cells {
            if cell.first != NONE && queries.iter().any(|query| query.overlap(&cell.bounds)) {
                let mut place = cell.first;
                while place != NONE {
                    let other = &self.vehicles[place as usize];
                    if self.rules.sees(vehicle.way_to(other, &self.rules)) {
                        seen.push(place);
                    }
                    place = self.successors[place as usize];
                }
            }
        }
    }

    /// The box around a position and those of its images that reach into the world.
    fn query_boxes(&self, position: Vec2, queries: &mut Vec<Bounds>) {
        let size = self.rules.size;
        let world = Bounds { low: Vec2::ZERO, high: size };
        // A little more than the view distance, for rounding at the edges of cells.
        let margin = |size: f32| self.rules.view * 1.0001 + size * 1.0e-6;
        let reach = Vec2::new(margin(size.x), margin(size.y));
        queries.clear();
        for shift_y in [0.0, size.y, -size.y] {
            for shift_x in [0.0, size.x, -size.x] {
                let image = position + Vec2::new(shift_x, shift_y);
                let query = Bounds { low: image - reach, high: image + reach };
                if query.overlap(&world) {
                    queries.push(query);
                }
            }
        }
    }
}

fn cells(rules: &Rules, order: &Order) -> Vec<Cell> {
    let corner = |column: u32, row: u32| {
        let part = |size: f32, k: u32, count: u32| size * k as f32 / count as f32;
        Vec2::new(part(rules.size.x, column, order.squares), part(rules.size.y, row, order.rows))
    };
    let column = |k: u32, row: u32| order.turned(row, k, order.squares);
    let places =
        (0..order.rows).flat_map(|row| (0..order.squares).map(move |k| (column(k, row), row)));
    let cell = |(column, row): (u32, u32)| Cell {
        bounds: Bounds { low: corner(column, row), high: corner(column + 1, row + 1) },
        first: NONE,
        last: NONE,
    };
    places.map(cell).collect()
}

impl Flock for BookCells {
    fn step(&mut self) {
        self.fill_cells();
        let (mut queries, mut seen) = (Vec::new(), Vec::new());
        for me in 0..self.vehicles.len() {
            let vehicle = self.vehicles[me];
            self.find_neighbors(&vehicle, &mut queries, &mut seen);
            let neighbors = seen.iter().map(|&place| &self.vehicles[place as usize]);
            self.next[me] = vehicle.updated(neighbors, &self.rules);
        }
        std::mem::swap(&mut self.vehicles, &mut self.next);
        self.tick += 1;
    }

    fn state_hash(&self) -> u64 {
        hash::state(self.tick, self.vehicles.iter().map(|vehicle| (vehicle.id, vehicle.motion)))
    }
}
