//! A step allocates nothing once the crowd is warm, and a crowd takes little memory.
//!
//! A separate program without a test harness: the counter sees all threads of the process, and the
//! harness has some.

use std::alloc::{GlobalAlloc, Layout, System};
use std::env;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use flockwork::{Scene, StartPlace};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The scene with another number of agents, at the density that it has with its own: crowds packed
/// into a world made for few would take minutes.
fn spread_out(scene: Scene, agents: usize) -> Scene {
    let scale = (agents as f32 / scene.agent_count() as f32).sqrt();
    let mut scene = scene.agents(agents);
    if scale > 1.0 {
        let world = &mut scene.world;
        world.width = world.width.map(|width| width * scale);
        world.height = world.height.map(|height| height * scale);
        scene.species.iter_mut().for_each(|species| species.start.place = StartPlace::Anywhere);
    }
    scene
}

/// Other processes, since each counts its own allocations: half of the scenes take half of the time.
const HALVES: [&str; 2] = ["even", "odd"];

fn main() {
    if let Some(half) = HALVES.iter().position(|&half| env::args().any(|argument| argument == half))
    {
        return steps_allocate_nothing(Scene::names().skip(half).step_by(HALVES.len()));
    }
    let program = env::current_exe().unwrap();
    let half = |half| Command::new(&program).arg(half).spawn().unwrap();
    for mut half in HALVES.map(half) {
        assert!(half.wait().unwrap().success());
    }
    a_crowd_takes_little_memory();
}

fn steps_allocate_nothing(names: impl Iterator<Item = &'static str>) {
    for name in names {
        for (agents, threads) in [(1_000, 1), (17_000, 1), (17_000, 2)] {
            let mut scene = spread_out(Scene::named(name).unwrap(), agents);
            // Steps with columns of a scene's own allocated their slices.
            scene.species[0].columns.insert("hunger".into(), 1.0.into());
            let mut simulation = scene.build().unwrap();
            simulation.set_threads(threads).unwrap();
            simulation.run(70).unwrap();
            // The pool's queue takes a block for every 63 calls from outside, and `run` makes
            // one: at most one allocation for all 70 steps.
            let allowed = if threads == 1 { 0 } else { 1 };
            // A step that allocates does so in every run. During the first runs, threads of a
            // previously dropped pool may still be ending.
            let mut runs = (0..20).map(|_| {
                let before = ALLOCATIONS.load(Relaxed);
                simulation.run(70).unwrap();
                ALLOCATIONS.load(Relaxed) - before
            });
            let calm = runs.any(|count| count <= allowed);
            assert!(calm, "{name}, {agents} agents, {threads} threads allocate in every run");
        }
    }
}

fn a_crowd_takes_little_memory() {
    let stress = Scene::named("stress").map(|scene| scene.agents(200_000)).unwrap();
    let mut simulation = stress.build().unwrap();
    simulation.run(3).unwrap();
    let per_agent = simulation.bytes() as f64 / simulation.len() as f64;
    println!("no allocation per step, {per_agent:.1} bytes per agent");
    assert!(per_agent <= 96.0, "{per_agent} bytes per agent");
}
