use crate::behaviors::{
    Arrive, Deceleration, Evade, Flee, Hide, HideInFlock, Interpose, LeaderFollowing,
    OffsetPursuit, Pursuit, Seek,
};
use crate::crowd::target::Target;
use crate::reference::vector::V;
use crate::reference::vehicle::{Body, Vehicle};

pub(super) fn seek(seek: &Seek, vehicle: &mut Vehicle<'_>) -> V {
    let Some(target) = vehicle.target(&seek.target) else { return V::default() };
    seek_along(vehicle, vehicle.offset_to(target.position))
}

pub(super) fn seek_along(vehicle: &Vehicle<'_>, offset: V) -> V {
    offset.normalized() * vehicle.max_speed - vehicle.velocity
}

pub(super) fn flee(flee: &Flee, vehicle: &mut Vehicle<'_>) -> V {
    let Some(target) = vehicle.target(&flee.target) else { return V::default() };
    let offset = vehicle.offset_to(target.position);
    if flee.panic_distance.is_some_and(|panic| vehicle.less(panic.into(), offset.length())) {
        return V::default();
    }
    seek_along(vehicle, -offset)
}

pub(super) fn arrive(arrive: &Arrive, vehicle: &mut Vehicle<'_>) -> V {
    let Some(target) = vehicle.target(&arrive.target) else { return V::default() };
    brake_along(
        vehicle,
        vehicle.offset_to(target.position),
        arrive.deceleration,
        arrive.deceleration_tweaker.into(),
    )
}

pub(super) fn arrive_along(vehicle: &Vehicle<'_>, offset: V, deceleration: Deceleration) -> V {
    brake_along(vehicle, offset, deceleration, 0.3)
}

fn brake_along(vehicle: &Vehicle<'_>, offset: V, deceleration: Deceleration, tweaker: f64) -> V {
    let distance = offset.length();
    if distance == 0.0 {
        return overshoot_factor(vehicle, -vehicle.velocity);
    }
    let deceleration = match deceleration {
        Deceleration::Fast => 1.0,
        Deceleration::Normal => 2.0,
        Deceleration::Slow => 3.0,
    };
    let speed = (distance / (deceleration * tweaker)).min(vehicle.max_speed);
    let speed = speed.min(distance / vehicle.dt);
    come_to(vehicle, offset * (speed / distance))
}

/// Steers toward `direction`, at a speed from which the vehicle comes to rest after `distance`.
pub(super) fn settle_along(vehicle: &Vehicle<'_>, direction: V, distance: f64) -> V {
    let speed = (distance / 0.6).min(distance / vehicle.dt).min(vehicle.max_speed);
    come_to(vehicle, direction * speed)
}

fn come_to(vehicle: &Vehicle<'_>, desired: V) -> V {
    let desired = if vehicle.stays(desired * vehicle.dt) { V::default() } else { desired };
    overshoot_factor(vehicle, desired - vehicle.velocity)
}

fn overshoot_factor(vehicle: &Vehicle<'_>, change: V) -> V {
    change * (vehicle.mass / (vehicle.dt * vehicle.weight)).min(1.0)
}

pub(super) fn pursuit(pursuit: &Pursuit, vehicle: &mut Vehicle<'_>) -> V {
    let Some(evader) = vehicle.target(&pursuit.evader) else { return V::default() };
    let offset = vehicle.offset_to(evader.position);
    let head_on = vehicle.less(vehicle.heading.dot(evader.heading), -0.95);
    if head_on && vehicle.negative(-offset.dot(vehicle.heading), offset.length()) {
        return seek_along(vehicle, offset);
    }
    let mut time = offset.length() / (vehicle.max_speed + evader.velocity.length());
    time += (1.0 - vehicle.heading.dot(offset.normalized())) * f64::from(pursuit.turnaround);
    seek_along(vehicle, vehicle.offset_to(evader.position + evader.velocity * time))
}

pub(super) fn evade(evade: &Evade, vehicle: &mut Vehicle<'_>) -> V {
    let Some(pursuer) = vehicle.target(&evade.pursuer) else { return V::default() };
    let distance = vehicle.offset_to(pursuer.position).length();
    if evade.threat_range.is_some_and(|range| vehicle.less(range.into(), distance)) {
        return V::default();
    }
    evade_from(vehicle, pursuer)
}

fn evade_from(vehicle: &Vehicle<'_>, pursuer: Body) -> V {
    let distance = vehicle.offset_to(pursuer.position).length();
    let time = distance / (vehicle.max_speed + pursuer.velocity.length());
    seek_along(vehicle, -vehicle.offset_to(pursuer.position + pursuer.velocity * time))
}

pub(super) fn interpose(interpose: &Interpose, vehicle: &mut Vehicle<'_>) -> V {
    let (a, b) = (vehicle.target(&interpose.a), vehicle.target(&interpose.b));
    let (Some(a), Some(b)) = (a, b) else { return V::default() };
    let midpoint = |time: f64| {
        let (a, b) = (a.position + a.velocity * time, b.position + b.velocity * time);
        vehicle.offset_to(a + vehicle.displacement(a, b) * 0.5)
    };
    let time = midpoint(0.0).length() / vehicle.max_speed;
    let time = time.min(vehicle.max_prediction);
    arrive_along(vehicle, midpoint(time), Deceleration::Fast)
}

pub(super) fn hide(hide: &Hide, vehicle: &mut Vehicle<'_>) -> V {
    let view = f64::from(vehicle.species.view_distance);
    let present = vehicle.target(&hide.hunter);
    let mut hunter = present;
    if hide.memory.is_some() && matches!(hide.hunter, Target::Nearest { .. }) {
        // Assume that a hunter out of view is still where it was last seen.
        vehicle.hunter = present.map_or(vehicle.hunter, |hunter| hunter.position);
        let remembered = Body { position: vehicle.hunter, ..Body::default() };
        hunter = present.or_else(|| (vehicle.alert > 0.0).then_some(remembered));
    }
    let hunter = hunter.filter(|hunter| {
        let distance = vehicle.offset_to(hunter.position).length();
        hide.threat_distance.is_none_or(|threat| !vehicle.less(threat.into(), distance))
    });
    let to_hunter = hunter.map(|hunter| vehicle.offset_to(hunter.position));
    if let Some(seconds) = hide.memory {
        let is_there = present.is_some();
        if to_hunter.is_some_and(|offset| is_there && vehicle.sees(offset, view)) {
            vehicle.alert = f64::from(seconds);
        } else {
            vehicle.alert = (vehicle.alert - vehicle.dt).max(0.0);
            if vehicle.alert == 0.0 {
                return V::default();
            }
        }
    }
    let (Some(hunter), Some(to_hunter)) = (hunter, to_hunter) else { return V::default() };
    let seen_by_hunter = || !vehicle.negative(-to_hunter.dot(hunter.heading), to_hunter.length());
    if hide.mutual && !(present.is_some() && vehicle.sees(to_hunter, view) && seen_by_hunter()) {
        return V::default();
    }
    let (mut least, mut best) = (f64::MAX, None);
    for (center, radius) in vehicle.obstacles() {
        let distance = vehicle.offset_to(center).length();
        let reach = hide.search_distance.map(|search| f64::from(search) + radius);
        if reach.is_some_and(|reach| !vehicle.less(distance, reach)) {
            continue;
        }
        let behind = vehicle.displacement(hunter.position, center).normalized();
        let spot = vehicle.offset_to(center + behind * (radius + f64::from(hide.gap)));
        let cost = spot.length() * (1.0 + f64::from(hide.bias) * hunter.heading.dot(behind));
        if vehicle.less(cost, least) {
            (least, best) = (cost, Some(spot));
        }
    }
    match best {
        Some(spot) => arrive_along(vehicle, spot, Deceleration::Fast),
        None => evade_from(vehicle, hunter),
    }
}

pub(super) fn hide_in_flock(hide: &HideInFlock, vehicle: &mut Vehicle<'_>) -> V {
    let Some(threat) = vehicle.target(&hide.threat) else { return V::default() };
    let to_threat = vehicle.offset_to(threat.position);
    if hide.threat_range.is_some_and(|range| vehicle.less(range.into(), to_threat.length())) {
        return V::default();
    }
    let mut neighborhood = hide.neighborhood.clone();
    if neighborhood.species.is_empty() {
        neighborhood.species.push(vehicle.species.name.clone());
    }
    let mut companions = Vec::new();
    for neighbor in vehicle.neighbors(&neighborhood) {
        let offset = vehicle.offset_to(neighbor.position);
        let scale = offset.length() * to_threat.length();
        if vehicle.negative(offset.dot(to_threat), scale) {
            companions.push(offset);
        }
    }
    if companions.is_empty() {
        return V::default();
    }
    seek_along(vehicle, companions.into_iter().sum())
}

pub(super) fn offset_pursuit(pursuit: &OffsetPursuit, vehicle: &mut Vehicle<'_>) -> V {
    let Some(leader) = vehicle.target(&pursuit.leader) else { return V::default() };
    let mut offset = V::from_f32(pursuit.offset);
    if pursuit.abreast > 0 {
        let (place, abreast) = (f64::from(vehicle.formation_place()), f64::from(pursuit.abreast));
        let (row, column) = ((place / abreast).floor(), place % abreast);
        offset =
            offset + V::flat(-row, column - (abreast - 1.0) / 2.0) * f64::from(pursuit.spacing);
    }
    offset.z = f64::from(pursuit.above.unwrap_or(0.0));
    vehicle.records_left(leader.heading);
    let goal = leader.position + offset.to_world(leader.heading);
    let distance = vehicle.offset_to(goal).length();
    let time = distance / (vehicle.max_speed + leader.velocity.length());
    let predicted = vehicle.offset_to(goal + leader.velocity * time);
    arrive_along(vehicle, predicted, Deceleration::Fast)
}

pub(super) fn leader_following(following: &LeaderFollowing, vehicle: &mut Vehicle<'_>) -> V {
    let Some(leader) = vehicle.target(&following.leader) else { return V::default() };
    let (clear_ahead, clear_aside) =
        (f64::from(following.clear_ahead), f64::from(following.clear_aside));
    let from_leader = -vehicle.offset_to(leader.position);
    let (ahead, (aside, side)) =
        (from_leader.dot(leader.heading), from_leader.across(leader.heading));
    let is_ahead = vehicle.negative(-ahead, clear_ahead) && vehicle.less(ahead, clear_ahead);
    if is_ahead && vehicle.less(aside.abs(), clear_aside) {
        let on_right = vehicle.negative(aside, clear_aside);
        vehicle.records_across(from_leader, leader.heading);
        let side = if on_right { -side } else { side };
        return side * vehicle.max_speed - vehicle.velocity;
    }
    let behind = leader.position - leader.heading * f64::from(following.distance);
    arrive_along(vehicle, vehicle.offset_to(behind), Deceleration::Normal)
}
