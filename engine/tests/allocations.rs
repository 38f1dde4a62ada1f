//! A step allocates nothing after warm-up, and a crowd takes little memory.
//!
//! This is a separate program without a test harness: the allocation counter sees all threads of
//! the process, and a harness would add its own allocations.

use std::alloc::{GlobalAlloc, Layout, System};
use std::env;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use flockwork::{Goal, Route, Scene, StartPlace, World};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);
static BYTES: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        BYTES.fetch_add(layout.size(), Relaxed);
        // SAFETY: the caller upholds the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller upholds the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        BYTES.fetch_add(size, Relaxed);
        BYTES.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller upholds the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Sets the number of agents at the scene's own density: a crowd packed into a small world would
/// take minutes.
fn spread_out(scene: Scene, agents: usize) -> Scene {
    let scale = (agents as f32 / scene.agents_at_start() as f32).sqrt();
    let mut scene = scene.agents(agents);
    if scale > 1.0 {
        let world = &mut scene.world;
        world.width = world.width.map(|width| width * scale);
        world.height = world.height.map(|height| height * scale);
        scene.species.iter_mut().for_each(|species| species.start.place = StartPlace::Anywhere);
    }
    scene
}

/// Each half of the scenes runs in a process with its own counter, which halves the time.
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
    routes_to_large_goals_take_little_memory();
}

fn steps_allocate_nothing(names: impl Iterator<Item = &'static str>) {
    for name in names {
        for (agents, threads) in [(1_000, 1), (17_000, 1), (17_000, 2)] {
            let mut scene = spread_out(Scene::named(name).unwrap(), agents);
            // Regression: steps with a scene's own columns allocated slices.
            scene.species[0].columns.insert("hunger".into(), 1.0.into());
            let mut simulation = scene.build().unwrap();
            simulation.set_execution(simulation.execution().threads(threads)).unwrap();
            simulation.run(70).unwrap();
            // The pool's queue allocates a block for every 63 external calls. `run` makes one such
            // call, as does a query's sort, so all 70 steps cause at most one allocation.
            let allowed = if threads == 1 { 0 } else { 1 };
            // A step that allocates does so in every run. During the first runs, threads of a
            // previously dropped pool may still be ending.
            let mut runs = (0..20).map(|_| {
                let before = ALLOCATIONS.load(Relaxed);
                // If a query has to sort, it hands its memory on to the next step.
                simulation.neighbor_counts();
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

/// Regression: each cell from which a goal is in sight took 48 bytes or more that were not checked
/// before they were allocated.
fn routes_to_large_goals_take_little_memory() {
    let scene = |routes: usize| {
        let route = |k: usize| {
            let world = Goal::area([0.0, 0.0], [700.0, 700.0]);
            Route::new(k.to_string(), world).radius(5.0).cell(1.0)
        };
        let world = Scene::new(World::bounded(700.0, 700.0));
        (0..routes).map(route).fold(world, Scene::route)
    };
    let [one, ten] = [1, 10].map(|routes| {
        let (scene, before) = (scene(routes), BYTES.load(Relaxed));
        let simulation = scene.build().unwrap();
        let bytes = BYTES.load(Relaxed) - before;
        drop(simulation);
        bytes
    });
    // The routes share their floor, and their fields are allocated once somebody follows them.
    assert!(ten - one < 100_000, "{one} bytes with one route, {ten} with ten");
}
