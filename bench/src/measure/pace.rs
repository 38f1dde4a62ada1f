//! The limits of a measurement's time, and the cases that exceed them.

use crate::experiments::group::{Case, Group};
use crate::numbers::duration;
use crate::results::report::Stopped;

/// The time that a measurement may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// The most seconds that one step may take.
    pub(crate) step_seconds: f64,
    /// The most seconds that all of it may take.
    pub(crate) seconds: f64,
    /// Whether crowds are left out that do not fit, or measured at least once.
    pub(crate) strict: bool,
}

impl Pace {
    /// The note that a case was not measured because a step would take `seconds`.
    pub(crate) fn too_long(&self, group: &Group, case: &Case, seconds: f64) -> Stopped {
        let reason = format!(
            "one step would take about {}, the budget is {}",
            duration(seconds),
            duration(self.step_seconds)
        );
        Stopped { predicted_seconds: seconds, ..self.stopped(group, case, reason) }
    }

    /// The note that the time of the run does not suffice for a case, whose blocks would take
    /// `seconds` where `left` are left.
    pub(crate) fn no_time(&self, group: &Group, case: &Case, seconds: f64, left: f64) -> Stopped {
        let reason = format!(
            "it would take about {}, and {} of {} are left for it; --time gives more",
            duration(seconds),
            duration(left),
            duration(self.seconds)
        );
        self.stopped(group, case, reason)
    }

    /// The note that a case was not measured for another reason.
    pub(crate) fn stopped(&self, group: &Group, case: &Case, reason: String) -> Stopped {
        Stopped {
            experiment: group.experiment.to_owned(),
            method: case.method.clone(),
            point: group.point.clone(),
            n: group.agents(),
            predicted_seconds: 0.0,
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
        let pace = Pace { step_seconds: 0.02, seconds: 60.0, strict: true };
        let stopped = pace.too_long(&group, &case, 0.0231);
        assert_eq!(stopped.reason, "one step would take about 23.1 ms, the budget is 20.0 ms");
        assert_eq!(
            pace.no_time(&group, &case, 31.0, 4.0).to_string(),
            "scaling/cells-simd/1 was not measured: it would take about 31.0 s, and 4.00 s of \
             60.0 s are left for it; --time gives more"
        );
    }
}
