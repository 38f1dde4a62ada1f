//! The loops of [`BookPairs`](super::book::BookPairs) over a structure of arrays: tagging
//! reads two columns instead of whole vehicles.

use super::book::{Loops, Vehicle};
use super::order::Order;
use super::rules::{Motion, Rules, Vec2};

#[derive(Default)]
pub(crate) struct ColumnPairs {
    columns: Columns,
    next: Columns,
    tagged: Vec<bool>,
}

#[derive(Clone, Default)]
struct Columns {
    id: Vec<u32>,
    /// Positions, velocities and headings, along x and along y.
    values: [Vec<f32>; 6],
}

impl Columns {
    fn at(&self, slot: usize) -> (u32, Motion) {
        let [x, y, vx, vy, hx, hy] = self.values.each_ref().map(|column| column[slot]);
        let (position, velocity) = (Vec2::new(x, y), Vec2::new(vx, vy));
        (self.id[slot], Motion { position, velocity, heading: Vec2::new(hx, hy) })
    }

    fn clear(&mut self) {
        self.id.clear();
        self.values.iter_mut().for_each(Vec::clear);
    }

    fn push(&mut self, (id, motion): (u32, Motion)) {
        let Motion { position, velocity, heading } = motion;
        self.id.push(id);
        let values = [position.x, position.y, velocity.x, velocity.y, heading.x, heading.y];
        self.values.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
    }

    fn positions(&self) -> impl Iterator<Item = Vec2> {
        self.values[0].iter().zip(&self.values[1]).map(|(&x, &y)| Vec2::new(x, y))
    }
}

impl ColumnPairs {
    pub(crate) fn new(agents: &[(u32, Motion)]) -> Self {
        let mut all = Self { tagged: vec![false; agents.len()], ..Self::default() };
        agents.iter().for_each(|&agent| all.columns.push(agent));
        all
    }

    fn sort(&mut self, order: &Order) {
        let cells: Vec<u32> = self.columns.positions().map(|at| order.cell(at)).collect();
        let mut slots: Vec<usize> = (0..cells.len()).collect();
        slots.sort_by_key(|&slot| cells[slot]);
        self.next.clear();
        slots.into_iter().for_each(|slot| self.next.push(self.columns.at(slot)));
        std::mem::swap(&mut self.columns, &mut self.next);
    }

    /// Those that are tagged. Each behavior reads the columns that it needs.
    fn seen(&self) -> impl Iterator<Item = Motion> + Clone {
        let tagged = self.tagged.iter().enumerate().filter(|(_, tagged)| **tagged);
        tagged.map(|(slot, _)| self.columns.at(slot).1)
    }
}

impl Loops for ColumnPairs {
    fn step(&mut self, rules: &Rules, order: &Order) {
        self.sort(order);
        self.next.clear();
        for slot in 0..self.columns.id.len() {
            let (id, me) = self.columns.at(slot);
            for (tagged, position) in self.tagged.iter_mut().zip(self.columns.positions()) {
                *tagged = rules.sees(rules.offset(me.position, position));
            }
            let vehicle = Vehicle::new(id, me, rules);
            self.next.push((id, vehicle.updated(self.seen(), rules).motion));
        }
        std::mem::swap(&mut self.columns, &mut self.next);
    }

    fn agents(&self) -> Vec<(u32, Motion)> {
        (0..self.columns.id.len()).map(|slot| self.columns.at(slot)).collect()
    }
}
