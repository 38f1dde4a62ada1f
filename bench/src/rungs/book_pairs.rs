//! The book without its cells: an array of vehicles. Each vehicle tags the ones it sees, and then
//! each behavior scans the whole array again for the tagged ones.

use super::book::Vehicle;
use super::loops::Loops;
use super::order::Order;
use super::rules::{Motion, Rules};

pub(crate) struct BookPairs {
    vehicles: Vec<Vehicle>,
    /// The vehicles after the step. Updating in place would make the order of moves matter.
    next: Vec<Vehicle>,
}

impl BookPairs {
    pub(crate) fn new(vehicles: Vec<Vehicle>) -> Self {
        Self { next: vehicles.clone(), vehicles }
    }
}

impl Loops for BookPairs {
    fn step(&mut self, rules: &Rules, order: &Order) {
        self.vehicles.sort_by_key(|vehicle| order.cell(vehicle.motion.position));
        for me in 0..self.vehicles.len() {
            let vehicle = self.vehicles[me];
            for other in &mut self.vehicles {
                other.tagged = rules.sees(vehicle.offset_to(other.motion.position, rules));
            }
            let seen = self.vehicles.iter().filter(|other| other.tagged).map(|other| other.motion);
            self.next[me] = vehicle.updated(seen, rules);
        }
        std::mem::swap(&mut self.vehicles, &mut self.next);
    }

    fn agents(&self) -> Vec<(u32, Motion)> {
        self.vehicles.iter().map(|vehicle| (vehicle.id, vehicle.motion)).collect()
    }
}
