//! Looks at a crowd: in a window, or headless into pictures and films.

mod app;
mod benchmark;
mod camera;
mod canvas;
mod coloring;
mod controls;
mod density;
mod explained;
mod export;
mod export_colors;
mod export_gif;
mod frame;
mod ground;
mod headless;
mod ink;
mod keys;
mod lost;
mod marks;
mod meter;
mod mouse;
mod options;
mod painter;
mod palette;
mod panel;
mod points;
mod recorder;
mod rescue;
mod runner;
mod screen;
mod session;
mod trails;
mod view;
mod visible;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use flockwork::{Scene, Simulation};

use crate::options::Options;

/// What ends the viewer with exit code 2.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("{0}")]
    Engine(#[from] flockwork::Error),
    #[error("there is no agent {number} to explain: the scene has {agents}, counted from 0")]
    NoAgent { number: u32, agents: usize },
    #[error("there is no agent {number} to explain: it was removed; {agents} are left")]
    Removed { number: u32, agents: usize },
    #[error(
        "all pairs of {agents} agents would take more than ten seconds a step: \
         allowed up to {most} in the window"
    )]
    AllPairs { agents: usize, most: usize },
    #[error("cannot write {path}: {message}")]
    Picture { path: String, message: String },
    #[error(
        "cannot open a window: {0}\nWithout a display, use for instance\n  flockwork-viewer \
         --headless --scene stress --steps 600 --png stress.png"
    )]
    NoWindow(String),
    #[error("cannot draw in the window: {0}")]
    Drawing(String),
}

fn main() -> ExitCode {
    flockwork::cpu::require_build_features();
    run()
}

#[inline(never)]
fn run() -> ExitCode {
    let options = Options::parse();
    let outcome = if options.list {
        list()
    } else if options.benchmark {
        benchmark::run(&options)
    } else if options.headless {
        headless::run(&options)
    } else {
        app::run(&options).map(|()| ExitCode::SUCCESS)
    };
    outcome.unwrap_or_else(|failure| {
        eprintln!("error: {failure}");
        ExitCode::from(2)
    })
}

fn list() -> Result<ExitCode, Failure> {
    let mut out = std::io::stdout().lock();
    for name in Scene::names() {
        let about = Scene::named(name)?.about;
        // Whoever reads along may leave early.
        if writeln!(out, "{name:20} {about}").is_err() {
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The simulation that the options ask for.
pub(crate) fn build(options: &Options) -> Result<Simulation, Failure> {
    let mut simulation = match &options.resume {
        Some(file) => flockwork::Snapshot::load(file)?.build()?,
        None => options.overrides().applied_to(Scene::find(&options.scene)?)?.build()?,
    };
    if let Some(threads) = options.threads {
        simulation.set_threads(threads)?;
    }
    simulation.set_partition(options.partition.into());
    Ok(simulation)
}
