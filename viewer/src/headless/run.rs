//! A headless run: steps, pictures, and a short report.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use flockwork::{AgentId, Simulation};
use indicatif::{ProgressBar, ProgressStyle};

use super::log::Log;
use super::report::{identity, reasons};
use crate::error::Error;
use crate::export::files::check_writable;
use crate::export::series::Series;
use crate::export::target::Target;
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
const MIN_FRAMES: usize = 9;

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
    let mut run = Run::new(simulation, options)?;
    let mut painter = TimedPainter::new(options, color_by);
    let written = render(&mut run, &mut painter, &ids, options)?;
    run.progress.finish_and_clear();
    if let Some(log) = run.log.take() {
        log.finish()?;
    }
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
    run: &mut Run<'_>,
    painter: &mut TimedPainter<'_>,
    ids: &[AgentId],
    options: &Options,
) -> Result<u32, Error> {
    let mut export = None;
    let mut written = 0;
    for picture in 0..options.pictures() {
        let tick = run.first.saturating_add(steps_before(picture, options));
        // What is lit in the time before leaves trails.
        let start = tick.saturating_sub(lit_steps(&run.simulation, options));
        run.step_to(start)?;
        while run.simulation.tick() < tick && !run.is_over() {
            painter.draw(View::of(&mut run.simulation, painter.painter.look.color_by));
            run.step_to(run.simulation.tick() + 1)?;
        }
        if run.is_over() && picture > 0 {
            break;
        }
        let explained = Explained::all(&mut run.simulation, ids)?;
        let color_by = painter.painter.look.color_by;
        painter.draw(View { explained, ..View::of(&mut run.simulation, color_by) });
        let Some(target) = &options.out else { break };
        let export = match &mut export {
            Some(export) => export,
            None => export.insert(target.open(series(&run.simulation, options))?),
        };
        if export.write(&painter.pixels)?.is_break() {
            break;
        }
        written += 1;
        run.progress.set_message(format!("picture {written} of {}", options.pictures()));
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
    Series { size: options.size, pictures: options.pictures(), seconds }
}

/// Takes steps until a request to end or a failed step; the state reached so far stays.
struct Run<'a> {
    simulation: Simulation,
    log: Option<Log<'a>>,
    /// Tick of the initial state.
    first: u64,
    spent: Duration,
    progress: ProgressBar,
    stop: Arc<AtomicBool>,
    failed: Option<flockwork::Error>,
}

impl<'a> Run<'a> {
    fn new(mut simulation: Simulation, options: &'a Options) -> Result<Self, Error> {
        let style =
            ProgressStyle::with_template("{bar:30} {pos}/{len} steps  (about {eta} left)  {msg}")
                .expect("a valid template");
        let steps = steps_before(options.pictures() - 1, options);
        let progress = ProgressBar::new(steps).with_style(style);
        let first = simulation.tick();
        let mut log = Log::new(options)?;
        log.note(&mut simulation, 0)?;
        Ok(Self {
            simulation,
            log: Some(log),
            first,
            spent: Duration::ZERO,
            progress,
            stop: interrupt_flag(),
            failed: None,
        })
    }

    fn is_over(&self) -> bool {
        self.failed.is_some() || self.stop.load(Relaxed)
    }

    /// Steps up to a tick.
    fn step_to(&mut self, tick: u64) -> Result<(), Error> {
        while self.simulation.tick() < tick && !self.is_over() {
            let start = Instant::now();
            self.failed = self.simulation.step().err();
            self.spent += start.elapsed();
            self.progress.set_position(self.steps());
            let steps = self.steps();
            if let Some(log) = self.log.as_mut().filter(|_| self.failed.is_none()) {
                log.note(&mut self.simulation, steps)?;
            }
        }
        Ok(())
    }

    fn ms_per_step(&self) -> f64 {
        self.spent.as_secs_f64() * 1.0e3 / self.steps().max(1) as f64
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
fn report(
    run: &Run<'_>,
    painter: &mut TimedPainter<'_>,
    written: u32,
    options: &Options,
) -> String {
    let simulation = &run.simulation;
    let (sim_ms, draw_ms) = (run.ms_per_step(), painter.ms_per_frame());
    if options.json {
        let mut line = identity(simulation, options);
        line["frames"] = written.into();
        line["sim_ms_per_step"] = sim_ms.into();
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
    match &options.out {
        Some(target) if options.pictures() == 1 => lines.push(target.describe(1, 1)),
        Some(target) => {
            lines.push(format!(
                "{written} of {} pictures: {}",
                options.pictures(),
                target.describe(written, options.pictures())
            ));
        }
        None => {}
    }
    lines.extend(options.csv.iter().map(|file| format!("measures: {}", file.display())));
    let states = options.states.iter().map(|file| file.path().display());
    lines.extend(states.map(|file| format!("states: {file}")));
    lines.extend(options.save.iter().map(|file| format!("state: {}", file.display())));
    lines.extend(painter.view.explained.iter().flat_map(reasons));
    lines.join("\n") + "\n"
}
