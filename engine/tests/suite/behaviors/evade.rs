use flockwork::behaviors::{Evade, Pursuit};
use flockwork::{Behavior, Target};

use crate::common::agents::{flat, id, one, position, resting, strong};
use crate::common::measures::distance;
use crate::common::scenes::open;

#[test]
fn evade_keeps_a_slower_pursuer_away() {
    let run = |behaviors: Option<Evade>| {
        let hunter = one("hunter", [0.0, 0.0], 0.0)
            .max_speed(100.0)
            .behavior(Pursuit { evader: Target::member("prey", 0), ..Pursuit::default() });
        let mut prey = one("prey", [150.0, 10.0], 180.0);
        prey.behaviors.extend(behaviors.map(Behavior::from));
        let mut simulation = open([hunter, prey]).build().unwrap();
        let mut nearest = f32::MAX;
        for _ in 0..1_200 {
            simulation.step().unwrap();
            nearest = nearest.min(distance(position(&simulation, 0), position(&simulation, 1)));
        }
        (nearest, distance(position(&simulation, 0), position(&simulation, 1)))
    };
    let evade = |threat_range| {
        let pursuer = Target::member("hunter", 0);
        run(Some(Evade { weight: 200.0, pursuer, threat_range }))
    };
    let (passed, _) = run(None);
    assert!(passed < 15.0, "without evading it runs into the hunter: {passed}");
    // The agents meet head-on, and turning around costs some of the 150 units between them.
    let (nearest, last) = evade(None);
    assert!(nearest > 25.0, "{nearest}");
    assert!(last > 500.0, "50 units/s faster for 20 s: {last}");
    let (nearest, _) = evade(Some(120.0));
    assert!(nearest > 25.0, "{nearest}");
}

#[test]
fn evade_ignores_a_pursuer_out_of_its_threat_range() {
    let evade = Evade {
        pursuer: Target::member("hunter", 0),
        threat_range: Some(100.0),
        ..Evade::default()
    };
    for (away, acts) in [(99.0, true), (101.0, false)] {
        let hunter = resting("hunter", [away, 0.0], 0.0);
        let simulation =
            open([one("prey", [0.0, 0.0], 0.0).behavior(evade.clone()), hunter]).build().unwrap();
        assert_eq!(simulation.explain(id(0)).unwrap().force != [0.0; 3], acts, "{away}");
    }
}

/// The hunter is 300 units to the right, 10° off head-on, where pursuit does not predict.
#[test]
fn evade_flees_the_predicted_place_even_head_on() {
    let evade = Evade { weight: 1.0, pursuer: Target::member("hunter", 0), threat_range: None };
    let hunter = one("hunter", [300.0, 0.0], 170.0).max_speed(100.0);
    let simulation = open([strong(evade), hunter]).build().unwrap();
    let (sin, cos) = 170.0_f32.to_radians().sin_cos();
    // Prediction time: 300/(150 + 100) s.
    let [x, y] = [300.0 + 120.0 * cos, 120.0 * sin];
    let expected = [x, y].map(|part| -150.0 * part / x.hypot(y));
    let force = simulation.explain(id(0)).unwrap().force;
    assert!(distance(flat(force), expected) < 1.0e-2, "{force:?}, not {expected:?}");
}
