//! Finds the reason for rejecting a step.

use std::ops::Range;

use crate::crowd::sorted_copy::SortedCopy;
use crate::error::{Error, ErrorKind};
use crate::math::vec3::Vec3;
use crate::simulation::Simulation;
use crate::step::combine;
use crate::step::others::Refusal;

impl Simulation {
    pub(super) fn refusal(
        &self,
        steered: Result<bool, Error>,
        sorted: &SortedCopy,
        slots: &Range<usize>,
    ) -> Option<Refusal> {
        match steered {
            Ok(true) => None,
            Ok(false) => {
                let (rank, kind) = self.first_wrong(sorted, slots);
                Some(Refusal { key: 1 + rank, error: Error::new(kind) })
            }
            Err(error) => Some(Refusal { key: 0, error }),
        }
    }

    /// Finds the first invalid value. Positions out of range come first, then non-finite forces,
    /// then non-finite column values; for each of these, agents are in ascending order of index.
    fn first_wrong(&self, sorted: &SortedCopy, slots: &Range<usize>) -> (u64, ErrorKind) {
        let (tick, next) = (self.state.tick, &sorted.motion);
        let limit = self.coordinate_limit();
        let first = |is_wrong: &dyn Fn(usize) -> bool| {
            let wrong = slots.clone().filter(|&slot| is_wrong(slot));
            wrong.min_by_key(|&slot| self.state.attributes.index[slot])
        };
        let id = |slot: usize| self.state.ids.id(self.state.attributes.index[slot]);
        let rank =
            |kind: u64, slot: usize| kind << 32 | u64::from(self.state.attributes.index[slot]);
        let inside = |at: Vec3<f32>| at.map(f32::abs).all_le(Vec3::diagonal(limit));
        let wrong_force = |slot: usize| {
            let (name, value) = self.wrong_force(sorted, slot)?;
            let what = format!("the force of behavior `{name}`");
            Some(ErrorKind::NotFinite { tick, what, id: id(slot), value })
        };
        if let Some(slot) = first(&|slot| !inside(next.position.at(slot))) {
            let at = next.position.at(slot).into();
            let runaway = || ErrorKind::Runaway { tick, id: id(slot), at, limit };
            return (rank(0, slot), wrong_force(slot).unwrap_or_else(runaway));
        }
        // Constant-speed and car locomotion can mask a non-finite force, so check the force itself.
        if self.setting.required.outside
            && let Some(slot) = first(&|slot| wrong_force(slot).is_some())
            && let Some(kind) = wrong_force(slot)
        {
            return (rank(1, slot), kind);
        }
        let wrong = |column: &[f32]| first(&|slot| !column[slot].is_finite());
        let mut columns = (2..).zip(self.setting.required.columns.iter().zip(&next.custom));
        let wrong_column =
            columns.find_map(|(kind, (name, column))| Some((kind, name, wrong(column)?, column)));
        let (kind, name, slot, column) = wrong_column.expect("a refused step has a wrong number");
        let what = format!("column `{name}`");
        (rank(kind, slot), ErrorKind::NotFinite { tick, what, id: id(slot), value: column[slot] })
    }

    fn wrong_force(&self, sorted: &SortedCopy, slot: usize) -> Option<(&'static str, f32)> {
        let state = (&self.state.motion, &self.state.attributes);
        let crowd = self.sorted_crowd_in(&sorted.surroundings, state);
        let (_, contributions) = combine::explained(&crowd, &self.setting.scene.species, slot);
        contributions.iter().find_map(|one| {
            let wrong = one.force.into_iter().find(|component| !component.is_finite());
            wrong.map(|value| (one.behavior, value))
        })
    }
}
