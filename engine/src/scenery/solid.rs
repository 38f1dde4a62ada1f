//! Solid scenery: how far a disk moves along a straight line before a wall or obstacle stops it.
//!
//! The code moves one disk at a time, because few agents are near scenery. It computes in `f64`,
//! whose rounding errors are negligible compared with the spacing of `f32` coordinates. Results are
//! therefore bit-identical for all instruction sets, methods and slabs.
//!
//! A disk stops at its first contact, and the rest of its displacement slides along the contact.
//! A disk that has moved stops for good at its third contact, so it slides at most twice. Until it
//! moves, it slides along as many solids as it touches or overlaps: three of them must not hold a
//! disk that leaves them all. The end point, rounded to `f32`, is accepted if nothing blocks the
//! straight line to it and its clearance is at least the smaller of the required clearance and the
//! clearance at the start. Otherwise, earlier contact points are tried, latest first, and finally
//! the start. The distance to a convex shape is a convex function along a straight line, so a disk
//! that begins to leave a shape cannot hit that shape again.

use std::ops::Mul;

use crate::error::Error;
use crate::math::aabb::Aabb;
use crate::math::vec2::Vec2;
use crate::scenery::definition::{Obstacle, Wall, segments};
use crate::scenery::index::{Index, Item, Near};
use crate::scenery::scatter::Scatter;
use crate::world::Topology;
use crate::world::space::Space;

type Point = Vec2<f64>;

const MAX_SLIDES: usize = 2;
/// Motion into a wall by at most this fraction of its length counts as parallel.
const PARALLEL: f64 = 1.0e-9;
/// Images of a solid to test on each side of the nearest image, per axis of a torus. Two are
/// enough because no move or push is longer than the torus's shorter side.
const IMAGES: i32 = 2;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Solid {
    from: Point,
    to: Point,
    radius: f64,
    /// Unit normal of a wall's front; zero for an obstacle or a wall of zero length.
    normal: Point,
    one_sided: bool,
    /// True once the disk of the current cast has touched the solid.
    met: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Solids {
    all: Vec<Solid>,
    pub(crate) index: Index,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct DiskCast {
    pub(crate) from: Vec2<f32>,
    pub(crate) to: Vec2<f32>,
    pub(crate) radius: f32,
}

#[derive(Debug)]
pub(crate) struct SlideResult<'a> {
    pub(crate) position: Vec2<f32>,
    contacts: &'a [Contact],
    /// True if the disk was stuck between shapes, with no direction left to slide in.
    wedged: bool,
}

#[derive(Debug)]
pub(crate) struct Contact {
    at: Point,
    normal: Point,
}

struct Hit {
    number: usize,
    share: f64,
    normal: Point,
    /// Distance to move along the normal to correct rounding. Lifts by several solids together
    /// raise no clearance by more than twice `Distances::spacing`.
    lift: f64,
}

#[derive(Clone, Copy)]
struct Distances {
    /// Clearance at which a disk stops: its radius, or a minimum for tiny disks.
    contact: f64,
    /// Minimum clearance of a position after it is rounded to `f32`.
    least: f64,
    /// Upper bound on the spacing of `f32` values at the disk's coordinates.
    spacing: f64,
}

impl Distances {
    fn new(cast: &DiskCast, space: &Space) -> Self {
        let DiskCast { from, to, radius } = cast;
        let size = if space.is_torus() { space.size } else { Vec2::ZERO };
        let coordinates = [from.x, from.y, to.x, to.y, size.x, size.y].map(f32::abs);
        let largest = coordinates.into_iter().fold(1.0e-3, f32::max);
        let spacing = f64::from(largest) * f64::from(f32::EPSILON);
        let contact = f64::from(*radius).max(4.0 * spacing);
        Self { contact, least: contact - 2.0 * spacing, spacing }
    }
}

impl Solid {
    pub(crate) fn wall(from: Vec2<f32>, to: Vec2<f32>, one_sided: bool) -> Self {
        let (from, to) = (Point::from_f32(from), Point::from_f32(to));
        let along = to - from;
        let normal = along.left().normalized();
        Self { from, to, radius: 0.0, normal, one_sided, met: false }
    }

    pub(crate) fn obstacle(Obstacle { center, radius }: &Obstacle) -> Self {
        let center = Vec2::from(*center);
        Self { radius: f64::from(*radius), ..Self::wall(center, center, false) }
    }

    fn moved(self, offset: Point) -> Self {
        Self { from: self.from + offset, to: self.to + offset, ..self }
    }

    fn blocks(&self, point: Point) -> bool {
        !self.one_sided || (point - self.from).dot(self.normal) >= 0.0
    }

    /// Returns the distance from the shape to a point, and the direction in which it grows fastest.
    /// Inside an obstacle, the distance is negative.
    fn clearance(&self, point: Point) -> (f64, Point) {
        let (along, offset) = (self.to - self.from, point - self.from);
        let length_sq = along.dot(along);
        let share =
            if length_sq > 0.0 { (offset.dot(along) / length_sq).clamp(0.0, 1.0) } else { 0.0 };
        let away = offset - along * share;
        let distance = away.length();
        let normal = if distance > 0.0 { away * (1.0 / distance) } else { self.normal };
        (distance - self.radius, normal)
    }

    /// Returns the fraction of the motion at which the clearance falls to `distance`,
    /// and the normal there. The motion must start at a larger clearance.
    fn entry(&self, from: Point, motion: Point, distance: f64) -> Option<(f64, Point)> {
        let (reach, distance_moved) = (self.radius + distance, motion.length());
        if reach <= 0.0 || distance_moved == 0.0 {
            return None;
        }
        let direction = motion * (1.0 / distance_moved);
        let mut first: Option<(f64, Point)> = None;
        let mut meet = |at: f64, normal: Point| {
            if (0.0..=distance_moved).contains(&at) && first.is_none_or(|(best, _)| at < best) {
                first = Some((at, normal));
            }
        };
        for end in [self.from, self.to] {
            let to_end = end - from;
            let aside = direction.cross(to_end);
            let inside = (reach - aside) * (reach + aside);
            if inside > 0.0 {
                let at = to_end.dot(direction) - inside.sqrt();
                let away = direction * at - to_end;
                meet(at, away.normalized());
            }
        }
        let along = self.to - self.from;
        let size = along.length();
        if size > 0.0 {
            let height = (from - self.from).dot(self.normal);
            let side = if height < 0.0 { -1.0 } else { 1.0 };
            let (height, falls) = (height * side, -direction.dot(self.normal) * side);
            if falls > 0.0 && height >= reach {
                let at = (height - reach) / falls;
                let foot = (from + direction * at - self.from).dot(along) / size;
                if (0.0..=size).contains(&foot) {
                    meet(at, self.normal * side);
                }
            }
        }
        first.map(|(at, normal)| (at / distance_moved, normal))
    }

    fn hit(
        &self,
        number: usize,
        start: Point,
        (from, motion): (Point, Point),
        Distances { contact, spacing, .. }: Distances,
    ) -> Option<Hit> {
        let (clearance, normal) = self.clearance(from);
        let slack = spacing / 4.0;
        if clearance >= contact + slack {
            let (share, normal) = self.entry(from, motion, contact)?;
            return Some(Hit { number, share, normal, lift: 0.0 });
        }
        let enters = motion.dot(normal) < -PARALLEL * motion.length();
        // Without this test, rounding would move a sliding disk ever closer to the wall.
        let stays = !self.met
            && clearance < contact - slack
            && self.clearance(from + motion).0 < contact - slack;
        let lifted = clearance - self.clearance(start).0;
        let lift = (contact - clearance).min(2.0 * spacing - lifted).clamp(0.0, 2.0 * spacing);
        (enters || stays).then_some(Hit { number, share: 0.0, normal, lift })
    }

    fn allows(&self, from: Point, at: Point, least: f64) -> bool {
        let (before, normal) = self.clearance(from);
        let needed = least.min(before);
        if self.clearance(at).0 < needed {
            return false;
        }
        let motion = at - from;
        let crossed = needed - needed.abs() / 2.0;
        if before <= crossed {
            return motion.dot(normal) >= 0.0;
        }
        self.entry(from, motion, crossed).is_none()
    }
}

impl Solids {
    pub(crate) fn new(all: Vec<Solid>, space: &Space) -> Self {
        let item = |solid: &Solid| Item {
            from: solid.from.to_f32(),
            to: solid.to.to_f32(),
            radius: solid.radius as f32,
        };
        let items: Vec<Item> = all.iter().map(item).collect();
        // Agents' displacements do not depend on the rows of their grid, so cells are square.
        Self { index: Index::new(space, space.is_torus(), &items, f32::INFINITY), all }
    }

    /// Lists the solids in `near` that a disk may hit. On a torus, the list includes their images.
    pub(crate) fn list(&self, near: &Near, cast: &DiskCast, space: &Space, list: &mut Vec<Solid>) {
        list.clear();
        let (from, distances) = (Point::from_f32(cast.from), Distances::new(cast, space));
        let reach = (Point::from_f32(cast.to) - from).length()
            + distances.contact
            + 16.0 * distances.spacing;
        let size = Point::from_f32(space.size);
        near.for_each(|number| {
            let solid = &self.all[number];
            let (middle, half) = ((solid.from + solid.to) * 0.5, (solid.to - solid.from) * 0.5);
            let reach = reach + solid.radius;
            let room = half.map(f64::abs) + Vec2::diagonal(reach);
            let offset = middle - from;
            let mut add = |moved: Point| {
                if (offset + moved).map(f64::abs).all_le(room) {
                    list.push(solid.moved(moved));
                }
            };
            if !space.is_torus() {
                return add(Point::default());
            }
            let turns = offset.zip(size, |offset, size| (-offset / size).round());
            for right in (-IMAGES..=IMAGES).map(f64::from) {
                for up in (-IMAGES..=IMAGES).map(f64::from) {
                    add((turns + Vec2::new(right, up)).zip(size, f64::mul));
                }
            }
        });
    }

    pub(crate) fn overlap(&self, at: Vec2<f32>, radius: f32, space: &Space) -> bool {
        let (mut near, mut found) = (Near::default(), Vec::new());
        self.index.near_box(reachable(Aabb::at(at), radius, space), &mut near);
        let cast = DiskCast { from: at, to: at, radius };
        self.list(&near, &cast, space, &mut found);
        let Distances { contact, .. } = Distances::new(&cast, space);
        let at = Point::from_f32(at);
        found.iter().any(|solid| solid.blocks(at) && solid.clearance(at).0 < contact)
    }
}

impl DiskCast {
    /// Returns `None` if the disk touches nothing. `solids` is a list from [`Solids::list`], and
    /// `contacts` provides reused memory.
    pub(crate) fn slide<'a>(
        &self,
        solids: &mut [Solid],
        space: &Space,
        contacts: &'a mut Vec<Contact>,
    ) -> Option<SlideResult<'a>> {
        let distances = Distances::new(self, space);
        let start = Point::from_f32(self.from);
        let (mut at, mut rest) = (start, Point::from_f32(self.to) - start);
        // Touching a solid twice also counts as moving, so the loop ends.
        let (mut moved, mut wedged) = (false, false);
        contacts.clear();
        let end = loop {
            let hits = solids.iter().enumerate().filter_map(|(number, solid)| {
                solid.blocks(at).then(|| solid.hit(number, start, (at, rest), distances))?
            });
            let first = hits.min_by(|a, b| a.share.total_cmp(&b.share));
            let Some(Hit { number, share, normal, lift }) = first else { break at + rest };
            moved |= share > 0.0 || solids[number].met;
            solids[number].met = true;
            at = at + rest * share + normal * lift;
            rest = slide(rest * (1.0 - share), normal);
            let inward = |other: &Contact| rest.dot(other.normal) < -PARALLEL * rest.length();
            wedged = contacts.iter().any(inward);
            contacts.push(Contact { at, normal });
            if wedged || moved && contacts.len() > MAX_SLIDES {
                break at;
            }
            rest = clamp_to_world(space, at, rest);
        };
        if contacts.is_empty() {
            return None;
        }
        let is_clear = |at: &Vec2<f32>| {
            let at = Point::from_f32(*at);
            is_inside(space, at)
                && solids
                    .iter()
                    .all(|solid| !solid.blocks(start) || solid.allows(start, at, distances.least))
        };
        let ends = contacts.iter().map(|contact| contact.at).chain([end]);
        let position = ends.rev().map(Point::to_f32).find(is_clear).unwrap_or(self.from);
        Some(SlideResult { position, contacts, wedged })
    }
}

impl SlideResult<'_> {
    pub(crate) fn velocity(&self, velocity: Vec2<f32>) -> Vec2<f32> {
        if self.wedged {
            return Vec2::ZERO;
        }
        let velocity = Point::from_f32(velocity);
        self.contacts.iter().fold(velocity, |v, contact| slide(v, contact.normal)).to_f32()
    }
}

/// Returns the area that disks starting in `around` may touch if no disk's radius plus
/// displacement exceeds `reach`.
pub(crate) fn reachable(around: Aabb, reach: f32, space: &Space) -> Aabb {
    // Bounds rounding errors and the minimum clearance of tiny disks.
    let Aabb { low, high } = around;
    let largest = [low.x, low.y, high.x, high.y, space.size.x, space.size.y].map(f32::abs);
    let room = reach * 1.001 + largest.into_iter().sum::<f32>() * 4.0e-6;
    around.expanded(Vec2::diagonal(room))
}

/// Rejects straight walls that span at least half the width or height of a torus, because their
/// nearest image would be ambiguous.
pub(crate) fn check(walls: &[Wall], scatter: Option<&Scatter>, space: &Space) -> Result<(), Error> {
    if !space.is_torus() {
        return Ok(());
    }
    let Vec2 { x: width, y: height } = space.size * 0.5;
    for (k, wall) in walls.iter().enumerate() {
        for (number, [from, to]) in segments(&wall.points, wall.closed).enumerate() {
            if (to[0] - from[0]).abs() >= width || (to[1] - from[1]).abs() >= height {
                let field = format!("walls[{k}].points[{}]", (number + 1) % wall.points.len());
                let allowed = format!(
                    "less than {width} across and {height} up or down from the previous point, \
                     half the torus, because scenery is solid"
                );
                return Err(Error::refused(field, format!("{to:?}"), allowed));
            }
        }
    }
    let scattered = scatter.and_then(|scatter| scatter.walls.as_ref());
    let (longest, half) = (scattered.map_or(0.0, |walls| walls.size[1]), width.min(height));
    if longest >= half {
        let allowed = format!("less than {half}, half the torus, because scenery is solid");
        return Err(Error::refused("scatter.walls.size[1]", longest, allowed));
    }
    Ok(())
}

fn slide(vector: Point, normal: Point) -> Point {
    vector - normal * vector.dot(normal).min(0.0)
}

fn clamp_to_world(space: &Space, from: Point, motion: Point) -> Point {
    if space.topology != Topology::Bounded {
        return motion;
    }
    let share = |from: f64, motion: f64, size: f32| {
        let to = from + motion;
        let edge = to.clamp(0.0, f64::from(size));
        if to == edge { 1.0 } else { ((edge - from) / motion).clamp(0.0, 1.0) }
    };
    let size = space.size;
    motion * share(from.x, motion.x, size.x).min(share(from.y, motion.y, size.y))
}

fn is_inside(space: &Space, at: Point) -> bool {
    let inside = || Point::default().all_le(at) && at.all_le(Point::from_f32(space.size));
    space.topology != Topology::Bounded || inside()
}
