//! Changes a running crowd: moves a target, adds and removes agents, sets the thread count and
//! handles refused calls.

use flockwork::behaviors::{Seek, Separation};
use flockwork::{ErrorKind, Scene, Simulation, Species, Target, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fish = Species::new("fish", 500)
        .behavior(Separation::default())
        .behavior(Seek { weight: 2.0, target: Target::named("lure") });
    let world = World::open(1_600.0, 900.0);
    let mut crowd = Scene::new(world).species(fish.clone()).point("lure", [0.0, 0.0]).build()?;

    let mut lure = [0.0, 0.0];
    for step in 0..600 {
        let (sin, cos) = (step as f32 * 0.005).sin_cos();
        lure = [800.0 + 300.0 * cos, 450.0 + 300.0 * sin];
        crowd.set_point("lure", lure)?;
        crowd.step()?;
    }
    println!("mean distance to the lure {:.0}", mean_distance(&crowd, lure));
    assert!(mean_distance(&crowd, lure) < 200.0);

    let added = crowd.spawn("fish", lure, [1.0, 0.0])?;
    crowd.step()?;
    println!("added {added}, now at {:?}", crowd.agent(added)?.position);

    let caught = crowd.agents_within(lure, 50.0, Some("fish"))?;
    crowd.remove_many(&caught)?;
    println!("removed {} near the lure, {} left", caught.len(), crowd.len());
    assert!(caught.contains(&added));
    assert_eq!(crowd.agent(added).unwrap_err().kind(), &ErrorKind::NoSuchAgent { id: added });

    crowd.set_execution(crowd.execution().threads(2))?;
    println!("{} of {} threads in use", crowd.threads_in_use(), crowd.execution().threads);

    if let Err(error) = crowd.set_species(&fish.max_speed(-1.0)) {
        println!("refused: {error}");
    }
    if let Err(error) = crowd.set_point("luer", lure) {
        println!("refused: {error}");
    }

    let stray = crowd.spawn("fish", [9_999_999.0, 0.0], [1.0, 0.0])?;
    let good = crowd.state_hash();
    let refused = crowd.step();
    assert_eq!(crowd.state_hash(), good);
    if let Err(error) = refused
        && let ErrorKind::Runaway { id, .. } = error.kind()
    {
        println!("refused: {error}");
        assert_eq!(*id, stray);
        crowd.remove(*id)?;
    }
    crowd.step()?;
    Ok(())
}

fn mean_distance(crowd: &Simulation, to: [f32; 2]) -> f32 {
    let agents = crowd.agents();
    let distances = agents.x.iter().zip(agents.y).map(|(x, y)| (x - to[0]).hypot(y - to[1]));
    distances.sum::<f32>() / crowd.len() as f32
}
