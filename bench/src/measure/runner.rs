//! One way to compute steps with its memory, ready to be timed.

use std::time::{Duration, Instant};

use flockwork::{Simulation, Snapshot};

use crate::counters::{Counters, Counts};
use crate::experiments::group::{Case, Group, Timed, Way};
use crate::failure::Failure;
use crate::measure::watch::waited_seconds;
use crate::method::Method;
use crate::peers::{Flock, Peer, Points};
use crate::results::block::{Block, Stages, medians};
use crate::results::row::Row;
use crate::results::statistics::lower_quartile;
use crate::rungs::Rung;
use crate::stopwatch::{Lap, Stopwatch};

/// How long several threads run before their steps are timed.
pub(super) const SETTLING: Duration = Duration::from_millis(100);
/// Repeats after that.
pub(super) const REPEATS_SETTLED: usize = 4;

/// A crowd that is restored to its warm state and steps from there.
pub(crate) struct Runner<'a> {
    pub(crate) case: &'a Case,
    timed: Timed,
    /// The crowd; for a rung, its start.
    simulation: Simulation,
    /// The state of each crowd after the latest steps.
    pub(crate) hashes: Vec<u64>,
    repeats: Vec<Repeat>,
    /// Repeats whose results were found equal to those of the other ways.
    verified: usize,
    waited: Vec<f64>,
    watch: Stopwatch,
}

struct Repeat {
    ns: f64,
    stages_ns: Option<Stages>,
    counts: Option<Counts>,
}

impl<'a> Runner<'a> {
    pub(crate) fn new(group: &Group, case: &'a Case, warm: &Snapshot) -> Result<Self, Failure> {
        let mut simulation = warm.build()?;
        match case.way {
            Way::Engine(method) => method.apply(&mut simulation, case.threads)?,
            Way::Level(level) => {
                Method::CellsSimd.apply(&mut simulation, 1)?;
                simulation.set_level(level)?;
            }
            Way::Rung(_) | Way::Peer(_) | Way::Flock => simulation.set_threads(1)?,
        }
        Ok(Self {
            case,
            timed: group.timed,
            simulation,
            hashes: Vec::new(),
            repeats: Vec::new(),
            verified: 0,
            waited: Vec::new(),
            watch: Stopwatch::with(Counters::open().ok()),
        })
    }

    /// Takes `steps` steps of every crowd from its warm state and returns their time.
    pub(crate) fn repeat(&mut self, warm: &[Snapshot], steps: u64) -> Result<Lap, Failure> {
        self.hashes.clear();
        self.watch.lap();
        for crowd in warm {
            self.simulation.restore(crowd);
            let hash = match self.case.way {
                Way::Engine(_) | Way::Level(..) => self.steps(steps)?,
                Way::Rung(rung) => self.steps_on(rung, steps)?,
                Way::Peer(peer) => self.search(peer, steps),
                Way::Flock => self.steps_of_flock(steps)?,
            };
            self.hashes.push(hash);
        }
        Ok(self.watch.lap())
    }

    /// Takes steps until the operating system has spread the threads over the cores. After
    /// single-threaded work that takes up to a tenth of a second, during which two threads share a
    /// core. A program that steps a crowd all the time does not run into this.
    fn settle(&mut self) -> Result<(), Failure> {
        let start = Instant::now();
        while start.elapsed() < SETTLING {
            self.simulation.step()?;
        }
        Ok(())
    }

    fn steps(&mut self, steps: u64) -> Result<u64, Failure> {
        match self.timed {
            Timed::Step => self.watch.time(|| self.simulation.run(steps))?,
            Timed::Steer => {
                for _ in 0..steps {
                    self.simulation.step()?;
                    self.watch.add(self.simulation.stage_times().steer);
                }
            }
        }
        Ok(self.simulation.state_hash())
    }

    fn steps_on(&mut self, rung: Rung, steps: u64) -> Result<u64, Failure> {
        let flock = rung.flock(&mut self.simulation);
        let refusal = || Failure::WrongResult(format!("{} computes only workload W", rung.id()));
        let mut flock = flock.ok_or_else(refusal)?;
        self.watch.time(|| (0..steps).for_each(|_| flock.step()));
        Ok(flock.state_hash())
    }

    /// Returns the engine's state, with which that of the flock is compared: their sums agree but
    /// for the last bits.
    fn steps_of_flock(&mut self, steps: u64) -> Result<u64, Failure> {
        let refusal = |why: String| Failure::WrongResult(format!("{} {why}", Flock::ID));
        let flock = Flock::of(&self.simulation);
        let mut flock = flock.ok_or_else(|| refusal("computes only workload W".into()))?;
        self.watch.time(|| (0..steps).for_each(|_| flock.step()));
        flock.verify(&mut self.simulation, steps).map_err(refusal)?;
        Ok(self.simulation.state_hash())
    }

    /// Returns the number of neighbors in place of a state hash.
    fn search(&mut self, peer: Peer, calls: u64) -> u64 {
        let points = Points::of(&self.simulation);
        let mut count = peer.on(&points);
        // The first call allocates.
        let found = count();
        self.watch.time(|| (0..calls).fold(found, |_, _| count()))
    }

    /// A timed repeat, or several once several threads have settled. Returns the seconds of all of
    /// it, including preparation.
    pub(crate) fn turn(&mut self, warm: &[Snapshot], steps: u64) -> Result<f64, Failure> {
        let start = Instant::now();
        let mut repeats = 1;
        if self.simulation.threads_in_use() > 1 {
            self.settle()?;
            repeats = REPEATS_SETTLED;
        }
        let (timed, before) = (Instant::now(), waited_seconds());
        for _ in 0..repeats {
            self.timed_repeat(warm, steps)?;
        }
        if let Some((before, after)) = before.zip(waited_seconds()) {
            let all = timed.elapsed().as_secs_f64() * self.simulation.threads_in_use() as f64;
            self.waited.push((after - before).max(0.0) / all);
        }
        Ok(start.elapsed().as_secs_f64())
    }

    /// [`Self::repeat`] that keeps its time. The stage times are those of the last step.
    fn timed_repeat(&mut self, warm: &[Snapshot], steps: u64) -> Result<(), Failure> {
        let lap = self.repeat(warm, steps)?;
        let agents = self.simulation.len().max(1) as f64;
        let agent_steps = agents * warm.len() as f64 * steps as f64;
        // Only this thread's work is counted.
        let counts = lap.counts.filter(|_| self.simulation.threads_in_use() == 1);
        let times = self.simulation.stage_times();
        let per_agent = |time: Duration| time.as_secs_f64() * 1.0e9 / agents;
        let stages_ns = self.case.way.is_of_engine().then(|| Stages {
            sort: per_agent(times.sort),
            steer: per_agent(times.steer),
            non_penetration: per_agent(times.non_penetration),
            smooth: per_agent(times.smooth),
        });
        self.repeats.push(Repeat {
            ns: lap.time.as_secs_f64() * 1.0e9 / agent_steps,
            stages_ns,
            counts: counts.map(|counts| counts.map(|count| count / agent_steps).into()),
        });
        Ok(())
    }

    /// Notes that the results of all times so far are right.
    pub(crate) fn verify(&mut self) {
        self.verified = self.repeats.len();
    }

    /// Begins a new block.
    pub(crate) fn forget(&mut self) {
        self.repeats.clear();
        self.waited.clear();
        self.verified = 0;
    }

    /// The verified times, without the load from other processes.
    pub(crate) fn block(&self) -> Block {
        let repeats = &self.repeats[..self.verified];
        Block {
            ns: repeats.iter().map(|repeat| repeat.ns).collect(),
            waited: (!self.waited.is_empty()).then(|| lower_quartile(&self.waited)),
            stages_ns: medians(repeats.iter().filter_map(|repeat| repeat.stages_ns)),
            counts: medians(repeats.iter().filter_map(|repeat| repeat.counts)),
            ..Block::default()
        }
    }

    /// The state of the last crowd after its latest steps.
    pub(crate) fn state_hash(&self) -> String {
        format!("{:016x}", self.hashes.last().copied().unwrap_or_default())
    }

    /// A row without times yet.
    pub(crate) fn row(&mut self, group: &Group) -> Result<Row, Failure> {
        if let Way::Rung(_) = self.case.way {
            self.simulation.run(group.steps)?;
        }
        let simulation = &mut self.simulation;
        let census = simulation.census();
        let last = self.hashes.last().copied().unwrap_or_default();
        // The peers search the positions before the steps, in a closed box.
        let mean_neighbors = match self.case.way {
            Way::Peer(_) => last as f64 / simulation.len().max(1) as f64,
            Way::Engine(_) | Way::Level(..) | Way::Rung(_) | Way::Flock => census.mean_neighbors,
        };
        let of_engine = self.case.way.is_of_engine();
        let bytes = simulation.bytes() as f64 / simulation.len().max(1) as f64;
        Ok(Row {
            id: group.id(self.case),
            experiment: group.experiment.to_owned(),
            method: self.case.method.clone(),
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
