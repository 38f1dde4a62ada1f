//! The page of behaviors, docs/behaviors.md: source, cost and accuracy of each behavior, and where
//! the time of the heavy scene goes.

use std::fmt::Write;

use flockwork::{Behavior, Scene};

use crate::crowds;
use crate::experiments::group::WARM_UP_STEPS;
use crate::experiments::kernels::{HEAVY, IDLE, NAME, SCENERY};
use crate::failure::Failure;
use crate::method::Method;
use crate::numbers::{digits, grouped};
use crate::results::report::Report;
use crate::results::row::Row;

/// The maximum force of agents with default parameters.
const MAX_FORCE: f64 = 400.0;
/// Number of agents whose forces are compared with the reference's.
const COMPARED: usize = 600;
/// Agents are left out if another one is, relatively, closer than this to the edge of their view:
/// rounding decides on which side it is.
const SMALLEST_MARGIN: f64 = 1.0e-5;

pub(crate) fn page(report: &Report) -> Result<String, Failure> {
    let mut page = head(report);
    page += &row(report, IDLE, &format!("| {IDLE} | |"), "").unwrap_or_default();
    for behavior in Behavior::all() {
        let name = behavior.name();
        let start = format!(
            "| [{name}](../engine/src/behaviors/{name}.rs) | {} |",
            scene_of(name).unwrap_or_default()
        );
        let error = format!("{:.0e}", largest_error(behavior)?);
        page += &row(report, name, &start, &error).unwrap_or_default();
    }
    page += &scenery_table(report);
    page += &heavy_table(report);
    Ok(page)
}

fn head(report: &Report) -> String {
    let machine = &report.machine;
    let agents = report.rows_of(NAME).map(|row| row.n).max().unwrap_or(0);
    format!(
        "# Cost and accuracy of each behavior\n\n\
         Written by `cargo run --release -- kernels --page docs/behaviors.md`; do not edit. {}, \
         one thread, {} lanes, build {}.\n\n\
         Each behavior alone steers a crowd of {} agents, in a world with obstacles, walls, a \
         path, a flow field and a leader. Times are in ns per agent of the whole steering \
         stage: finding neighbors and scenery, the behavior, combination and locomotion. `{IDLE}` \
         is this stage without any behavior. The state hashes of SIMD and scalar are equal, or the \
         row would be missing. The error is the largest difference from the `f64` reference's force \
         over {COMPARED} agents, as a share of the maximum force.\n\n\
         | behavior | scene | SIMD | scalar | speed-up | error |\n\
         | --- | --- | ---: | ---: | ---: | ---: |\n",
        machine.cpu,
        machine.lanes,
        machine.commit,
        grouped(agents),
    )
}

/// The line of one behavior; `None` if it was not measured.
fn row(report: &Report, point: &str, start: &str, error: &str) -> Option<String> {
    // The largest of several sizes.
    let with_size = format!("{point}, ");
    let ns = |method: Method| {
        let curve = report.curve(NAME, method.id());
        let of = |row: &&&Row| row.point == point || row.point.starts_with(&with_size);
        curve.iter().rfind(of).map(|row| row.ns_per_agent_step)
    };
    let (simd, scalar) = (ns(Method::CellsSimd)?, ns(Method::CellsScalar)?);
    let [simd, scalar, speed_up] = [simd, scalar, scalar / simd].map(digits);
    Some(format!("{start} {simd} | {scalar} | {speed_up}× | {error} |\n"))
}

/// The scene that shows a behavior: the one with its name, or else the first that uses it.
fn scene_of(behavior: &str) -> Option<&'static str> {
    let dashed = behavior.replace('_', "-");
    let shows = |name: &&str| {
        let scene = Scene::named(name).expect("an embedded scene");
        let mut behaviors = scene.species.iter().flat_map(|species| &species.behaviors);
        behaviors.any(|known| known.name() == behavior)
    };
    Scene::names().find(|name| *name == dashed).or_else(|| Scene::names().find(shows))
}

fn largest_error(behavior: Behavior) -> Result<f64, Failure> {
    let mut crowd = crowds::steered_by(behavior, COMPARED).build()?;
    crowd.set_threads(1)?;
    let mut largest = 0.0_f64;
    for _ in 0..3 {
        crowd.run(WARM_UP_STEPS + 2)?;
        for id in crowd.ids().collect::<Vec<_>>() {
            let reference = crowd.reference_step(id)?;
            if reference.margin < SMALLEST_MARGIN {
                continue;
            }
            let force = crowd.explain(id)?.force.map(f64::from);
            let error = (force[0] - reference.force[0]).hypot(force[1] - reference.force[1]);
            largest = largest.max(error / MAX_FORCE);
        }
    }
    Ok(largest)
}

/// The cost of obstacles and walls in a small and in a large world of the same density.
fn scenery_table(report: &Report) -> String {
    let mut page = "\n## Obstacles and walls in worlds of different size\n\n\
        ns per agent of the steering stage, at the same local density; and what remains without \
        the stage of unsteered agents, which a large crowd reads from memory.\n\n\
        | behavior | agents | ns per agent | of the behavior |\n\
        | --- | ---: | ---: | ---: |\n"
        .to_owned();
    for row in report.rows_of(SCENERY).filter(|row| row.method != IDLE) {
        let idle = report.row(&format!("{SCENERY}/{IDLE}/{}", row.point));
        let of_behavior = idle.map(|idle| digits(row.ns_per_agent_step - idle.ns_per_agent_step));
        writeln!(
            page,
            "| {} | {} | {} | {} |",
            row.method,
            grouped(row.n),
            digits(row.ns_per_agent_step),
            of_behavior.unwrap_or_default()
        )
        .expect("a string takes all");
    }
    page
}

/// Where the time of the heavy scene goes, compared with the plain flock.
fn heavy_table(report: &Report) -> String {
    let rows: Vec<&Row> = report.rows_of(HEAVY).collect();
    let mut page = format!(
        "\n## The heavy scene\n\n\
         {} agents on one thread, in ns per agent: the whole step and its stages, and the same \
         with one part left out.\n\n\
         | scene | step | sort | steer | non-penetration | smooth | of the flock |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
        grouped(rows.first().map_or(0, |row| row.n))
    );
    for row in &rows {
        let stages = row.stages_ns.unwrap_or_default().as_array().map(stage).join(" | ");
        let of_flock = digits(row.ns_per_agent_step / rows[0].ns_per_agent_step);
        let step = digits(row.ns_per_agent_step);
        // The names of scenes are set as code.
        let name = match row.point.split_once(", ") {
            _ if row.point.starts_with("without ") => row.point.clone(),
            Some((scene, about)) => format!("`{scene}`, {about}"),
            None => format!("`{}`", row.point),
        };
        writeln!(page, "| {name} | {step} | {stages} | {of_flock}× |").expect("a string takes all");
    }
    page
}

/// The time of a stage. If the stage does nothing, only the cost of the clock itself is left.
fn stage(ns: f64) -> String {
    if ns < 0.005 { "0".into() } else { digits(ns) }
}
