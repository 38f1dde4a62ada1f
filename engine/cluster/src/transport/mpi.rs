//! Ranks as MPI processes.
//!
//! Pieces of a message are sent without copying or blocking. The receiver does not know the size
//! of a piece in advance, so it probes for each one, then receives all pieces into one buffer.
//! MPI makes progress only inside MPI calls, so requests are tested between stretches of
//! computation, and in a loop afterwards.
//!
//! MPI counts in `c_int`, so pieces of 1 GiB or more are split into chunks of that size.
//! A smaller chunk, possibly empty, ends the piece.

use std::fmt::Display;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::{Duration, Instant};

use ::mpi::Count;
use ::mpi::collective::SystemOperation;
use ::mpi::datatype::PartitionMut;
use ::mpi::environment::{self, Threading, Universe};
use ::mpi::point_to_point::Message;
use ::mpi::request::{self, LocalScope, Request, Scope};
use ::mpi::topology::{Rank, SimpleCommunicator};
use ::mpi::traits::{Communicator, CommunicatorCollectives, Destination, Equivalence, Source};
use flockwork::internal::panic_message;

use super::{Exchange, Incoming, Lost, Outgoing, Transport};

const MAX_CHUNK_BYTES: usize = 1 << 30;

const FAILED: i32 = 2;

/// Runs `program` as one rank, in a process started by `mpirun` or a similar launcher.
/// Then finalizes MPI, which waits for all other ranks, and returns the program's result.
///
/// If the program returns an error or panics, this rank prints the reason, and then all ranks end
/// with status 2. A panic that the program catches does not end the ranks.
///
/// # Errors
/// If MPI does not start.
pub fn run<R, E: Display>(program: impl FnOnce(&mut Mpi) -> Result<R, E>) -> Result<R, StartError> {
    let mut transport = Mpi::start()?;
    let rank = transport.rank;
    match catch_unwind(AssertUnwindSafe(|| program(&mut transport))) {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(error)) => end_all_ranks(rank, &error.to_string()),
        Err(payload) => end_all_ranks(rank, panic_message(&*payload)),
    }
}

/// Transport between MPI processes, one per rank. [`run`] creates it.
pub struct Mpi {
    world: SimpleCommunicator,
    ranks: usize,
    rank: usize,
    chunk_size: usize,
    sent: u64,
    waited: Duration,
    /// Declared last and thus dropped last: dropping the universe finalizes MPI.
    _universe: Universe,
}

/// Error returned by [`run`] if MPI cannot start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// A process can start MPI only once.
    #[error("this process has already started MPI")]
    Again,
    /// Ranks need support for multithreaded processes, which this MPI library lacks.
    #[error("this MPI library does not support threads: it offers {0:?}, not Funneled")]
    Threads(Threading),
}

impl Mpi {
    /// All further MPI calls must come from the thread that calls this function.
    fn start() -> Result<Self, StartError> {
        let started = environment::initialize_with_threading(Threading::Funneled);
        let (universe, threads) = started.ok_or(StartError::Again)?;
        if threads < Threading::Funneled {
            return Err(StartError::Threads(threads));
        }
        let world = universe.world();
        let [ranks, rank] = [world.size(), world.rank()].map(|number| number as usize);
        let (sent, waited) = (0, Duration::ZERO);
        Ok(Self {
            world,
            ranks,
            rank,
            chunk_size: MAX_CHUNK_BYTES,
            sent,
            waited,
            _universe: universe,
        })
    }

    /// Sets the maximum size of message chunks, for tests. All ranks must use the same size.
    ///
    /// # Panics
    /// If `bytes` is 0 or more than 1 GiB.
    pub fn set_chunk_size(&mut self, bytes: usize) {
        assert!(
            (1..=MAX_CHUNK_BYTES).contains(&bytes),
            "chunks of {bytes} bytes: 1 to {MAX_CHUNK_BYTES} are allowed"
        );
        self.chunk_size = bytes;
    }
}

fn end_all_ranks(rank: usize, reason: &str) -> ! {
    let lost = Lost { rank, reason: reason.to_owned() };
    let _ = writeln!(io::stderr(), "{lost}");
    // Launchers that kill all processes may drop unread output, so give them time to read it.
    thread::sleep(Duration::from_millis(200));
    SimpleCommunicator::world().abort(FAILED)
}

/// MPI cannot wake a waiting rank, so ranks poll: they spin for 50 µs, yield until 1 ms, then
/// sleep between polls. With more ranks than cores, this frees cores for other ranks.
struct Waiting(Instant);

impl Waiting {
    fn start() -> Self {
        Self(Instant::now())
    }

    fn pause(&self) {
        match self.0.elapsed().as_micros() {
            0..50 => std::hint::spin_loop(),
            50..1000 => thread::yield_now(),
            _ => thread::sleep(Duration::from_micros(50)),
        }
    }

    fn finish<'a, D: ?Sized, S: Scope<'a>>(self, mut request: Request<'a, D, S>) -> Duration {
        while let Err(unfinished) = request.test() {
            request = unfinished;
            self.pause();
        }
        self.0.elapsed()
    }
}

type Pending<'a, 's> = Vec<Request<'a, [u8], &'s LocalScope<'a>>>;

fn test(pending: &mut Pending<'_, '_>) {
    let tested = std::mem::take(pending).into_iter().map(Request::test);
    *pending = tested.filter_map(Result::err).collect();
}

/// Splits a piece into chunks of `chunk_size` bytes. A shorter or empty chunk ends the piece.
fn chunks(piece: &[u8], chunk_size: usize) -> impl Iterator<Item = &[u8]> {
    let end = piece.len().is_multiple_of(chunk_size).then_some(&[][..]);
    piece.chunks(chunk_size).chain(end)
}

struct Arriving<'a> {
    from: Rank,
    awaited: usize,
    chunks: Vec<(Message, usize)>,
    bytes: Option<&'a mut Vec<u8>>,
}

impl<'a> Arriving<'a> {
    fn new(incoming: &'a mut Incoming) -> Self {
        let Incoming { from, pieces, bytes } = incoming;
        Self { from: *from as Rank, awaited: *pieces, chunks: Vec::new(), bytes: Some(bytes) }
    }

    fn progress<'s>(
        &mut self,
        world: &SimpleCommunicator,
        chunk_size: usize,
        scope: &'s LocalScope<'a>,
        pending: &mut Pending<'a, 's>,
    ) {
        let sender = world.process_at_rank(self.from);
        while self.awaited > 0 {
            let Some((message, status)) = sender.immediate_matched_probe() else { return };
            let bytes = status.count(u8::equivalent_datatype()) as usize;
            self.chunks.push((message, bytes));
            self.awaited -= usize::from(bytes < chunk_size);
        }
        let Some(bytes) = self.bytes.take() else { return };
        let total = self.chunks.iter().map(|&(_, bytes)| bytes).sum();
        // `resize` writes zeros only past the length of the previous message.
        bytes.resize(total, 0);
        let mut rest = bytes.as_mut_slice();
        for (message, bytes) in self.chunks.drain(..) {
            let (place, after) = rest.split_at_mut(bytes);
            pending.push(message.immediate_matched_receive_into(scope, place));
            rest = after;
        }
    }
}

impl Exchange for Mpi {
    type Lost = Lost;

    fn exchange(
        &mut self,
        outgoing: &[Outgoing<'_>],
        incoming: &mut [Incoming],
        meanwhile: &mut dyn FnMut() -> bool,
    ) -> Result<(), Lost> {
        let (world, chunk_size, rank) = (&self.world, self.chunk_size, self.rank);
        let waited = request::scope(|scope| {
            let mut pending = Pending::new();
            for &Outgoing { to, piece } in outgoing {
                let receiver = world.process_at_rank(to as Rank);
                for chunk in chunks(piece, chunk_size) {
                    pending.push(receiver.immediate_send(scope, chunk));
                    if to != rank {
                        self.sent += chunk.len() as u64;
                    }
                }
            }
            let mut arriving: Vec<_> = incoming.iter_mut().map(Arriving::new).collect();
            let mut progress = || {
                for message in &mut arriving {
                    message.progress(world, chunk_size, scope, &mut pending);
                }
                test(&mut pending);
                pending.is_empty() && arriving.iter().all(|message| message.bytes.is_none())
            };
            // Pending requests must not be dropped, so no panic may unwind past them.
            let mut meanwhile = || match catch_unwind(AssertUnwindSafe(&mut *meanwhile)) {
                Ok(more) => more,
                Err(payload) => end_all_ranks(rank, panic_message(&*payload)),
            };
            while meanwhile() {
                progress();
            }
            let waiting = Waiting::start();
            while !progress() {
                waiting.pause();
            }
            waiting.0.elapsed()
        });
        self.waited += waited;
        Ok(())
    }

    fn sum(&mut self, values: &mut [u64]) -> Result<(), Lost> {
        let own = values.to_vec();
        self.waited += request::scope(|scope| {
            let sum = SystemOperation::sum();
            let world = &self.world;
            Waiting::start().finish(world.immediate_all_reduce_into(scope, &own, values, sum))
        });
        Ok(())
    }

    fn min(&mut self, value: u64) -> Result<u64, Lost> {
        let mut min = value;
        self.waited += request::scope(|scope| {
            let operation = SystemOperation::min();
            let world = &self.world;
            Waiting::start()
                .finish(world.immediate_all_reduce_into(scope, &value, &mut min, operation))
        });
        Ok(min)
    }

    fn all_gather(&mut self, bytes: &[u8], into: &mut Vec<Vec<u8>>) -> Result<(), Lost> {
        let world = &self.world;
        let (own, mut lengths) = (bytes.len() as u64, vec![0_u64; self.ranks]);
        self.waited += request::scope(|scope| {
            Waiting::start().finish(world.immediate_all_gather_into(scope, &own, &mut lengths))
        });
        into.resize_with(self.ranks, Vec::new);
        into.iter_mut().for_each(Vec::clear);
        // MPI counts the bytes of all ranks in one `c_int`,
        // so a call gathers at most one chunk in total.
        let share = (self.chunk_size / self.ranks).max(1);
        let longest = lengths.iter().copied().max().unwrap_or(0);
        for done in (0..longest).step_by(share) {
            let counts = lengths.iter().map(|length| length.saturating_sub(done).min(share as u64));
            let counts: Vec<Count> = counts.map(|count| count as Count).collect();
            let starts = counts.iter().scan(0, |end, count| {
                *end += count;
                Some(*end - count)
            });
            let starts: Vec<Count> = starts.collect();
            let mut gathered = vec![0_u8; counts.iter().sum::<Count>() as usize];
            let mut places = PartitionMut::new(&mut gathered[..], &counts[..], &starts[..]);
            let own = bytes.chunks(share).nth(done as usize / share).unwrap_or_default();
            self.waited += request::scope(|scope| {
                let request = world.immediate_all_gather_varcount_into(scope, own, &mut places);
                Waiting::start().finish(request)
            });
            let mut rest = &gathered[..];
            for (&count, into) in counts.iter().zip(&mut *into) {
                into.extend_from_slice(rest.split_off(..count as usize).expect("its own bytes"));
            }
        }
        Ok(())
    }
}

impl Transport for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn bytes_sent(&self) -> u64 {
        self.sent
    }

    fn waited(&self) -> Duration {
        self.waited
    }

    fn fail(&mut self, reason: &str) {
        end_all_ranks(self.rank, reason);
    }
}
