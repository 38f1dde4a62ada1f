//! A whole flock as one would assemble it from the fastest of these crates: scalar steps of
//! workload W over the pairs that zelll finds.
//!
//! zelll knows no torus. So birds near two of the edges have images beyond the opposite ones, and a
//! pair across the seam is one of a bird and an image.

use std::mem::swap;

use flockwork::Simulation;
use zelll::CellGrid;

use crate::rungs::{Rules, SOFTENING, SPENT, Vec2, wrapped};

pub struct Flock {
    pub(super) rules: Rules,
    pub(super) birds: Vec<Bird>,
    /// The birds before the latest step, and what they saw.
    pub(super) before: Vec<Bird>,
    pub(super) seen: Vec<Seen>,
    /// The positions of all birds, and then of their images.
    points: Vec<(usize, [f32; 2])>,
    /// The birds of the images.
    owners: Vec<usize>,
}

#[derive(Clone, Copy)]
pub(super) struct Bird {
    pub(super) id: usize,
    pub(super) at: Vec2,
    pub(super) heading: Vec2,
}

/// Sums over the neighbors of a bird.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    pub(super) count: u32,
    pub(super) pushes: Vec2,
    pub(super) headings: Vec2,
    pub(super) offsets: Vec2,
}

impl Flock {
    /// The name in reports.
    pub const ID: &str = "zelll-flock";
    pub const ABOUT: &str = "a scalar flock over the pairs that the crate zelll finds, one thread";

    /// A flock in the state of a crowd; `None` if that is not workload W, or agents were removed.
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
            owners: Vec::new(),
        })
    }

    pub fn step(&mut self) {
        self.look();
        swap(&mut self.birds, &mut self.before);
        for ((bird, before), seen) in self.birds.iter_mut().zip(&self.before).zip(&self.seen) {
            *bird = before.moved(before.force(seen, &self.rules), &self.rules);
        }
    }

    /// Adds up what every bird sees.
    fn look(&mut self) {
        self.place();
        self.seen.fill(Seen::default());
        let (birds, size, count) = (&self.birds, self.rules.size, self.birds.len());
        let view_sq = self.rules.view * self.rules.view;
        // Rebuilding a grid in place fails if the number of points has changed (zelll 0.5.0).
        let grid = CellGrid::new(self.points.iter().copied(), self.rules.view);
        for (&(i, a), &(j, b)) in grid.particle_pairs() {
            // In a small world birds also meet farther images of each other, or only images meet.
            let is_nearest =
                (a[0] - b[0]).abs() <= 0.5 * size.x && (a[1] - b[1]).abs() <= 0.5 * size.y;
            if !is_nearest || i.min(j) >= count {
                continue;
            }
            let bird =
                |point: usize| if point < count { point } else { self.owners[point - count] };
            let (i, j) = (bird(i), bird(j));
            let offset = nearest_offset(birds[i].at, birds[j].at, size);
            let distance_sq = offset.x * offset.x + offset.y * offset.y;
            if distance_sq < view_sq {
                let push = offset * (1.0 / (distance_sq + SOFTENING));
                self.seen[i].add(push, birds[j].heading, offset);
                self.seen[j].add(-push, birds[i].heading, -offset);
            }
        }
    }

    /// Lists all positions, and images of the birds near the left and the lower edge, which is
    /// enough for every pair across the seam to be found once.
    fn place(&mut self) {
        let Rules { size, view, .. } = self.rules;
        self.points.clear();
        self.points.extend(self.birds.iter().map(|bird| [bird.at.x, bird.at.y]).enumerate());
        self.owners.clear();
        for (owner, Bird { at, .. }) in self.birds.iter().enumerate() {
            let (left, low, high) = (at.x < view, at.y < view, at.y > size.y - view);
            for (is_near, [x, y]) in [
                (left, [at.x + size.x, at.y]),
                (low, [at.x, at.y + size.y]),
                (left && low, [at.x + size.x, at.y + size.y]),
                (left && high, [at.x + size.x, at.y - size.y]),
            ] {
                if is_near {
                    self.owners.push(owner);
                    self.points.push((self.points.len(), [x, y]));
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
    /// The prioritized running sum of separation, alignment and cohesion.
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

    /// The bird after a step at its constant speed.
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

/// From a bird to the nearest image of another.
fn nearest_offset(from: Vec2, to: Vec2, size: Vec2) -> Vec2 {
    // The larger coordinate is moved, which near the seam is exact.
    let along = |from: f32, to: f32, size: f32| match to - from {
        offset if offset > 0.5 * size => (to - size) - from,
        offset if offset < -0.5 * size => to - (from - size),
        offset => offset,
    };
    Vec2::new(along(from.x, to.x, size.x), along(from.y, to.y, size.y))
}
