//! Why a step is refused.

use std::ops::Range;

use crate::error::Error;
use crate::simulation::Simulation;
use crate::steering::combine;

/// Where a reason to refuse a step comes among others: what is wrong, then with which agent.
pub(crate) type Rank = (u32, u32);

impl Simulation {
    /// Why a step is refused: the first agent in `slots`, by id, that it would have sent out of
    /// range; without one, the first with a number in a column that is not finite. Also where that
    /// reason comes among those of other slots.
    pub(crate) fn refusal(&self, slots: Range<usize>) -> (Rank, Error) {
        let (tick, next) = (self.tick, &self.motion_next);
        let limit = self.coordinate_limit();
        let first = |is_wrong: &dyn Fn(usize) -> bool| {
            let wrong = slots.clone().filter(|&slot| is_wrong(slot));
            wrong.min_by_key(|&slot| self.traits.index[slot])
        };
        let id = |slot: usize| self.ids.id(self.traits.index[slot]);
        let rank = |kind: u32, slot: usize| (kind, self.traits.index[slot]);
        let inside = |value: f32| value.abs() <= limit;
        if let Some(slot) = first(&|slot| !(inside(next.x[slot]) && inside(next.y[slot]))) {
            if let Some((name, value)) = self.wrong_force(slot) {
                let what = format!("the force of behavior `{name}`");
                return (rank(0, slot), Error::NotFinite { tick, what, id: id(slot), value });
            }
            let (x, y) = (next.x[slot], next.y[slot]);
            return (rank(0, slot), Error::Runaway { tick, id: id(slot), x, y, limit });
        }
        let wrong = |column: &[f32]| first(&|slot| !column[slot].is_finite());
        let mut columns = (1..).zip(self.columns.iter().zip(&next.own.0));
        let found = columns
            .find_map(|(number, (name, column))| Some((number, name, wrong(column)?, column)));
        let (number, name, slot, column) = found.expect("a refused step has a wrong number");
        let what = format!("column `{name}`");
        (rank(number, slot), Error::NotFinite { tick, what, id: id(slot), value: column[slot] })
    }

    /// The first behavior of the agent in `slot` whose force is not finite, and what it is. The
    /// columns are those that the refused step read.
    fn wrong_force(&self, slot: usize) -> Option<(&'static str, f32)> {
        let crowd = self.crowd(&self.motion, &self.traits);
        let (_, contributions) = combine::explained(&crowd, &self.scene.species, slot);
        contributions.iter().find_map(|one| {
            let wrong = one.force.into_iter().find(|component| !component.is_finite());
            wrong.map(|value| (one.behavior, value))
        })
    }
}
