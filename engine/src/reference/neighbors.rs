use std::f64::consts::FRAC_1_SQRT_2;

use crate::behaviors::{
    Alignment, Cohesion, CollisionAvoidance, FlockRules, Separation, VelocityMatching,
};
use crate::reference::targets::seek_along;
use crate::reference::vector::V;
use crate::reference::vehicle::{Body, Vehicle};

/// Added to squared distances, in units², to avoid dividing by 0 when agents coincide.
const SOFTENING: f64 = 1.0e-12;

fn mean(neighbors: &[Body], quantity: impl Fn(&Body) -> V) -> Option<V> {
    let sum: V = neighbors.iter().map(quantity).sum();
    (!neighbors.is_empty()).then(|| sum * (1.0 / neighbors.len() as f64))
}

fn mean_offset(vehicle: &Vehicle<'_>, neighbors: &[Body]) -> Option<V> {
    mean(neighbors, |neighbor| vehicle.offset_to(neighbor.position))
}

pub(super) fn separation(separation: &Separation, vehicle: &mut Vehicle<'_>) -> V {
    push(vehicle, &vehicle.neighbors(&separation.neighborhood))
}

fn push(vehicle: &Vehicle<'_>, neighbors: &[Body]) -> V {
    let offsets = neighbors.iter().map(|neighbor| vehicle.offset_to(neighbor.position));
    offsets.map(|offset| offset * (-1.0 / (offset.dot(offset) + SOFTENING))).sum()
}

pub(super) fn alignment(alignment: &Alignment, vehicle: &mut Vehicle<'_>) -> V {
    let neighbors = vehicle.neighbors(&alignment.neighborhood);
    let Some(mean) = mean(&neighbors, |neighbor| neighbor.heading) else { return V::default() };
    mean - vehicle.heading
}

pub(super) fn cohesion(cohesion: &Cohesion, vehicle: &mut Vehicle<'_>) -> V {
    let neighbors = vehicle.neighbors(&cohesion.neighborhood);
    let Some(offset) = mean_offset(vehicle, &neighbors) else { return V::default() };
    let force = seek_along(vehicle, offset);
    if cohesion.normalized { force.normalized() } else { force }
}

pub(super) fn velocity_matching(matching: &VelocityMatching, vehicle: &mut Vehicle<'_>) -> V {
    let neighbors = vehicle.neighbors(&matching.neighborhood);
    let Some(mean) = mean(&neighbors, |neighbor| neighbor.velocity) else { return V::default() };
    (mean - vehicle.velocity) * (1.0 / f64::from(matching.time_constant))
}

pub(super) fn flock_rules(rules: &FlockRules, vehicle: &mut Vehicle<'_>) -> V {
    let neighbors = vehicle.neighbors(&rules.neighborhood);
    let Some(heading) = mean(&neighbors, |neighbor| neighbor.heading) else { return V::default() };
    let Some(offset) = mean_offset(vehicle, &neighbors) else { return V::default() };
    let (alignment, cohesion) = (heading.normalized(), offset.normalized());
    let separation =
        if rules.near_separation { push(vehicle, &neighbors).normalized() } else { -cohesion };
    alignment * f64::from(rules.alignment)
        + cohesion * f64::from(rules.cohesion)
        + separation * f64::from(rules.separation)
}

/// Steers sideways to avoid the earliest predicted collision with a neighbor (Reynolds 1999,
/// "Unaligned collision avoidance"; OpenSteer, `steerToAvoidNeighbors`).
pub(super) fn collision_avoidance(avoidance: &CollisionAvoidance, vehicle: &mut Vehicle<'_>) -> V {
    let (mut earliest, mut threat) = (f64::from(avoidance.horizon), None);
    for neighbor in vehicle.neighbors(&avoidance.neighborhood) {
        let offset = vehicle.offset_to(neighbor.position);
        let velocity = neighbor.velocity - vehicle.velocity;
        let time = -offset.dot(velocity) / velocity.dot(velocity);
        let nearest = (offset + velocity * time).length();
        let room = vehicle.radius + neighbor.radius + f64::from(avoidance.margin);
        if time > 0.0 && vehicle.less(time, earliest) && vehicle.less(nearest, room) {
            (earliest, threat) = (time, Some((neighbor, offset)));
        }
    }
    let Some((threat, offset)) = threat else { return V::default() };
    let parallelness = vehicle.heading.dot(threat.heading);
    let avoided = if vehicle.less(parallelness, -FRAC_1_SQRT_2) {
        offset + threat.velocity * earliest
    } else if vehicle.less(FRAC_1_SQRT_2, parallelness) {
        offset
    } else {
        threat.velocity
    };
    let (across, side) = avoided.across(vehicle.heading);
    vehicle.records_across(avoided, vehicle.heading);
    let on_left = vehicle.negative(-across, avoided.length());
    (if on_left { -side } else { side }) * vehicle.max_speed
}
