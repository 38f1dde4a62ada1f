//! How much time may be spent, and what it leaves out.

use crate::experiments::group::{Case, Group};
use crate::numbers::duration;
use crate::results::report::Stopped;

/// How often the list of crowds is gone through.
pub(crate) const BLOCKS: usize = 5;

/// How much time may be spent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// The longest that one step may take, in seconds.
    pub(crate) step_budget: f64,
    /// Seconds for one way to compute one crowd, in all blocks together, with what it takes to
    /// prepare each repeat.
    pub(crate) per_row: f64,
}

impl Pace {
    /// The note that a case is not measured, since a step would take that many seconds.
    pub(crate) fn stopped(&self, group: &Group, case: &Case, seconds: f64) -> Stopped {
        let reason = format!(
            "one step would take about {}, the budget is {}",
            duration(seconds),
            duration(self.step_budget)
        );
        Stopped {
            experiment: group.experiment.to_owned(),
            series: case.series.clone(),
            point: group.point.clone(),
            n: group.agents(),
            predicted_seconds: seconds,
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
    fn what_a_step_would_take_can_be_told_from_the_budget() {
        let scene = flockwork::Scene::named("stress").unwrap();
        let case = Case::of(Method::CellsSimd, 1);
        let group = Group::new("scaling", 1, 1.0, scene, vec![case.clone()]);
        let pace = Pace { step_budget: 0.02, per_row: 1.0 };
        let stopped = pace.stopped(&group, &case, 0.0231);
        assert_eq!(stopped.reason, "one step would take about 23.1 ms, the budget is 20.0 ms");
    }
}
