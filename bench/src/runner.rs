//! One way to compute steps, with the memory it needs, ready to be timed.

use std::time::{Duration, Instant};

use flockwork::{Simulation, Snapshot};

use crate::Failure;
use crate::experiment::{Case, Group, Timed};
use crate::row::{Block, Stages};

/// A crowd that is put back into its warm state and steps from there.
pub(crate) struct Runner<'a> {
    pub(crate) case: &'a Case,
    timed: Timed,
    simulation: Simulation,
    /// The state of each crowd after the latest steps.
    pub(crate) hashes: Vec<u64>,
    pub(crate) block: Block,
    stages: Vec<Stages>,
    spins: Vec<f64>,
}

impl<'a> Runner<'a> {
    pub(crate) fn new(group: &Group, case: &'a Case, warm: &Snapshot) -> Result<Self, Failure> {
        let mut simulation = warm.build()?;
        case.method.apply(&mut simulation, case.threads)?;
        Ok(Self {
            case,
            timed: group.timed,
            simulation,
            hashes: Vec::new(),
            block: Block::default(),
            stages: Vec::new(),
            spins: Vec::new(),
        })
    }

    /// Takes some steps of every crowd from its warm state on; returns the seconds they took.
    pub(crate) fn repeat(&mut self, warm: &[Snapshot], steps: u64) -> Result<f64, Failure> {
        let mut seconds = 0.0;
        self.hashes.clear();
        for crowd in warm {
            self.simulation.restore(crowd);
            seconds += self.run(steps)?.as_secs_f64();
            self.hashes.push(self.simulation.state_hash());
        }
        Ok(seconds)
    }

    fn run(&mut self, steps: u64) -> Result<Duration, Failure> {
        match self.timed {
            Timed::Step => {
                let start = Instant::now();
                self.simulation.run(steps)?;
                Ok(start.elapsed())
            }
            Timed::Steer => (0..steps).try_fold(Duration::ZERO, |sum, _| {
                self.simulation.step()?;
                Ok(sum + self.simulation.stage_times().steer)
            }),
        }
    }

    /// As [`Self::repeat`], and keeps the time.
    pub(crate) fn timed_repeat(&mut self, warm: &[Snapshot], steps: u64) -> Result<f64, Failure> {
        self.spins.push(crate::watch::spin_us());
        let seconds = self.repeat(warm, steps)?;
        let agents = self.simulation.len().max(1) as f64;
        let ns = seconds * 1.0e9 / (agents * warm.len() as f64 * steps as f64);
        self.block.ns.push(ns);
        let times = self.simulation.stage_times();
        let per_agent = |time: Duration| time.as_secs_f64() * 1.0e9 / agents;
        self.stages.push(Stages {
            sort: per_agent(times.sort),
            steer: per_agent(times.steer),
            part: per_agent(times.part),
            smooth: per_agent(times.smooth),
        });
        Ok(seconds)
    }

    /// What was measured; the stages are those of the last step of each repeat.
    pub(crate) fn take_block(&mut self, cores_elsewhere: Option<f64>) -> Block {
        Block {
            spin_us: crate::statistics::median(&self.spins),
            cores_elsewhere,
            stages_ns: Stages::median_of(&self.stages),
            ..std::mem::take(&mut self.block)
        }
    }

    /// The simulation after its last step.
    pub(crate) fn simulation(&mut self) -> &mut Simulation {
        &mut self.simulation
    }
}
