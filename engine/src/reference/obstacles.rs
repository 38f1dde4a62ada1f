use std::f64::consts::FRAC_PI_4;

use crate::behaviors::{Containment, Feelers, LookAhead, ObstacleAvoidance, WallAvoidance};
use crate::reference::vector::V;
use crate::reference::vehicle::Vehicle;
use crate::scenery::Segment;

pub(super) fn obstacle_avoidance(avoidance: &ObstacleAvoidance, vehicle: &mut Vehicle<'_>) -> V {
    let box_length = f64::from(avoidance.box_length) * (1.0 + vehicle.speed_share());
    let (mut least, mut nearest) = (f64::MAX, None);
    for (center, radius) in vehicle.obstacles() {
        let offset = vehicle.offset_to(center);
        let (x, (y, side)) = (offset.dot(vehicle.heading), offset.across(vehicle.heading));
        let expanded = radius + vehicle.radius;
        let met = vehicle.less(offset.length(), box_length + radius)
            && !vehicle.negative(x, expanded)
            && vehicle.less(y.abs(), expanded);
        if !met {
            continue;
        }
        let half = (expanded * expanded - y * y).sqrt();
        let hit = if vehicle.less(half, x) { x - half } else { x + half };
        if vehicle.less(hit, least) {
            (least, nearest) = (hit, Some((x, y, side, expanded, radius, offset)));
        }
    }
    let Some((x, y, side, expanded, radius, offset)) = nearest else { return V::default() };
    let strength = 1.0 + ((box_length - x) / box_length).max(0.0);
    let away = if vehicle.negative(y, expanded) { 1.0 } else { -1.0 };
    let lateral = away * (expanded - y.abs()) * strength;
    let braking = (radius - x).min(0.0) * 0.2;
    vehicle.records_across(offset, vehicle.heading);
    vehicle.heading * braking + side * lateral
}

pub(super) fn look_ahead(look: &LookAhead, vehicle: &mut Vehicle<'_>) -> V {
    let length = vehicle.speed_share() * f64::from(look.max_see_ahead);
    let ahead = vehicle.velocity.normalized() * length;
    let (mut least, mut nearest) = (f64::MAX, None);
    for (center, radius) in vehicle.obstacles() {
        let offset = vehicle.offset_to(center);
        let inside = |t: f64| !vehicle.less(radius, (offset - ahead * t).length());
        if [0.0, 0.5, 1.0].into_iter().any(inside) && vehicle.less(offset.length(), least) {
            (least, nearest) = (offset.length(), Some(offset));
        }
    }
    let Some(offset) = nearest else { return V::default() };
    (ahead - offset).normalized() * f64::from(look.max_avoid_force)
}

pub(super) fn wall_avoidance(avoidance: &WallAvoidance, vehicle: &mut Vehicle<'_>) -> V {
    let length = f64::from(avoidance.feeler_length);
    let half = length / 2.0;
    let level = match avoidance.feelers {
        Feelers::Three => vec![(0.0, length), (FRAC_PI_4, half), (-FRAC_PI_4, half)],
        Feelers::Sweeping => {
            let sweeps = vehicle.time / f64::from(avoidance.sweep_period);
            let swing = (sweeps.fract() - 0.5).abs() * 4.0 - 1.0;
            vec![(f64::from(avoidance.sweep_angle).to_radians() * swing, length)]
        }
    };
    let turned = |(angle, length): (f64, f64)| {
        let (along, aside) = (angle.cos(), angle.sin());
        (V::flat(along, aside).to_world(vehicle.heading) * length, length)
    };
    let feelers: Vec<(V, f64)> = level.into_iter().map(turned).collect();
    let pitched = |angle: f64| {
        let (x, z) = (angle.cos(), angle.sin());
        (V { x, z, ..V::default() }.to_world(vehicle.heading) * half, half)
    };
    let mut feelers_in_space = feelers.clone();
    if matches!(avoidance.feelers, Feelers::Three) {
        feelers_in_space.extend([pitched(FRAC_PI_4), pitched(-FRAC_PI_4)]);
    }
    if !(vehicle.scenery.walls.is_empty() && vehicle.scenery.triangles.is_empty()) {
        vehicle.records_left(vehicle.heading);
    }
    let (mut nearest, mut force) = (f64::MAX, V::default());
    for &Segment { from, to, behind, .. } in &vehicle.scenery.walls {
        let (from, to, two_sided) = (V::from_f32(from), V::from_f32(to), behind < 0.0);
        let wall = to - from;
        let mut normal = wall.quarter_turn().normalized();
        if two_sided && vehicle.negative((vehicle.position - from).dot(normal), length) {
            normal = -normal;
        }
        for &(feeler, length) in &feelers {
            let (offset, inverse) = (from - vehicle.position, 1.0 / feeler.cross(wall));
            let (t, u) = (offset.cross(wall) * inverse, offset.cross(feeler) * inverse);
            let within =
                |fraction| !vehicle.negative(fraction, 1.0) && !vehicle.less(1.0, fraction);
            let crosses = inverse.is_finite() && within(t) && within(u);
            if crosses && vehicle.less(t * length, nearest) {
                (nearest, force) = (t * length, normal * (length * (1.0 - t)));
            }
        }
    }
    for triangle in &vehicle.scenery.triangles {
        let [a, b, c] = triangle.corners.map(V::from_f32);
        let normal = (b - a).across_both(c - a);
        let height = (vehicle.position - a).dot(normal);
        let two_sided = triangle.behind < 0.0;
        for &(feeler, length) in &feelers_in_space {
            let t = -height / feeler.dot(normal);
            let hit = vehicle.position + feeler * t;
            let is_left_of = |from: V, to: V| {
                let inward = normal.across_both(to - from);
                !vehicle.negative(inward.dot(hit - from), length)
            };
            let crosses = t.is_finite()
                && !vehicle.negative(t, 1.0)
                && !vehicle.less(1.0, t)
                && is_left_of(a, b)
                && is_left_of(b, c)
                && is_left_of(c, a);
            if crosses && vehicle.less(t * length, nearest) {
                nearest = t * length;
                let is_behind = two_sided && vehicle.negative(height, length);
                let facing = if is_behind { -normal } else { normal };
                force = facing * (length * (1.0 - t));
            }
        }
    }
    force
}

pub(super) fn containment(containment: &Containment, vehicle: &mut Vehicle<'_>) -> V {
    let time = f64::from(containment.prediction);
    let margin = f64::from(containment.margin);
    let predicted = vehicle.position + vehicle.velocity * time;
    let back = |at: f64, size: f64| {
        if size == 0.0 {
            0.0
        } else if at < margin {
            (margin - at) / time
        } else if at > size - margin {
            (size - margin - at) / time
        } else {
            0.0
        }
    };
    predicted.zip(vehicle.size, back)
}
