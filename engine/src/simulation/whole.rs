//! What all agents have, read and written column by column: nobody is looked up.

use crate::crowd::id_pool::VACANT;
use crate::error::Error;
use crate::simulation::property::{Field, Order, Vector};
use crate::simulation::{Simulation, State, Workspace};

impl Simulation {
    /// Whether every index is some agent's, so that agents have their places in [`Order::Id`] by index.
    pub(super) fn has_all_indices(&self) -> bool {
        self.state.ids.indices() == self.len()
    }

    /// Calls `put` with the index of each agent, and what it has.
    pub(super) fn read_by_index(&self, field: Field, mut put: impl FnMut(usize, [f32; 2])) {
        let State { motion, traits, .. } = &self.state;
        let indices = traits.index.iter().map(|&index| index as usize);
        let mut put_all = |x: &[f32], y: &[f32]| {
            let pairs = x.iter().zip(y).map(|(&x, &y)| [x, y]);
            indices.clone().zip(pairs).for_each(|(index, pair)| put(index, pair));
        };
        match field {
            Field::Vector(Vector::Position) => put_all(&motion.x, &motion.y),
            Field::Vector(Vector::Heading) => put_all(&motion.hx, &motion.hy),
            Field::Column(number) => put_all(&motion.own.0[number], &motion.own.0[number]),
            Field::Vector(Vector::Velocity) | Field::Limit(_) => {
                (0..).zip(indices).for_each(|(slot, index)| put(index, self.read(field, slot)));
            }
        }
    }

    /// Writes a column that the scene defines: `count` values in some order, all of them or none.
    pub(super) fn write_column(
        &mut self,
        number: usize,
        order: Order,
        count: usize,
        value: impl Fn(usize) -> f32,
    ) -> Result<(), Error> {
        if count != self.len() {
            let allowed = format!("{}, one for each agent", self.len());
            return Err(Error::refused("number of values", count, allowed));
        }
        if let Some(wrong) = (0..count).find(|&k| !value(k).is_finite()) {
            let id = match order {
                Order::Slot => self.id_at(wrong),
                Order::Id => self.ids_ascending().nth(wrong).expect("as many as values"),
            };
            let refused = self.checked(Field::Column(number), None, [value(wrong), 0.0]);
            refused.map_err(|error| error.of_agent(id))?;
        }
        let has_all_indices = self.has_all_indices();
        let State { motion, traits, ids, .. } = &mut self.state;
        let column = &mut motion.own.0[number];
        match order {
            Order::Slot => (0..count).zip(&mut *column).for_each(|(slot, to)| *to = value(slot)),
            Order::Id if has_all_indices => {
                let to = traits.index.iter().zip(&mut *column);
                to.for_each(|(&index, to)| *to = value(index as usize));
            }
            Order::Id => {
                let slots = ids.slots(&traits.index).iter().filter(|&&slot| slot != VACANT);
                (0..count).zip(slots).for_each(|(k, &slot)| column[slot as usize] = value(k));
            }
        }
        let Workspace { sorted, motion_next, traits_next, sorter, tail, .. } = &mut self.workspace;
        if *sorted {
            let sorted = motion_next.own.0[number].iter_mut().zip(sorter.sources());
            sorted.for_each(|(to, &slot)| *to = column[slot as usize]);
            tail.fill(motion_next, traits_next);
        }
        Ok(())
    }
}
