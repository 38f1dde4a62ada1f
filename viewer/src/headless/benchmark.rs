//! Times a frame stage by stage: a step, a copy of the crowd and its picture, as in the window.
//! Presenting is excluded: it depends on the display.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use flockwork::{AgentId, Simulation};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Map, Value, json};

use super::report::{identity, partition_name};
use crate::error::Error;
use crate::interrupt::{INTERRUPTED, interrupt_flag};
use crate::options::Options;
use crate::output::unless_reader_left;
use crate::picture::color_by::ColorBy;
use crate::picture::explanation::{self, Explained};
use crate::picture::painter::Painter;
use crate::picture::view::View;
use crate::raster::canvas::Canvas;
use crate::raster::palette::{BACKGROUND, Pixel};

/// The timed stages of a frame; the last is the whole frame.
const STAGES: [&str; 7] = ["sort", "steer", "non_penetration", "smooth", "look", "draw", "total"];
/// Milliseconds per stage.
type Row = [f64; STAGES.len()];

/// At least this many frames, for at least this long.
#[derive(Clone, Copy)]
struct Span {
    frames: u32,
    time: Duration,
}

/// Frames that are not counted: caches fill, memory is touched for the first time, the processor
/// reaches its clock speed.
const WARM_UP: Span = Span { frames: 10, time: Duration::from_secs(1) };
/// Frames that are counted, unless their number is given.
const MEASURED: Span = Span { frames: 20, time: Duration::from_secs(5) };

pub(crate) fn run(options: &Options) -> Result<ExitCode, Error> {
    let mut benchmark = Benchmark::new(options)?;
    let excluded = benchmark.frames("warming up", WARM_UP).len();
    let measured = match options.frames {
        Some(frames) => Span { frames, time: Duration::ZERO },
        None => MEASURED,
    };
    let rows = benchmark.frames("measuring", measured);
    benchmark.progress.finish_and_clear();
    let report = match &rows[..] {
        [] => String::new(),
        rows => report(&benchmark.simulation, rows, excluded, options),
    };
    let printed = io::stdout().write_all(report.as_bytes());
    if let Some(error) = benchmark.failed {
        return Err(error.into());
    }
    unless_reader_left(printed)?;
    Ok(if benchmark.stop.load(Relaxed) { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

struct Benchmark<'a> {
    options: &'a Options,
    simulation: Simulation,
    ids: Vec<AgentId>,
    view: View,
    painter: Painter,
    pixels: Vec<Pixel>,
    progress: ProgressBar,
    stop: Arc<AtomicBool>,
    /// Why the simulation stopped.
    failed: Option<flockwork::Error>,
}

impl<'a> Benchmark<'a> {
    fn new(options: &'a Options) -> Result<Self, Error> {
        let simulation = options.build()?;
        let style = ProgressStyle::with_template("{bar:30} {msg}").expect("a valid template");
        let look = options.look(ColorBy::find(&options.color, &simulation)?);
        Ok(Self {
            options,
            ids: explanation::find(&simulation, &options.explain)?,
            simulation,
            view: View::default(),
            painter: Painter::new(look),
            pixels: vec![BACKGROUND; (options.size.0 * options.size.1) as usize],
            progress: ProgressBar::new(100).with_style(style),
            stop: interrupt_flag(),
            failed: None,
        })
    }

    /// Times frames until the span is full, a request to end, or a step fails.
    fn frames(&mut self, what: &str, span: Span) -> Vec<Row> {
        let mut rows = Vec::new();
        let start = Instant::now();
        loop {
            let done = rows.len() as f64 / f64::from(span.frames);
            let passed = start.elapsed().as_secs_f64() / span.time.as_secs_f64();
            // Without a time limit `passed` is infinite or NaN; `min` then picks the other.
            let share = done.min(passed);
            self.progress.set_position((100.0 * share) as u64);
            self.progress.set_message(format!("{what}: {} frames", rows.len()));
            if share >= 1.0 || self.failed.is_some() || self.stop.load(Relaxed) {
                return rows;
            }
            match self.frame() {
                Ok(row) => rows.push(row),
                Err(error) => self.failed = Some(error),
            }
        }
    }

    fn frame(&mut self) -> Result<Row, flockwork::Error> {
        let start = Instant::now();
        self.simulation.step()?;
        let stepped = Instant::now();
        self.view.update(&mut self.simulation, self.painter.look.color_by);
        self.view.explained = Explained::all(&mut self.simulation, &self.ids)?;
        let looked = Instant::now();
        let camera = self.options.camera(&self.view);
        let mut canvas = Canvas::new(self.options.size.0 as usize, &mut self.pixels);
        self.painter.paint(&self.view, &camera, &mut canvas);
        let drawn = Instant::now();

        let step = self.simulation.stage_times();
        let look = looked - stepped;
        Ok([
            step.sort,
            step.steer,
            step.non_penetration,
            step.smooth,
            look,
            drawn - looked,
            drawn - start,
        ]
        .map(|time| time.as_secs_f64() * 1.0e3))
    }
}

/// For each stage, the time that this share of the frames does not exceed.
fn quantile(rows: &[Row], share: f64) -> Row {
    let rank = (rows.len() as f64 * share).ceil() as usize;
    std::array::from_fn(|stage| {
        let mut times: Vec<f64> = rows.iter().map(|row| row[stage]).collect();
        times.sort_by(f64::total_cmp);
        times[rank.clamp(1, times.len()) - 1]
    })
}

/// The report: a line of JSON, or a table.
fn report(simulation: &Simulation, rows: &[Row], excluded: usize, options: &Options) -> String {
    let (median, p95) = (quantile(rows, 0.5), quantile(rows, 0.95));
    let frames = rows.len();
    let per_second = 1.0e3 / median[STAGES.len() - 1];
    let stages = STAGES.iter().zip(median.iter().zip(&p95));
    if options.json {
        let stages: Map<String, Value> = stages
            .map(|(name, (median, p95))| {
                (String::from(*name), json!({ "median": median, "p95": p95 }))
            })
            .collect();
        let mut line = identity(simulation, options);
        line["frames"] = frames.into();
        line["frames_excluded"] = excluded.into();
        line["frames_per_second"] = per_second.into();
        line["ms"] = stages.into();
        return format!("{line}\n");
    }
    let scene = simulation.scene();
    let mut lines = vec![
        format!(
            "{}: {} agents, seed {}, {} on {} threads, {}x{} pixels",
            scene.name,
            simulation.len(),
            scene.seed,
            partition_name(simulation.partition()),
            simulation.threads(),
            options.size.0,
            options.size.1,
        ),
        format!("{:<15} {:>10} {:>10}", "ms", "median", "95th pct."),
    ];
    lines.extend(
        stages.map(|(name, (median, p95))| format!("{name:<15} {median:>10.3} {p95:>10.3}")),
    );
    lines.push(format!(
        "{per_second:.1} frames per second before presenting, of {frames} frames; the first \
         {excluded} are excluded"
    ));
    lines.push(format!("{} steps, state {:016x}", simulation.tick(), simulation.state_hash()));
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_measured_times() {
        let rows: Vec<Row> = (1..=20).rev().map(|k| [f64::from(k); STAGES.len()]).collect();
        assert_eq!(quantile(&rows, 0.5), [10.0; STAGES.len()]);
        assert_eq!(quantile(&rows, 0.95), [19.0; STAGES.len()]);
        assert_eq!(quantile(&rows[..1], 0.5), rows[0]);
        assert_eq!(quantile(&rows[..1], 0.95), rows[0]);
    }
}
