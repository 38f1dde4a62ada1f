//! A game loop: fixed time steps, spawning, drawing interpolated between the last two states, and
//! picking an agent with a click. Frames of irregular length stand in for a window.

use flockwork::behaviors::{Alignment, Cohesion, Separation, Wander};
use flockwork::{AgentOrder, Scene, Spawn, Species, Vector, World};

const FRAMES: [f64; 6] = [0.007, 0.016, 0.011, 0.034, 0.021, 0.3];

/// Frame times are clamped to this many seconds,
/// so that the crowd does not catch up on long pauses, e.g. while the window is dragged.
const MAX_FRAME_TIME: f64 = 0.1;

const CLICK: [f32; 2] = [800.0, 450.0];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fish = Species::new("fish", 2_000)
        .behavior(Separation::default())
        .behavior(Alignment::default())
        .behavior(Cohesion { weight: 40.0, ..Cohesion::default() })
        .behavior(Wander::default());
    let mut crowd = Scene::new(World::torus(1_600.0, 900.0)).species(fish).seed(7).build()?;

    let step = 1.0 / f64::from(crowd.scene().steps_per_second);
    let (mut before, mut now, mut drawn, mut picked) = (vec![], vec![], vec![], vec![]);
    crowd.get_all_into(Vector::Position, AgentOrder::Id, &mut before)?;
    let (mut accumulator, mut crossings) = (0.0, 0);
    for (frame, &frame_time) in FRAMES.iter().cycle().take(120).enumerate() {
        accumulator += f64::min(frame_time, MAX_FRAME_TIME);
        while accumulator >= step {
            // Spawn before recording `before`, so that both lists have the same agents.
            if crowd.tick().is_multiple_of(20) {
                let headings = [[1.0, 0.0], [-1.0, 1.0], [-1.0, -1.0]];
                crowd.spawn_many("fish", &Spawn::at(&[CLICK; 3]).headings(&headings))?;
            }
            crowd.get_all_into(Vector::Position, AgentOrder::Id, &mut before)?;
            crowd.step()?;
            accumulator -= step;
        }
        crowd.get_all_into(Vector::Position, AgentOrder::Id, &mut now)?;
        crowd.interpolate_into(&before, &now, (accumulator / step) as f32, &mut drawn)?;

        if frame == 0 {
            crowd.nearest_agents_into(CLICK, 1, Some("fish"), &mut picked)?;
        }
        if let Some(id) = picked.first().filter(|_| frame < FRAMES.len()) {
            // No agent is ever removed, so an agent's row in the list equals the index of its id.
            let [x, y] = drawn[id.index as usize];
            println!("{id} after step {:2} drawn at ({x:.2}, {y:.2})", crowd.tick());
        }
        let far = |(a, b): &(&[f32; 2], &[f32; 2])| (b[0] - a[0]).hypot(b[1] - a[1]) > 450.0;
        crossings += before.iter().zip(&now).filter(far).count();
    }
    println!("{} steps, {} fish; {crossings} crossed the edge", crowd.tick(), crowd.len());
    assert!(!picked.is_empty() && crossings > 0 && crowd.len() > 2_000);
    Ok(())
}
