use std::sync::{Arc, Barrier, mpsc};
use std::thread;
use std::time::Duration;

use flockwork::inspect::{Explanation, NeighborRows};
use flockwork::{Scene, Simulation};

use crate::common::agents::id;

/// Large enough that several threads share the sort.
const AGENTS: usize = 20_000;

fn crowd() -> Simulation {
    let scene = Scene::named("stress").unwrap().agents(AGENTS);
    let mut crowd = scene.build().unwrap();
    crowd.set_execution(crowd.execution().threads(2)).unwrap();
    crowd
}

type Query = fn(&Simulation);

type Answers = (NeighborRows, Vec<[f32; 3]>, Explanation);

fn ask(crowd: &Simulation) -> Answers {
    (crowd.neighbor_rows(None).unwrap(), crowd.forces(), crowd.explain(id(7)).unwrap())
}

#[test]
fn threads_that_ask_at_once_get_the_same_answers_and_change_no_later_step() {
    let (mut asked, mut unasked, mut alone) = (crowd(), crowd(), crowd());
    alone.set_execution(alone.execution().threads(1)).unwrap();
    for _ in 0..3 {
        let (shared, barrier) = (&asked, &Barrier::new(2));
        let answers = thread::scope(|scope| {
            let asking = [(); 2].map(|()| {
                scope.spawn(move || {
                    barrier.wait();
                    ask(shared)
                })
            });
            asking.map(|thread| thread.join().unwrap())
        });
        assert!(answers == [ask(&alone), ask(&alone)]);
        for crowd in [&mut asked, &mut unasked, &mut alone] {
            crowd.run(2).unwrap();
        }
        assert_eq!(asked.state_hash(), unasked.state_hash());
    }
}

/// While a thread of one pool waits for another pool, it takes over jobs of its own pool: here,
/// the second query during the sort of the first.
#[test]
fn queries_in_jobs_of_another_pool_never_wait_for_each_other() {
    let queries: [(&str, Query); 3] = [
        ("neighbors", |crowd| assert!(!crowd.neighbors(id(7)).unwrap().is_empty())),
        ("forces", |crowd| assert_eq!(crowd.forces().len(), AGENTS)),
        ("nearest_agents", |crowd| {
            assert_eq!(crowd.nearest_agents([1.0, 2.0], 3, None).unwrap().len(), 3);
        }),
    ];
    for (name, query) in queries {
        let crowd = Arc::new(crowd());
        let (done, finished) = mpsc::channel();
        // The thread is not joined: if the queries wait for each other, it never ends.
        thread::spawn(move || {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            pool.install(|| rayon::join(|| query(&crowd), || query(&crowd)));
            done.send(()).unwrap();
        });
        finished.recv_timeout(Duration::from_secs(60)).expect(name);
    }
}
