use std::fs;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use flockwork::internal::file::check_replaceable;
use flockwork::internal::memory;
use flockwork::slab::Refused;
use flockwork::{Scene, Simulation, Snapshot, SnapshotPart};
use flockwork_cluster::checkpoint::{self, Checkpoint};
use flockwork_cluster::failure::Failure;
use flockwork_cluster::rank::Rank;
use flockwork_cluster::transport::{Incoming, Outgoing, Transport};
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use crate::model::{self, Efficiency, Network, Work};
use crate::options::{MAX_THREADS, Options, is_another_rank, started_by_mpi};
use crate::output::{print, say};

pub(crate) const INTERRUPTED: u8 = 130;

pub(crate) struct Session<'a> {
    options: &'a Options,
    start: Start,
    stop: Arc<AtomicBool>,
}

enum Start {
    Scene(Box<Scene>),
    Checkpoint(Checkpoint),
}

#[derive(Debug, Serialize, Deserialize)]
struct Line {
    rank: usize,
    rows: usize,
    agents: usize,
    ns_per_agent_step: f64,
    bytes_sent_per_step: f64,
    computing: f64,
    exchanging: f64,
    waiting: f64,
}

pub(crate) struct Ended {
    summary: Summary,
    /// The snapshot that the run resumed from, loaded early
    /// because its checkpoint may be removed during the run.
    resumed: Option<Snapshot>,
    checkpointed: Result<(), Failure>,
    parts: Vec<Incoming>,
}

#[derive(Debug, Serialize)]
struct Summary {
    scene: String,
    agents: usize,
    ranks: usize,
    threads_per_rank: u16,
    steps: u64,
    tick: u64,
    seconds: f64,
    ns_per_agent_step: f64,
    state_hash: String,
    per_rank: Vec<Line>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<Prediction>,
}

#[derive(Debug, Serialize)]
struct Prediction {
    network: Network,
    efficiencies: Vec<Efficiency>,
}

impl<'a> Session<'a> {
    pub(crate) fn new(options: &'a Options) -> Result<Self, Failure> {
        let start = match &options.resume {
            Some(directory) => Start::Checkpoint(Checkpoint::latest(directory)?),
            None => {
                let mut scene = Scene::find(&options.scene)?;
                scene.agents = options.agents.or(scene.agents);
                scene.seed = options.seed.unwrap_or(scene.seed);
                scene.check()?;
                // Ranks that are threads share memory, but each checks only its own part.
                if !started_by_mpi() {
                    memory::check(scene.estimated_bytes())?;
                }
                Start::Scene(Box::new(scene))
            }
        };
        if let Some(directory) = &options.checkpoint {
            let resumed = match &start {
                Start::Checkpoint(checkpoint) => Some(checkpoint),
                Start::Scene(_) => None,
            };
            checkpoint::check_free(directory, resumed)?;
            let created = fs::create_dir_all(directory);
            created
                .and_then(|()| check_replaceable(directory.join("manifest.toml")))
                .map_err(|error| cannot_write(directory, &error))?;
        }
        // Only rank 0 writes this file, and other hosts may not have its folder.
        if let Some(path) = options.save.as_ref().filter(|_| !is_another_rank()) {
            check_replaceable(path).map_err(|error| cannot_write(path, &error))?;
        }
        Ok(Self { options, start, stop: stop_on_interrupt() })
    }

    pub(crate) fn few_cores(&self, ranks: usize) -> Option<String> {
        let wanted = ranks * usize::from(self.options.threads);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        (cores < wanted).then(|| {
            format!(
                "warning: {wanted} threads on {cores} cores; under mpirun, --bind-to none or \
                 --map-by ppr:1:socket:PE=N gives a rank more than one core"
            )
        })
    }

    pub(crate) fn run<T: Transport>(&self, transport: &mut T) -> Result<Option<Ended>, Failure> {
        let options = self.options;
        let mut rank = match &self.start {
            Start::Scene(scene) => Rank::new(scene, transport)?,
            Start::Checkpoint(checkpoint) => Rank::resume(checkpoint, transport)?,
        };
        rank.set_execution(rank.slab().execution().threads(options.threads.into()))?;
        let first = rank.slab().number() == 0;
        let resumed = match &self.start {
            Start::Checkpoint(checkpoint) if first && options.check => Some(checkpoint.join()?),
            _ => None,
        };
        let sent_before = rank.transport().bytes_sent();
        let progress = progress(first, options.steps as u64);
        let mut saved = None;
        let mut steps = 0;
        while steps < options.steps
            && !rank.slab().asked_to_stop()
            && !matches!(saved, Some(Err(_)))
        {
            if self.stop.load(Relaxed) {
                rank.slab_mut().ask_to_stop();
            }
            rank.step()?;
            steps += 1;
            progress.inc(1);
            saved = None;
            if let (Some(directory), Some(every)) = (&options.checkpoint, options.every)
                && steps.is_multiple_of(every)
            {
                saved = Some(common(rank.save(directory))?);
            }
        }
        progress.finish_and_clear();
        let checkpointed = match (saved, &options.checkpoint) {
            (None, Some(directory)) => common(rank.save(directory))?,
            (saved, _) => saved.unwrap_or(Ok(())),
        };
        let sent = rank.transport().bytes_sent() - sent_before;
        let mut summary = self.summary(&mut rank, steps, sent)?;
        // Without agents or steps, there is no time per agent to predict from.
        if options.model && steps > 0 && summary.agents > 0 {
            summary.model = modeled(&mut rank, &summary)?;
        }
        let parts = match &options.save {
            Some(_) => gathered_parts(&mut rank)?,
            None => Vec::new(),
        };
        Ok(first.then_some(Ended { summary, resumed, checkpointed, parts }))
    }

    pub(crate) fn report(&self, ended: Ended) -> Result<bool, String> {
        let (options, Ended { summary, resumed, checkpointed, parts }) = (self.options, ended);
        let printed = print(if options.json { json(&summary) } else { table(&summary) });
        let saved = options.save.as_ref().map_or(Ok(()), |path| save(path, parts));
        let compared = if options.check { self.compare(&summary, resumed) } else { Ok(()) };
        printed?;
        for result in [checkpointed, saved, compared] {
            result.map_err(|failure| failure.to_string())?;
        }
        let stopped = summary.steps < options.steps as u64;
        if stopped {
            say(format_args!("stopped after {} of {} steps", summary.steps, options.steps));
        }
        Ok(stopped)
    }

    fn summary<T: Transport>(
        &self,
        rank: &mut Rank<'_, T>,
        taken: usize,
        sent: u64,
    ) -> Result<Summary, Failure> {
        let hash = rank.state_hash()?;
        let (slab, times) = (rank.slab(), rank.times());
        let steps = taken.max(1) as f64;
        let share = |time: Duration| time.as_secs_f64() / times.total.as_secs_f64().max(1.0e-9);
        let computing = times.total.saturating_sub(times.exchanging + times.waiting);
        let line = Line {
            rank: slab.number(),
            rows: slab.rows().len(),
            agents: slab.len(),
            ns_per_agent_step: computing.as_nanos() as f64 / (slab.len().max(1) as f64 * steps),
            bytes_sent_per_step: sent as f64 / steps,
            computing: share(computing),
            exchanging: share(times.exchanging),
            waiting: share(times.waiting),
        };
        let (agents, tick, scene) = (slab.crowd_len(), slab.tick(), slab.scene().name.clone());
        let mut all = Vec::new();
        rank.transport().all_gather(json(&line).as_bytes(), &mut all)?;
        let line = |bytes: &Vec<u8>| serde_json::from_slice(bytes).expect("a rank sent its line");
        let seconds = times.total.as_secs_f64();
        Ok(Summary {
            scene,
            agents,
            ranks: all.len(),
            threads_per_rank: self.options.threads,
            steps: taken as u64,
            tick,
            seconds,
            ns_per_agent_step: seconds * 1.0e9 / (agents.max(1) as f64 * steps),
            state_hash: format!("{hash:016x}"),
            per_rank: all.iter().map(line).collect(),
            model: None,
        })
    }

    fn compare(&self, summary: &Summary, resumed: Option<Snapshot>) -> Result<(), Failure> {
        let mut crowd: Simulation = match &self.start {
            Start::Scene(scene) => scene.build()?,
            Start::Checkpoint(checkpoint) => {
                resumed.map_or_else(|| checkpoint.join(), Ok)?.build()?
            }
        };
        let threads = summary.ranks * usize::from(summary.threads_per_rank);
        let threads = threads.min(MAX_THREADS.into());
        crowd.set_execution(crowd.execution().threads(threads))?;
        let start = Instant::now();
        crowd.run(summary.steps)?;
        let spent = start.elapsed().as_secs_f64();
        let expected = format!("{:016x}", crowd.state_hash());
        if expected != summary.state_hash {
            let message = format!("one host reaches another state, {expected}");
            return Err(Refused { rank: 0, message }.into());
        }
        let agent_steps = crowd.len().max(1) as f64 * summary.steps.max(1) as f64;
        say(format_args!(
            "one host reaches the same state: {:.2} ns per agent-step, {threads} threads",
            spent * 1.0e9 / agent_steps
        ));
        Ok(())
    }
}

/// Moves an error that all ranks share into `Ok`, so that one rank can report it for all.
pub(crate) fn common<R>(result: Result<R, Failure>) -> Result<Result<R, Failure>, Failure> {
    match result {
        Ok(_) | Err(Failure::Refused(_)) => Ok(result),
        Err(failure) => Err(failure),
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::File { path: path.display().to_string(), message: error.to_string() }
}

fn save(path: &Path, parts: Vec<Incoming>) -> Result<(), Failure> {
    let parts = parts.into_iter().map(|part| SnapshotPart::from_bytes(&part.bytes));
    Ok(Snapshot::join(&parts.collect::<Result<Vec<_>, _>>()?)?.save(path)?)
}

/// Sends all parts to rank 0. Returns an empty list on the other ranks.
fn gathered_parts<T: Transport>(rank: &mut Rank<'_, T>) -> Result<Vec<Incoming>, Failure> {
    let part = rank.slab().part().to_bytes();
    let transport = rank.transport();
    let senders = if transport.rank() == 0 { transport.ranks() } else { 0 };
    let incoming = |from| Incoming { from, pieces: 1, bytes: Vec::new() };
    let mut parts: Vec<_> = (0..senders).map(incoming).collect();
    transport.exchange(&[Outgoing { to: 0, piece: &part }], &mut parts, &mut || false)?;
    Ok(parts)
}

fn modeled<T: Transport>(
    rank: &mut Rank<'_, T>,
    summary: &Summary,
) -> Result<Option<Prediction>, Failure> {
    let Some(network) = Network::measure(rank.transport())? else { return Ok(None) };
    let mut ghosts = [rank.slab().ghosts() as u64];
    rank.transport().sum(&mut ghosts)?;
    let axes = if rank.slab_mut().simulation().world().depth.is_some() { 3.0 } else { 2.0 };
    let slab = rank.slab();
    let (agents, ranks) = (slab.crowd_len() as f64, summary.ranks as f64);
    let computing = |line: &Line| line.ns_per_agent_step * line.agents as f64;
    let sent: f64 = summary.per_rank.iter().map(|line| line.bytes_sent_per_step).sum();
    let ghost_bytes = ghosts[0] as f64 * slab.bytes_per_ghost() as f64;
    let work = Work {
        axes,
        agents,
        seconds_per_agent: 1.0e-9 * summary.per_rank.iter().map(computing).sum::<f64>() / agents,
        rows: f64::from(slab.all_rows()),
        reach: f64::from(slab.reach()),
        bytes_per_ghost: slab.bytes_per_ghost() as f64,
        migrant_bytes: (sent - ghost_bytes).max(0.0) / ranks,
        passes: f64::from(slab.scene().passes()),
    };
    Ok(Some(Prediction { network, efficiencies: work.efficiencies(&network) }))
}

/// The first interrupt (Ctrl-C, SIGTERM or a closed terminal) ends the run after the current
/// step, with a checkpoint if checkpoints are enabled. The second interrupt ends the run at once.
fn stop_on_interrupt() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    // Ignore errors: without a handler, an interrupt ends the run and keeps the last checkpoint.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    });
    stop
}

fn progress(first: bool, steps: u64) -> ProgressBar {
    if !first || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} step {pos} of {len}, {eta} left");
    ProgressBar::new(steps).with_style(style.expect("the template is sound"))
}

fn json(plain: &impl Serialize) -> String {
    serde_json::to_string(plain).expect("it is plain data")
}

fn table(summary: &Summary) -> String {
    let Summary { scene, agents, ranks, steps, seconds, ns_per_agent_step, .. } = summary;
    let mut lines = vec![
        format!("{scene}: {agents} agents, ranks: {ranks}, {steps} steps in {seconds:.3} s"),
        format!("{ns_per_agent_step:.2} ns per agent-step, state {}", summary.state_hash),
        String::new(),
        "rank     rows       agents  ns/agent-step  bytes/step  computing  exchanging  waiting"
            .into(),
    ];
    lines.extend(summary.per_rank.iter().map(|line| {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        format!(
            "{:4} {:8} {:12} {:14.2} {:11.0} {:>10} {:>11} {:>8}",
            line.rank,
            line.rows,
            line.agents,
            line.ns_per_agent_step,
            line.bytes_sent_per_step,
            percent(line.computing),
            percent(line.exchanging),
            percent(line.waiting),
        )
    }));
    if let Some(Prediction { network, efficiencies }) = &summary.model {
        lines.extend([String::new(), model::table(network, efficiencies)]);
    }
    lines.join("\n")
}
