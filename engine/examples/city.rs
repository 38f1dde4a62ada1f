//! A small game: scouts patrol between their own posts, zombies turn the citizens they catch, and
//! new citizens arrive at the gate.

use flockwork::behaviors::{Arrive, Evade, Pursuit, Separation, Wander};
use flockwork::{AgentId, Number, Scene, Simulation, Spawn, Species, Start, Target, Vector, World};

const SCOUTS: usize = 24;
const SECONDS: usize = 40;
/// Seconds that each scout has to reach its next post.
const WATCH: usize = 8;
const BITE: f32 = 6.0;
const GATE: [f32; 2] = [10.0, 300.0];

fn scene() -> Scene {
    let citizen = Species::new("citizen", 300)
        .max_speed([30.0, 60.0])
        .column("courage", [0.0, 0.5])
        .behavior(Evade { pursuer: Target::nearest("zombie"), ..Evade::default() })
        .behavior(Separation::default())
        .behavior(Wander::default());
    let zombie = Species::new("zombie", 6)
        .max_speed(45.0)
        .start(Start::in_circle([700.0, 300.0], 80.0))
        .behavior(Pursuit { evader: Target::nearest("citizen"), ..Pursuit::default() })
        .behavior(Wander::default());
    let scout = Species::new("scout", SCOUTS)
        .max_speed(150.0)
        .behavior(Arrive { target: Target::Own, ..Arrive::default() });
    let scene = Scene::new(World::bounded(1_000.0, 600.0)).non_penetration(1).seed(7);
    scene.species(citizen).species(zombie).species(scout)
}

fn members(crowd: &Simulation, species: usize) -> Vec<AgentId> {
    let of_species = |(id, number): (AgentId, &u8)| (usize::from(*number) == species).then_some(id);
    crowd.agents().ids().zip(crowd.agents().species).filter_map(of_species).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut crowd = scene().build()?;
    let scouts = members(&crowd, 2);
    // Posts on an ellipse along the walls, one per scout.
    let mut posts: Vec<[f32; 2]> = (0..SCOUTS)
        .map(|k| {
            let (sin, cos) = (k as f32 / SCOUTS as f32 * std::f32::consts::TAU).sin_cos();
            [500.0 + 460.0 * cos, 300.0 + 260.0 * sin]
        })
        .collect();
    let (mut zombies, mut caught) = (members(&crowd, 1), Vec::new());
    let mut born = Vec::new();
    for second in 0..SECONDS {
        if second.is_multiple_of(WATCH) {
            posts.rotate_left(1);
            crowd.set_many(Vector::OwnTarget, &scouts, &posts)?;
        }
        // Three braver citizens run in through the gate; their maximum speeds are drawn at random.
        let places = [-15.0, 0.0, 15.0].map(|aside| [GATE[0], GATE[1] + aside]);
        let velocities = [[30.0, 0.0]; 3];
        let arrivals = Spawn::at(&places).velocities(&velocities).column("courage", &[1.0; 3]);
        born.extend(crowd.spawn_many("citizen", &arrivals)?);
        for _ in 0..60 {
            crowd.step()?;
            for k in 0..zombies.len() {
                let at = crowd.get(Vector::Position, zombies[k])?;
                crowd.agents_within_into(at, BITE, Some("citizen"), &mut caught)?;
                crowd.change_species(&caught, "zombie")?;
                zombies.append(&mut caught);
            }
        }
    }

    let turned = born.iter().filter(|&&id| zombies.contains(&id)).count();
    println!(
        "{} citizens, {} zombies, {turned} of them came by the gate",
        members(&crowd, 0).len(),
        zombies.len()
    );
    for (&scout, post) in scouts.iter().zip(&posts) {
        let [x, y] = crowd.get(Vector::Position, scout)?;
        assert!((x - post[0]).hypot(y - post[1]) < 15.0, "{scout} is on its post");
    }
    assert_eq!(crowd.len(), 300 + 6 + SCOUTS + 3 * SECONDS, "nobody is lost");
    assert!(zombies.len() > 30 && turned > 0, "the bitten are zombies now");
    for &id in &born {
        // Per-agent attributes survive a change of species.
        assert_eq!(crowd.get(Number::Column("courage"), id)?, 1.0);
    }
    Ok(())
}
