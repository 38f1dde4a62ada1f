//! The formulas of all behaviors, as the specification has them.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_4};

use super::{Oracle, V, add, cross, dot, length, norm, perp, scale, sub};
use crate::kernels::alignment::Alignment;
use crate::kernels::arrive::{Arrive, Deceleration};
use crate::kernels::cohesion::Cohesion;
use crate::kernels::collision_avoidance::CollisionAvoidance;
use crate::kernels::containment::Containment;
use crate::kernels::evade::Evade;
use crate::kernels::flee::Flee;
use crate::kernels::flock_rules::FlockRules;
use crate::kernels::flow_following::FlowFollowing;
use crate::kernels::hide::Hide;
use crate::kernels::interpose::Interpose;
use crate::kernels::leader_following::LeaderFollowing;
use crate::kernels::look_ahead::LookAhead;
use crate::kernels::obstacle_avoidance::ObstacleAvoidance;
use crate::kernels::offset_pursuit::OffsetPursuit;
use crate::kernels::path_following::PathFollowing;
use crate::kernels::pursuit::Pursuit;
use crate::kernels::seek::Seek;
use crate::kernels::separation::Separation;
use crate::kernels::stay_on_path::StayOnPath;
use crate::kernels::velocity_matching::VelocityMatching;
use crate::kernels::wall_avoidance::{Feelers, WallAvoidance};
use crate::kernels::wander::Wander;
use crate::random::{self, Stream};

impl Oracle<'_> {
    pub(crate) fn separation(&mut self, _: &Separation) -> V {
        self.push()
    }

    pub(crate) fn alignment(&mut self, _: &Alignment) -> V {
        if self.neighbors.is_empty() {
            return [0.0; 2];
        }
        sub(self.mean_heading(), self.heading())
    }

    pub(crate) fn cohesion(&mut self, cohesion: &Cohesion) -> V {
        if self.neighbors.is_empty() {
            return [0.0; 2];
        }
        let force = self.seek_way(self.mean_way());
        if cohesion.normalized { norm(force) } else { force }
    }

    pub(crate) fn velocity_matching(&mut self, matching: &VelocityMatching) -> V {
        if self.neighbors.is_empty() {
            return [0.0; 2];
        }
        let sum = self.neighbors.iter().fold([0.0; 2], |sum, &j| add(sum, self.velocity_of(j)));
        let mean = scale(sum, 1.0 / self.neighbors.len() as f64);
        scale(sub(mean, self.velocity()), 1.0 / f64::from(matching.time_constant))
    }

    pub(crate) fn collision_avoidance(&mut self, avoidance: &CollisionAvoidance) -> V {
        let mut earliest = f64::from(avoidance.horizon);
        let mut threat = None;
        for j in self.neighbors.clone() {
            let way = self.displacement(self.position(), self.position_of(j));
            let relative = sub(self.velocity_of(j), self.velocity());
            let time = -dot(way, relative) / dot(relative, relative);
            let nearest = length(add(way, scale(relative, time)));
            let room = self.radius_of(self.slot) + self.radius_of(j) + f64::from(avoidance.margin);
            if time > 0.0 && time < 1.1 * earliest {
                self.decides(nearest, room);
            }
            if time > 0.0 && nearest < room {
                self.decides(time, earliest);
            }
            if time > 0.0 && nearest < room && time < earliest {
                earliest = time;
                threat = Some((j, way));
            }
        }
        let Some((j, way)) = threat else { return [0.0; 2] };
        let side = perp(self.heading());
        let parallelness = dot(self.heading(), self.heading_of(j));
        let offset = if parallelness < -FRAC_1_SQRT_2 {
            add(way, scale(self.velocity_of(j), earliest))
        } else if parallelness > FRAC_1_SQRT_2 {
            way
        } else {
            self.velocity_of(j)
        };
        let sign = if dot(offset, side) > 0.0 { -1.0 } else { 1.0 };
        scale(side, sign * self.max_speed())
    }

    pub(crate) fn seek(&mut self, seek: &Seek) -> V {
        self.target(&seek.target).map_or([0.0; 2], |target| self.seek_way(self.way_to(target.0)))
    }

    pub(crate) fn flee(&mut self, flee: &Flee) -> V {
        let Some((position, ..)) = self.target(&flee.target) else { return [0.0; 2] };
        let way = self.way_to(position);
        self.decides(length(way), f64::from(flee.panic_distance.unwrap_or(f32::MAX)));
        if flee.panic_distance.is_some_and(|panic| length(way) > f64::from(panic)) {
            return [0.0; 2];
        }
        self.seek_way(scale(way, -1.0))
    }

    pub(crate) fn arrive(&mut self, arrive: &Arrive) -> V {
        let Some((position, ..)) = self.target(&arrive.target) else { return [0.0; 2] };
        self.arrive_at(self.way_to(position), arrive.deceleration)
    }

    fn arrive_at(&self, way: V, deceleration: Deceleration) -> V {
        let distance = length(way);
        if distance == 0.0 {
            return scale(self.velocity(), -1.0);
        }
        let deceleration = match deceleration {
            Deceleration::Fast => 1.0,
            Deceleration::Normal => 2.0,
            Deceleration::Slow => 3.0,
        };
        let speed = (distance / (deceleration * 0.3)).min(self.max_speed());
        sub(scale(way, speed / distance), self.velocity())
    }

    pub(crate) fn pursuit(&mut self, pursuit: &Pursuit) -> V {
        let Some((position, velocity, heading)) = self.target(&pursuit.evader) else {
            return [0.0; 2];
        };
        let way = self.way_to(position);
        self.decides(dot(self.heading(), heading), -0.95);
        if dot(way, self.heading()) > 0.0 && dot(self.heading(), heading) < -0.95 {
            return self.seek_way(way);
        }
        let mut time = length(way) / (self.max_speed() + length(velocity));
        time += (1.0 - dot(self.heading(), norm(way))) * f64::from(pursuit.turnaround);
        self.seek_way(self.way_to(add(position, scale(velocity, time))))
    }

    pub(crate) fn evade(&mut self, evade: &Evade) -> V {
        let Some((position, velocity, _)) = self.target(&evade.pursuer) else { return [0.0; 2] };
        let distance = length(self.way_to(position));
        self.decides(distance, f64::from(evade.threat_range.unwrap_or(f32::MAX)));
        if evade.threat_range.is_some_and(|range| distance > f64::from(range)) {
            return [0.0; 2];
        }
        self.evade_from(position, velocity)
    }

    fn evade_from(&self, position: V, velocity: V) -> V {
        let time = length(self.way_to(position)) / (self.max_speed() + length(velocity));
        let predicted = add(position, scale(velocity, time));
        self.seek_way(scale(self.way_to(predicted), -1.0))
    }

    pub(crate) fn interpose(&mut self, interpose: &Interpose) -> V {
        let (a, b) = (self.target(&interpose.a), self.target(&interpose.b));
        let (Some(a), Some(b)) = (a, b) else { return [0.0; 2] };
        let middle = |time: f64| {
            let a = self.way_to(add(a.0, scale(a.1, time)));
            let b = self.way_to(add(b.0, scale(b.1, time)));
            scale(add(a, b), 0.5)
        };
        let time = length(middle(0.0)) / self.max_speed();
        self.arrive_at(middle(time), Deceleration::Fast)
    }

    pub(crate) fn hide(&mut self, hide: &Hide) -> V {
        let hunter = self.target(&hide.hunter);
        let near = |way: &V| {
            hide.threat_distance.is_none_or(|distance| length(*way) <= f64::from(distance))
        };
        let threat = hunter.map(|hunter| self.way_to(hunter.0)).filter(near);
        if let Some(seconds) = hide.memory {
            let seen = threat.is_some_and(|way| self.sees(way));
            let left = (self.alert - f64::from(self.crowd.dt)).max(0.0);
            self.alert = if seen { f64::from(seconds) } else { left };
            if self.alert == 0.0 && !seen {
                return [0.0; 2];
            }
        }
        let (Some((position, velocity, heading)), Some(way)) = (hunter, threat) else {
            return [0.0; 2];
        };
        if hide.mutual && !(self.sees(way) && dot(way, heading) <= 0.0) {
            return [0.0; 2];
        }
        let mut best: Option<(f64, V)> = None;
        let scenery = self.crowd.scenery;
        for k in 0..scenery.obstacles.x.len() {
            let (center, radius) = self.obstacle(k);
            let to_center = self.way_to(center);
            let too_far = |distance| length(to_center) >= f64::from(distance) + radius;
            if hide.search_distance.is_some_and(too_far) {
                continue;
            }
            let behind = norm(self.displacement(position, center));
            let spot = add(to_center, scale(behind, radius + f64::from(hide.gap)));
            let cost = length(spot) * (1.0 + f64::from(hide.bias) * dot(heading, behind));
            self.decides(best.map_or(f64::MAX, |(least, _)| least), cost);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, spot));
            }
        }
        match best {
            Some((_, spot)) => self.arrive_at(spot, Deceleration::Fast),
            None => self.evade_from(position, velocity),
        }
    }

    pub(crate) fn offset_pursuit(&mut self, pursuit: &OffsetPursuit) -> V {
        let Some((position, velocity, heading)) = self.target(&pursuit.leader) else {
            return [0.0; 2];
        };
        let [mut ahead, mut aside] = pursuit.offset.map(f64::from);
        if pursuit.abreast > 0 {
            let first = self.crowd.kinds[self.crowd.kind_of(self.slot)].first_index;
            let number = self.crowd.traits.index[self.slot].wrapping_sub(first)
                % self.species.agents.max(1) as u32;
            let spacing = f64::from(pursuit.spacing);
            let file = f64::from(number % pursuit.abreast);
            ahead -= f64::from(number / pursuit.abreast) * spacing;
            aside += (file - f64::from(pursuit.abreast - 1) / 2.0) * spacing;
        }
        let place = add(position, add(scale(heading, ahead), scale(perp(heading), aside)));
        let time = length(self.way_to(place)) / (self.max_speed() + length(velocity));
        let predicted = add(place, scale(velocity, time));
        self.arrive_at(self.way_to(predicted), Deceleration::Fast)
    }

    pub(crate) fn leader_following(&mut self, following: &LeaderFollowing) -> V {
        let Some((position, _, heading)) = self.target(&following.leader) else {
            return [0.0; 2];
        };
        let from_leader = scale(self.way_to(position), -1.0);
        let side = perp(heading);
        let (ahead, across) = (dot(from_leader, heading), dot(from_leader, side));
        let room = [following.clear_ahead, following.clear_aside].map(f64::from);
        self.decides(ahead, room[0]);
        self.decides(ahead + room[0], room[0]);
        self.decides(across.abs(), room[1]);
        self.decides(across + room[1], room[1]);
        let in_way = (0.0..f64::from(following.clear_ahead)).contains(&ahead)
            && ahead > 0.0
            && across.abs() < f64::from(following.clear_aside);
        if in_way {
            let sign = if across < 0.0 { -1.0 } else { 1.0 };
            return sub(scale(side, sign * self.max_speed()), self.velocity());
        }
        let behind = sub(position, scale(heading, f64::from(following.distance)));
        self.arrive_at(self.way_to(behind), Deceleration::Normal)
    }

    pub(crate) fn path_following(&mut self, following: &PathFollowing) -> V {
        let Some(route) = self.crowd.scenery.path(&following.path) else { return [0.0; 2] };
        let points: Vec<V> = route.points.iter().map(|p| [p.x, p.y].map(f64::from)).collect();
        let last = points.len() - 1;
        let mut waypoint =
            self.crowd.motion.waypoint.get(self.slot).map_or(0, |&w| (w as usize).min(last));
        let distance = length(sub(points[waypoint], self.position()));
        self.decides(distance, f64::from(following.waypoint_distance));
        if distance < f64::from(following.waypoint_distance) {
            waypoint = if waypoint < last {
                waypoint + 1
            } else if route.closed {
                0
            } else {
                last
            };
        }
        let way = sub(points[waypoint], self.position());
        if waypoint == last && !route.closed {
            self.arrive_at(way, Deceleration::Normal)
        } else {
            self.seek_way(way)
        }
    }

    pub(crate) fn stay_on_path(&mut self, stay: &StayOnPath) -> V {
        let Some(route) = self.crowd.scenery.path(&stay.path) else { return [0.0; 2] };
        let mut points: Vec<V> = route.points.iter().map(|p| [p.x, p.y].map(f64::from)).collect();
        if route.closed {
            points.push(points[0]);
        }
        let predicted = add(self.position(), scale(self.velocity(), f64::from(stay.prediction)));
        let (mut least, mut nearest, mut start) = (f64::MAX, 0.0, 0.0);
        for leg in points.windows(2) {
            let way = sub(leg[1], leg[0]);
            let along = (dot(sub(predicted, leg[0]), norm(way))).clamp(0.0, length(way));
            let off = length(sub(predicted, add(leg[0], scale(norm(way), along))));
            if off < least {
                (least, nearest) = (off, start + along);
            }
            start += length(way);
        }
        self.decides(least, f64::from(stay.radius));
        if least <= f64::from(stay.radius) {
            return [0.0; 2];
        }
        let mut left = nearest + f64::from(stay.ahead);
        left = if route.closed { left.rem_euclid(start) } else { left.min(start) };
        let mut goal = points[0];
        for leg in points.windows(2) {
            let way = sub(leg[1], leg[0]);
            goal = add(leg[0], scale(norm(way), left.min(length(way))));
            if left <= length(way) {
                break;
            }
            left -= length(way);
        }
        self.seek_way(sub(goal, self.position()))
    }

    pub(crate) fn flow_following(&mut self, _: &FlowFollowing) -> V {
        let Some(flow) = &self.crowd.scenery.flow else { return [0.0; 2] };
        let at =
            |axis: usize, inverse_cell: f32| self.position()[axis] * f64::from(inverse_cell) - 0.5;
        let (across, up) = (at(0, flow.inverse_cell.x), at(1, flow.inverse_cell.y));
        let column = across.floor().clamp(-1.0, f64::from(flow.count.x) - 1.0);
        let row = up.floor().clamp(-1.0, f64::from(flow.count.y) - 1.0);
        let quad = flow.quad(column as f32, row as f32).map(f64::from);
        let (right, above) = (across - column, up - row);
        let shares = [
            (1.0 - right) * (1.0 - above),
            right * (1.0 - above),
            (1.0 - right) * above,
            right * above,
        ];
        let corners = (0..4).map(|k| scale([quad[2 * k], quad[2 * k + 1]], shares[k]));
        let direction = corners.fold([0.0; 2], add);
        sub(scale(direction, self.max_speed()), self.velocity())
    }

    pub(crate) fn obstacle_avoidance(&mut self, avoidance: &ObstacleAvoidance) -> V {
        let share = (length(self.velocity()) / self.max_speed()).min(1.0);
        let box_length = f64::from(avoidance.box_length) * (1.0 + share);
        let (ahead, side) = (self.heading(), perp(self.heading()));
        let mut nearest: Option<(f64, f64, f64, f64, f64)> = None;
        for k in 0..self.crowd.scenery.obstacles.x.len() {
            let (center, radius) = self.obstacle(k);
            let way = self.way_to(center);
            let (x, y) = (dot(way, ahead), dot(way, side));
            let expanded = radius + self.radius_of(self.slot);
            if length(way) < 1.1 * (box_length + expanded) {
                self.decides(length(way), box_length + radius);
                self.decides(y.abs(), expanded);
                self.decides(x + expanded, expanded);
            }
            if length(way) >= box_length + radius || x < 0.0 || y.abs() >= expanded {
                continue;
            }
            let half = (expanded * expanded - y * y).sqrt();
            let hit = if x - half > 0.0 { x - half } else { x + half };
            self.decides(x, half);
            self.decides(y + expanded, expanded);
            self.decides(nearest.map_or(f64::MAX, |(least, ..)| least), hit);
            if nearest.is_none_or(|(least, ..)| hit < least) {
                nearest = Some((hit, x, y, expanded, radius));
            }
        }
        let Some((_, x, y, expanded, radius)) = nearest else { return [0.0; 2] };
        let strength = 1.0 + ((box_length - x) / box_length).max(0.0);
        let sign = if y < 0.0 { 1.0 } else { -1.0 };
        let lateral = sign * (expanded - y.abs()) * strength;
        let braking = (radius - x).min(0.0) * 0.2;
        add(scale(ahead, braking), scale(side, lateral))
    }

    pub(crate) fn look_ahead(&mut self, look: &LookAhead) -> V {
        let share = (length(self.velocity()) / self.max_speed()).min(1.0);
        let ahead = scale(norm(self.velocity()), share * f64::from(look.max_see_ahead));
        let mut nearest: Option<(f64, V)> = None;
        for k in 0..self.crowd.scenery.obstacles.x.len() {
            let (center, radius) = self.obstacle(k);
            let way = self.way_to(center);
            let mut touches = false;
            for part in [0.0, 0.5, 1.0] {
                let distance = length(sub(way, scale(ahead, part)));
                self.decides(distance, radius);
                touches |= distance <= radius;
            }
            if touches {
                self.decides(nearest.map_or(f64::MAX, |(least, _)| least), length(way));
            }
            if touches && nearest.is_none_or(|(least, _)| length(way) < least) {
                nearest = Some((length(way), way));
            }
        }
        nearest.map_or([0.0; 2], |(_, way)| {
            scale(norm(sub(ahead, way)), f64::from(look.max_avoid_force))
        })
    }

    pub(crate) fn wall_avoidance(&mut self, avoidance: &WallAvoidance) -> V {
        let long = f64::from(avoidance.feeler_length);
        let feelers: Vec<(f64, f64)> = match avoidance.feelers {
            Feelers::Three => vec![(0.0, long), (FRAC_PI_4, long / 2.0), (-FRAC_PI_4, long / 2.0)],
            Feelers::Sweeping => {
                let period = f64::from(avoidance.sweep_period);
                let turns = self.crowd.tick as f64 * f64::from(self.crowd.dt) / period;
                let swing = (turns.fract() - 0.5).abs() * 4.0 - 1.0;
                vec![(f64::from(avoidance.sweep_angle).to_radians() * swing, long)]
            }
        };
        let walls = &self.crowd.scenery.walls;
        let mut nearest: Option<(f64, V)> = None;
        for k in 0..walls.from.len() {
            let wide = |v: crate::vec2::Vec2<f32>| [v.x, v.y].map(f64::from);
            let (from, to, normal) =
                (wide(walls.from[k]), wide(walls.to[k]), wide(walls.normal[k]));
            let behind = dot(sub(self.position(), from), normal) < 0.0;
            if walls.behind[k] < 0.0 {
                let side = dot(sub(self.position(), from), normal);
                self.decides(side + long, long);
            }
            let outward = if behind { f64::from(walls.behind[k]) } else { 1.0 };
            for (angle, long) in &feelers {
                let (sin, cos) = angle.sin_cos();
                let heading = self.heading();
                let direction = add(scale(heading, cos), scale(perp(heading), sin));
                let feeler = scale(direction, *long);
                let wall = sub(to, from);
                let offset = sub(from, self.position());
                let scale_by = 1.0 / cross(feeler, wall);
                let (t, u) = (cross(offset, wall) * scale_by, cross(offset, feeler) * scale_by);
                let hit = (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u);
                for along in [t, u] {
                    self.decides(along + 1.0, 1.0);
                    self.decides(along, 1.0);
                }
                if hit {
                    self.decides(nearest.map_or(f64::MAX, |(least, _)| least), t * long);
                }
                if hit && nearest.is_none_or(|(least, _)| t * long < least) {
                    nearest = Some((t * long, scale(normal, outward * long * (1.0 - t))));
                }
            }
        }
        nearest.map_or([0.0; 2], |(_, force)| force)
    }

    pub(crate) fn containment(&mut self, containment: &Containment) -> V {
        let time = f64::from(containment.prediction);
        let predicted = add(self.position(), scale(self.velocity(), time));
        let size = [self.crowd.space.size.x, self.crowd.space.size.y].map(f64::from);
        let margin = f64::from(containment.margin);
        [0, 1].map(|axis| {
            let (x, far) = (predicted[axis], size[axis] - margin);
            if x < margin {
                (margin - x) / time
            } else if x > far {
                (far - x) / time
            } else {
                0.0
            }
        })
    }

    pub(crate) fn wander(&mut self, wander: &Wander) -> V {
        let index = self.crowd.traits.index[self.slot];
        let draw =
            random::scalar_signed_units(self.crowd.seed, Stream::Wander, index, self.crowd.tick);
        let per_step = if wander.jitter_per_step { 1.0 } else { f64::from(self.crowd.dt) };
        let jitter = f64::from(wander.jitter) * per_step;
        let jittered = add(self.wander, scale(draw.map(f64::from), jitter));
        self.wander = scale(norm(jittered), f64::from(wander.radius));
        let local = add(self.wander, [f64::from(wander.distance), 0.0]);
        let [hx, hy] = self.heading();
        let force = add(scale([hx, hy], local[0]), scale([-hy, hx], local[1]));
        if wander.scaled { scale(force, self.radius_of(self.slot)) } else { force }
    }

    pub(crate) fn flock_rules(&mut self, rules: &FlockRules) -> V {
        if self.neighbors.is_empty() {
            return [0.0; 2];
        }
        let alignment = norm(self.mean_heading());
        let cohesion = norm(self.mean_way());
        let separation =
            if rules.near_separation { norm(self.push()) } else { scale(cohesion, -1.0) };
        let weighted = [
            scale(alignment, f64::from(rules.alignment)),
            scale(cohesion, f64::from(rules.cohesion)),
            scale(separation, f64::from(rules.separation)),
        ];
        weighted.into_iter().fold([0.0; 2], add)
    }
}
