//! The oracle: the specification in `f64`, one agent, every other agent, no cleverness.
//!
//! It shares no arithmetic with the kernels and their twins: no sweep, no grid, no fused
//! operations, displacements by the textbook minimum image. Bit equality between kernel and
//! twin shows that they agree; agreement with the oracle shows that they are right.

use crate::crowd::Crowd;
use crate::random::{self, Stream};
use crate::reference::agent::value;
use crate::species::{Combine, Locomotion, Species};
use crate::target::Target;
use crate::vec2::Vec2;
use crate::world::Topology;

mod behaviors;

type V = [f64; 2];

fn add(a: V, b: V) -> V {
    [a[0] + b[0], a[1] + b[1]]
}
fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1]]
}
fn scale(a: V, k: f64) -> V {
    [a[0] * k, a[1] * k]
}
fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}
fn cross(a: V, b: V) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}
fn perp(a: V) -> V {
    [-a[1], a[0]]
}
fn length(a: V) -> f64 {
    dot(a, a).sqrt()
}
fn norm(a: V) -> V {
    let length = length(a);
    if length > 0.0 { scale(a, 1.0 / length) } else { [0.0, 0.0] }
}
fn truncate(a: V, max: f64) -> V {
    if length(a) > max { scale(norm(a), max) } else { a }
}

/// What an agent does in one step, in `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OracleStep {
    /// The combined steering force.
    pub force: [f64; 2],
    /// Position after the step, in world units.
    pub position: [f64; 2],
    /// Velocity after the step, in units/s.
    pub velocity: [f64; 2],
    /// Unit heading after the step.
    pub heading: [f64; 2],
    /// How many neighbors the agent saw.
    pub neighbors: usize,
    /// The smallest relative difference in any comparison that decides something: whether an
    /// agent is in view, whether an obstacle is in the way, which one is nearest. Below a few
    /// f32 roundings, engine and oracle may rightly disagree.
    pub margin: f64,
}

/// One agent as the oracle sees it.
pub(crate) struct Oracle<'a> {
    crowd: &'a Crowd<'a>,
    species: &'a Species,
    slot: usize,
    wander: V,
    alert: f64,
    /// Slots of the neighbors.
    neighbors: Vec<usize>,
    margin: f64,
}

impl<'a> Oracle<'a> {
    pub(crate) fn new(crowd: &'a Crowd<'a>, slot: usize) -> Self {
        let species = &crowd.kinds[crowd.kind_of(slot)].species;
        let mut oracle = Self {
            crowd,
            species,
            slot,
            wander: [0.0; 2],
            alert: crowd.motion.alert.get(slot).copied().map_or(0.0, f64::from),
            neighbors: Vec::new(),
            margin: f64::MAX,
        };
        if let (Some(&x), Some(&y)) =
            (crowd.motion.wander_x.get(slot), crowd.motion.wander_y.get(slot))
        {
            oracle.wander = [x, y].map(f64::from);
        }
        oracle.look_around();
        oracle
    }

    fn look_around(&mut self) {
        let half_view = f64::from(self.species.field_of_view / 2.0).to_radians();
        for other in (0..self.crowd.len()).filter(|&other| other != self.slot) {
            let to = self.displacement(self.position(), self.position_of(other));
            let mut view = f64::from(self.species.view_distance);
            if self.species.view_includes_radius {
                view += self.radius_of(other);
            }
            self.margin = self.margin.min((length(to) / view - 1.0).abs());
            if length(to) >= view {
                continue;
            }
            if self.species.field_of_view < 360.0 && length(to) > 0.0 {
                let cos = dot(self.heading(), norm(to));
                self.margin = self.margin.min((cos - half_view.cos()).abs());
                if cos < half_view.cos() {
                    continue;
                }
            }
            self.neighbors.push(other);
        }
    }

    /// The whole step of this agent.
    pub(crate) fn step(mut self) -> OracleStep {
        let force = self.combined();
        let dt = f64::from(self.crowd.dt);
        let mass = f64::from(value(&self.crowd.traits.mass, self.slot, self.species.mass));
        let pushed = add(self.velocity(), scale(self.driven(force), dt / mass));
        let mut velocity = truncate(pushed, self.max_speed());
        let mut heading = if dot(pushed, pushed) > 1.0e-8 { norm(pushed) } else { self.heading() };
        if let Some(rate) = self.species.max_turn_rate {
            heading = turn(self.heading(), heading, f64::from(rate) * dt);
            if dot(pushed, pushed) > 1.0e-8 {
                velocity = scale(heading, length(velocity));
            }
        }
        if self.species.locomotion == Locomotion::ConstantSpeed {
            velocity = scale(heading, self.max_speed());
        }
        let mut position = add(self.position(), scale(velocity, dt));
        let size = self.crowd.space.size;
        for (axis, size) in [f64::from(size.x), f64::from(size.y)].into_iter().enumerate() {
            match self.crowd.space.topology {
                Topology::Open => {}
                Topology::Torus => position[axis] = position[axis].rem_euclid(size),
                Topology::Bounded => {
                    if !(0.0..=size).contains(&position[axis]) {
                        position[axis] = position[axis].clamp(0.0, size);
                        velocity[axis] = 0.0;
                    }
                }
            }
        }
        OracleStep {
            force,
            position,
            velocity,
            heading,
            neighbors: self.neighbors.len(),
            margin: self.margin,
        }
    }

    /// The force after the locomotion's limits.
    fn driven(&self, force: V) -> V {
        let Locomotion::CarLike { throttle, brake, steering } = self.species.locomotion else {
            return force;
        };
        let [throttle, brake, steering] = [throttle, brake, steering].map(f64::from);
        let side = perp(self.heading());
        let forward = dot(force, self.heading()).clamp(-brake, throttle);
        let lateral = dot(force, side).clamp(-steering, steering);
        add(scale(self.heading(), forward), scale(side, lateral))
    }

    fn combined(&mut self) -> V {
        let species = self.species;
        let max_force =
            f64::from(value(&self.crowd.traits.max_force, self.slot, species.max_force));
        let mut total = [0.0; 2];
        if species.combine == Combine::Dithered {
            return truncate(self.dithered(), max_force);
        }
        for behavior in &species.behaviors {
            let remaining = max_force - length(total);
            if species.combine == Combine::Prioritized && remaining <= 1.0e-6 * max_force {
                break;
            }
            let force = scale(behavior.oracle_force(self), f64::from(behavior.weight()));
            total = match species.combine {
                Combine::Prioritized => add(total, truncate(force, remaining)),
                Combine::WeightedSum | Combine::Dithered => add(total, force),
            };
        }
        truncate(total, max_force)
    }

    fn dithered(&mut self) -> V {
        let species = self.species;
        let index = self.crowd.traits.index[self.slot];
        for (k, behavior) in (0..).zip(&species.behaviors) {
            let probability = f64::from(species.probability(behavior.name()));
            let (seed, tick) = (self.crowd.seed, self.crowd.tick);
            let [draw, _] = random::scalar_signed_units(seed, Stream::Dither(k), index, tick);
            if (f64::from(draw) + 1.0) / 2.0 < probability {
                let force = behavior.oracle_force(self);
                let weight = f64::from(behavior.weight());
                if length(force) * weight > 0.0 {
                    return scale(force, weight / probability);
                }
            }
        }
        [0.0; 2]
    }

    fn position_of(&self, slot: usize) -> V {
        [self.crowd.motion.x[slot], self.crowd.motion.y[slot]].map(f64::from)
    }
    fn position(&self) -> V {
        self.position_of(self.slot)
    }
    fn velocity_of(&self, slot: usize) -> V {
        let velocity = self.crowd.velocity(slot);
        [velocity.x, velocity.y].map(f64::from)
    }
    fn velocity(&self) -> V {
        self.velocity_of(self.slot)
    }
    fn heading_of(&self, slot: usize) -> V {
        [self.crowd.motion.hx[slot], self.crowd.motion.hy[slot]].map(f64::from)
    }
    fn heading(&self) -> V {
        self.heading_of(self.slot)
    }
    fn radius_of(&self, slot: usize) -> f64 {
        let species = &self.crowd.kinds[self.crowd.kind_of(slot)].species;
        f64::from(value(&self.crowd.traits.radius, slot, species.radius))
    }
    fn max_speed(&self) -> f64 {
        f64::from(value(&self.crowd.traits.max_speed, self.slot, self.species.max_speed))
    }

    /// The shortest way between two points.
    fn displacement(&self, from: V, to: V) -> V {
        let mut way = sub(to, from);
        if self.crowd.space.is_torus() {
            let size = [self.crowd.space.size.x, self.crowd.space.size.y].map(f64::from);
            for axis in 0..2 {
                way[axis] -= (way[axis] / size[axis]).round() * size[axis];
            }
        }
        way
    }

    /// Notes that the result hangs on which of two values is larger.
    fn decides(&mut self, a: f64, b: f64) {
        let scale = a.abs().max(b.abs()).max(f64::MIN_POSITIVE);
        self.margin = self.margin.min((a - b).abs() / scale);
    }

    fn way_to(&self, place: V) -> V {
        self.displacement(self.position(), place)
    }

    /// Position, velocity and heading of a target.
    fn target(&self, target: &Target) -> Option<(V, V, V)> {
        let pose = match target {
            Target::Own => self.crowd.own_pose(self.slot),
            shared => self.crowd.pose(shared),
        };
        let wide = |v: Vec2<f32>| [v.x, v.y].map(f64::from);
        pose.map(|pose| (wide(pose.position), wide(pose.velocity), wide(pose.heading)))
    }

    /// Center and radius of an obstacle.
    fn obstacle(&self, k: usize) -> (V, f64) {
        let obstacles = &self.crowd.scenery.obstacles;
        ([obstacles.x[k], obstacles.y[k]].map(f64::from), f64::from(obstacles.radius[k]))
    }

    /// Whether the agent sees what is at the end of `way`.
    fn sees(&self, way: V) -> bool {
        let half_view = f64::from(self.species.field_of_view / 2.0).to_radians();
        length(way) < f64::from(self.species.view_distance)
            && (self.species.field_of_view >= 360.0
                || length(way) == 0.0
                || dot(self.heading(), norm(way)) >= half_view.cos())
    }

    /// The ways to the neighbors.
    fn ways(&self) -> impl Iterator<Item = V> + '_ {
        self.neighbors
            .iter()
            .map(|&other| self.displacement(self.position(), self.position_of(other)))
    }

    fn mean_way(&self) -> V {
        scale(self.ways().fold([0.0; 2], add), 1.0 / self.neighbors.len() as f64)
    }

    fn push(&self) -> V {
        self.ways()
            .filter(|&way| length(way) > 0.0)
            .fold([0.0; 2], |sum, way| add(sum, scale(norm(way), -1.0 / length(way))))
    }

    fn mean_heading(&self) -> V {
        let sum = self.neighbors.iter().fold([0.0; 2], |sum, &j| add(sum, self.heading_of(j)));
        scale(sum, 1.0 / self.neighbors.len() as f64)
    }

    fn seek_way(&self, way: V) -> V {
        sub(scale(norm(way), self.max_speed()), self.velocity())
    }
}

/// `heading` turned towards `wanted` by at most `limit` radians.
fn turn(heading: V, wanted: V, limit: f64) -> V {
    let cross = heading[0] * wanted[1] - heading[1] * wanted[0];
    let angle = cross.atan2(dot(heading, wanted)).clamp(-limit, limit);
    let (sin, cos) = angle.sin_cos();
    norm([heading[0] * cos - heading[1] * sin, heading[0] * sin + heading[1] * cos])
}
