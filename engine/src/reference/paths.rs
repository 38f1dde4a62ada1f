use crate::behaviors::{Cruise, Deceleration, FlowFollowing, PathFollowing, StayOnPath, Wander};
use crate::reference::random::{SWAY, WANDER, WANDER_NOISE};
use crate::reference::route::{Around, RouteCell, RouteField};
use crate::reference::targets::{arrive_along, seek_along, settle_along};
use crate::reference::vector::V;
use crate::reference::vehicle::Vehicle;
use crate::world::Topology;

fn path(name: &str, vehicle: &Vehicle<'_>) -> Option<(Vec<V>, bool)> {
    let path = vehicle.scenery.path(name)?;
    Some((path.points.iter().map(|&point| V::from_f32(point)).collect(), path.closed))
}

pub(super) fn path_following(following: &PathFollowing, vehicle: &mut Vehicle<'_>) -> V {
    let Some((points, closed)) = path(&following.path, vehicle) else { return V::default() };
    let last = points.len() - 1;
    let mut waypoint = vehicle.waypoint.min(last);
    let has_passed = passes(&points, closed, waypoint, vehicle);
    let distance = (points[waypoint] - vehicle.position).length();
    if vehicle.less(distance, following.waypoint_distance.into()) || has_passed {
        waypoint = if closed { (waypoint + 1) % points.len() } else { last.min(waypoint + 1) };
        vehicle.approaches = false;
    }
    vehicle.waypoint = waypoint;
    let offset = points[waypoint] - vehicle.position;
    if waypoint == last && !closed {
        arrive_along(vehicle, offset, Deceleration::Normal)
    } else {
        seek_along(vehicle, offset)
    }
}

/// True if the vehicle, which was on the near side of the waypoint's plane, is now beyond the plane
/// and close enough to the waypoint. The plane bisects the angle between the path's two segments at
/// the waypoint.
fn passes(points: &[V], closed: bool, waypoint: usize, vehicle: &mut Vehicle<'_>) -> bool {
    let count = points.len();
    if waypoint + 1 == count && !closed {
        return false;
    }
    let onward = points[(waypoint + 1) % count] - points[waypoint];
    let inward = if waypoint == 0 && !closed {
        onward
    } else {
        points[waypoint] - points[(waypoint + count - 1) % count]
    };
    let normal = (inward.normalized() + onward.normalized()) * 0.5;
    if normal == V::default() {
        return false;
    }
    let offset = points[waypoint] - vehicle.position;
    let shorter = inward.length().min(onward.length());
    let is_beyond = vehicle.negative(offset.dot(normal), offset.length());
    let is_near = |vehicle: &Vehicle<'_>| {
        vehicle.negative(offset.length() - shorter * normal.length(), shorter)
    };
    let passes = vehicle.approaches && is_beyond && is_near(vehicle);
    vehicle.approaches |= !is_beyond;
    passes
}

pub(super) fn stay_on_path(stay: &StayOnPath, vehicle: &mut Vehicle<'_>) -> V {
    let Some((mut points, closed)) = path(&stay.path, vehicle) else { return V::default() };
    if closed {
        points.push(points[0]);
    }
    let predicted = vehicle.position + vehicle.velocity * f64::from(stay.prediction);
    let leg =
        |ends: &[V]| (ends[0], (ends[1] - ends[0]).normalized(), (ends[1] - ends[0]).length());
    let legs: Vec<(V, V, f64)> = points.windows(2).map(leg).collect();
    let whole: f64 = legs.iter().map(|(_, _, length)| length).sum();
    let (mut least, mut nearest, mut start) = (f64::MAX, 0.0, 0.0);
    for (k, &(from, direction, length)) in legs.iter().enumerate() {
        // Skip a leg that retraces an earlier leg in reverse: the earlier leg is equally near.
        if points[..=k].windows(2).any(|earlier| *earlier == [points[k + 1], points[k]]) {
            start += length;
            continue;
        }
        let along = (predicted - from).dot(direction).clamp(0.0, length);
        let distance = (predicted - (from + direction * along)).length();
        let at = if closed && start + along == whole { 0.0 } else { start + along };
        // Two legs are equally near at the corner that they share, and there they lead to the same
        // goal.
        if at == nearest {
            least = least.min(distance);
        } else if vehicle.less_at(distance, least, length) {
            (least, nearest) = (distance, at);
        }
        start += length;
    }
    if !vehicle.less(stay.radius.into(), least) {
        return V::default();
    }
    let mut left = nearest + f64::from(stay.ahead);
    left = if closed { left.rem_euclid(whole) } else { left.min(whole) };
    let mut goal = points[0];
    for (from, direction, length) in legs {
        goal = from + direction * left.min(length);
        if left <= length {
            break;
        }
        left -= length;
    }
    seek_along(vehicle, goal - vehicle.position)
}

pub(super) fn flow_following(follow: &FlowFollowing, vehicle: &mut Vehicle<'_>) -> V {
    if let Some(name) = &follow.route {
        let route = RouteField::named(name, vehicle);
        return route.map_or(V::default(), |route| route_following(follow, &route, vehicle));
    }
    let Some(flow) = vehicle.scenery.flow(follow.flow.as_deref()) else { return V::default() };
    let torus = vehicle.topology == Topology::Torus;
    let (columns, rows) = (f64::from(flow.count.x), f64::from(flow.count.y));
    // Positions are in cells, measured from the center of the first cell. Beyond the outermost cell
    // centers, the field wraps around on a torus and is constant in other worlds.
    let cells = |at: f64, size: f64, count: f64| {
        let at = at / size * count - 0.5;
        if torus { at } else { at.clamp(0.0, count - 1.0) }
    };
    let inside = |cell: f64, count: f64| {
        if torus { cell.rem_euclid(count) } else { cell.min(count - 1.0) }
    };
    let x = cells(vehicle.position.x, vehicle.size.x, columns);
    let y = cells(vehicle.position.y, vehicle.size.y, rows);
    let weighted = |(right, above): (f64, f64)| {
        let (column, row) = (x.floor() + right, y.floor() + above);
        let weight = (1.0 - (x - column).abs()) * (1.0 - (y - row).abs());
        let [[cell, _], _] =
            flow.around(inside(column, columns) as f32, inside(row, rows) as f32)[0];
        let [along_x, along_y, ..] = *cell;
        V::from_f32([along_x, along_y]) * weight
    };
    let direction: V =
        [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].into_iter().map(weighted).sum();
    direction * vehicle.max_speed - vehicle.velocity
}

fn route_following(follow: &FlowFollowing, route: &RouteField, vehicle: &Vehicle<'_>) -> V {
    let Around { corners, fractions: [right, above], scale } = route.around(vehicle.position);
    if corners.iter().any(|corner| !corner.is_certain) {
        vehicle.records_tie();
    }
    let mut direction = corners[0].direction * ((1.0 - right) * (1.0 - above))
        + corners[1].direction * (right * (1.0 - above))
        + corners[2].direction * ((1.0 - right) * above)
        + corners[3].direction * (right * above);
    let is_right = !vehicle.less_at(right, 0.5, scale);
    let is_above = !vehicle.less_at(above, 0.5, scale);
    let RouteCell { direction: nearest, rest, .. } =
        corners[usize::from(is_right) + 2 * usize::from(is_above)];
    if vehicle.less(direction.dot(direction), 0.25) && vehicle.less(route.close(), rest) {
        direction = nearest;
    }
    let aside = coherent_noise(vehicle, SWAY, 2.0).x * f64::from(follow.sway).to_radians().tan();
    let swaying = direction + V::flat(-direction.y, direction.x) * aside;
    settle_along(vehicle, swaying * (1.0 / aside.hypot(1.0)), rest)
}

pub(super) fn cruise(cruise: &Cruise, vehicle: &mut Vehicle<'_>) -> V {
    vehicle.heading * (f64::from(cruise.speed) - vehicle.velocity.dot(vehicle.heading))
}

fn coherent_noise(vehicle: &Vehicle<'_>, stream: u32, rate: f64) -> V {
    let time = vehicle.time * rate;
    let (point, fraction) = (time as u64, time.fract());
    let [from, to] = [0, 1].map(|k| vehicle.random(stream, point.wrapping_add(k)));
    from + (to - from) * (fraction * fraction * (3.0 - 2.0 * fraction))
}

pub(super) fn wander(wander: &Wander, vehicle: &mut Vehicle<'_>) -> V {
    let target = if let Some(rate) = wander.noise {
        coherent_noise(vehicle, WANDER_NOISE, rate.into()) * f64::from(wander.radius)
    } else {
        // Displacement n belongs to the step that contains the time n/60, up to rounding. At 60
        // steps/s, each step has one displacement, of up to `jitter * dt`, as in Buckland (2004).
        let before = |time: f64| (time / f64::from(1.0_f32 / 60.0) + 0.999) as u64;
        let (displacements, scale) = if wander.jitter_per_step {
            (vehicle.tick..vehicle.tick + 1, 1.0)
        } else {
            (before(vehicle.time)..before(vehicle.time + vehicle.dt), 1.0 / 60.0)
        };
        for displacement in displacements {
            let jitter = vehicle.random(WANDER, displacement) * (f64::from(wander.jitter) * scale);
            vehicle.wander = (vehicle.wander + jitter).normalized() * f64::from(wander.radius);
        }
        vehicle.wander
    };
    let target = target + V::flat(f64::from(wander.distance), 0.0);
    vehicle.records_left(vehicle.heading);
    let force = target.to_world(vehicle.heading);
    if wander.scaled { force * vehicle.radius } else { force }
}
