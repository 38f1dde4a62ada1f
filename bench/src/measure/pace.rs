//! The time budget of a measurement, and the cases that exceed it.

use crate::experiments::group::{Case, Group};
use crate::numbers::duration;
use crate::results::report::Stopped;

/// How often the list of crowds is run.
pub(crate) const BLOCKS: usize = 5;

/// The time that a measurement may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// The most seconds that one step may take.
    pub(crate) step_budget: f64,
    /// Seconds for one way to compute one crowd in all blocks together, including the preparation
    /// of each repeat.
    pub(crate) per_row: f64,
}

impl Pace {
    /// The note that a case was not measured because a step would take `seconds`.
    pub(crate) fn too_long(&self, group: &Group, case: &Case, seconds: f64) -> Stopped {
        let reason = format!(
            "one step would take about {}, the budget is {}",
            duration(seconds),
            duration(self.step_budget)
        );
        Stopped { predicted_seconds: seconds, ..self.stopped(group, case, reason) }
    }

    /// The note that a case was not measured for another reason.
    pub(crate) fn stopped(&self, group: &Group, case: &Case, reason: String) -> Stopped {
        Stopped {
            experiment: group.experiment.to_owned(),
            series: case.series.clone(),
            point: group.point.clone(),
            n: group.agents(),
            predicted_seconds: 0.0,
            budget_seconds: self.step_budget,
            reason,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::Method;

    #[test]
    fn the_reason_shows_the_predicted_time_and_the_budget() {
        let scene = flockwork::Scene::named("stress").unwrap();
        let case = Case::of(Method::CellsSimd, 1);
        let group = Group::new("scaling", 1, 1.0, scene, vec![case.clone()]);
        let pace = Pace { step_budget: 0.02, per_row: 1.0 };
        let stopped = pace.too_long(&group, &case, 0.0231);
        assert_eq!(stopped.reason, "one step would take about 23.1 ms, the budget is 20.0 ms");
    }
}
