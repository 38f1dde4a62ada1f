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
    /// Why a case is not measured of which a step would take `seconds`.
    pub(crate) fn too_long(&self, seconds: f64) -> String {
        let [step, budget] = [seconds, self.step_seconds].map(duration);
        format!("one step would take about {step}, the budget is {budget}")
    }

    /// Why a case is not measured whose blocks would take `seconds` where `left` are left.
    pub(crate) fn no_time(&self, seconds: f64, left: f64) -> String {
        let [needed, left, all] = [seconds, left, self.seconds].map(duration);
        format!(
            "it would take about {needed}, and {left} of {all} are left for it; --time gives more"
        )
    }
}

/// The note that a case is not measured, of which a step would take `predicted_seconds` if that is
/// the reason.
pub(crate) fn stopped(
    group: &Group,
    case: &Case,
    predicted_seconds: f64,
    reason: String,
) -> Stopped {
    Stopped {
        experiment: group.experiment.to_owned(),
        method: case.method.clone(),
        point: group.point.clone(),
        n: group.agents(),
        predicted_seconds,
        reason,
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
        let reason = pace.too_long(0.0231);
        assert_eq!(reason, "one step would take about 23.1 ms, the budget is 20.0 ms");
        assert_eq!(
            stopped(&group, &case, 0.0, pace.no_time(31.0, 4.0)).to_string(),
            "scaling/cells-simd/1 was not measured: it would take about 31.0 s, and 4.00 s of \
             60.0 s are left for it; --time gives more"
        );
    }
}
