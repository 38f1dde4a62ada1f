//! Whether a crowd has come to rest: a scene that shows how agents arrive has nothing more to show
//! then, and starts again.

use flockwork::{Simulation, Value};

/// Larger crowds never rest all at once.
const MAX_AGENTS: usize = 10_000;
/// Slower agents rest, as a share of their species' max speed.
const SLOW: f32 = 0.01;
/// How long a crowd has to rest, in simulated seconds.
const DURATION: f32 = 2.0;

/// Watches a crowd.
#[derive(Debug, Default)]
pub(super) struct Rest {
    has_moved: bool,
    /// The step since which it has been at rest.
    since: Option<u64>,
}

impl Rest {
    /// Call this after a step; returns whether a crowd that moved has been at rest for a while.
    pub(super) fn after_step(&mut self, simulation: &Simulation) -> bool {
        if simulation.len() > MAX_AGENTS {
            return false;
        }
        if is_moving(simulation) {
            *self = Self { has_moved: true, since: None };
            return false;
        }
        let since = *self.since.get_or_insert(simulation.tick());
        let steps = simulation.tick().saturating_sub(since) as f32;
        self.has_moved && steps >= DURATION * simulation.scene().steps_per_second
    }
}

fn is_moving(simulation: &Simulation) -> bool {
    let kinds = &simulation.scene().species;
    let slow = |kind: usize| {
        SLOW * match kinds[kind].max_speed {
            Value::Shared(speed) | Value::Between([_, speed]) => speed,
        }
    };
    let slow: Vec<f32> = (0..kinds.len()).map(slow).collect();
    let species = simulation.agents().species;
    (0..simulation.len()).any(|slot| {
        let [vx, vy] = simulation.velocity_at(slot);
        let limit = slow[species.get(slot).map_or(0, |&kind| usize::from(kind))];
        vx * vx + vy * vy > limit * limit
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flockwork::Scene;

    #[test]
    fn a_crowd_that_arrives_comes_to_rest_and_one_that_wanders_never_does() {
        let rests = |scene: &str| {
            let mut crowd = Scene::named(scene).unwrap().build().unwrap();
            let mut rest = Rest::default();
            (0..3_000).any(|_| {
                crowd.step().unwrap();
                rest.after_step(&crowd)
            })
        };
        assert!(rests("arrive"));
        assert!(!rests("wander"));
    }
}
