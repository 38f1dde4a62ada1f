//! The book without its cells: an array of vehicles. Each vehicle tags the ones it sees, and then
//! each behavior scans the whole array again for the tagged ones.

use super::book::Vehicle;
use super::flock::Flock;
use super::hash;
use super::order::Order;
use super::rules::Rules;

pub(crate) struct BookPairs {
    rules: Rules,
    order: Order,
    vehicles: Vec<Vehicle>,
    /// The vehicles after the step. Updating in place would make the order of moves matter.
    next: Vec<Vehicle>,
    tick: u64,
}

impl BookPairs {
    pub(crate) fn new(rules: Rules, order: Order, vehicles: Vec<Vehicle>, tick: u64) -> Self {
        Self { rules, order, next: vehicles.clone(), vehicles, tick }
    }
}

impl Flock for BookPairs {
    fn step(&mut self) {
        let (rules, order) = (&self.rules, &self.order);
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
        self.tick += 1;
    }

    fn state_hash(&self) -> u64 {
        hash::state(self.tick, self.vehicles.iter().map(|vehicle| (vehicle.id, vehicle.motion)))
    }
}
