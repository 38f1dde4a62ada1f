//! The measurement: crowd size by crowd size, methods interleaved, every result checked.
//!
//! At each size all methods start from the same scene, take the same first steps, and must
//! then have the same state hash. Every repeat returns to that state and times the same few
//! steps, so that all methods do the same work on the same crowd, and must end in the same
//! state again. Repeats go round robin over the methods, so that a noisy minute hits all.
//!
//! A small crowd is not alone in a repeat: others that differ only in their seed follow it.
//! Branch predictors learn the few thousand branches of a crowd of 100 by heart when the same
//! steps come again and again, and the scalar methods would look almost twice as fast as on
//! a crowd that they see for the first time.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use flockwork::{Scene, Simulation, Snapshot};
use indicatif::{ProgressBar, ProgressStyle};

use crate::Failure;
use crate::method::Method;
use crate::options::Options;
use crate::report::{Measured, Row, Stopped};
use crate::statistics::{median, median_interval};

/// Steps before anything is timed: caches, threads and memory are warm after these.
const WARM_UP_STEPS: u64 = 3;
/// Steps in a repeat; one if the slowest method takes long.
const REPEAT_STEPS: u64 = 4;
/// Seconds per step from which on a method takes long.
const LONG_STEP: f64 = 0.05;
/// Agents in all crowds of a repeat: more than a branch predictor can learn, and enough work
/// for a clock.
const AGENTS_PER_REPEAT: usize = 16_000;
const MOST_CROWDS: usize = 64;
const FEWEST_REPEATS: usize = 5;
const MOST_REPEATS: usize = 101;
/// Crowd size of the trial step that predicts how long the first measured size will take.
const TRIAL: usize = 1_000;

pub(crate) struct Ladder<'a> {
    options: &'a Options,
    scene: Scene,
    sizes: Vec<usize>,
    methods: Vec<Method>,
    threads: usize,
    stop: &'a AtomicBool,
    progress: ProgressBar,
}

/// One method at one crowd size, being measured.
struct Run {
    method: Method,
    simulation: Simulation,
    /// Nanoseconds per agent-step.
    times: Vec<f64>,
    /// The state of each crowd after the latest steps.
    hashes: Vec<u64>,
}

impl<'a> Ladder<'a> {
    pub(crate) fn new(options: &'a Options, stop: &'a AtomicBool) -> Result<Self, Failure> {
        let mut scene = Scene::named("stress")?.seed(options.seed);
        scene.world.mean_neighbors = Some(options.mean_neighbors);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (sizes, methods) = (options.sizes(), options.chosen_methods());
        // Refuse a bad density now and not after the first sizes are measured.
        for &size in &sizes {
            scene.clone().agents(size)?.check()?;
        }
        let style =
            ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}  (about {eta} left)")
                .expect("a valid template");
        Ok(Self {
            options,
            scene,
            threads: options.threads.map_or(cores, usize::from),
            stop,
            progress: ProgressBar::new((sizes.len() * methods.len()) as u64).with_style(style),
            sizes,
            methods,
        })
    }

    /// Measures every size. Ctrl-C ends it early with what there is.
    pub(crate) fn climb(&self) -> Result<Measured, Failure> {
        let mut measured = Measured::default();
        for &size in &self.sizes {
            let mut methods = Vec::new();
            for &method in &self.methods {
                match self.prediction(method, size, &measured.rows)? {
                    seconds if seconds <= self.options.step_budget() => methods.push(method),
                    seconds => {
                        measured.stop(Stopped::new(method, size, seconds, self.options));
                    }
                }
            }
            self.progress.inc((self.methods.len() - methods.len()) as u64);
            if !methods.is_empty() {
                measured.rows.extend(self.measure_size(size, &methods)?);
            }
            if self.stop.load(Relaxed) {
                measured.interrupted = true;
                break;
            }
        }
        self.progress.finish_and_clear();
        Ok(measured)
    }

    /// How long one step will probably take, in seconds.
    fn prediction(&self, method: Method, size: usize, rows: &[Row]) -> Result<f64, Failure> {
        let grown = |seconds: f64, from: usize| {
            seconds * (size as f64 / from as f64).powf(method.expected_slope())
        };
        if let Some(row) = rows.iter().rfind(|row| row.method == method) {
            return Ok(grown(row.seconds_per_step(), row.n));
        }
        if size <= TRIAL {
            return Ok(0.0);
        }
        let mut trial = self.prepare(method, TRIAL)?;
        let start = Instant::now();
        trial.step()?;
        Ok(grown(start.elapsed().as_secs_f64(), TRIAL))
    }

    fn prepare(&self, method: Method, size: usize) -> Result<Simulation, Failure> {
        self.prepare_other(method, size, 0)
    }

    /// The crowd whose seed is `offset` from the one asked for.
    fn prepare_other(
        &self,
        method: Method,
        size: usize,
        offset: u64,
    ) -> Result<Simulation, Failure> {
        let seed = self.scene.seed.wrapping_add(offset);
        let mut simulation = self.scene.clone().seed(seed).agents(size)?.build()?;
        method.apply(&mut simulation, self.threads)?;
        simulation.run(WARM_UP_STEPS)?;
        Ok(simulation)
    }

    fn measure_size(&self, size: usize, methods: &[Method]) -> Result<Vec<Row>, Failure> {
        let mut runs = Vec::new();
        for &method in methods {
            self.progress.set_message(format!("{size} agents, {}", method.id()));
            let simulation = self.prepare(method, size)?;
            let hashes = vec![simulation.state_hash()];
            runs.push(Run { method, simulation, times: Vec::new(), hashes });
        }
        agree(&runs, size)?;
        let fastest = *methods.last().expect("a size is measured with at least one method");
        let crowds = (AGENTS_PER_REPEAT / size).clamp(1, MOST_CROWDS);
        // The crowd asked for comes last, so that its state is the one reported.
        let mut warm = Vec::new();
        for offset in (1..crowds as u64).rev() {
            warm.push(self.prepare_other(fastest, size, offset)?.snapshot());
        }
        warm.push(runs[0].simulation.snapshot());

        let mut slowest = 0.0_f64;
        for run in &mut runs {
            slowest = slowest.max(run.repeat(&warm, 1)? / crowds as f64);
            run.times.clear();
        }
        agree(&runs, size)?;
        let steps = if slowest > LONG_STEP { 1 } else { REPEAT_STEPS };

        let mut spent = vec![0.0; runs.len()];
        for round in 0..MOST_REPEATS {
            let mut any = false;
            for (run, spent) in runs.iter_mut().zip(&mut spent) {
                let enough = round >= FEWEST_REPEATS && *spent > self.options.time_per_row();
                if !enough && !self.stop.load(Relaxed) {
                    self.progress.set_message(format!("{size} agents, {}", run.method.id()));
                    *spent += run.repeat(&warm, steps)?;
                    any = true;
                }
            }
            if !any {
                break;
            }
        }
        runs.retain(|run| !run.times.is_empty());
        agree(&runs, size)?;
        self.progress.inc(methods.len() as u64);
        Ok(runs.into_iter().map(|run| run.into_row(size)).collect())
    }
}

impl Run {
    /// Times some steps of every crowd from its warm state on; returns the seconds they took.
    fn repeat(&mut self, warm: &[Snapshot], steps: u64) -> Result<f64, Failure> {
        let mut seconds = 0.0;
        self.hashes.clear();
        for crowd in warm {
            self.simulation.restore(crowd);
            let start = Instant::now();
            self.simulation.run(steps)?;
            seconds += start.elapsed().as_secs_f64();
            self.hashes.push(self.simulation.state_hash());
        }
        let agent_steps = (self.simulation.len() * warm.len()) as f64 * steps as f64;
        self.times.push(seconds * 1.0e9 / agent_steps);
        Ok(seconds)
    }

    fn into_row(mut self, size: usize) -> Row {
        self.times.sort_by(f64::total_cmp);
        let state_hash = format!("{:016x}", self.simulation.state_hash());
        let steps = self.simulation.tick();
        let census = self.simulation.census();
        Row {
            method: self.method,
            n: size,
            threads: self.simulation.threads_in_use(),
            median_ns_per_agent_step: median(&self.times),
            interval_ns_per_agent_step: median_interval(&self.times),
            min_ns_per_agent_step: self.times[0],
            mean_neighbors: census.mean_neighbors,
            pairs_per_agent: census.pairs_per_agent,
            steps,
            repeats: self.times.len(),
            state_hash,
        }
    }
}

/// All must have brought every crowd to the same state.
fn agree(runs: &[Run], size: usize) -> Result<(), Failure> {
    let crowds = runs.first().map_or(0, |run| run.hashes.len());
    for crowd in 0..crowds {
        let states = || runs.iter().map(|run| (run.method.id(), run.hashes[crowd]));
        let mut hashes: Vec<u64> = states().map(|(_, hash)| hash).collect();
        hashes.dedup();
        if hashes.len() > 1 {
            let list: Vec<String> =
                states().map(|(name, hash)| format!("{name} {hash:016x}")).collect();
            return Err(Failure::WrongResult(format!(
                "state hashes differ at {size} agents, so no time is worth printing: {}",
                list.join(", ")
            )));
        }
    }
    Ok(())
}
