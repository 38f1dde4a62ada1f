//! Looks at a crowd: in a window, or headless into pictures and films.

mod app;
mod benchmark;
mod camera;
mod canvas;
mod color_by;
mod coloring;
mod controls;
mod density;
mod error;
mod explained;
mod export;
mod export_colors;
mod export_gif;
mod export_series;
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
mod trail_lines;
mod trails;
mod view;
mod visible;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use flockwork::Scene;

use crate::error::Error;
use crate::options::Options;

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

fn list() -> Result<ExitCode, Error> {
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
