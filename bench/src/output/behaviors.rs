//! The table in docs/behaviors.md: the cost and accuracy of each behavior.

use flockwork::Behavior;

use crate::crowds;
use crate::experiment::{Experiment, IDLE};
use crate::numbers::{count, digits};
use crate::output::answers::mark;
use crate::output::table::{Section, Table};
use crate::results::ratio::Ratio;
use crate::results::report::Report;
use crate::results::row::Row;
use crate::variant::Variant;

/// An agent's default maximum force. The table gives errors as a fraction of this force.
const MAX_FORCE: f64 = 400.0;
const COMPARED: usize = 600;
const STEPS: u64 = 5;
/// Relative margin: agents with a neighbor closer than this to the edge of their view are skipped,
/// since rounding decides whether that neighbor is visible.
const MIN_MARGIN: f64 = 1.0e-5;

pub(super) fn costs(report: &Report) -> Section {
    let named = |name: &str| Behavior::all().into_iter().find(|known| known.name() == name);
    let mut lines = Vec::new();
    for simd in report.rows_of(Experiment::Kernels).filter(|row| !row.variant.is_scalar()) {
        let beside = |row: &&Row| row.is_same_crowd(simd) && row.variant == Variant::CellsScalar;
        let Some(scalar) = report.rows_of(Experiment::Kernels).find(beside) else { continue };
        let name = simd.point.split(", ").next().unwrap_or_default();
        let behavior = named(name).filter(|_| simd.point == name || simd.point.ends_with("agents"));
        let [link, error] = behavior.map_or([simd.point.clone(), "".into()], |it| {
            [format!("[{name}](../engine/src/behaviors/{name}.rs)"), largest_error(it)]
        });
        let [fast, slow] = [simd, scalar].map(|row| row.ns_per_agent_step);
        let ratio = Ratio::of(scalar, simd);
        let speed_up = format!("{}×{}", digits(ratio.times), mark(&ratio));
        lines.push(vec![link, digits(fast), digits(slow), speed_up, error]);
    }
    let head = "behavior | SIMD: | scalar: | speed-up: | error:";
    let agents = count(report.most_agents(Experiment::Kernels), "agent");
    let about = format!(
        "ns per agent of the whole steering stage on one thread, each behavior alone with {agents}; \
         `{IDLE}` is the stage without behaviors. The error is the largest difference from the `f64` \
         reference over {COMPARED} agents, as a share of the maximum force."
    );
    let section =
        Section::new("Cost and accuracy of each behavior", about, Table::new(head, lines));
    Section { is_markdown: true, ..section }
}

fn largest_error(behavior: Behavior) -> String {
    let compared = || {
        let mut crowd = crowds::steered_by(behavior, COMPARED).build()?;
        crowd.set_execution(crowd.execution().threads(1))?;
        let mut largest = 0.0_f64;
        for _ in 0..3 {
            crowd.run(STEPS)?;
            for id in crowd.agents().ids().collect::<Vec<_>>() {
                let reference = crowd.reference_step(id)?;
                if reference.margin < MIN_MARGIN {
                    continue;
                }
                let force = crowd.explain(id)?.force.map(f64::from);
                let error = (force[0] - reference.force[0]).hypot(force[1] - reference.force[1]);
                largest = largest.max(error / MAX_FORCE);
            }
        }
        Ok::<f64, flockwork::Error>(largest)
    };
    compared().map_or_else(|error| error.to_string(), |error| format!("{error:.0e}"))
}
