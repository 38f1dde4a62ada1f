//! The table of behaviors: where each is, what it costs, how exact it is; and what the heavy
//! scene's time goes into.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use flockwork::{Behavior, Method, Scene, Simulation, Species};
use indicatif::ProgressBar;

use crate::Failure;
use crate::crowds;
use crate::machine::Machine;
use crate::numbers::{digits, grouped};

/// Measures every behavior alone, and the heavy scene part by part, and writes a page.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Agents per behavior, up to 1M
    #[arg(long, default_value_t = 20_000, value_parser = crate::options::agents, value_name = "N")]
    n: usize,

    /// Agents of the heavy scene
    #[arg(long, default_value_t = 1_000_000, value_parser = crate::options::agents, value_name = "N")]
    heavy: usize,

    /// Repeats, of which the fastest counts
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u8).range(1..), value_name = "N")]
    repeats: u8,

    /// The page to write
    #[arg(long, default_value = "docs/behaviors.md", value_name = "FILE")]
    out: PathBuf,
}

/// The maximum force of agents with default parameters.
const MAX_FORCE: f64 = 400.0;
const WARM_UP_STEPS: u64 = 3;
/// Agents whose forces are compared with the oracle's.
const COMPARED: usize = 600;
/// Agents with another one closer than this, relatively, to the edge of view are left out:
/// which side it is on is for rounding to say.
const SMALLEST_MARGIN: f64 = 1.0e-5;

pub(crate) fn run(options: &Options, machine: &Machine) -> Result<(), Failure> {
    let progress = ProgressBar::new(Behavior::NAMES.len() as u64 + PARTS.len() as u64 + 4);
    let mut page = head(options, machine);
    let idle = crowds::flock_of(Species::new("agent", options.n));
    let [simd, scalar] = measure_both(&idle, options, "no behavior")?;
    let [simd, scalar, speed_up] = [simd, scalar, scalar / simd].map(digits);
    page += &format!("| (none) | | | {simd} | {scalar} | {speed_up}× | |\n");
    for behavior in Behavior::all() {
        page += &behavior_row(behavior, options)?;
        progress.inc(1);
    }
    page += &scenery_table(options, &progress)?;
    page += &heavy_table(options, &progress)?;
    progress.finish_and_clear();
    let failure = |error: std::io::Error| Failure::Output {
        path: options.out.display().to_string(),
        message: error.to_string(),
    };
    std::fs::write(&options.out, page).map_err(failure)?;
    println!("{}", options.out.display());
    Ok(())
}

fn head(options: &Options, machine: &Machine) -> String {
    format!(
        "# Behaviors\n\n\
         Written by `cargo run --release -- behaviors`; do not edit. {}, one thread, {} lanes.\n\n\
         Each behavior steers a crowd of {} agents alone, in a world with obstacles, walls, a path, a \
         flow field and a leader. Times are ns per agent of the whole steering stage: finding what is \
         near, the behavior, combination and locomotion. `(none)` is that stage without any behavior. \
         The state hashes of SIMD and scalar are equal, or there would be no row. The error is the \
         largest difference to the `f64` oracle's force, as a share of the maximum force, over {} \
         agents.\n\n\
         | behavior | kernel and twin | scene | SIMD | scalar | speed-up | error |\n\
         | --- | --- | --- | ---: | ---: | ---: | ---: |\n",
        machine.cpu,
        machine.lanes,
        grouped(options.n),
        COMPARED
    )
}

fn behavior_row(behavior: Behavior, options: &Options) -> Result<String, Failure> {
    let name = behavior.name();
    let scene = crowds::steered_by(behavior.clone(), options.n);
    let [simd, scalar] = measure_both(&scene, options, name)?;
    let error = largest_error(behavior)?;
    Ok(format!(
        "| {name} | [kernel](../engine/src/kernels/{name}.rs), [twin](../engine/src/reference/{name}.rs) \
         | {} | {} | {} | {}× | {error:.0e} |\n",
        scene_of(name).unwrap_or_default(),
        digits(simd),
        digits(scalar),
        digits(scalar / simd),
    ))
}

/// The scene that shows a behavior: the one of its name, else the first that has it.
fn scene_of(behavior: &str) -> Option<&'static str> {
    let dashed = behavior.replace('_', "-");
    let shows = |name: &&str| {
        let scene = Scene::named(name).expect("an embedded scene");
        let mut behaviors = scene.species.iter().flat_map(|species| &species.behaviors);
        behaviors.any(|known| known.name() == behavior)
    };
    Scene::names().find(|name| *name == dashed).or_else(|| Scene::names().find(shows))
}

/// Nanoseconds per agent that SIMD and scalar steering take, in turns.
fn measure_both(scene: &Scene, options: &Options, name: &str) -> Result<[f64; 2], Failure> {
    let mut crowds = [warm(scene, Method::default())?, warm(scene, Method::Reference)?];
    let mut best = [f64::MAX; 2];
    for _ in 0..options.repeats {
        for (crowd, best) in crowds.iter_mut().zip(&mut best) {
            crowd.step()?;
            *best = best.min(per_agent(crowd.stage_times().steer, crowd));
        }
        if crowds[0].state_hash() != crowds[1].state_hash() {
            let message = format!("{name}: the kernel and its twin disagree");
            return Err(Failure::WrongResult(message));
        }
    }
    Ok(best)
}

/// A crowd on one thread that has taken its first steps.
fn warm(scene: &Scene, method: Method) -> Result<Simulation, Failure> {
    let mut crowd = scene.build()?;
    crowd.set_threads(1)?;
    crowd.set_method(method);
    crowd.run(WARM_UP_STEPS)?;
    Ok(crowd)
}

fn per_agent(time: Duration, crowd: &Simulation) -> f64 {
    time.as_secs_f64() * 1.0e9 / crowd.len().max(1) as f64
}

fn largest_error(behavior: Behavior) -> Result<f64, Failure> {
    let scene = crowds::steered_by(behavior, COMPARED);
    let mut crowd = scene.build()?;
    let mut largest = 0.0_f64;
    for _ in 0..3 {
        crowd.run(5)?;
        for id in (0..crowd.len()).map(|slot| crowd.id_at(slot)).collect::<Vec<_>>() {
            let oracle = crowd.oracle_step(id)?;
            if oracle.margin < SMALLEST_MARGIN {
                continue;
            }
            let force = crowd.explain(id)?.force.map(f64::from);
            let error = (force[0] - oracle.force[0]).hypot(force[1] - oracle.force[1]);
            largest = largest.max(error / MAX_FORCE);
        }
    }
    Ok(largest)
}

/// What obstacles and walls cost in a small and in a large world of the same density.
fn scenery_table(options: &Options, progress: &ProgressBar) -> Result<String, Failure> {
    let mut page = "\n## Obstacles and walls in worlds of different size\n\n\
        ns per agent of the steering stage, at the same local density; and what is left of it \
        without that of agents that nothing steers, which a large crowd reads from memory.\n\n\
        | behavior | agents | obstacles | walls | ns per agent | of the behavior |\n\
        | --- | ---: | ---: | ---: | ---: | ---: |\n"
        .to_owned();
    for agents in [options.heavy / 100, options.heavy] {
        let idle = steering(&crowds::flock_of(Species::new("agent", agents)), options)?.0;
        for behavior in Behavior::all() {
            if !["obstacle_avoidance", "wall_avoidance"].contains(&behavior.name()) {
                continue;
            }
            let (time, crowd) = steering(&crowds::steered_by(behavior.clone(), agents), options)?;
            writeln!(
                page,
                "| {} | {} | {} | {} | {} | {} |",
                behavior.name(),
                grouped(crowd.len()),
                grouped(crowd.obstacles().len()),
                grouped(crowd.walls().len()),
                digits(time),
                digits(time - idle)
            )
            .expect("a string takes all");
            progress.inc(1);
        }
    }
    Ok(page)
}

/// Nanoseconds per agent of the fastest steering stage of some steps.
fn steering(scene: &Scene, options: &Options) -> Result<(f64, Simulation), Failure> {
    let mut crowd = warm(scene, Method::default())?;
    let mut best = f64::MAX;
    for _ in 0..options.repeats {
        crowd.step()?;
        best = best.min(per_agent(crowd.stage_times().steer, &crowd));
    }
    Ok((best, crowd))
}

/// What can be left out of the heavy scene.
const PARTS: [&str; 8] = [
    "",
    "wall_avoidance",
    "obstacle_avoidance",
    "evade",
    "separation, alignment, cohesion",
    "wander",
    "non-penetration",
    "smoothed headings",
];

fn without(mut scene: Scene, part: &str) -> Scene {
    match part {
        "non-penetration" => scene.non_penetration = 0,
        "smoothed headings" => scene.heading_samples = None,
        names => {
            for species in &mut scene.species {
                let left_out = |name: &str| names.split(", ").any(|part| part == name);
                species.behaviors.retain(|behavior| !left_out(behavior.name()));
            }
        }
    }
    scene
}

/// Where the heavy scene's time goes, against the plain flock's.
fn heavy_table(options: &Options, progress: &ProgressBar) -> Result<String, Failure> {
    let mut page = format!(
        "\n## The heavy scene\n\n\
         {} agents, one thread, ns per agent: the whole step and its stages, and the same with \
         one part left out.\n\n\
         | scene | step | sort | steer | part | smooth | of the flock |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
        grouped(options.heavy)
    );
    let heavy = || Scene::named("heavy").and_then(|scene| scene.agents(options.heavy));
    let mut scenes = vec![(
        "`stress`, the plain flock".to_owned(),
        Scene::named("stress").and_then(|scene| scene.agents(options.heavy))?,
    )];
    for part in PARTS {
        let name = match part {
            "" => "`heavy`".to_owned(),
            part => format!("without {part}"),
        };
        scenes.push((name, without(heavy()?, part)));
    }
    let mut flock = None;
    for (name, scene) in scenes {
        let [step, sort, steer, part, smooth] = stages(&scene, options)?;
        let flock = *flock.get_or_insert(step);
        let row = [step, sort, steer, part, smooth].map(digits).join(" | ");
        writeln!(page, "| {name} | {row} | {}× |", digits(step / flock))
            .expect("a string takes all");
        progress.inc(1);
    }
    Ok(page)
}

/// The fastest of some steps and its stages, in nanoseconds per agent.
fn stages(scene: &Scene, options: &Options) -> Result<[f64; 5], Failure> {
    let mut crowd = warm(scene, Method::default())?;
    let mut best = [f64::MAX; 5];
    for _ in 0..options.repeats {
        crowd.step()?;
        let times = crowd.stage_times();
        let parts = [times.sort, times.steer, times.part, times.smooth];
        let whole = parts.iter().sum();
        let [sort, steer, part, smooth] = parts;
        let row = [whole, sort, steer, part, smooth].map(|time| per_agent(time, &crowd));
        if row[0] < best[0] {
            best = row;
        }
    }
    Ok(best)
}

/// Whether the page can be written, to know before the work and not after it.
pub(crate) fn check(path: &Path) -> Result<(), Failure> {
    let opened = std::fs::File::options().create(true).append(true).open(path);
    opened.map(|_| ()).map_err(|error| Failure::Output {
        path: path.display().to_string(),
        message: error.to_string(),
    })
}

impl Options {
    pub(crate) fn out(&self) -> &Path {
        &self.out
    }
}
