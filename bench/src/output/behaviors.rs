//! The page of behaviors, docs/behaviors.md: source, cost and accuracy of each behavior, and where
//! the time of the heavy scene goes.

use askama::Template;
use flockwork::{Behavior, Scene};

use crate::crowds;
use crate::experiments::KERNELS;
use crate::experiments::group::WARM_UP_STEPS;
use crate::experiments::kernels::{HEAVY, IDLE};
use crate::failure::Failure;
use crate::method::Method;
use crate::numbers::{digits, grouped};
use crate::output::table::Table;
use crate::results::block::Stages;
use crate::results::report::Report;
use crate::results::row::Row;

/// The maximum force of agents with default parameters.
const MAX_FORCE: f64 = 400.0;
/// Number of agents whose forces are compared with the reference's.
const COMPARED: usize = 600;
/// Agents are left out if another one is, relatively, closer than this to the edge of their view:
/// rounding decides on which side it is.
const SMALLEST_MARGIN: f64 = 1.0e-5;

#[derive(Template)]
#[template(path = "behaviors.md")]
struct Page<'a> {
    report: &'a Report,
    agents: String,
    costs: String,
    heavy_agents: String,
    heavy: String,
}

pub(crate) fn page(report: &Report) -> Result<String, Failure> {
    let most = |experiment| grouped(report.most_agents(experiment));
    let page = Page {
        report,
        agents: most(KERNELS),
        costs: all_costs(report)?.markdown(),
        heavy_agents: most(HEAVY),
        heavy: heavy(report).markdown(),
    };
    Ok(page.render().expect("a string takes all"))
}

fn all_costs(report: &Report) -> Result<Table, Failure> {
    let mut lines = vec![costs(report, IDLE, [IDLE, "", ""])];
    for behavior in Behavior::all() {
        let name = behavior.name();
        let link = format!("[{name}](../engine/src/behaviors/{name}.rs)");
        let error = format!("{:.0e}", largest_error(behavior)?);
        lines.push(costs(report, name, [&link, scene_of(name).unwrap_or_default(), &error]));
    }
    let head = "behavior | scene | SIMD: | scalar: | speed-up: | error:";
    Ok(Table::new(head, lines.into_iter().flatten().collect()))
}

/// The line of one behavior; `None` if it was not measured.
fn costs(report: &Report, point: &str, [name, scene, error]: [&str; 3]) -> Option<Vec<String>> {
    // The largest of several sizes.
    let with_size = format!("{point}, ");
    let ns = |method: Method| {
        let curve = report.curve(KERNELS, method.id());
        let of = |row: &&&Row| row.point == point || row.point.starts_with(&with_size);
        curve.iter().rfind(of).map(|row| row.ns_per_agent_step)
    };
    let (simd, scalar) = (ns(Method::CellsSimd)?, ns(Method::CellsScalar)?);
    let speed_up = format!("{}×", digits(scalar / simd));
    let [name, scene, error] = [name, scene, error].map(str::to_owned);
    Some(vec![name, scene, digits(simd), digits(scalar), speed_up, error])
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

/// Where the time of the heavy scene goes, compared with the plain flock.
fn heavy(report: &Report) -> Table {
    let rows: Vec<&Row> = report.rows_of(HEAVY).collect();
    let line = |row: &&Row| {
        // The names of scenes are set as code.
        let name = match row.point.split_once(", ") {
            _ if row.point.starts_with("without ") => row.point.clone(),
            Some((scene, about)) => format!("`{scene}`, {about}"),
            None => format!("`{}`", row.point),
        };
        let stages = <[f64; 4]>::from(row.stages_ns.unwrap_or_default()).map(stage);
        let of_flock = row.ns_per_agent_step / rows[0].ns_per_agent_step;
        let step = digits(row.ns_per_agent_step);
        let before = [name, step].into_iter().chain(stages);
        before.chain([format!("{}×", digits(of_flock))]).collect()
    };
    let head = format!("scene | step: | {}: | of the flock:", Stages::NAMES.join(": | "));
    Table::new(&head, rows.iter().map(line).collect())
}

/// The time of a stage. If the stage does nothing, only the cost of the clock itself is left.
fn stage(ns: f64) -> String {
    if ns < 0.005 { "0".into() } else { digits(ns) }
}
