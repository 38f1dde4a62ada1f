use std::f64::consts::PI;

use crate::behaviors::{Behavior, Neighborhood};
use crate::crowd::SortedCrowd;
use crate::reference::force;
use crate::reference::random::{DITHER, PUSH_APART};
use crate::reference::solid::stopped;
use crate::reference::vector::V;
use crate::reference::vehicle::Vehicle;
use crate::scene::species::{Combine, Locomotion, Species};
use crate::world::Topology;

/// The result of one step of an agent, in `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReferenceStep {
    /// Combined steering force, in mass · units/s². In flat worlds, the third component of this
    /// vector and of the vectors below is 0.
    pub force: [f64; 3],
    /// Position after the step, in world units.
    pub position: [f64; 3],
    /// Velocity after the step, in units/s.
    pub velocity: [f64; 3],
    /// Unit heading after the step.
    pub heading: [f64; 3],
    /// Wander target after the step, in the agent's own frame; 0 without wander.
    pub wander: [f64; 3],
    /// Index of the next waypoint after the step, from 0; 0 without path following.
    pub waypoint: usize,
    /// True once the agent has been on the near side of that waypoint's plane.
    pub approaches: bool,
    /// Seconds for which the agent keeps hiding from a hunter that is out of sight;
    /// 0 if no behavior uses this time.
    pub alert: f64,
    /// Position where the nearest hunter was last seen, in world units; 0 if no behavior uses it.
    pub hunter: [f64; 3],
    /// Number of neighbors that the agent saw.
    pub neighbors: usize,
    /// Smallest relative margin of any comparison that affects the result, such as whether an agent
    /// is in view. If the margin is only a few `f32` rounding errors, the engine and the
    /// reference may disagree even though both are right.
    pub margin: f64,
}

pub(crate) fn whole_step(
    crowd: &SortedCrowd<'_>,
    species: &[Species],
    slot: usize,
    passes: u32,
) -> ReferenceStep {
    let vehicle = |slot| Vehicle::new(crowd, species, slot);
    if passes == 0 {
        return steer_and_move(&mut vehicle(slot));
    }
    let mut vehicles: Vec<_> = (0..crowd.len()).map(vehicle).collect();
    let mut steps: Vec<_> = vehicles.iter_mut().map(steer_and_move).collect();
    for _ in 0..passes {
        steps = push_apart(&vehicles, &steps, f64::from(crowd.max_push));
    }
    steps[slot]
}

/// Takes a step up to the point where agents are pushed apart (Reynolds 1999, "A Simple Vehicle
/// Model"; Buckland 2004).
fn steer_and_move(vehicle: &mut Vehicle<'_>) -> ReferenceStep {
    let neighbors = vehicle.neighbors(&Neighborhood::default()).len();
    let force = steer(vehicle);
    let accelerated = vehicle.velocity + drive(vehicle, force) * (vehicle.dt / vehicle.mass);
    let moves = accelerated.dot(accelerated) > 1.0e-8;
    let mut velocity = accelerated.truncated(vehicle.max_speed);
    let mut heading = if moves { accelerated.normalized() } else { vehicle.heading };
    if let Some(rate) = vehicle.species.max_turn_rate {
        vehicle.records_across(heading, vehicle.heading);
        heading = vehicle.heading.turned(heading, f64::from(rate) * vehicle.dt);
        if moves {
            velocity = heading * accelerated.dot(heading).clamp(0.0, vehicle.max_speed);
        }
    }
    if let Some(degrees) = vehicle.species.max_climb {
        let limit = f64::from(degrees).to_radians();
        if vehicle.less(limit.sin(), heading.z.abs()) {
            vehicle.records_left(heading);
            let left = V::left_of(heading);
            let level = V::flat(left.y, -left.x);
            heading =
                level * limit.cos() + V { z: limit.sin().copysign(heading.z), ..V::default() };
            if moves {
                velocity = heading * accelerated.dot(heading).clamp(0.0, vehicle.max_speed);
            }
        }
    }
    if vehicle.species.locomotion == Locomotion::ConstantSpeed {
        velocity = heading * vehicle.max_speed;
    }
    let mut end = vehicle.position + velocity * vehicle.dt;
    if vehicle.topology == Topology::Bounded {
        let edge = inside(vehicle, end);
        velocity = velocity.zip3(edge, end, |v, edge, end| if edge == end { v } else { 0.0 });
        end = edge;
    }
    let turn = vehicle.species.max_turn_rate.map_or(PI, |rate| f64::from(rate) * vehicle.dt);
    let is_free = vehicle.species.locomotion != Locomotion::ConstantSpeed
        && turn >= PI
        && vehicle.species.max_climb.is_none();
    if is_free && velocity != V::default() && vehicle.stays(end - vehicle.position) {
        let speeds_up = vehicle.less(vehicle.velocity.length(), velocity.length());
        if !speeds_up {
            (velocity, heading) = (V::default(), vehicle.heading);
        }
    }
    if vehicle.is_solid() {
        let slid;
        (end, slid) = stopped(vehicle, vehicle.position, end, velocity);
        if vehicle.species.locomotion != Locomotion::ConstantSpeed {
            velocity = slid;
        }
    }
    let position = inside(vehicle, end);
    ReferenceStep {
        force: force.into(),
        position: position.into(),
        velocity: velocity.into(),
        heading: heading.into(),
        wander: vehicle.wander.into(),
        waypoint: vehicle.waypoint,
        approaches: vehicle.approaches,
        alert: vehicle.alert,
        hunter: vehicle.hunter.into(),
        neighbors,
        margin: vehicle.margin.get(),
    }
}

/// Combines the steering forces (Buckland 2004, "Combining Steering Behaviors").
fn steer(vehicle: &mut Vehicle<'_>) -> V {
    let behaviors = &vehicle.species.behaviors;
    let combined = match vehicle.species.combine {
        Combine::Prioritized => prioritized(behaviors, vehicle),
        Combine::WeightedSum => behaviors.iter().map(|behavior| weighted(behavior, vehicle)).sum(),
        Combine::Dithered => dithered(behaviors, vehicle),
    };
    combined.truncated(vehicle.max_force)
}

fn weighted(behavior: &Behavior, vehicle: &mut Vehicle<'_>) -> V {
    force(behavior, vehicle) * vehicle.weight
}

fn prioritized(behaviors: &[Behavior], vehicle: &mut Vehicle<'_>) -> V {
    let mut total = V::default();
    for behavior in behaviors {
        let remaining = vehicle.max_force - total.length();
        if remaining <= 1.0e-6 * vehicle.max_force {
            break;
        }
        total = total + weighted(behavior, vehicle).truncated(remaining);
    }
    total
}

/// In priority order, evaluates each behavior with its own probability, and returns the first
/// nonzero force (Reynolds 1999, "Combining Behaviors").
fn dithered(behaviors: &[Behavior], vehicle: &mut Vehicle<'_>) -> V {
    for (stream, behavior) in DITHER.zip(behaviors) {
        let probability = f64::from(vehicle.species.probability_of(behavior.name()));
        if (vehicle.random(stream, vehicle.tick).x + 1.0) / 2.0 >= probability {
            continue;
        }
        let force = force(behavior, vehicle) * vehicle.weight;
        if force.length() > 0.0 {
            return force;
        }
    }
    V::default()
}

fn drive(vehicle: &Vehicle<'_>, force: V) -> V {
    let Locomotion::CarLike { throttle, brake, steering } = vehicle.species.locomotion else {
        return force;
    };
    let [throttle, brake, steering] = [throttle, brake, steering].map(f64::from);
    let (across, side) = force.across(vehicle.heading);
    vehicle.records_across(force, vehicle.heading);
    let along = force.dot(vehicle.heading).clamp(-brake, throttle);
    vehicle.heading * along + side * across.clamp(-steering, steering)
}

fn inside(vehicle: &Vehicle<'_>, at: V) -> V {
    at.zip(vehicle.size, |x, size| match vehicle.topology {
        Topology::Torus if size > 0.0 => x.rem_euclid(size),
        Topology::Torus | Topology::Open => x,
        Topology::Bounded => x.clamp(0.0, size),
    })
}

/// Pushes each agent away from every agent that it overlaps, by half the overlap (Buckland 2004,
/// "Ensuring Zero Overlap"), or by all of it if the other agent is immovable. `vehicles` and
/// `steps` are in slot order.
fn push_apart(
    vehicles: &[Vehicle<'_>],
    steps: &[ReferenceStep],
    max_push: f64,
) -> Vec<ReferenceStep> {
    let mut pushed = steps.to_vec();
    for (slot, step) in pushed.iter_mut().enumerate() {
        let vehicle = &vehicles[slot];
        let vector = |[x, y, z]: [f64; 3]| V { x, y, z };
        let position = vector(step.position);
        let mut push = V::default();
        let pushes = |other: usize| other != slot && !vehicle.is_immovable;
        for (other, there) in steps.iter().enumerate().filter(|(other, _)| pushes(*other)) {
            let offset = vehicle.displacement(position, vector(there.position));
            let overlap = vehicle.radius + vehicles[other].radius - offset.length();
            if overlap <= 0.0 {
                continue;
            }
            let direction = if offset == V::default() {
                coincident_direction(vehicle, &vehicles[other])
            } else {
                // The closer together two agents are, the less reliable the direction between them
                // is.
                let far: f64 = there.position.into_iter().map(f64::abs).sum();
                step.margin = step.margin.min(offset.length() / far);
                offset.normalized()
            };
            let fraction = if vehicles[other].is_immovable { 1.0 } else { 0.5 };
            push = push - direction * (overlap * fraction);
            step.margin = step.margin.min(there.margin);
        }
        let mut pushed = position + push.truncated(max_push);
        if vehicle.topology == Topology::Bounded {
            pushed = inside(vehicle, pushed);
        }
        if vehicle.is_solid() {
            pushed = stopped(vehicle, position, pushed, V::default()).0;
        }
        step.margin = step.margin.min(vehicle.margin.get());
        step.position = inside(vehicle, pushed).into();
    }
    pushed
}

/// Direction from a vehicle to a coincident vehicle: the direction between two random points, one
/// drawn for each vehicle.
fn coincident_direction(vehicle: &Vehicle<'_>, other: &Vehicle<'_>) -> V {
    let drawn = |v: &Vehicle<'_>| v.random(PUSH_APART, 0);
    let direction = (drawn(other) - drawn(vehicle)).normalized();
    if direction != V::default() {
        return direction;
    }
    V::flat(if vehicle.index < other.index { 1.0 } else { -1.0 }, 0.0)
}
