//! Splits a step's work among threads.
//!
//! Work is split recursively into small chunks, so that idle threads can steal from busy ones, even
//! in clustered crowds. Each agent's new state depends only on the old state and goes to the
//! agent's own slot, so the split cannot change the result. After a panic, chunks that have not
//! started are skipped.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::{Error, ErrorKind};
use crate::memory;

pub(crate) trait Split: Sized + Send {
    fn split_at(self, mid: usize) -> (Self, Self);
}

/// An empty slice stands for an absent column: both parts are empty.
impl<T: Send> Split for &mut [T] {
    #[inline(always)]
    fn split_at(self, mid: usize) -> (Self, Self) {
        let mid = mid.min(self.len());
        self.split_at_mut(mid)
    }
}

impl<T: Send, const N: usize> Split for [&mut [T]; N] {
    #[inline(always)]
    fn split_at(mut self, mid: usize) -> (Self, Self) {
        let after = self.each_mut().map(|slice| {
            let after;
            (*slice, after) = Split::split_at(std::mem::take(slice), mid);
            after
        });
        (self, after)
    }
}

impl<A: Split, B: Split> Split for (A, B) {
    fn split_at(self, mid: usize) -> (Self, Self) {
        let (a, a_after) = self.0.split_at(mid);
        let (b, b_after) = self.1.split_at(mid);
        ((a, b), (a_after, b_after))
    }
}

pub(crate) fn part<S: Split>(slices: S, slots: &Range<usize>) -> S {
    let (_, from_start) = slices.split_at(slots.start);
    from_start.split_at(slots.len()).0
}

/// Below this number of agents, handing work to other threads costs more than it saves.
const MIN_PARALLEL_AGENTS: usize = 16_384;

/// Maximum rows (usually agents) per chunk: small enough that threads can share a crowded area.
const MAX_CHUNK_ROWS: usize = 8192;

/// Maximum agents per group of batches. In large crowds, chunks contain whole groups.
pub(crate) const GROUP_ROWS: usize = 64;

pub(crate) const MAX_THREADS: usize = 1024;

const THREADS_VARIABLE: &str = "RAYON_NUM_THREADS";

/// Default number of threads: the value of the environment variable `RAYON_NUM_THREADS` or, if
/// the variable is unset, empty or 0, the number of hardware threads, up to 1024.
///
/// # Errors
/// If the variable is neither empty nor a number from 0 to 1024.
pub fn default_threads() -> Result<usize, Error> {
    let asked = std::env::var_os(THREADS_VARIABLE).unwrap_or_default();
    match &*asked.to_string_lossy() {
        "" | "0" => {
            let all = std::thread::available_parallelism().map_or(1, usize::from);
            Ok(all.min(MAX_THREADS))
        }
        text => match text.parse() {
            Ok(threads) if (1..=MAX_THREADS).contains(&threads) => Ok(threads),
            _ => Err(Error::refused(
                THREADS_VARIABLE,
                text,
                format!("from 1 to {MAX_THREADS}, or 0 for all threads of the machine"),
            )),
        },
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Workers {
    pool: Option<Arc<ThreadPool>>,
}

impl Workers {
    pub(crate) fn new(threads: usize) -> Result<Self, Error> {
        if threads <= 1 {
            return Ok(Self { pool: None });
        }
        memory::check_threads(threads)?;
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(memory::STACK_BYTES)
            .thread_name(|k| format!("flockwork-{k}"))
            .build()
            .map_err(|error| {
                Error::new(ErrorKind::Threads { threads, message: error.to_string() })
            })?;
        Ok(Self { pool: Some(Arc::new(pool)) })
    }

    pub(crate) fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, |pool| pool.current_num_threads())
    }

    /// Runs `work(true)` on the pool, or `work(false)` on the caller's thread if there is no pool
    /// or `worth_it` is false.
    pub(crate) fn run<R: Send>(&self, worth_it: bool, work: impl FnOnce(bool) -> R + Send) -> R {
        match &self.pool {
            Some(pool) if worth_it => pool.install(|| work(true)),
            _ => work(false),
        }
    }

    pub(crate) fn split<S: Split>(
        &self,
        rows: usize,
        data: S,
        work: &(impl Fn(Range<usize>, S) + Sync),
    ) {
        self.split_to(MAX_CHUNK_ROWS, rows, data, work);
    }

    pub(crate) fn split_to<S: Split>(
        &self,
        largest: usize,
        rows: usize,
        data: S,
        work: &(impl Fn(Range<usize>, S) + Sync),
    ) {
        let chunk = match self.threads() {
            1 => largest,
            threads => rows.div_ceil(threads * 16).clamp(1, largest),
        };
        let grain = if rows > 1024 { chunk.next_multiple_of(GROUP_ROWS) } else { chunk };
        // With 10 agents, moving the data through the closures below would take 10% of a step.
        if rows <= grain {
            return work(0..rows, data);
        }
        let stop = AtomicBool::new(false);
        let work = |range: Range<usize>, data: S| {
            if stop.load(Relaxed) {
                return;
            }
            catch_unwind(AssertUnwindSafe(|| work(range, data))).unwrap_or_else(|panic| {
                stop.store(true, Relaxed);
                resume_unwind(panic)
            });
        };
        self.run(true, |parallel| divide(0..rows, data, grain, parallel, &work));
    }

    /// Workers for a result that other threads may wait for. While a rayon thread waits for another
    /// pool, it runs other jobs from its own pool. If such a job requested the same result, it
    /// would wait forever. So if the caller is a rayon thread, it computes the result alone.
    pub(crate) fn for_query(&self, agents: usize) -> Self {
        match rayon::current_thread_index() {
            Some(_) => Self { pool: None },
            None => self.for_crowd(agents),
        }
    }

    pub(crate) fn for_crowd(&self, agents: usize) -> Self {
        if agents < MIN_PARALLEL_AGENTS { Self { pool: None } } else { self.clone() }
    }
}

fn divide<S: Split>(
    range: Range<usize>,
    data: S,
    grain: usize,
    parallel: bool,
    work: &(impl Fn(Range<usize>, S) + Sync),
) {
    if range.len() <= grain {
        return work(range, data);
    }
    let half = (range.len() / 2).next_multiple_of(grain);
    let mid = range.start + half;
    let (before, after) = data.split_at(half);
    let before = || divide(range.start..mid, before, grain, parallel, work);
    let after = || divide(mid..range.end, after, grain, parallel, work);
    if parallel {
        rayon::join(before, after);
    } else {
        before();
        after();
    }
}
