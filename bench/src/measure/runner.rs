use std::time::{Duration, Instant};

use flockwork::{Simulation, Snapshot};

use crate::experiments::group::Group;
use crate::failure::Failure;
use crate::method::Method;
use crate::peers::{Peer, Points, ZelllFlock};
use crate::results::row::{Block, Row, Stages};
use crate::results::statistics::lower_quartile;
use crate::rungs::Rung;
use crate::stopwatch::Stopwatch;

/// Multi-threaded methods run this long before their steps are timed.
pub(super) const SETTLING: Duration = Duration::from_millis(100);
pub(super) const REPEATS_SETTLED: usize = 4;

/// Crowds with at least this many agents have steps long enough to be timed one by one.
const TIMED_SINGLY: usize = 10_000;

pub(crate) struct Runner {
    pub(crate) method: Method,
    times_steering: bool,
    /// True if each step is timed. A mean would hide the slowest step, which decides
    /// whether a game drops a frame.
    pub(crate) times_each_step: bool,
    /// The crowd; rungs of the ladder only copy their initial state from it.
    simulation: Simulation,
    pub(crate) hashes: Vec<u64>,
    times: Times,
    watch: Stopwatch,
}

#[derive(Default)]
struct Times {
    ns: Vec<f64>,
    stages_ns: Vec<Stages>,
    verified: usize,
    waited: Vec<f64>,
    steps: Vec<f64>,
}

impl Runner {
    pub(crate) fn new(group: &Group, method: Method, warm: &Snapshot) -> Result<Self, Failure> {
        let mut simulation = warm.build()?;
        method.apply(&mut simulation, group.threads)?;
        Ok(Self {
            method,
            times_steering: group.times_steering(),
            times_each_step: method.is_of_engine() && group.agents() >= TIMED_SINGLY,
            simulation,
            hashes: Vec::new(),
            times: Times::default(),
            watch: Stopwatch::default(),
        })
    }

    pub(crate) fn repeat(&mut self, warm: &[Snapshot], steps: u64) -> Result<Duration, Failure> {
        self.hashes.clear();
        self.watch.lap();
        for crowd in warm {
            self.simulation.restore(crowd);
            let hash = match self.method {
                Method::Rung(rung) => self.steps_on(rung, steps)?,
                Method::Peer(peer) => self.search(peer, steps),
                Method::NextBest => self.steps_of_flock(steps)?,
                _ => self.take(steps)?,
            };
            self.hashes.push(hash);
        }
        Ok(self.watch.lap())
    }

    /// Steps the crowd until the operating system has spread the threads over the cores.
    /// After single-threaded work this takes up to 0.1 s, during which two threads share a core.
    /// A program that steps its crowd continuously does not see this delay.
    fn settle(&mut self) -> Result<(), Failure> {
        let start = Instant::now();
        while start.elapsed() < SETTLING {
            self.simulation.step()?;
        }
        Ok(())
    }

    fn take(&mut self, steps: u64) -> Result<u64, Failure> {
        if self.times_steering {
            for _ in 0..steps {
                self.simulation.step()?;
                self.watch.add(self.simulation.stage_times().steer);
            }
        } else if self.times_each_step && (steps == 1 || self.simulation.threads_in_use() == 1) {
            for step in 0..steps {
                self.watch.time(|| self.simulation.step())?;
                // Skip the first of several steps, which refills caches after other methods.
                if step > 0 || steps == 1 {
                    self.times.steps.push(self.watch.latest().as_secs_f64());
                }
            }
        } else {
            self.watch.time(|| self.simulation.run(steps))?;
        }
        Ok(self.simulation.state_hash())
    }

    fn steps_on(&mut self, rung: Rung, steps: u64) -> Result<u64, Failure> {
        let flock = rung.flock(&self.simulation);
        let refusal = || Failure::WrongResult(format!("{} computes only workload W", rung.id()));
        let mut flock = flock.ok_or_else(refusal)?;
        self.watch.time(|| (0..steps).for_each(|_| flock.step()));
        Ok(flock.state_hash())
    }

    /// Returns the engine's state hash after checking the flock against the engine. The sums
    /// of flock and engine differ in their last bits, so a hash of the flock would not match.
    fn steps_of_flock(&mut self, steps: u64) -> Result<u64, Failure> {
        let refusal = |why: String| Failure::WrongResult(format!("{} {why}", ZelllFlock::ID));
        let flock = ZelllFlock::of(&self.simulation);
        let mut flock = flock.ok_or_else(|| refusal("computes only workload W".into()))?;
        self.watch.time(|| (0..steps).for_each(|_| flock.step()));
        flock.verify(&mut self.simulation, steps).map_err(refusal)?;
        Ok(self.simulation.state_hash())
    }

    /// Returns the number of neighbors found, in place of a state hash.
    fn search(&mut self, peer: Peer, calls: u64) -> u64 {
        let points = Points::of(&self.simulation);
        let mut count = peer.on(&points);
        // The first call allocates, so it is not timed.
        let found = count();
        self.watch.time(|| (0..calls).fold(found, |_, _| count()))
    }

    /// Measures one repeat or, for multi-threaded methods, several repeats after a warm-up.
    /// Returns the duration of the whole turn in seconds, including preparation.
    pub(crate) fn turn(&mut self, warm: &[Snapshot], steps: u64) -> Result<f64, Failure> {
        let start = Instant::now();
        let mut repeats = 1;
        if self.simulation.threads_in_use() > 1 {
            self.settle()?;
            // As in a game, each step wakes the threads again.
            for _ in 0..if self.times_each_step && steps > 1 { steps } else { 0 } {
                let start = Instant::now();
                self.simulation.step()?;
                self.times.steps.push(start.elapsed().as_secs_f64());
            }
            repeats = REPEATS_SETTLED;
        }
        let (timed, before) = (Instant::now(), waited_seconds());
        for _ in 0..repeats {
            self.timed_repeat(warm, steps)?;
        }
        if let Some((before, after)) = before.zip(waited_seconds()) {
            let all = timed.elapsed().as_secs_f64() * self.simulation.threads_in_use() as f64;
            self.times.waited.push((after - before).max(0.0) / all);
        }
        Ok(start.elapsed().as_secs_f64())
    }

    /// Runs [`Self::repeat`] and records its time. Stage times come from the last step only.
    fn timed_repeat(&mut self, warm: &[Snapshot], steps: u64) -> Result<(), Failure> {
        let lap = self.repeat(warm, steps)?;
        let agents = self.simulation.len().max(1) as f64;
        let agent_steps = agents * warm.len() as f64 * steps as f64;
        let times = self.simulation.stage_times();
        let per_agent = |time: Duration| time.as_secs_f64() * 1.0e9 / agents;
        if self.method.is_of_engine() {
            self.times.stages_ns.push(Stages {
                sort: per_agent(times.sort),
                steer: per_agent(times.steer),
                non_penetration: per_agent(times.non_penetration),
                smooth: per_agent(times.smooth),
            });
        }
        self.times.ns.push(lap.as_secs_f64() * 1.0e9 / agent_steps);
        Ok(())
    }

    pub(crate) fn verify(&mut self) {
        self.times.verified = self.times.ns.len();
    }

    pub(crate) fn reset(&mut self) {
        self.times = Times::default();
    }

    pub(crate) fn block(&self) -> Block {
        let Times { ns, stages_ns, verified, waited, steps } = &self.times;
        Block {
            ns: ns[..*verified].to_vec(),
            step_seconds: steps.clone(),
            waited: (!waited.is_empty()).then(|| lower_quartile(waited)),
            stages_ns: Stages::medians(stages_ns.iter().copied()),
        }
    }

    pub(crate) fn state_hash(&self) -> String {
        format!("{:016x}", self.hashes.last().copied().unwrap_or_default())
    }

    pub(crate) fn row(&mut self, group: &Group) -> Result<Row, Failure> {
        if let Method::Rung(_) = self.method {
            self.simulation.run(group.steps)?;
        }
        let simulation = &mut self.simulation;
        let census = simulation.census();
        let last = self.hashes.last().copied().unwrap_or_default();
        // Other crates search a bounded world at the positions before the steps,
        // so their own count applies.
        let mean_neighbors = match self.method {
            Method::Peer(_) => last as f64 / simulation.len().max(1) as f64,
            _ => census.mean_neighbors,
        };
        let of_engine = self.method.is_of_engine();
        let bytes = simulation.bytes() as f64 / simulation.len().max(1) as f64;
        Ok(Row {
            id: group.id(self.method),
            experiment: group.experiment,
            method: self.method,
            point: group.point.clone(),
            x: group.x,
            scene: group.scene.name.clone(),
            n: simulation.len(),
            threads: simulation.threads_in_use(),
            crowds: self.hashes.len(),
            steps_per_repeat: group.steps,
            mean_neighbors,
            pairs_per_agent: of_engine.then_some(census.pairs_per_agent),
            bytes_per_agent: of_engine.then_some(bytes),
            steps: simulation.tick(),
            state_hash: self.state_hash(),
            ..Row::default()
        })
    }
}

/// Seconds for which this process's live threads were runnable but waited for a core.
/// `None` if the system does not report waiting times.
fn waited_seconds() -> Option<f64> {
    let mut nanoseconds = 0.0;
    for thread in std::fs::read_dir("/proc/self/task").ok()? {
        // The thread may have exited since it was listed.
        let Ok(text) = std::fs::read_to_string(thread.ok()?.path().join("schedstat")) else {
            continue;
        };
        // The fields of `schedstat` are nanoseconds on a core, nanoseconds of waiting,
        // and the number of time slices.
        nanoseconds += text.split_whitespace().nth(1)?.parse::<f64>().ok()?;
    }
    Some(nanoseconds * 1.0e-9)
}
