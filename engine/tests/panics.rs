//! What is printed of a behavior that panics. A program of its own: hooks are for all threads.

use std::panic;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use flockwork::kernel::{Batch, Force, Lanes, behavior};
use flockwork::{Scene, Species, World};

static PANICS: AtomicUsize = AtomicUsize::new(0);
static PRINTED: AtomicUsize = AtomicUsize::new(0);

behavior! {
    /// Panics for every agent.
    struct Doomed: "doomed" {
        /// Scales the force.
        weight: f32 = 1.0, 0.0 to 1.0e6;
    }

    fn force<L: Lanes>(&self, _batch: &mut Batch<'_, L>) -> Force<L> {
        PANICS.fetch_add(1, Relaxed);
        panic!("out of hay");
    }
}

#[test]
fn a_panic_in_a_behavior_stops_the_other_tasks_and_is_printed_once() {
    panic::set_hook(Box::new(|_| {
        PRINTED.fetch_add(1, Relaxed);
    }));
    let fish = Species::new("fish", 100_000).steer(Doomed::default());
    let mut crowd = Scene::new(World::torus(9.0e3, 9.0e3)).species(fish).build().unwrap();
    crowd.set_threads(4).unwrap();
    for step in 1..=3 {
        PANICS.store(0, Relaxed);
        let error = crowd.step().unwrap_err().to_string();
        let expected = "step 0: behavior `doomed` panicked: out of hay; the step was not taken";
        assert_eq!(error, expected);
        assert!(PANICS.load(Relaxed) <= 4, "a task of each thread at most");
        assert_eq!(PRINTED.load(Relaxed), step, "each step prints one");
    }
    // Other panics are none of the engine's business.
    assert!(panic::catch_unwind(|| panic!("elsewhere")).is_err());
    assert_eq!(PRINTED.load(Relaxed), 4);
}
