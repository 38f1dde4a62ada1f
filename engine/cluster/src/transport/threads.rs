//! Ranks as threads of one process.
//!
//! The sender copies a message into a buffer, which moves to the receiver's mailbox.
//! The receiver swaps that buffer for its own, which then returns to the sender.
//! Each byte is thus copied only once, and nothing is allocated once the buffers have grown to the
//! size of the messages. A sender waits for its buffers to return, so a rank is never more than one
//! exchange ahead of its receivers.
//!
//! Sums and gathers use a barrier: every rank deposits its bytes,
//! the last rank to arrive publishes them, and each rank reads what it needs.

use std::fmt::Display;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use flockwork::internal::panic_message;

use super::{Exchange, Incoming, Lost, Outgoing, Transport};

/// Runs `program` on one thread per rank and returns each rank's result.
///
/// # Errors
/// The failure of the first rank that returned an error, panicked, called [`Transport::fail`], or
/// ended while another rank still waited for it. All other ranks are woken and get the same error
/// from their transport.
pub fn run<R: Send, E: Display>(
    ranks: usize,
    program: impl Fn(&mut Threads) -> Result<R, E> + Sync,
) -> Result<Vec<R>, Lost> {
    let shared = Arc::new(Shared::new(ranks));
    let run_rank = |rank| {
        let mut transport = Threads::new(rank, Arc::clone(&shared));
        match catch_unwind(AssertUnwindSafe(|| program(&mut transport))) {
            Ok(Ok(result)) => {
                shared.end(rank);
                return Some(result);
            }
            Ok(Err(error)) => transport.fail(&error.to_string()),
            Err(payload) => transport.fail(panic_message(&*payload)),
        }
        None
    };
    let results: Vec<Option<R>> = thread::scope(|scope| {
        let start = |rank| {
            let thread = thread::Builder::new().name(format!("rank {rank}"));
            let started = thread.spawn_scoped(scope, move || run_rank(rank));
            let refused = |error| {
                shared.fail(Lost { rank, reason: format!("cannot start its thread: {error}") });
            };
            started.map_err(refused).ok()
        };
        let threads: Vec<_> = (0..ranks).map(start).collect();
        let join = |thread: Option<thread::ScopedJoinHandle<'_, _>>| thread?.join().ok()?;
        threads.into_iter().map(join).collect()
    });
    match shared.failure() {
        Some(lost) => Err(lost),
        None => Ok(results.into_iter().flatten().collect()),
    }
}

/// The transport of a rank that runs as a thread, created by [`run`].
#[derive(Debug)]
pub struct Threads {
    rank: usize,
    shared: Arc<Shared>,
    exchange: u64,
    buffers: Vec<Vec<u8>>,
    sent: u64,
    waited: Duration,
}

#[derive(Debug)]
struct Shared {
    mailboxes: Vec<Monitor<Mail>>,
    barrier: Monitor<Barrier>,
    failure: Mutex<Option<Lost>>,
}

#[derive(Debug, Default)]
struct Monitor<T> {
    inside: Mutex<T>,
    news: Condvar,
}

#[derive(Debug, Default)]
struct Mail {
    arrived: Vec<Message>,
    returned: Vec<(usize, Vec<u8>)>,
    ended: Vec<usize>,
}

#[derive(Debug)]
struct Message {
    from: usize,
    place: usize,
    exchange: u64,
    pieces: usize,
    bytes: Vec<u8>,
}

#[derive(Debug, Default)]
struct Barrier {
    round: u64,
    present: usize,
    deposited: Vec<Vec<u8>>,
    /// Bytes that each rank deposited at the previous barrier, indexed by rank. They stay valid
    /// until the next barrier, which completes only after all ranks have read them.
    published: Vec<Vec<u8>>,
    ended: Option<usize>,
}

/// Poisoning is ignored, because no panic leaves the contents half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn ended_early(rank: usize) -> Lost {
    Lost { rank, reason: "it ended while other ranks waited for it".to_owned() }
}

impl<T> Monitor<T> {
    fn wake(&self, change: impl FnOnce(&mut T)) {
        change(&mut lock(&self.inside));
        self.news.notify_all();
    }
}

impl Shared {
    fn new(ranks: usize) -> Self {
        let deposited = vec![Vec::new(); ranks];
        let barrier = Barrier { published: deposited.clone(), deposited, ..Barrier::default() };
        Self {
            mailboxes: (0..ranks).map(|_| Monitor::default()).collect(),
            barrier: Monitor { inside: Mutex::new(barrier), news: Condvar::new() },
            failure: Mutex::new(None),
        }
    }

    fn failure(&self) -> Option<Lost> {
        lock(&self.failure).clone()
    }

    fn fail(&self, lost: Lost) {
        lock(&self.failure).get_or_insert(lost);
        self.barrier.wake(|_| ());
        self.mailboxes.iter().for_each(|mailbox| mailbox.wake(|_| ()));
    }

    fn end(&self, rank: usize) {
        self.barrier.wake(|barrier| barrier.ended = Some(rank));
        self.mailboxes.iter().for_each(|mailbox| mailbox.wake(|mail| mail.ended.push(rank)));
    }

    fn wait<T, U>(
        &self,
        place: &Monitor<T>,
        mut look: impl FnMut(&mut T) -> Option<Result<U, Lost>>,
    ) -> Result<U, Lost> {
        let mut inside = lock(&place.inside);
        loop {
            if let Some(found) = look(&mut inside) {
                drop(inside);
                return found.inspect_err(|lost| self.fail(lost.clone()));
            }
            if let Some(lost) = self.failure() {
                return Err(lost);
            }
            inside = place.news.wait(inside).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Mail {
    fn take(&mut self, from: usize) -> Option<Message> {
        let at = self.arrived.iter().position(|message| message.from == from)?;
        Some(self.arrived.remove(at))
    }
}

impl Threads {
    fn new(rank: usize, shared: Arc<Shared>) -> Self {
        let waited = Duration::ZERO;
        Self { rank, shared, exchange: 0, buffers: Vec::new(), sent: 0, waited }
    }

    fn send(&mut self, outgoing: &[Outgoing<'_>]) {
        for (place, pieces) in messages(outgoing).enumerate() {
            if place == self.buffers.len() {
                self.buffers.push(Vec::new());
            }
            let to = pieces[0].to;
            let mut bytes = mem::take(&mut self.buffers[place]);
            bytes.clear();
            bytes.reserve(pieces.iter().map(|sent| sent.piece.len()).sum());
            pieces.iter().for_each(|sent| bytes.extend_from_slice(sent.piece));
            if to != self.rank {
                self.sent += bytes.len() as u64;
            }
            let (from, exchange, pieces) = (self.rank, self.exchange, pieces.len());
            let message = Message { from, place, exchange, pieces, bytes };
            self.shared.mailboxes[to].wake(|mail| mail.arrived.push(message));
        }
    }

    fn deliver(&self, mut message: Message, to: &mut Incoming) {
        let (from, rank) = (message.from, self.rank);
        assert_eq!(
            message.exchange, self.exchange,
            "rank {from} sent rank {rank} a message in an exchange where it expects none"
        );
        assert_eq!(
            message.pieces, to.pieces,
            "rank {from} sent rank {rank} a message with the wrong number of pieces"
        );
        mem::swap(&mut message.bytes, &mut to.bytes);
        let back = (message.place, message.bytes);
        self.shared.mailboxes[from].wake(|mail| mail.returned.push(back));
    }

    fn finish(&mut self, outgoing: &[Outgoing<'_>], incoming: &mut [Incoming]) -> Result<(), Lost> {
        let mailbox = &self.shared.mailboxes[self.rank];
        for incoming in incoming {
            let from = incoming.from;
            let message = self.shared.wait(mailbox, |mail| {
                let message = mail.take(from).map(Ok);
                message.or_else(|| mail.ended.contains(&from).then(|| Err(ended_early(from))))
            })?;
            self.deliver(message, incoming);
        }
        let buffers = &mut self.buffers;
        self.shared.wait(mailbox, |mail| {
            if mail.returned.len() == messages(outgoing).count() {
                mail.returned.drain(..).for_each(|(place, bytes)| buffers[place] = bytes);
                return Some(Ok(()));
            }
            let is_back = |place| mail.returned.iter().any(|&(returned, _)| returned == place);
            let away = messages(outgoing).enumerate().filter(|&(place, _)| !is_back(place));
            let mut to = away.map(|(_, pieces)| pieces[0].to);
            to.find(|to| mail.ended.contains(to)).map(|to| Err(ended_early(to)))
        })
    }

    fn deposit(&self, bytes: &[u8]) -> u64 {
        let mut round = 0;
        self.shared.barrier.wake(|barrier| {
            round = barrier.round;
            let deposited = &mut barrier.deposited[self.rank];
            deposited.clear();
            deposited.extend_from_slice(bytes);
            barrier.present += 1;
            if barrier.present == barrier.deposited.len() {
                mem::swap(&mut barrier.deposited, &mut barrier.published);
                barrier.present = 0;
                barrier.round += 1;
            }
        });
        round
    }

    fn read_published(
        &mut self,
        round: u64,
        mut read: impl FnMut(usize, &[u8]),
    ) -> Result<(), Lost> {
        let start = Instant::now();
        let passed = self.shared.wait(&self.shared.barrier, |barrier| {
            if barrier.round > round {
                barrier.published.iter().enumerate().for_each(|(rank, bytes)| read(rank, bytes));
                return Some(Ok(()));
            }
            barrier.ended.map(|rank| Err(ended_early(rank)))
        });
        self.waited += start.elapsed();
        passed
    }
}

fn word(bytes: &[u8]) -> u64 {
    u64::from_ne_bytes(bytes.try_into().expect("every rank brings as many values"))
}

fn messages<'a, 'b>(outgoing: &'a [Outgoing<'b>]) -> impl Iterator<Item = &'a [Outgoing<'b>]> {
    outgoing.chunk_by(|one, next| one.to == next.to)
}

impl Exchange for Threads {
    type Lost = Lost;

    fn exchange(
        &mut self,
        outgoing: &[Outgoing<'_>],
        incoming: &mut [Incoming],
        meanwhile: &mut dyn FnMut() -> bool,
    ) -> Result<(), Lost> {
        let named = outgoing.iter().map(|sent| sent.to);
        for rank in named.chain(incoming.iter().map(|message| message.from)) {
            assert!(rank < self.ranks(), "there is no rank {rank}, only {}", self.ranks());
        }
        self.exchange += 1;
        self.send(outgoing);
        let mut received = 0;
        while meanwhile() {
            // Early delivery returns buffers to senders before this rank has finished computing.
            while let Some(next) = incoming.get_mut(received) {
                let arrived = lock(&self.shared.mailboxes[self.rank].inside).take(next.from);
                let Some(message) = arrived else { break };
                self.deliver(message, next);
                received += 1;
            }
        }
        let start = Instant::now();
        let finished = self.finish(outgoing, &mut incoming[received..]);
        self.waited += start.elapsed();
        finished
    }

    fn sum(&mut self, values: &mut [u64]) -> Result<(), Lost> {
        let round = self.deposit(bytemuck::must_cast_slice(values));
        values.fill(0);
        self.read_published(round, |_, bytes| {
            assert_eq!(bytes.len(), size_of_val(values), "every rank brings as many values");
            let words = bytes.chunks_exact(8).map(word);
            values.iter_mut().zip(words).for_each(|(sum, value)| *sum = sum.wrapping_add(value));
        })
    }

    fn min(&mut self, value: u64) -> Result<u64, Lost> {
        let round = self.deposit(&value.to_ne_bytes());
        let mut min = value;
        self.read_published(round, |_, bytes| min = min.min(word(bytes)))?;
        Ok(min)
    }

    fn all_gather(&mut self, bytes: &[u8], into: &mut Vec<Vec<u8>>) -> Result<(), Lost> {
        let round = self.deposit(bytes);
        into.resize_with(self.ranks(), Vec::new);
        self.read_published(round, |rank, bytes| {
            into[rank].clear();
            into[rank].extend_from_slice(bytes);
        })
    }
}

impl Transport for Threads {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.shared.mailboxes.len()
    }

    fn bytes_sent(&self) -> u64 {
        self.sent
    }

    fn waited(&self) -> Duration {
        self.waited
    }

    fn fail(&mut self, reason: &str) {
        self.shared.fail(Lost { rank: self.rank, reason: reason.to_owned() });
    }
}
