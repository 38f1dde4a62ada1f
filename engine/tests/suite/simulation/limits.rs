//! Limits of a running crowd: threads and stack.

use flockwork::{Error, Scene, Snapshot};

use crate::common::refusals::field_and_allowed;
use crate::common::scenes::{variety, with_agents};

#[test]
fn up_to_1024_threads_are_accepted() {
    let mut crowd = Scene::named("flock").unwrap().build().unwrap();
    for threads in [0, 1_025, usize::MAX] {
        let (field, allowed) = field_and_allowed(&crowd.set_threads(threads).unwrap_err());
        assert_eq!((field.as_str(), allowed.as_str()), ("threads", "from 1 to 1024"));
    }
    crowd.set_threads(1).unwrap();
}

#[test]
fn an_error_is_as_small_as_a_pointer() {
    assert_eq!(size_of::<Error>(), size_of::<usize>());
    assert_eq!(size_of::<Result<(), Error>>(), size_of::<usize>());
}

#[test]
fn a_crowd_needs_96_kib_of_stack() {
    let small = std::thread::Builder::new().stack_size(96 << 10);
    let run = || {
        let scenes = Scene::names().map(|name| Scene::named(name).unwrap());
        for scene in scenes.chain(variety(150).into_iter().map(|(_, scene)| scene)) {
            let scene = with_agents(scene, 150);
            let mut crowd = scene.build().unwrap();
            crowd.set_threads(1).unwrap();
            crowd.run(20).unwrap();
            let first = crowd.id_at(0);
            crowd.explain(first).unwrap();
            let bytes = crowd.snapshot().to_bytes();
            Snapshot::from_bytes(&bytes).unwrap().build().unwrap();
        }
    };
    small.spawn(run).unwrap().join().unwrap();
}
