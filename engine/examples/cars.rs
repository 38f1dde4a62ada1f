//! Moving obstacles that are agents: this program drives 50 cars through 100,000 walkers. In turn,
//! it steps the same walkers without cars, to show what the cars cost.

use std::time::Instant;

use flockwork::behaviors::{Seek, Wander};
use flockwork::{AgentId, Error, Scene, Simulation, Species, Vector, World};

const SIDE: f32 = 2_000.0;
const CARS: u16 = 50;
const CAR: f32 = 8.0;
const WALKER: f32 = 1.0;
const STEPS: u16 = 300;

/// Ten cars in each of five lanes, all driving to the right at 60 units/s.
fn places(step: u16) -> Vec<[f32; 2]> {
    let place = |k: u16| {
        let along = f32::from(k % 10) * 200.0 + f32::from(step);
        [along.rem_euclid(SIDE), f32::from(k / 10) * 400.0 + 200.0]
    };
    (0..CARS).map(place).collect()
}

/// Maximum depth of a walker inside a car, in world units.
fn deepest(crowd: &Simulation, places: &[[f32; 2]]) -> Result<f32, Error> {
    let (mut deepest, room) = (0.0_f32, CAR + WALKER);
    for &car in places {
        for id in crowd.agents_within(car, room, Some("walker"))? {
            let [x, y, _] = crowd.displacement(car, crowd.get(Vector::Position, id)?);
            deepest = deepest.max(room - x.hypot(y));
        }
    }
    Ok(deepest)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let walkers = Species::new("walker", 100_000)
        .radius(WALKER)
        .max_speed(15.0)
        .behavior(Wander { weight: 30.0, ..Wander::default() })
        .behavior(Seek { weight: 1.0, target: [SIDE / 2.0, SIDE / 2.0].into() });
    let car = Species::new("car", 0).radius(CAR).max_speed(1.0e-3).immovable();
    let scene = Scene::new(World::torus(SIDE, SIDE)).non_penetration(4);
    let mut crowd = scene.species(walkers).species(car).build()?;
    let mut without = crowd.scene().build()?;

    let mut cars: Vec<AgentId> = Vec::new();
    for place in places(0) {
        cars.push(crowd.spawn("car", place, [1.0, 0.0])?);
    }
    let (mut worst, mut ratios) = (0.0_f32, Vec::new());
    for step in 0..STEPS {
        let places = places(step);
        let start = Instant::now();
        crowd.set_many(Vector::Position, &cars, &places)?;
        crowd.step()?;
        let with_cars = start.elapsed();
        let start = Instant::now();
        without.step()?;
        ratios.push(with_cars.as_secs_f64() / start.elapsed().as_secs_f64());
        // The first steps push out the walkers that start inside cars.
        if step > 20 {
            worst = worst.max(deepest(&crowd, &places)?);
        }
    }
    println!(
        "{CARS} cars drove {STEPS} units; no walker got deeper into one than {worst:.2} units"
    );
    ratios.sort_by(f64::total_cmp);
    println!("A step takes {:.2} times as long as without cars", ratios[ratios.len() / 2]);
    assert!(worst < 1.5);
    Ok(())
}
