//! The loops of [`BookPairs`](super::book_pairs::BookPairs) over a structure of arrays: tagging
//! reads two columns instead of whole vehicles.

use super::book::Vehicle;
use super::flock::Flock;
use super::hash;
use super::order::Order;
use super::rules::{Motion, Rules};
use super::vec2::Vec2;

pub(crate) struct ColumnPairs {
    rules: Rules,
    order: Order,
    columns: Columns,
    next: Columns,
    tagged: Vec<bool>,
    tick: u64,
}

#[derive(Clone, Default)]
struct Columns {
    id: Vec<u32>,
    x: Vec<f32>,
    y: Vec<f32>,
    vx: Vec<f32>,
    vy: Vec<f32>,
    hx: Vec<f32>,
    hy: Vec<f32>,
}

impl Columns {
    fn motion(&self, slot: usize) -> Motion {
        Motion {
            position: Vec2::new(self.x[slot], self.y[slot]),
            velocity: Vec2::new(self.vx[slot], self.vy[slot]),
            heading: Vec2::new(self.hx[slot], self.hy[slot]),
        }
    }

    fn clear(&mut self) {
        self.id.clear();
        let Self { x, y, vx, vy, hx, hy, .. } = self;
        [x, y, vx, vy, hx, hy].into_iter().for_each(Vec::clear);
    }

    fn push(&mut self, id: u32, motion: Motion) {
        let Motion { position, velocity, heading } = motion;
        self.id.push(id);
        let Self { x, y, vx, vy, hx, hy, .. } = self;
        let values = [position.x, position.y, velocity.x, velocity.y, heading.x, heading.y];
        for (column, value) in [x, y, vx, vy, hx, hy].into_iter().zip(values) {
            column.push(value);
        }
    }
}

impl ColumnPairs {
    pub(crate) fn new(
        rules: Rules,
        order: Order,
        agents: impl ExactSizeIterator<Item = (u32, Motion)>,
        tick: u64,
    ) -> Self {
        let tagged = vec![false; agents.len()];
        let mut columns = Columns::default();
        agents.for_each(|(id, motion)| columns.push(id, motion));
        Self { rules, order, columns, next: Columns::default(), tagged, tick }
    }

    fn sort(&mut self) {
        let cells = self.columns.x.iter().zip(&self.columns.y);
        let cells: Vec<u32> = cells.map(|(&x, &y)| self.order.cell(Vec2::new(x, y))).collect();
        let mut slots: Vec<usize> = (0..cells.len()).collect();
        slots.sort_by_key(|&slot| cells[slot]);
        self.next.clear();
        for slot in slots {
            self.next.push(self.columns.id[slot], self.columns.motion(slot));
        }
        std::mem::swap(&mut self.columns, &mut self.next);
    }

    fn tag_neighbors(&mut self, position: Vec2) {
        let (x, y) = (&self.columns.x, &self.columns.y);
        for (tagged, (&x, &y)) in self.tagged.iter_mut().zip(x.iter().zip(y)) {
            *tagged = self.rules.sees(self.rules.offset(position, Vec2::new(x, y)));
        }
    }

    /// Those that are tagged. Each behavior reads the columns that it needs.
    fn seen(&self) -> impl Iterator<Item = Motion> + Clone {
        let tagged = self.tagged.iter().enumerate().filter(|(_, tagged)| **tagged);
        tagged.map(|(slot, _)| self.columns.motion(slot))
    }
}

impl Flock for ColumnPairs {
    fn step(&mut self) {
        self.sort();
        self.next.clear();
        for slot in 0..self.columns.id.len() {
            let me = self.columns.motion(slot);
            self.tag_neighbors(me.position);
            let vehicle = Vehicle::new(self.columns.id[slot], me, &self.rules);
            let moved = vehicle.updated(self.seen(), &self.rules).motion;
            self.next.push(vehicle.id, moved);
        }
        std::mem::swap(&mut self.columns, &mut self.next);
        self.tick += 1;
    }

    fn state_hash(&self) -> u64 {
        let ids = self.columns.id.iter().enumerate();
        hash::state(self.tick, ids.map(|(slot, &id)| (id, self.columns.motion(slot))))
    }
}
