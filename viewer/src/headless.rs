use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use flockwork::{AgentId, Partition, Simulation};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::export::gif::Gif;
use crate::export::{Target, check_writable};
use crate::options::Options;
use crate::picture::explanation::{self, Explained};
use crate::picture::painter::Painter;
use crate::picture::projection::Angle;
use crate::picture::view::View;
use crate::raster::{BACKGROUND, Canvas, Pixel};
use crate::session::stepping::stages;
use crate::{Error, INTERRUPTED, on_interrupt, unless_reader_left};

/// Minimum number of frames to draw for the report's median drawing time.
const MIN_FRAMES: usize = 3;

pub(crate) fn run(options: &Options) -> Result<ExitCode, Error> {
    let simulation = options.build()?;
    let seconds = options.every as f32 / simulation.scene().steps_per_second;
    let open = |target: &Target| target.open(options.size, options.frames, seconds);
    let gif = options.out.as_ref().map(open).transpose()?.flatten();
    if let Some(file) = &options.save {
        check_writable(file)?;
    }
    options.check_angle(&simulation)?;
    let ids = explanation::find(&simulation, &options.explain)?;
    let mut run = Run::new(simulation, options);
    let drawn = run.render(&ids, gif);
    run.progress.finish_and_clear();
    let save = |file| run.simulation.snapshot().save(file);
    let saved = options.save.as_ref().map_or(Ok(()), save);
    run.saved = saved.is_ok();

    let report = if options.json { run.report() } else { run.summary() };
    let interrupted = run.stop.load(Relaxed);
    if interrupted {
        let (tick, last) = (run.simulation.tick(), run.last);
        // Standard error may be closed, so failures are ignored.
        let _ = writeln!(io::stderr(), "interrupted at step {tick} of {last}");
    }
    let printed = match options.out {
        Some(Target::Pipe) => writeln!(io::stderr(), "{report}"),
        _ => writeln!(io::stdout(), "{report}"),
    };
    let [saving, step] = [saved.err(), run.failed].map(|error| error.map(Error::from));
    let errors = [drawn.err(), saving, step, unless_reader_left(printed).err()];
    let mut errors: Vec<Error> = errors.into_iter().flatten().collect();
    let Some(last) = errors.pop() else {
        return Ok(if interrupted { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS });
    };
    // The caller prints the last error.
    for error in errors {
        let _ = writeln!(io::stderr(), "error: {error}");
    }
    Err(last)
}

/// A headless run. An interrupt or an error ends it early, but the last state is kept.
struct Run<'a> {
    options: &'a Options,
    simulation: Simulation,
    first: u64,
    /// Planned tick of the final picture.
    last: u64,
    /// Total time per stage, in milliseconds.
    spent: [f64; 4],
    progress: ProgressBar,
    stop: Arc<AtomicBool>,
    failed: Option<flockwork::Error>,
    /// Number of pictures written.
    written: u32,
    saved: bool,
    painter: Painter,
    view: View,
    /// Position of the explained agent that the pictures are centered on.
    followed: Option<[f32; 3]>,
    pixels: Vec<Pixel>,
    /// Drawing time per picture, in milliseconds.
    drawn: Vec<f64>,
}

impl<'a> Run<'a> {
    fn new(simulation: Simulation, options: &'a Options) -> Self {
        let style =
            ProgressStyle::with_template("{bar:30} {pos}/{len} steps  (about {eta} left)  {msg}")
                .expect("a valid template");
        let steps = steps_before(options.frames - 1, options);
        let (width, height) = options.size;
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        on_interrupt(move || flag.store(true, Relaxed));
        Self {
            options,
            first: simulation.tick(),
            last: simulation.tick().saturating_add(steps),
            simulation,
            spent: [0.0; 4],
            progress: ProgressBar::new(steps).with_style(style),
            stop,
            failed: None,
            written: 0,
            saved: false,
            painter: Painter::default(),
            view: View::default(),
            followed: None,
            pixels: vec![BACKGROUND; (width * height) as usize],
            drawn: Vec::new(),
        }
    }

    fn render(&mut self, ids: &[AgentId], mut gif: Option<Gif>) -> Result<(), Error> {
        let options = self.options;
        let steps_per_second = self.simulation.scene().steps_per_second;
        for picture in 0..options.frames {
            let tick = self.first.saturating_add(steps_before(picture, options));
            // Trails build up over the steps before the picture, so those steps are drawn,
            // up to one trail length back.
            let start = tick.saturating_sub((options.trails * steps_per_second).ceil() as u64);
            if self.simulation.tick() < start {
                // A trail from the previous picture would run straight over the skipped steps.
                self.painter = Painter::default();
                self.step_to(start);
            }
            if let Some(&id) = ids.first().filter(|_| options.follows()) {
                self.followed = Some(self.simulation.agent(id)?.position);
            }
            let turned = options.orbit * picture as f32 / options.frames as f32;
            let mut look = options.look();
            look.angle = look.angle.turned(turned, 0.0);
            if options.orbit != 0.0 && look.angle == Angle::STRAIGHT_DOWN {
                // An orbit also turns this picture, which would otherwise be drawn as a flat world.
                look.angle.yaw = 360.0;
            }
            while self.simulation.tick() < tick && !self.is_over() {
                self.view.update(&self.simulation, look);
                self.draw();
                self.step_to(self.simulation.tick() + 1);
            }
            if self.is_over() && picture > 0 {
                break;
            }
            self.view.update(&self.simulation, look);
            self.view.explained = Explained::all(&self.simulation, ids)?;
            self.draw();
            let Some(target) = &options.out else { break };
            if !target.write(&mut gif, options.size.0, &self.pixels)? {
                break;
            }
            self.written += 1;
            self.progress.set_message(format!("picture {} of {}", self.written, options.frames));
        }
        gif.map_or(Ok(()), Gif::finish)
    }

    fn is_over(&self) -> bool {
        self.failed.is_some() || self.stop.load(Relaxed)
    }

    fn step_to(&mut self, tick: u64) {
        while self.simulation.tick() < tick && !self.is_over() {
            self.failed = self.simulation.step().err();
            let times = self.spent.iter_mut().zip(stages(self.simulation.stage_times()));
            times.for_each(|(spent, time)| *spent += time);
            self.progress.set_position(self.simulation.tick() - self.first);
        }
    }

    fn draw(&mut self) {
        let camera = self.options.camera(&self.view, self.followed);
        let start = Instant::now();
        let size = self.options.size;
        let mut canvas = Canvas::new(size.0 as usize, &mut self.pixels).scaled(scale(size));
        self.painter.paint(&self.view, &camera, &mut canvas);
        self.drawn.push(1.0e3 * start.elapsed().as_secs_f64());
    }

    fn per_step(&self) -> [f64; 4] {
        let steps = (self.simulation.tick() - self.first).max(1) as f64;
        self.spent.map(|spent| spent / steps)
    }

    /// The report as a line of JSON. Draws extra frames if too few were timed.
    fn report(&mut self) -> String {
        while self.drawn.len() < MIN_FRAMES {
            self.draw();
        }
        self.drawn.sort_by(f64::total_cmp);
        let (simulation, scene) = (&self.simulation, self.simulation.scene());
        let all_pairs = simulation.execution().partition == Partition::AllPairs;
        let [sort, steer, non_penetration, smooth] = self.per_step();
        json!({
            "scene": scene.name,
            "agents": simulation.len(),
            "steps": simulation.tick(),
            "seed": scene.seed,
            "size": [self.options.size.0, self.options.size.1],
            "partition": if all_pairs { "all-pairs" } else { "cells" },
            "threads": simulation.execution().threads,
            "state_hash": format!("{:016x}", simulation.state_hash()),
            "frames": self.written,
            "sim_ms_per_step": sort + steer + non_penetration + smooth,
            "stage_ms_per_step": {
                "sort": sort,
                "steer": steer,
                "non_penetration": non_penetration,
                "smooth": smooth,
            },
            "draw_ms_per_frame": self.drawn[self.drawn.len() / 2],
        })
        .to_string()
    }

    fn summary(&self) -> String {
        let (simulation, options, written) = (&self.simulation, self.options, self.written);
        let step: f64 = self.per_step().iter().sum();
        let mut lines = vec![format!(
            "{}: {} agents, {} steps, state {:016x}",
            simulation.scene().name,
            simulation.len(),
            simulation.tick(),
            simulation.state_hash()
        )];
        if simulation.tick() > self.first {
            let threads = simulation.execution().threads;
            lines.push(format!("{step:.3} ms per step on {threads} threads"));
        }
        lines.extend(options.out.iter().map(|target| match options.frames {
            1 if written == 1 => target.describe(),
            pictures => format!("{written} of {pictures} pictures: {}", target.describe()),
        }));
        let saved = options.save.iter().filter(|_| self.saved);
        lines.extend(saved.map(|file| format!("state: {}", file.display())));
        lines.extend(self.view.explained.iter().flat_map(reasons));
        lines.join("\n")
    }
}

/// Scale of lines and marks: 1 for pictures up to 1280×720, larger in proportion above that.
fn scale((width, height): (u32, u32)) -> f32 {
    (width as f32 / 1280.0).min(height as f32 / 720.0).max(1.0)
}

fn steps_before(picture: u32, options: &Options) -> u64 {
    options.steps.saturating_add(u64::from(picture) * u64::from(options.every))
}

fn reasons(explained: &Explained) -> Vec<String> {
    let reasons = explained.reasons().into_iter().map(|(number, behavior, force)| {
        let (color, _) = explanation::color(number);
        format!("  {behavior:<20} {color:<9} {force}")
    });
    std::iter::once(explained.summary()).chain(reasons).collect()
}
