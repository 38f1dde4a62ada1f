use std::time::{Duration, Instant};

use flockwork::{Point, Simulation};

use crate::experiment::Experiment;
use crate::experiments::group::Group;
use crate::failure::Failure;
use crate::measure::clock::Clock;
use crate::measure::crowd::{SETTLED_REPEATS, SETTLING_TIME, Warm};
use crate::peers::{Peer, Points, ZelllFlock};
use crate::results::row::{Block, Row, Stages};
use crate::uneven::NaiveLoop;
use crate::variant::Variant;

/// Crowds with at least this many agents have steps long enough to be timed one by one.
const MIN_SINGLY_TIMED_AGENTS: usize = 10_000;

pub(crate) struct Runner {
    pub(crate) variant: Variant,
    /// True if only the steering stage is timed, by the engine's own clock.
    times_steering: bool,
    clock: Clock,
    /// True if each step is timed separately. A mean would hide the slowest step, which decides
    /// whether a game drops a frame.
    pub(crate) times_each_step: bool,
    /// The engine's crowd. Variants outside the engine start from a copy of its state.
    simulation: Simulation,
    pub(crate) hashes: Vec<u64>,
    pub(crate) block: Block,
}

impl Runner {
    pub(crate) fn new(group: &Group, variant: Variant, warm: &Warm) -> Result<Self, Failure> {
        let states = warm.states(variant);
        let mut simulation = states[states.len() - 1].build()?;
        variant.apply(&mut simulation, group.threads)?;
        // Other programs on the machine hardly change processor times.
        let of_processor = group.experiment == Experiment::Uneven;
        let clock = if of_processor { Clock::Processor } else { Clock::Wall };
        Ok(Self {
            variant,
            times_steering: group.experiment == Experiment::Kernels,
            clock,
            times_each_step: clock == Clock::Wall
                && (variant.is_of_engine() || variant == Variant::NextBest)
                && group.agents() >= MIN_SINGLY_TIMED_AGENTS,
            simulation,
            hashes: Vec::new(),
            block: Block::default(),
        })
    }

    /// Times one repeat or, with several threads, `SETTLED_REPEATS` repeats after a warm-up. The
    /// first turn is always one repeat without warm-up. Returns the whole turn's time in seconds.
    pub(crate) fn turn(&mut self, warm: &Warm, steps: u64) -> Result<f64, Failure> {
        let warm = warm.states(self.variant);
        let (begun, threads) = (Instant::now(), self.simulation.threads_in_use());
        let mut repeats = 1;
        if threads > 1 && !self.hashes.is_empty() {
            self.settle(steps)?;
            repeats = SETTLED_REPEATS;
        }
        let singly = self.times_each_step && (steps == 1 || threads == 1);
        let at_once = if singly || self.times_steering { 1 } else { steps };
        let (timed, before) = (Instant::now(), self.clock.waited_seconds());
        for _ in 0..repeats {
            self.hashes.clear();
            let mut all_crowds = Duration::ZERO;
            for crowd in warm {
                self.simulation.restore(crowd);
                let (time, hash) = match self.variant {
                    Variant::Peer(peer) => self.search(peer, steps),
                    Variant::NextBest if self.is_flat() => self.steps_of_flock::<2>(steps)?,
                    Variant::NextBest => self.steps_of_flock::<3>(steps)?,
                    Variant::NaiveLoop if self.is_flat() => self.naive_loops::<2>(steps)?,
                    Variant::NaiveLoop => self.naive_loops::<3>(steps)?,
                    _ => {
                        let mut all_steps = Duration::ZERO;
                        for step in (0..steps).step_by(at_once as usize) {
                            let start = self.clock.now();
                            self.simulation.run(at_once)?;
                            let time = self.clock.now() - start;
                            // Skip the first of several steps: the caches still hold the data
                            // of other variants.
                            if singly && (step > 0 || steps == 1) {
                                self.block.step_seconds.push(time.as_secs_f64());
                            }
                            let steer = self.simulation.stage_times().steer;
                            all_steps += if self.times_steering { steer } else { time };
                        }
                        (all_steps, self.simulation.state_hash())
                    }
                };
                all_crowds += time;
                self.hashes.push(hash);
            }
            self.record(all_crowds, warm.len() as u64 * steps);
        }
        if let Some((before, after)) = before.zip(self.clock.waited_seconds()) {
            let all = timed.elapsed().as_secs_f64() * threads as f64;
            self.block.waited.push((after - before).max(0.0) / all);
        }
        Ok(begun.elapsed().as_secs_f64())
    }

    /// Steps the crowd until the operating system has spread the threads over the cores.
    /// After single-threaded work, this takes up to 0.1 s. Until then, two threads share a core.
    /// A program that steps its crowd continuously does not see this delay.
    fn settle(&mut self, steps: u64) -> Result<(), Failure> {
        let start = Instant::now();
        while start.elapsed() < SETTLING_TIME {
            self.simulation.step()?;
        }
        // Call `step` repeatedly, as a game does, so that each step includes waking the threads.
        for _ in 0..if self.times_each_step && steps > 1 { steps } else { 0 } {
            let start = Instant::now();
            self.simulation.step()?;
            self.block.step_seconds.push(start.elapsed().as_secs_f64());
        }
        Ok(())
    }

    /// Stage times come from the last step only.
    fn record(&mut self, time: Duration, crowd_steps: u64) {
        let agents = self.simulation.len().max(1) as f64;
        let per_agent = |time: Duration| time.as_secs_f64() * 1.0e9 / agents;
        self.block.ns.push(per_agent(time) / crowd_steps as f64);
        let times = self.simulation.stage_times();
        if self.variant.is_of_engine() {
            let stages = [times.sort, times.steer, times.non_penetration, times.smooth];
            self.block.stages_ns.push(Stages(stages.map(per_agent)));
        }
    }

    fn is_flat(&self) -> bool {
        self.simulation.world().depth.is_none()
    }

    /// Checks the flock against the engine and returns the engine's state hash. The flock's own
    /// hash would not match, because its sums differ from the engine's in their last bits.
    fn steps_of_flock<const D: usize>(&mut self, steps: u64) -> Result<(Duration, u64), Failure>
    where
        [f32; D]: Default,
    {
        let refusal = |why: String| Failure::WrongResult(format!("{} {why}", self.variant));
        let flock = ZelllFlock::<D>::of(&self.simulation);
        let mut flock = flock.ok_or_else(|| refusal("computes only workload W".into()))?;
        let mut time = Duration::ZERO;
        for step in 0..steps {
            let begun = Instant::now();
            flock.step();
            let of_step = begun.elapsed();
            if self.times_each_step && (step > 0 || steps == 1) {
                self.block.step_seconds.push(of_step.as_secs_f64());
            }
            time += of_step;
        }
        flock.verify(&mut self.simulation, steps).map_err(refusal)?;
        Ok((time, self.simulation.state_hash()))
    }

    /// Returns a hash of the nearest sharks, in place of a state hash.
    fn naive_loops<const D: usize>(&mut self, calls: u64) -> Result<(Duration, u64), Failure>
    where
        Point: From<[f32; D]>,
    {
        let mut naive = NaiveLoop::<D>::of(&self.simulation);
        let begun = self.clock.now();
        (0..calls).for_each(|_| naive.run());
        let time = self.clock.now() - begun;
        let refusal = |why: String| Failure::WrongResult(format!("{} {why}", self.variant));
        Ok((time, naive.verify(&self.simulation).map_err(refusal)?))
    }

    /// Returns the number of neighbors found, in place of a state hash.
    fn search(&mut self, peer: Peer, calls: u64) -> (Duration, u64) {
        let points = Points::of(&self.simulation);
        let mut count = peer.on(&points);
        // The first call allocates, so it is not timed.
        let found = count();
        let begun = Instant::now();
        let found = (0..calls).fold(found, |_, _| count());
        (begun.elapsed(), found)
    }

    pub(crate) fn state_hash(&self) -> String {
        format!("{:016x}", self.hashes.last().copied().unwrap_or_default())
    }

    /// Returns a row with no blocks yet; the caller adds them.
    pub(crate) fn row(&mut self, group: &Group) -> Result<Row, Failure> {
        let simulation = &mut self.simulation;
        let counts = simulation.neighbor_counts();
        let last = self.hashes.last().copied().unwrap_or_default();
        // Other crates' searches use a bounded world and rounded positions, so the engine's counts
        // do not apply. Use the number of neighbors that those searches found.
        let mean_neighbors = match self.variant {
            Variant::Peer(_) => last as f64 / simulation.len().max(1) as f64,
            _ => counts.mean_neighbors,
        };
        let of_engine = self.variant.is_of_engine();
        let bytes = simulation.bytes() as f64 / simulation.len().max(1) as f64;
        Ok(Row {
            id: group.id(self.variant),
            experiment: group.experiment,
            variant: self.variant,
            point: group.point.clone(),
            x: group.x,
            scene: group.scene.name.clone(),
            n: simulation.len(),
            threads: simulation.threads_in_use(),
            crowds: self.hashes.len(),
            steps_per_repeat: group.steps,
            mean_neighbors,
            pairs_per_agent: of_engine.then_some(counts.pairs_per_agent),
            bytes_per_agent: of_engine.then_some(bytes),
            steps: simulation.tick(),
            state_hash: self.state_hash(),
            ..Row::default()
        })
    }
}
