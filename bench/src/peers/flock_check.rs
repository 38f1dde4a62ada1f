//! The flock over zelll against all pairs in `f64`, and against the engine.

use flockwork::Simulation;

use super::flock::{Bird, Flock};
use crate::rungs::Vec2;

/// Birds whose sums are compared with those over all pairs.
const CHECKED: usize = 30;
/// How far sums may be off, as a share of the lengths of their terms.
const SUM: f64 = 1.0e-5;
/// Rounding decides about pairs that are, relatively, closer than this to the edge of a view.
const EDGE: f64 = 1.0e-6;
/// How far birds may be from the engine's after a few steps, in view distances.
const STRAYED: f32 = 1.0e-3;

impl Flock {
    /// Fails unless the latest of `steps` steps saw what all pairs show and as much as the engine
    /// sees, and all of them led to where they lead the engine, which has not taken them yet.
    pub fn verify(&self, engine: &mut Simulation, steps: u64) -> Result<(), String> {
        for k in (0..self.before.len()).step_by(self.before.len() / CHECKED + 1) {
            self.verify_sums(k)?;
        }
        let refused = |error: flockwork::Error| error.to_string();
        engine.run(steps - 1).map_err(refused)?;
        let expected = (engine.census().mean_neighbors * engine.len() as f64).round();
        let found: f64 = self.seen.iter().map(|seen| f64::from(seen.count)).sum();
        if (found - expected).abs() > 2.0 + EDGE * expected {
            return Err(format!("sees {found} neighbors, but the engine {expected}"));
        }
        engine.step().map_err(refused)?;
        self.verify_state(engine)
    }

    /// Compares what a bird saw with all other birds.
    fn verify_sums(&self, k: usize) -> Result<(), String> {
        let (me, seen) = (self.before[k], self.seen[k]);
        let [width, height] = [self.rules.size.x, self.rules.size.y].map(f64::from);
        let view_sq = f64::from(self.rules.view).powi(2);
        let nearest = |offset: f64, size: f64| offset - size * (offset / size).round();
        let mut count = [0, 0];
        let (mut sums, mut scales) = ([0.0; 6], [0.0; 6]);
        for other in self.before.iter().filter(|other| other.id != me.id) {
            let x = nearest(f64::from(other.at.x) - f64::from(me.at.x), width);
            let y = nearest(f64::from(other.at.y) - f64::from(me.at.y), height);
            let distance_sq = x * x + y * y;
            if distance_sq < view_sq {
                let heading = [other.heading.x, other.heading.y].map(f64::from);
                let terms = [x / distance_sq, y / distance_sq, heading[0], heading[1], x, y];
                for ((sum, scale), term) in sums.iter_mut().zip(&mut scales).zip(terms) {
                    *sum += term;
                    *scale += term.abs();
                }
            }
            count[0] += u32::from(distance_sq < view_sq * (1.0 - EDGE));
            count[1] += u32::from(distance_sq < view_sq * (1.0 + EDGE));
        }
        let id = me.id;
        if !(count[0]..=count[1]).contains(&seen.count) {
            return Err(format!(
                "bird {id} sees {} neighbors, but {} are there",
                seen.count, count[0]
            ));
        }
        let found = [seen.pushes, seen.headings, seen.offsets].map(|sum| [sum.x, sum.y]);
        for ((found, sum), scale) in found.as_flattened().iter().zip(sums).zip(scales) {
            // With a bird at the edge of the view, sums may lack a term.
            if count[0] == count[1] && (f64::from(*found) - sum).abs() > SUM * scale {
                return Err(format!("bird {id} has the sum {found}, but all pairs {sum}"));
            }
        }
        Ok(())
    }

    /// Compares all birds with the agents of the engine.
    fn verify_state(&self, engine: &Simulation) -> Result<(), String> {
        let state = engine.agents();
        let mut agents = vec![self.rules.size; self.birds.len()];
        for (slot, &id) in state.index.iter().enumerate().take(engine.len()) {
            agents[id as usize] = Vec2::new(state.x[slot], state.y[slot]);
        }
        let far = |a: f32, b: f32, size: f32| {
            let offset = (a - b).abs();
            offset.min(size - offset) > STRAYED * self.rules.view
        };
        let strayed = |bird: &&Bird| {
            let (agent, size) = (agents[bird.id], self.rules.size);
            far(bird.at.x, agent.x, size.x) || far(bird.at.y, agent.y, size.y)
        };
        match self.birds.iter().filter(strayed).count() {
            0 => Ok(()),
            count => Err(format!("has {count} birds elsewhere than the engine")),
        }
    }
}

#[cfg(test)]
mod tests {
    use flockwork::Scene;

    use super::*;

    fn crowd(agents: usize, seed: u64, warm_up: u64) -> Simulation {
        let scene = Scene::named("stress").map(|scene| scene.seed(seed).agents(agents));
        let mut crowd = scene.unwrap().build().unwrap();
        crowd.run(warm_up).unwrap();
        crowd
    }

    fn verified(flock: &mut Flock, engine: &mut Simulation, steps: u64) -> Result<(), String> {
        (0..steps).for_each(|_| flock.step());
        flock.verify(engine, steps)
    }

    #[test]
    fn the_flock_sees_and_does_what_the_engine_does_whatever_its_size() {
        for agents in [1, 2, 3, 8, 17, 32, 60, 100, 333, 2_500, 20_000] {
            for (seed, warm_up) in [(1, 3), (2, 3), (3, 300)] {
                let mut engine = crowd(agents, seed, if agents > 500 { 3 } else { warm_up });
                let mut flock = Flock::of(&engine).unwrap();
                assert_eq!(
                    verified(&mut flock, &mut engine, 4),
                    Ok(()),
                    "{agents} agents, seed {seed}"
                );
            }
        }
    }

    #[test]
    fn a_flock_that_sees_or_does_something_else_is_found() {
        let wrong = |change: fn(&mut Flock)| {
            let mut engine = crowd(500, 1, 3);
            let mut flock = Flock::of(&engine).unwrap();
            flock.step();
            change(&mut flock);
            flock.verify(&mut engine, 1).unwrap_err()
        };
        assert!(wrong(|flock| flock.seen[0].count += 1).contains("neighbors, but"));
        assert!(wrong(|flock| flock.seen[0].offsets.x *= 1.001).contains("but all pairs"));
        assert!(wrong(|flock| flock.seen[1].count += 3).contains("but the engine"));
        assert!(wrong(|flock| flock.birds[7].at.x += 1.0).starts_with("has 1 birds elsewhere"));
    }
}
