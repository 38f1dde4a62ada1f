//! Running without a display: steps, a picture, one line of results.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use flockwork::{Partition, Simulation};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::camera::Camera;
use crate::canvas::{Canvas, check_writable, write_png};
use crate::explained::{self, Explained};
use crate::options::Options;
use crate::painter::Painter;
use crate::palette::{BACKGROUND, Pixel};
use crate::view::View;
use crate::{Failure, build};

/// Frames drawn to tell how long one takes.
const FRAMES: usize = 9;

pub(crate) fn run(options: &Options) -> Result<ExitCode, Failure> {
    if let Some(path) = &options.png {
        check_writable(path)?;
    }
    let mut simulation = build(options)?;
    let ids = explained::find(&simulation, &options.explain)?;
    let (width, height) = options.size;
    let mut pixels = vec![BACKGROUND; (width * height) as usize];

    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    // Without a handler Ctrl-C just ends the program.
    let _ = ctrlc::set_handler(move || on_interrupt.store(true, Relaxed));
    let (spent, failed) = take_steps(&mut simulation, options.steps, &stop);

    let explained = Explained::all(&mut simulation, &ids)?;
    let view = View { explained, ..View::of(&simulation, options.color) };
    let draw_ms = draw(&view, options, &mut pixels);
    if let Some(path) = &options.png {
        write_png(path, width, &pixels)?;
    }
    let sim_ms = spent.as_secs_f64() * 1.0e3 / simulation.tick().max(1) as f64;
    print(&simulation, options, sim_ms, draw_ms);
    if !options.json {
        view.explained.iter().for_each(print_reasons);
    }
    match failed {
        Some(error) => Err(error.into()),
        None if stop.load(Relaxed) => Ok(ExitCode::from(130)),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// Takes steps until there are enough, Ctrl-C, or a step is refused; what was reached stays.
fn take_steps(
    simulation: &mut Simulation,
    steps: u64,
    stop: &AtomicBool,
) -> (Duration, Option<flockwork::Error>) {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} steps  (about {eta} left)")
        .expect("a valid template");
    let progress = ProgressBar::new(steps).with_style(style);
    let mut spent = Duration::ZERO;
    let mut failed = None;
    while simulation.tick() < steps && failed.is_none() && !stop.load(Relaxed) {
        let start = Instant::now();
        failed = simulation.step().err();
        spent += start.elapsed();
        progress.set_position(simulation.tick());
    }
    progress.finish_and_clear();
    (spent, failed)
}

/// Draws the picture and returns the median time in milliseconds.
fn draw(view: &View, options: &Options, pixels: &mut [Pixel]) -> f64 {
    let camera = camera(view, options);
    let mut painter = Painter::new();
    painter.color_by = options.color;
    let mut times: Vec<f64> = (0..FRAMES)
        .map(|_| {
            let start = Instant::now();
            painter.paint(view, &camera, &mut Canvas::new(options.size.0 as usize, pixels));
            start.elapsed().as_secs_f64() * 1.0e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[FRAMES / 2]
}

/// Shows the part of the world that is asked for.
fn camera(view: &View, options: &Options) -> Camera {
    let mut camera = Camera::fit(view.world, options.size);
    let first = view.explained.first().filter(|_| options.zoom != 1.0);
    camera.center = options.center.or(first.map(Explained::position)).unwrap_or(camera.center);
    camera.zoom_at(camera.size.map(|length| length / 2.0), options.zoom);
    camera
}

fn print(simulation: &Simulation, options: &Options, sim_ms: f64, draw_ms: f64) {
    let scene = simulation.scene();
    let hash = format!("{:016x}", simulation.state_hash());
    if options.json {
        let partition = match simulation.partition() {
            Partition::Cells => "cells",
            Partition::AllPairs => "all-pairs",
        };
        let line = json!({
            "scene": scene.name,
            "agents": simulation.len(),
            "steps": simulation.tick(),
            "seed": scene.seed,
            "size": [options.size.0, options.size.1],
            "partition": partition,
            "threads": simulation.threads(),
            "state_hash": hash,
            "sim_ms_per_step": sim_ms,
            "draw_ms_per_frame": draw_ms,
        });
        println!("{line}");
        return;
    }
    println!(
        "{}: {} agents, {} steps, state {hash}",
        scene.name,
        simulation.len(),
        simulation.tick()
    );
    println!(
        "{sim_ms:.3} ms per step on {} threads, {draw_ms:.3} ms per frame",
        simulation.threads()
    );
    if let Some(path) = &options.png {
        println!("{}", path.display());
    }
}

/// Says in words what the arrows show.
fn print_reasons(explained: &Explained) {
    let size = |force: [f32; 2]| force[0].hypot(force[1]);
    let why = &explained.why;
    let (force, neighbors) = (size(why.force), why.neighbors.len());
    println!("agent {}: force {force:.1}, {neighbors} neighbors", explained.id.index);
    for part in &why.contributions {
        let (color, _) = explained.color(part.behavior);
        let (kept, all) = (size(part.kept), size(part.force));
        println!("  {:<20} {color:<9} {kept:>8.1} of {all:.1}", part.behavior);
    }
}
