//! Neither messages between threads nor steps of a crowd allocate memory after warm-up.
//!
//! This is a separate program without a test harness: the allocation counter sees all threads of
//! the process, and a harness would add its own allocations.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use flockwork::Scene;
use flockwork_cluster::failure::Failure;
use flockwork_cluster::rank::Rank;
use flockwork_cluster::transport::threads::{Threads, run};
use flockwork_cluster::transport::{Exchange, Incoming, Lost, Outgoing, Transport};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        // SAFETY: the caller upholds the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        // SAFETY: the caller upholds the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[derive(Default)]
struct Buffers {
    ghosts: [Incoming; 2],
    migrants: [Incoming; 2],
    gathered: Vec<Vec<u8>>,
}

fn expect(messages: &mut [Incoming; 2], from: [usize; 2], pieces: usize) {
    for (message, from) in messages.iter_mut().zip(from) {
        (message.from, message.pieces) = (from, pieces);
    }
}

/// Exchanges the messages of a step: large and small pieces to both ring neighbors, then sums.
fn step(transport: &mut Threads, column: &[u8], buffers: &mut Buffers) -> Result<(), Lost> {
    let (rank, ranks) = (transport.rank(), transport.ranks());
    let [before, after] = [(rank + ranks - 1) % ranks, (rank + 1) % ranks];
    let ghosts = [&column[..100_000], &column[..rank * 1_000], &[]];
    let [low, high] = [before, after].map(|to| ghosts.map(|piece| Outgoing { to, piece }));
    expect(&mut buffers.ghosts, [after, before], ghosts.len());
    // With two ranks, the rank before and the rank after are the same.
    let count = 1 + usize::from(before != after);
    let outgoing = [low, high];
    let outgoing = outgoing[..count].as_flattened();
    transport.exchange(outgoing, &mut buffers.ghosts[..count], &mut || false)?;
    let migrants = [before, after].map(|to| Outgoing { to, piece: &column[..600] });
    expect(&mut buffers.migrants, [before, after], 1);
    transport.exchange(&migrants[..count], &mut buffers.migrants[..count], &mut || false)?;
    transport.sum(&mut [rank as u64, 1])?;
    transport.min(rank as u64)?;
    transport.all_gather(&column[..rank * 8], &mut buffers.gathered)
}

/// Compares the minimum over many windows of a few steps with 0, because a step that always
/// allocates does so in every window. Message buffers still grow occasionally with migration, as do
/// lists when borders move.
fn steps_allocate_nothing(name: &str) {
    let scene = Scene::named(name).unwrap();
    let agents = scene.agents_at_start().min(400);
    let mut scene = scene.agents(agents);
    scene.species[0].columns.insert("hunger".into(), 1.0.into());
    let counted = run(3, |transport| {
        let mut rank = Rank::new(&scene, transport)?;
        let mut min = usize::MAX;
        for _ in 0..40 {
            rank.transport().min(0)?;
            let before = ALLOCATIONS.load(Relaxed);
            for _ in 0..6 {
                rank.step()?;
            }
            rank.transport().min(0)?;
            min = min.min(ALLOCATIONS.load(Relaxed) - before);
            rank.transport().min(0)?;
        }
        Ok::<_, Failure>(min)
    });
    assert_eq!(counted, Ok(vec![0; 3]), "allocations in 6 steps of {name}");
}

fn main() {
    for ranks in [1, 2, 3, 4, 7] {
        let counted = run(ranks, |transport| {
            let column = vec![transport.rank() as u8; 100_000];
            let mut buffers = Buffers::default();
            for _ in 0..20 {
                step(transport, &column, &mut buffers)?;
            }
            transport.min(0)?;
            let before = ALLOCATIONS.load(Relaxed);
            for _ in 0..200 {
                step(transport, &column, &mut buffers)?;
            }
            // Barrier: all ranks have finished their steps before any rank reads the counter.
            transport.min(0)?;
            let allocations = ALLOCATIONS.load(Relaxed) - before;
            transport.min(0)?;
            Ok::<_, Lost>(allocations)
        });
        assert_eq!(counted, Ok(vec![0; ranks]), "allocations in 200 steps of {ranks} ranks");
    }
    println!("no allocation per message");
    for name in Scene::names() {
        steps_allocate_nothing(name);
    }
    println!("no allocation per step");
}
