//! Opens a crowd in a world with the window's aspect ratio,
//! and lets it form flocks before the first frame.

use std::time::{Duration, Instant};

use flockwork::{Scene, World};

use super::Session;

/// Simulated seconds that a flocking crowd gets before it is first shown.
const SECONDS: f32 = 5.0;
/// Maximum real time for the steps before the first frame. Large crowds take fewer steps.
const MAX_TIME: Duration = Duration::from_millis(900);

/// Reshapes a world whose size depends on the number of agents, because the engine would make it
/// square. `aspect_ratio` is width divided by height.
pub(super) fn with_aspect_ratio(scene: Scene, aspect_ratio: f32) -> Scene {
    let Some(neighbors) = scene.world.mean_neighbors else { return scene };
    let Some(kind) = scene.species.first() else { return scene };
    let agents = scene.agent_count().max(1) as f32;
    let side = kind.view_distance * (agents * std::f32::consts::PI / neighbors).sqrt();
    let world = World {
        width: Some(side * aspect_ratio.sqrt()),
        height: Some(side / aspect_ratio.sqrt()),
        mean_neighbors: None,
        ..scene.world
    };
    Scene { world, ..scene }
}

impl Session {
    /// Takes steps before the first frame if the crowd flocks. An error is ignored here: the next
    /// step reports it again.
    pub(super) fn form_flocks(&mut self) {
        let scene = self.simulation.scene();
        let flocks =
            scene.species.iter().flat_map(|kind| &kind.behaviors).any(|behavior| {
                ["alignment", "cohesion", "flock_rules"].contains(&behavior.name())
            });
        let steps = if flocks { (SECONDS * scene.steps_per_second) as u64 } else { 0 };
        let start = Instant::now();
        while self.simulation.tick() < steps && start.elapsed() < MAX_TIME {
            if self.simulation.step().is_err() {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: the world was square, and the window showed it almost twice.
    #[test]
    fn a_world_whose_size_follows_from_its_agents_has_the_windows_shape() {
        let scene = Scene::named("stress").unwrap().agents(1_000);
        let [side, _] = scene.build().unwrap().world_size();
        for aspect_ratio in [0.5, 1.0, 1.78] {
            let [width, height] =
                with_aspect_ratio(scene.clone(), aspect_ratio).build().unwrap().world_size();
            assert!((width / height / aspect_ratio - 1.0).abs() < 1.0e-5);
            assert!((width * height / (side * side) - 1.0).abs() < 1.0e-5, "as many neighbors");
        }
        let flock = Scene::named("flock").unwrap();
        assert_eq!(with_aspect_ratio(flock.clone(), 1.78), flock, "its size is given");
    }

    #[test]
    fn only_crowds_that_flock_take_steps_before_the_first_frame() {
        for (name, steps) in [("flock", 300), ("flock-rules", 300), ("seek", 0), ("hide", 0)] {
            let mut session = Session::named(name);
            session.form_flocks();
            let tick = session.simulation.tick();
            assert!(tick <= steps && (tick > 0) == (steps > 0), "{name}: {tick}");
        }
    }
}
