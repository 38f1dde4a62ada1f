//! A headless run: steps, pictures, and a short report.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use flockwork::{AgentId, Simulation, StageTimes};
use indicatif::{ProgressBar, ProgressStyle};

use super::report::{identity, reasons};
use crate::error::Error;
use crate::export::files::check_writable;
use crate::export::target::{Series, Target};
use crate::interrupt::{INTERRUPTED, interrupt_flag};
use crate::options::Options;
use crate::output::unless_reader_left;
use crate::picture::color_by::ColorBy;
use crate::picture::explanation::{self, Explained};
use crate::picture::painter::Painter;
use crate::picture::view::View;
use crate::raster::canvas::Canvas;
use crate::raster::palette::{BACKGROUND, Pixel};

/// Minimum number of frames drawn, to measure how long one takes.
const MIN_FRAMES: usize = 3;

pub(crate) fn run(options: &Options) -> Result<ExitCode, Error> {
    let simulation = options.build()?;
    if let Some(target) = &options.out {
        target.check(series(&simulation, options))?;
    }
    if let Some(file) = &options.save {
        check_writable(file)?;
    }
    let ids = explanation::find(&simulation, &options.explain)?;
    let color_by = ColorBy::find(&options.color, &simulation)?;
    let mut run = Run::new(simulation, options);
    let mut painter = TimedPainter::new(options, color_by);
    let written = render(&mut run, &mut painter, &ids, options)?;
    run.progress.finish_and_clear();
    if let Some(file) = &options.save {
        run.simulation.snapshot().save(file)?;
    }

    let report = report(&run, &mut painter, written, options);
    let printed = match options.out {
        Some(Target::Pipe) => io::stderr().write_all(report.as_bytes()),
        _ => io::stdout().write_all(report.as_bytes()),
    };
    if let Some(error) = run.failed {
        return Err(error.into());
    }
    unless_reader_left(printed)?;
    Ok(if run.stop.load(Relaxed) { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// Draws the pictures and returns how many were written.
fn render(
    run: &mut Run,
    painter: &mut TimedPainter<'_>,
    ids: &[AgentId],
    options: &Options,
) -> Result<u32, Error> {
    let mut export = None;
    let mut written = 0;
    for picture in 0..options.frames {
        let tick = run.first.saturating_add(steps_before(picture, options));
        // What is lit in the time before leaves trails.
        let start = tick.saturating_sub(lit_steps(&run.simulation, options));
        run.step_to(start);
        while run.simulation.tick() < tick && !run.is_over() {
            painter.draw(View::of(&mut run.simulation, painter.painter.look.color_by));
            run.step_to(run.simulation.tick() + 1);
        }
        if run.is_over() && picture > 0 {
            break;
        }
        let explained = Explained::all(&mut run.simulation, ids)?;
        let color_by = painter.painter.look.color_by;
        let cells = options.grid.then(|| run.simulation.cells());
        painter.draw(View { explained, cells, ..View::of(&mut run.simulation, color_by) });
        let Some(target) = &options.out else { break };
        let export = match &mut export {
            Some(export) => export,
            None => export.insert(target.open(series(&run.simulation, options))?),
        };
        if !export.write(&painter.pixels)? {
            break;
        }
        written += 1;
        run.progress.set_message(format!("picture {written} of {}", options.frames));
    }
    export.map_or(Ok(()), |export| export.finish())?;
    Ok(written)
}

/// The number of steps before a picture, counted from 0.
fn steps_before(picture: u32, options: &Options) -> u64 {
    options.steps.saturating_add(u64::from(picture) * u64::from(options.every))
}

/// The number of steps before a picture whose light it shows.
fn lit_steps(simulation: &Simulation, options: &Options) -> u64 {
    (options.trails * simulation.scene().steps_per_second).ceil() as u64
}

fn series(simulation: &Simulation, options: &Options) -> Series {
    let seconds = options.every as f32 / simulation.scene().steps_per_second;
    Series { size: options.size, pictures: options.frames, seconds }
}

/// Takes steps until a request to end or a failed step; the state reached so far stays.
struct Run {
    simulation: Simulation,
    /// Tick of the initial state.
    first: u64,
    /// What the stages of all steps took.
    spent: StageTimes,
    progress: ProgressBar,
    stop: Arc<AtomicBool>,
    failed: Option<flockwork::Error>,
}

impl Run {
    fn new(simulation: Simulation, options: &Options) -> Self {
        let style =
            ProgressStyle::with_template("{bar:30} {pos}/{len} steps  (about {eta} left)  {msg}")
                .expect("a valid template");
        let steps = steps_before(options.frames - 1, options);
        let progress = ProgressBar::new(steps).with_style(style);
        let first = simulation.tick();
        let stop = interrupt_flag();
        let spent = StageTimes::default();
        Self { simulation, first, spent, progress, stop, failed: None }
    }

    fn is_over(&self) -> bool {
        self.failed.is_some() || self.stop.load(Relaxed)
    }

    /// Steps up to a tick.
    fn step_to(&mut self, tick: u64) {
        while self.simulation.tick() < tick && !self.is_over() {
            self.failed = self.simulation.step().err();
            let times = self.simulation.stage_times();
            self.spent.sort += times.sort;
            self.spent.steer += times.steer;
            self.spent.non_penetration += times.non_penetration;
            self.spent.smooth += times.smooth;
            self.progress.set_position(self.steps());
        }
    }

    /// The stages of a step and the milliseconds that each took on average.
    fn stages(&self) -> [(&'static str, f64); 4] {
        let StageTimes { sort, steer, non_penetration, smooth, .. } = self.spent;
        let mean = |time: Duration| time.as_secs_f64() * 1.0e3 / self.steps().max(1) as f64;
        [
            ("sort", mean(sort)),
            ("steer", mean(steer)),
            ("non_penetration", mean(non_penetration)),
            ("smooth", mean(smooth)),
        ]
    }

    /// Steps taken in this run.
    fn steps(&self) -> u64 {
        self.simulation.tick() - self.first
    }
}

/// Draws, and measures how long it takes.
struct TimedPainter<'a> {
    options: &'a Options,
    painter: Painter,
    /// The latest picture.
    view: View,
    pixels: Vec<Pixel>,
    /// In milliseconds.
    times: Vec<f64>,
}

impl<'a> TimedPainter<'a> {
    fn new(options: &'a Options, color_by: ColorBy) -> Self {
        let (width, height) = options.size;
        let pixels = vec![BACKGROUND; (width * height) as usize];
        let painter = Painter::new(options.look(color_by));
        Self { options, painter, view: View::default(), pixels, times: vec![] }
    }

    fn draw(&mut self, view: View) {
        self.view = view;
        self.draw_again();
    }

    fn draw_again(&mut self) {
        let camera = self.options.camera(&self.view);
        let start = Instant::now();
        let mut canvas = Canvas::new(self.options.size.0 as usize, &mut self.pixels);
        self.painter.paint(&self.view, &camera, &mut canvas);
        self.times.push(start.elapsed().as_secs_f64() * 1.0e3);
    }

    /// The median.
    fn ms_per_frame(&mut self) -> f64 {
        while self.times.len() < MIN_FRAMES {
            self.draw_again();
        }
        self.times.sort_by(f64::total_cmp);
        self.times[self.times.len() / 2]
    }
}

/// The report: a line of JSON, or a few lines of text.
fn report(run: &Run, painter: &mut TimedPainter<'_>, written: u32, options: &Options) -> String {
    let simulation = &run.simulation;
    let (stages, draw_ms) = (run.stages(), painter.ms_per_frame());
    let sim_ms: f64 = stages.iter().map(|(_, ms)| ms).sum();
    if options.json {
        let mut line = identity(simulation, options);
        line["frames"] = written.into();
        line["sim_ms_per_step"] = sim_ms.into();
        for (stage, ms) in stages {
            line["stage_ms_per_step"][stage] = ms.into();
        }
        line["draw_ms_per_frame"] = draw_ms.into();
        return format!("{line}\n");
    }
    let mut lines = vec![
        format!(
            "{}: {} agents, {} steps, state {:016x}",
            simulation.scene().name,
            simulation.len(),
            simulation.tick(),
            simulation.state_hash()
        ),
        format!(
            "{sim_ms:.3} ms per step on {} threads, {draw_ms:.3} ms per frame",
            simulation.threads()
        ),
    ];
    lines.extend(options.out.iter().map(|target| match options.frames {
        1 => target.describe(),
        pictures => format!("{written} of {pictures} pictures: {}", target.describe()),
    }));
    lines.extend(options.save.iter().map(|file| format!("state: {}", file.display())));
    lines.extend(painter.view.explained.iter().flat_map(reasons));
    lines.join("\n") + "\n"
}
