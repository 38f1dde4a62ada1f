//! A panicking behavior and the program's panic hook. This is a separate program because the hook
//! is process-wide.

use std::panic::{self, PanicHookInfo};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use flockwork::kernel::{Batch, Force, Lanes, behavior};
use flockwork::{Scene, Species, World};

static PANICS: AtomicUsize = AtomicUsize::new(0);

behavior! {
    struct Doomed: "doomed" {
        weight: f32 = 1.0, 0.0 to 1.0e6;
    }

    fn force<L: Lanes>(&self, _batch: &mut Batch<'_, L>) -> Force<L> {
        PANICS.fetch_add(1, Relaxed);
        panic!("out of hay");
    }
}

/// Regression: the first custom behavior wrapped the hook for the rest of the process.
#[test]
fn a_panic_in_a_behavior_stops_the_other_tasks_and_leaves_the_hook_alone() {
    let printed = Arc::new(AtomicUsize::new(0));
    let hook: Box<dyn Fn(&PanicHookInfo<'_>) + Send + Sync> = {
        let printed = Arc::clone(&printed);
        Box::new(move |_| {
            printed.fetch_add(1, Relaxed);
        })
    };
    let address = ptr::from_ref(&*hook).cast::<()>();
    panic::set_hook(hook);
    let fish = Species::new("fish", 100_000).behavior(Doomed::default());
    let mut crowd = Scene::new(World::torus(9.0e3, 9.0e3)).species(fish).build().unwrap();
    crowd.set_execution(crowd.execution().threads(4)).unwrap();
    for _ in 0..3 {
        PANICS.store(0, Relaxed);
        printed.store(0, Relaxed);
        let error = crowd.step().unwrap_err().to_string();
        let expected = "step 0: behavior `doomed` panicked: out of hay; the step was not taken";
        assert_eq!(error, expected);
        let panics = PANICS.load(Relaxed);
        assert!((1..=4).contains(&panics), "a task of each thread at most, not {panics}");
        assert_eq!(printed.load(Relaxed), panics, "the hook is told of each");
    }
    let hook = panic::take_hook();
    assert_eq!(ptr::from_ref(&*hook).cast::<()>(), address, "it is still the program's");
}
