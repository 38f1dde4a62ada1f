//! Saves a state, continues, loads the state and replays the same steps; then rewinds.

use flockwork::behaviors::{Seek, Separation};
use flockwork::{Scene, Simulation, Snapshot, Species, Target, World};

/// Steps between two kept snapshots.
const INTERVAL: u64 = 50;

/// Recorded player input: before each listed step, the lure moves to the given position.
const CLICKS: [(u64, [f32; 2]); 3] =
    [(20, [1_400.0, 800.0]), (180, [200.0, 100.0]), (260, [900.0, 700.0])];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fish = Species::new("fish", 1_000)
        .behavior(Separation::default())
        .behavior(Seek { weight: 1.0, target: Target::named("lure") });
    let scene =
        Scene::new(World::torus(1_600.0, 900.0)).species(fish).point("lure", [800.0, 450.0]);
    let mut crowd = scene.build()?;

    advance(&mut crowd, 100)?;
    let path = std::env::temp_dir().join(format!("flockwork-{}.snapshot", std::process::id()));
    crowd.snapshot().save(&path)?;
    advance(&mut crowd, 300)?;

    let loaded = Snapshot::load(&path)?;
    std::fs::remove_file(&path)?;
    let mut replayed = loaded.build()?;
    assert_eq!(replayed.tick(), 100);
    advance(&mut replayed, 300)?;
    println!("at step 300, directly: {:016x}", crowd.state_hash());
    println!("at step 300, from 100: {:016x}", replayed.state_hash());
    assert_eq!(crowd.state_hash(), replayed.state_hash());

    let mut crowd = scene.build()?;
    let (mut kept, mut hashes) = (Vec::new(), Vec::new());
    for tick in 0..=400 {
        advance(&mut crowd, tick)?;
        if tick % INTERVAL == 0 {
            kept.push(crowd.snapshot());
        }
        hashes.push(crowd.state_hash());
    }
    for tick in [399, 275, 42, 300] {
        go_to(&mut crowd, &kept, tick)?;
        println!("back at step {}: {:016x}", crowd.tick(), crowd.state_hash());
        assert_eq!(crowd.state_hash(), hashes[tick as usize]);
    }
    Ok(())
}

/// Steps to `tick` and repeats the recorded input, since snapshots contain states but no input.
fn advance(crowd: &mut Simulation, tick: u64) -> Result<(), flockwork::Error> {
    while crowd.tick() < tick {
        for (before, at) in CLICKS {
            if before == crowd.tick() {
                crowd.set_point("lure", at)?;
            }
        }
        crowd.step()?;
    }
    Ok(())
}

/// Restores the last snapshot at or before `tick`, and replays the steps after it.
fn go_to(crowd: &mut Simulation, kept: &[Snapshot], tick: u64) -> Result<(), flockwork::Error> {
    crowd.restore(&kept[(tick / INTERVAL) as usize]);
    advance(crowd, tick)
}
