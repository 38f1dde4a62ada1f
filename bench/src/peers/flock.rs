//! A complete flock built on zelll, the fastest of the compared crates.
//! It computes steps of workload W in scalar code, from the pairs that zelll finds.
//!
//! zelll does not support a torus. Birds near the left and lower edges therefore get images beyond
//! the opposite edges, and a pair across the seam consists of a bird and an image.
//!
//! Every repeat is checked against the engine. A test compares the sums over neighbors with sums
//! over all pairs in `f64`.

use std::mem::swap;

use flockwork::Simulation;
use zelll::CellGrid;

use crate::rungs::{Rules, SOFTENING, SPENT, Vec2, wrapped};

/// Relative distance from the edge of the view within which rounding decides whether a bird
/// is visible.
const EDGE_TOLERANCE: f64 = 1.0e-6;
/// Maximum distance per axis between a bird and its counterpart in the engine, in view distances.
const MAX_DRIFT: f32 = 1.0e-3;

pub struct ZelllFlock {
    rules: Rules,
    birds: Vec<Bird>,
    before: Vec<Bird>,
    seen: Vec<Seen>,
    /// Birds and their images. An image's index is its bird's index plus the number of birds.
    points: Vec<(usize, [f32; 2])>,
}

#[derive(Clone, Copy)]
struct Bird {
    id: usize,
    at: Vec2,
    heading: Vec2,
}

#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    count: u32,
    pushes: Vec2,
    headings: Vec2,
    offsets: Vec2,
}

impl ZelllFlock {
    pub const ID: &str = "zelll-flock";

    /// Copies the state of a crowd. Returns `None` if the crowd is not workload W
    /// or if agents were removed.
    pub fn of(crowd: &Simulation) -> Option<Self> {
        let rules = Rules::of(crowd)?;
        let state = crowd.agents();
        let bird = |slot: usize| Bird {
            id: state.index[slot] as usize,
            at: Vec2::new(state.x[slot], state.y[slot]),
            heading: Vec2::new(state.hx[slot], state.hy[slot]),
        };
        let birds: Vec<Bird> = (0..crowd.len()).map(bird).collect();
        let whole = birds.iter().all(|bird| bird.id < birds.len());
        whole.then(|| Self {
            rules,
            before: birds.clone(),
            seen: vec![Seen::default(); birds.len()],
            birds,
            points: Vec::new(),
        })
    }

    pub fn step(&mut self) {
        self.sum_neighbors();
        swap(&mut self.birds, &mut self.before);
        for ((bird, before), seen) in self.birds.iter_mut().zip(&self.before).zip(&self.seen) {
            *bird = before.moved(before.force(seen, &self.rules), &self.rules);
        }
    }

    fn sum_neighbors(&mut self) {
        self.place_images();
        self.seen.fill(Seen::default());
        let (birds, size, count) = (&self.birds, self.rules.size, self.birds.len());
        let view_sq = self.rules.view * self.rules.view;
        // Build a new grid: rebuilding in place fails if the number of points
        // changes (zelll 0.5.0).
        let grid = CellGrid::new(self.points.iter().copied(), self.rules.view);
        for (&(i, a), &(j, b)) in grid.particle_pairs() {
            // In a small world, zelll also pairs birds with images that are not the nearest,
            // and images with each other.
            let is_nearest =
                (a[0] - b[0]).abs() <= 0.5 * size.x && (a[1] - b[1]).abs() <= 0.5 * size.y;
            if !is_nearest || i.min(j) >= count {
                continue;
            }
            let (i, j) = (i % count, j % count);
            let offset = nearest_offset(birds[i].at, birds[j].at, size);
            let distance_sq = offset.x * offset.x + offset.y * offset.y;
            if distance_sq < view_sq {
                let push = offset * (1.0 / (distance_sq + SOFTENING));
                self.seen[i].add(push, birds[j].heading, offset);
                self.seen[j].add(-push, birds[i].heading, -offset);
            }
        }
    }

    /// Lists all positions, plus images of the birds near the left and lower edges.
    /// These images are enough to find every pair across the seam once.
    fn place_images(&mut self) {
        let Rules { size, view, .. } = self.rules;
        self.points.clear();
        self.points.extend(self.birds.iter().map(|bird| [bird.at.x, bird.at.y]).enumerate());
        for (owner, Bird { at, .. }) in self.birds.iter().enumerate() {
            let (left, low, high) = (at.x < view, at.y < view, at.y > size.y - view);
            for (is_near, [x, y]) in [
                (left, [at.x + size.x, at.y]),
                (low, [at.x, at.y + size.y]),
                (left && low, [at.x + size.x, at.y + size.y]),
                (left && high, [at.x + size.x, at.y - size.y]),
            ] {
                if is_near {
                    self.points.push((owner + self.birds.len(), [x, y]));
                }
            }
        }
    }
}

impl Seen {
    fn add(&mut self, push: Vec2, heading: Vec2, offset: Vec2) {
        self.count += 1;
        self.pushes = self.pushes + push;
        self.headings = self.headings + heading;
        self.offsets = self.offsets + offset;
    }
}

impl Bird {
    fn force(&self, seen: &Seen, rules: &Rules) -> Vec2 {
        if seen.count == 0 {
            return Vec2::default();
        }
        let [separation, alignment, cohesion] = rules.weights;
        let mean_heading = seen.headings * (1.0 / seen.count as f32);
        let toward = unit(seen.offsets) * rules.max_speed - self.heading * rules.max_speed;
        let forces = [
            -seen.pushes * separation,
            (mean_heading - self.heading) * alignment,
            unit(toward) * cohesion,
        ];
        let mut total = Vec2::default();
        for force in forces {
            let (remaining, size) = (rules.max_force - length(total), length(force));
            if remaining <= rules.max_force * SPENT {
                break;
            }
            total = total + if size > remaining { force * (remaining / size) } else { force };
        }
        total
    }

    fn moved(&self, force: Vec2, rules: &Rules) -> Self {
        let &Rules { size, max_speed, mass, dt, .. } = rules;
        let heading = unit(self.heading * max_speed + force * (dt / mass));
        let at = self.at + heading * (max_speed * dt);
        Self { at: Vec2::new(wrapped(at.x, size.x), wrapped(at.y, size.y)), heading, ..*self }
    }
}

fn length(vector: Vec2) -> f32 {
    (vector.x * vector.x + vector.y * vector.y).sqrt()
}

fn unit(vector: Vec2) -> Vec2 {
    let length = length(vector);
    if length > 0.0 { vector * (1.0 / length) } else { vector }
}

pub(crate) fn nearest_offset(from: Vec2, to: Vec2, size: Vec2) -> Vec2 {
    // Near the seam, subtracting the world size from the larger coordinate is exact.
    let along = |from: f32, to: f32, size: f32| match to - from {
        offset if offset > 0.5 * size => (to - size) - from,
        offset if offset < -0.5 * size => to - (from - size),
        offset => offset,
    };
    Vec2::new(along(from.x, to.x, size.x), along(from.y, to.y, size.y))
}

impl ZelllFlock {
    /// Runs the engine for `steps` steps and compares it with the flock, which has taken the same
    /// steps. Fails unless the last step's total neighbor count and all positions agree.
    pub fn verify(&self, engine: &mut Simulation, steps: u64) -> Result<(), String> {
        let refused = |error: flockwork::Error| error.to_string();
        engine.run(steps - 1).map_err(refused)?;
        let expected = (engine.census().mean_neighbors * engine.len() as f64).round();
        let found: f64 = self.seen.iter().map(|seen| f64::from(seen.count)).sum();
        if (found - expected).abs() > 2.0 + EDGE_TOLERANCE * expected {
            return Err(format!("sees {found} neighbors, but the engine sees {expected}"));
        }
        engine.step().map_err(refused)?;
        self.verify_state(engine)
    }

    fn verify_state(&self, engine: &Simulation) -> Result<(), String> {
        let state = engine.agents();
        let mut agents = vec![self.rules.size; self.birds.len()];
        for (slot, &id) in state.index.iter().enumerate().take(engine.len()) {
            agents[id as usize] = Vec2::new(state.x[slot], state.y[slot]);
        }
        let far = |a: f32, b: f32, size: f32| {
            let offset = (a - b).abs();
            offset.min(size - offset) > MAX_DRIFT * self.rules.view
        };
        let strayed = |bird: &&Bird| {
            let (agent, size) = (agents[bird.id], self.rules.size);
            far(bird.at.x, agent.x, size.x) || far(bird.at.y, agent.y, size.y)
        };
        match self.birds.iter().filter(strayed).count() {
            0 => Ok(()),
            count => Err(format!("places {count} birds elsewhere than the engine does")),
        }
    }
}

#[cfg(test)]
mod tests {
    use flockwork::Scene;

    use super::*;

    const CHECKED: usize = 30;
    /// Tolerance for sums over neighbors, relative to the sum of the terms' absolute values.
    const SUM: f64 = 1.0e-5;

    impl ZelllFlock {
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
                count[0] += u32::from(distance_sq < view_sq * (1.0 - EDGE_TOLERANCE));
                count[1] += u32::from(distance_sq < view_sq * (1.0 + EDGE_TOLERANCE));
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
                // Near the edge of the view, rounding decides whether the sums include a neighbor.
                if count[0] == count[1] && (f64::from(*found) - sum).abs() > SUM * scale {
                    return Err(format!("bird {id} has the sum {found}, but all pairs {sum}"));
                }
            }
            Ok(())
        }
    }

    fn crowd(agents: usize, seed: u64, warm_up: u64) -> Simulation {
        let scene = Scene::named("stress").map(|scene| scene.seed(seed).agents(agents));
        let mut crowd = scene.unwrap().build().unwrap();
        crowd.run(warm_up).unwrap();
        crowd
    }

    fn verified(flock: &mut ZelllFlock, engine: &mut Simulation, steps: u64) -> Result<(), String> {
        (0..steps).for_each(|_| flock.step());
        for k in (0..flock.before.len()).step_by(flock.before.len() / CHECKED + 1) {
            flock.verify_sums(k)?;
        }
        flock.verify(engine, steps)
    }

    #[test]
    fn the_flock_sees_and_does_what_the_engine_does_whatever_its_size() {
        for agents in [1, 2, 3, 8, 17, 32, 60, 100, 333, 2_500, 20_000] {
            for (seed, warm_up) in [(1, 3), (2, 3), (3, 300)] {
                let mut engine = crowd(agents, seed, if agents > 500 { 3 } else { warm_up });
                let mut flock = ZelllFlock::of(&engine).unwrap();
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
        let wrong = |change: fn(&mut ZelllFlock)| {
            let mut engine = crowd(500, 1, 3);
            let mut flock = ZelllFlock::of(&engine).unwrap();
            flock.step();
            change(&mut flock);
            flock.verify_sums(0).and_then(|()| flock.verify(&mut engine, 1)).unwrap_err()
        };
        assert!(wrong(|flock| flock.seen[0].count += 1).contains("neighbors, but"));
        assert!(wrong(|flock| flock.seen[0].offsets.x *= 1.001).contains("but all pairs"));
        assert!(wrong(|flock| flock.seen[1].count += 3).contains("but the engine"));
        assert!(wrong(|flock| flock.birds[7].at.x += 1.0).starts_with("places 1 birds elsewhere"));
    }
}
