use flockwork::behaviors::{Arrive, Seek, Wander};
use flockwork::{AgentOrder, Scene, Simulation, Snapshot, Species, Target, Vector, World};

use crate::common::agents::{CALM, force, id, ids, position};
use crate::common::scenes::flock;
use crate::common::snapshots::NO_LIMITS;
use crate::common::variants::Variant;

fn led(leaders: usize) -> Simulation {
    let leaders = Species::new("leader", leaders)
        .behavior(Arrive { target: Target::Own, ..Arrive::default() })
        .behavior(Wander { weight: CALM, ..Wander::default() });
    let scene = Scene::new(World::torus(400.0, 300.0)).species(leaders).species(flock(60));
    scene.build().unwrap()
}

fn points(agents: usize) -> Vec<[f32; 2]> {
    (0..agents).map(|k| [k as f32 * 17.0 - 300.0, 290.0 - k as f32]).collect()
}

#[test]
fn an_own_point_acts_as_a_point_that_all_share() {
    for world in [World::torus(400.0, 300.0), World::bounded(400.0, 300.0)] {
        for point in [[30.0, 250.0], [-900.0, 7.0e6]] {
            let crowd = |target: Target| {
                let seek = Seek { weight: CALM, target };
                let species = flock(80).behavior(seek.clone());
                let species = Species { behaviors: vec![seek.into()], ..species };
                Scene::new(world).species(species).build().unwrap()
            };
            for variant in Variant::all() {
                let (mut own, mut shared) = (crowd(Target::Own), crowd(point.into()));
                variant.set(&mut own);
                own.set_all(Vector::OwnTarget, AgentOrder::Slot, &[point; 80]).unwrap();
                own.run(30).unwrap();
                shared.run(30).unwrap();
                for agent in ids(&own) {
                    assert_eq!(own.agent(agent), shared.agent(agent), "{world:?}, {point:?}");
                }
            }
        }
    }
}

#[test]
fn every_leader_reaches_its_own_point() {
    let mut crowd = led(24);
    let all: Vec<_> = (0..24).map(id).collect();
    let goals: Vec<[f32; 2]> =
        (0..24).map(|k| [15.0 + 16.0 * k as f32, 290.0 - k as f32]).collect();
    crowd.set_many(Vector::OwnTarget, &all, &goals).unwrap();
    let far = |crowd: &Simulation| {
        let offsets = (0..24).map(|k| crowd.displacement(position(crowd, k), goals[k as usize]));
        offsets.map(|[x, y, _]| x.hypot(y)).fold(0.0, f32::max)
    };
    assert!(far(&crowd) > 80.0);
    crowd.run(600).unwrap();
    assert!(far(&crowd) < 20.0, "{}", far(&crowd));
}

#[test]
fn reading_says_where_the_own_target_is() {
    let mut crowd = led(5);
    let read = |crowd: &Simulation, agent| crowd.get(Vector::OwnTarget, id(agent)).unwrap();
    assert!(read(&crowd, 0).iter().all(|value| value.is_nan()), "it has none");
    crowd.set_own_target(id(0), [7.0, -8.0]).unwrap();
    crowd.set_own_target(id(1), id(33)).unwrap();
    assert_eq!(crowd.own_target(id(0)), Ok(Target::Point([7.0, -8.0].into())));
    assert_eq!(crowd.own_target(id(1)), Ok(Target::Agent(id(33))));
    for _ in 0..4 {
        assert_eq!(read(&crowd, 0), [7.0, -8.0]);
        assert_eq!(read(&crowd, 1), position(&crowd, 33), "where that agent is now");
        crowd.step().unwrap();
    }
    let by_id = crowd.get_all(Vector::OwnTarget, AgentOrder::Id).unwrap();
    let by_slot = crowd.get_all(Vector::OwnTarget, AgentOrder::Slot).unwrap();
    assert_eq!(by_id[..2], [[7.0, -8.0], position(&crowd, 33)]);
    assert_eq!(by_slot[crowd.slot_of(id(0)).unwrap()], [7.0, -8.0]);
    crowd.remove(id(33)).unwrap();
    assert!(read(&crowd, 1)[0].is_nan());
    assert_eq!(read(&crowd, 0), [7.0, -8.0], "no agent that could be removed");
    crowd.set_own_target(id(0), Target::Unset).unwrap();
    assert!(read(&crowd, 0)[1].is_nan());
    assert_eq!(force(&crowd, id(0)).map(f32::is_finite), [true; 2]);
}

#[test]
fn own_points_are_saved_and_hashed() {
    let mut crowd = led(40);
    crowd.run(3).unwrap();
    let (before, bytes) = (crowd.state_hash(), crowd.snapshot().to_bytes());
    assert!(bytes.ends_with(&NO_LIMITS), "nothing is added before the first point");
    let all: Vec<_> = (0..40).map(id).collect();
    let goals = points(40);
    crowd.set_many(Vector::OwnTarget, &all, &goals).unwrap();
    let pointed = crowd.state_hash();
    assert_ne!(pointed, before);
    crowd.set_own_target(id(9), [goals[9][1], goals[9][0]]).unwrap();
    assert_ne!(crowd.state_hash(), pointed);
    crowd.run(5).unwrap();
    let bytes = crowd.snapshot().to_bytes();
    let mut read = Snapshot::from_bytes(&bytes).unwrap().build().unwrap();
    assert_eq!(read.snapshot().to_bytes(), bytes);
    assert_eq!(read.own_target(id(8)), Ok(Target::Point(goals[8].into())));
    for _ in 0..10 {
        crowd.step().unwrap();
        read.step().unwrap();
        assert_eq!(read.state_hash(), crowd.state_hash());
    }
}

#[test]
fn a_crowd_whose_own_points_are_gone_has_the_hash_of_one_that_never_had_any() {
    let (mut crowd, untouched) = (led(9), led(9));
    crowd.set_own_target(id(4), [1.0, 2.0]).unwrap();
    assert_ne!(crowd.state_hash(), untouched.state_hash());
    crowd.set_own_target(id(4), Target::Unset).unwrap();
    assert_eq!(crowd.state_hash(), untouched.state_hash());
    // The next behavior that reads own targets finds none.
    crowd.set_own_target(id(4), [1.0, 2.0]).unwrap();
    let leaders = crowd.scene().species[0].clone();
    crowd.set_species(&Species::new("leader", 9)).unwrap();
    crowd.set_species(&leaders).unwrap();
    assert_eq!(crowd.own_target(id(4)), Ok(Target::Unset));
}

#[test]
fn a_saved_state_does_not_show_what_an_own_target_was_before() {
    let saved = |former: [f32; 2], target: Target| {
        let mut crowd = led(9);
        crowd.set_own_target(id(4), former).unwrap();
        crowd.set_own_target(id(4), target).unwrap();
        crowd.snapshot().to_bytes()
    };
    for target in [Target::Unset, id(7).into(), [3.0, 4.0].into()] {
        let [one, other] = [[1.0, 2.0], [5.0, 6.0]].map(|former| saved(former, target.clone()));
        assert!(one == other, "{target:?}");
    }
}

#[test]
fn points_and_agents_as_own_targets_agree_with_the_reference() {
    let mut crowd = led(60);
    for (k, point) in (0..60).zip(points(60)) {
        match k % 3 {
            0 => crowd.set_own_target(id(k), point).unwrap(),
            1 => crowd.set_own_target(id(k), id(59 - k)).unwrap(),
            _ => {}
        }
    }
    let mut compared = 0;
    for _ in 0..10 {
        let leaders = (0..60).map(id);
        let expected: Vec<_> = leaders.map(|id| crowd.reference_step(id).unwrap()).collect();
        crowd.step().unwrap();
        for (k, expected) in (0..60).zip(expected).filter(|(_, step)| step.margin > 1.0e-5) {
            let [vx, vy] = crowd.get(Vector::Velocity, id(k)).unwrap().map(f64::from);
            let off = (vx - expected.velocity[0]).hypot(vy - expected.velocity[1]);
            assert!(off < 1.0e-2, "{k}: {off}");
            compared += 1;
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn refused_own_points_change_nothing() {
    let mut crowd = led(6);
    crowd.set_own_target(id(0), [3.0, 4.0]).unwrap();
    let before = crowd.snapshot().to_bytes();
    let said = |result: Result<(), flockwork::Error>| result.unwrap_err().to_string();
    let refused =
        said(crowd.set_many(Vector::OwnTarget, &[id(0), id(2)], &[[1.0, 1.0], [0.0, f32::NAN]]));
    assert!(refused.starts_with("own_target[1] of agent #2.0 = NaN: must be from"), "{refused}");
    let refused = said(crowd.set_own_target(id(1), [2.0e7, 0.0]));
    assert!(refused.starts_with("own_target[0] of agent #1.0 = 20000000.0"), "{refused}");
    for other in [Target::Own, Target::named("lure"), Target::nearest("flock")] {
        let refused = said(crowd.set_own_target(id(1), other));
        assert!(refused.contains("must be a point [x, y], the id of an agent"), "{refused}");
    }
    let refused = said(crowd.set_all(Vector::OwnTarget, AgentOrder::Id, &[[1.0, 1.0]]));
    assert!(refused.contains("number of values = 1: must be 66"), "{refused}");
    assert_eq!(crowd.snapshot().to_bytes(), before);

    let mut aimless = Scene::new(World::torus(90.0, 90.0)).species(flock(3)).build().unwrap();
    let before = aimless.snapshot().to_bytes();
    for refused in [
        said(aimless.set_own_target(id(0), [1.0, 1.0])),
        said(aimless.set_all(Vector::OwnTarget, AgentOrder::Id, &[[1.0, 1.0]; 3])),
        said(aimless.set_many(Vector::OwnTarget, &[], &[])),
    ] {
        assert!(refused.contains("must be the target of at least one behavior"), "{refused}");
    }
    assert_eq!(aimless.snapshot().to_bytes(), before);
}
