//! Solid scenery: the distance that a disk moves along a straight line before a wall or obstacle
//! stops it. [`slide`] computes the rest of its motion. In worlds with depth, the disk is a ball,
//! obstacles are spheres, and walls stand upright or are polygons, cut into triangles.
//!
//! The code moves one disk at a time, because few agents are near scenery. It computes in `f64`,
//! whose rounding errors are negligible compared with the spacing of `f32` coordinates. Results are
//! therefore bit-identical for all instruction sets, methods and slabs.

use std::ops::Mul;

use arrayvec::ArrayVec;

use crate::error::Error;
use crate::math::aabb::Aabb;
use crate::math::vec3::Vec3;
use crate::scenery::definition::{Obstacle, Wall, segments};
use crate::scenery::index::{Index, Item, Near};
use crate::scenery::polygon::{Triangle, is_polygon, normal_of};
use crate::scenery::scatter::Scatter;
use crate::world::space::Space;
use crate::world::{COORDINATE_LIMIT, Topology};

mod escape;
mod ray;
pub(crate) mod slide;

type Exact = Vec3<f64>;

/// A motion is treated as parallel to a wall if it leads into the wall by at most this fraction of
/// its length.
const PARALLEL: f64 = 1.0e-9;
/// Images of a solid to test on each side of the nearest image, per axis of a torus. Two are
/// enough because no move or push is longer than the torus's shorter side.
const IMAGES: i32 = 2;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Solid {
    from: Exact,
    to: Exact,
    /// Third corner of a triangle.
    third: Option<Exact>,
    pub(crate) radius: f64,
    /// Unit normal of a wall's front; zero for an obstacle or a wall of zero length.
    normal: Exact,
    one_sided: bool,
    /// True for walls that are as high as the world. Only x and y matter for these.
    is_upright: bool,
    /// True once the disk of the current cast has touched the solid.
    met: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Solids {
    all: Vec<Solid>,
    /// How far [`DiskCast::slide`] may lift a disk that overlaps at most four solids.
    pub(crate) max_lift: f32,
    pub(crate) index: Index,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct DiskCast {
    pub(crate) from: Vec3<f32>,
    pub(crate) to: Vec3<f32>,
    pub(crate) radius: f32,
}

struct Hit {
    index: usize,
    /// Fraction of the motion before the contact.
    fraction: f64,
    normal: Exact,
    /// Distance to move along the normal to correct rounding errors. All lifts together raise no
    /// clearance by more than twice `Distances::spacing`.
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
        let size = if space.is_torus() { space.size } else { Vec3::ZERO };
        let coordinates = [from, to, &size].map(|vector| <[f32; 3]>::from(*vector));
        let coordinates = coordinates.as_flattened().iter().map(|along| along.abs());
        let largest = coordinates.fold(1.0e-3, f32::max);
        let spacing = f64::from(largest) * f64::from(f32::EPSILON);
        let contact = f64::from(*radius).max(4.0 * spacing);
        Self { contact, least: contact - 2.0 * spacing, spacing }
    }
}

impl Solid {
    pub(crate) fn wall(from: Vec3<f32>, to: Vec3<f32>, one_sided: bool) -> Self {
        let (from, to) = (Exact::from_f32(from), Exact::from_f32(to));
        let along = to - from;
        let normal = along.quarter_turn().normalized();
        let (third, radius) = (None, 0.0);
        Self { from, to, third, radius, normal, one_sided, is_upright: true, met: false }
    }

    pub(crate) fn obstacle(Obstacle { center, radius }: &Obstacle) -> Self {
        let center = Vec3::from(*center);
        let radius = f64::from(*radius);
        Self { radius, is_upright: false, ..Self::wall(center, center, false) }
    }

    pub(crate) fn triangle(triangle: &Triangle) -> Self {
        let corners = triangle.corners.map(Exact::from_f32);
        let [from, to, third] = corners;
        Self {
            from,
            to,
            third: Some(third),
            radius: 0.0,
            normal: normal_of(&corners),
            one_sided: triangle.behind > 0.0,
            is_upright: false,
            met: false,
        }
    }

    fn shifted(self, offset: Exact) -> Self {
        let third = self.third.map(|third| third + offset);
        Self { from: self.from + offset, to: self.to + offset, third, ..self }
    }

    /// Center and half size of the solid's bounding box, without the solid's radius.
    fn extent(&self) -> (Exact, Exact) {
        let third = self.third.unwrap_or(self.to);
        let ends = |pick: fn(f64, f64) -> f64| self.from.zip(self.to, pick).zip(third, pick);
        let (low, high) = (ends(f64::min), ends(f64::max));
        ((low + high) * 0.5, (high - low) * 0.5)
    }

    /// The segments between corners: one for a wall or an obstacle, three for a triangle.
    fn edges(&self) -> ArrayVec<[Exact; 2], 3> {
        match self.third {
            None => [[self.from, self.to]].into_iter().collect(),
            Some(third) => [[self.from, self.to], [self.to, third], [third, self.from]].into(),
        }
    }

    /// True if the point is above or below a triangle, not beside it.
    fn is_over(&self, point: Exact) -> bool {
        self.edges()
            .iter()
            .all(|&[from, to]| self.normal.across_both(to - from).dot(point - from) >= 0.0)
    }

    /// Drops z for upright solids, because height does not matter for these.
    fn counted(&self, offset: Exact) -> Exact {
        if self.is_upright { Exact { z: 0.0, ..offset } } else { offset }
    }

    pub(crate) fn ends(&self) -> [Exact; 2] {
        [self.from, self.to]
    }

    /// True if a disk that moves along a straight line stays at least its radius away. Walls are
    /// tested from both sides.
    pub(crate) fn lets_pass(&self, from: Exact, motion: Exact, radius: f64) -> bool {
        self.clearance(from).0 >= radius && self.entry(from, motion, radius).is_none()
    }

    fn blocks(&self, point: Exact) -> bool {
        !self.one_sided || (point - self.from).dot(self.normal) >= 0.0
    }

    /// Returns the distance from the shape to a point, and the direction in which this distance
    /// grows fastest. Inside an obstacle, the distance is negative.
    pub(crate) fn clearance(&self, point: Exact) -> (f64, Exact) {
        if self.third.is_some() {
            return self.clearance_of_triangle(point);
        }
        let (along, offset) = (self.to - self.from, self.counted(point - self.from));
        let length_sq = along.dot(along);
        let t = if length_sq > 0.0 { (offset.dot(along) / length_sq).clamp(0.0, 1.0) } else { 0.0 };
        let away = offset - along * t;
        let distance = away.length();
        let normal = if distance > 0.0 { away * (1.0 / distance) } else { self.normal };
        (distance - self.radius, normal)
    }

    fn clearance_of_triangle(&self, point: Exact) -> (f64, Exact) {
        if self.is_over(point) {
            let height = (point - self.from).dot(self.normal);
            return (height.abs(), if height < 0.0 { -self.normal } else { self.normal });
        }
        let nearest = self.edges().into_iter().map(|[from, to]| {
            let along = to - from;
            let t = ((point - from).dot(along) / along.dot(along)).clamp(0.0, 1.0);
            point - (from + along * t)
        });
        let away = nearest.min_by(|a, b| a.dot(*a).total_cmp(&b.dot(*b))).expect("three edges");
        let distance = away.length();
        let normal = if distance > 0.0 { away * (1.0 / distance) } else { self.normal };
        (distance, normal)
    }

    /// Returns the fraction of the motion at which the clearance falls to `distance`,
    /// and the normal there. The motion must start at a larger clearance.
    fn entry(&self, from: Exact, motion: Exact, distance: f64) -> Option<(f64, Exact)> {
        let motion = self.counted(motion);
        let (room, length) = (self.radius + distance, motion.length());
        if room <= 0.0 || length == 0.0 {
            return None;
        }
        let direction = motion * (1.0 / length);
        let mut first: Option<(f64, Exact)> = None;
        let mut meet = |at: f64, normal: Exact| {
            if (0.0..=length).contains(&at) && first.is_none_or(|(best, _)| at < best) {
                first = Some((at, normal));
            }
        };
        let height = (from - self.from).dot(self.normal);
        let side = if height < 0.0 { -1.0 } else { 1.0 };
        let (height, falls) = (height * side, -direction.dot(self.normal) * side);
        // Distance at which the disk would touch a wall's infinite line, or a triangle's infinite
        // plane.
        let face = (falls > 0.0 && height >= room).then(|| (height - room) / falls);
        if self.third.is_some() {
            for [start, end] in self.edges() {
                meet_edge((from, direction), (start, end), room, &mut meet);
            }
            if let Some(at) = face.filter(|&at| self.is_over(from + direction * at)) {
                meet(at, self.normal * side);
            }
        }
        for end in [Some(self.from), Some(self.to), self.third].into_iter().flatten() {
            meet_corner(direction, self.counted(end - from), room, &mut meet);
        }
        let along = self.to - self.from;
        let size = along.length();
        if let Some(at) = face.filter(|_| self.third.is_none()) {
            let foot = (from + direction * at - self.from).dot(along) / size;
            if (0.0..=size).contains(&foot) {
                meet(at, self.normal * side);
            }
        }
        first.map(|(at, normal)| (at / length, normal))
    }

    fn hit(
        &self,
        index: usize,
        start: Exact,
        (from, motion): (Exact, Exact),
        Distances { contact, spacing, .. }: Distances,
    ) -> Option<Hit> {
        let (clearance, normal) = self.clearance(from);
        let slack = spacing / 4.0;
        if clearance >= contact + slack {
            let (fraction, normal) = self.entry(from, motion, contact)?;
            return Some(Hit { index, fraction, normal, lift: 0.0 });
        }
        let enters = motion.dot(normal) < -PARALLEL * motion.length();
        // Without this test, rounding would move a sliding disk ever closer to the wall.
        let stays = !self.met
            && clearance < contact - slack
            && self.clearance(from + motion).0 < contact - slack;
        let lifted = clearance - self.clearance(start).0;
        let lift = (contact - clearance).min(2.0 * spacing - lifted).clamp(0.0, 2.0 * spacing);
        (enters || stays).then_some(Hit { index, fraction: 0.0, normal, lift })
    }

    fn allows(&self, from: Exact, at: Exact, least: f64) -> bool {
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

/// If a ball on a straight line touches an edge between its ends, calls `meet` with the distance to
/// the first contact, and the normal there.
fn meet_edge(
    (from, direction): (Exact, Exact),
    (start, end): (Exact, Exact),
    room: f64,
    meet: &mut impl FnMut(f64, Exact),
) {
    let axis = (end - start).normalized();
    let (offset, along) = (from - start, direction.dot(axis));
    let away = offset - axis * offset.dot(axis);
    let speed = direction - axis * along;
    let (a, b) = (speed.dot(speed), away.dot(speed));
    let inside = b * b - a * (away.dot(away) - room * room);
    if a <= 0.0 || inside <= 0.0 {
        return;
    }
    let at = (-b - inside.sqrt()) / a;
    let foot = offset.dot(axis) + along * at;
    if (0.0..=(end - start).length()).contains(&foot) {
        meet(at, (away + speed * at).normalized());
    }
}

/// If a ball on a straight line touches a corner, calls `meet` with the distance to the first
/// contact, and the normal there.
fn meet_corner(direction: Exact, to_corner: Exact, room: f64, meet: &mut impl FnMut(f64, Exact)) {
    let aside = if to_corner.z == 0.0 && direction.z == 0.0 {
        direction.cross(to_corner)
    } else {
        (to_corner - direction * to_corner.dot(direction)).length()
    };
    let inside = (room - aside) * (room + aside);
    if inside > 0.0 {
        let at = to_corner.dot(direction) - inside.sqrt();
        let away = direction * at - to_corner;
        meet(at, away.normalized());
    }
}

impl Solids {
    pub(crate) fn new(all: Vec<Solid>, space: &Space) -> Self {
        let item = |solid: &Solid| match solid.third {
            None => Item {
                from: solid.from.to_f32(),
                to: solid.to.to_f32(),
                radius: solid.radius as f32,
            },
            Some(_) => {
                let (middle, half) = solid.extent();
                let middle = middle.to_f32();
                Item { from: middle, to: middle, radius: half.length() as f32 * 1.0001 }
            }
        };
        let items: Vec<Item> = all.iter().map(item).collect();
        // The index has square cells, because displacements do not depend on the rows of the
        // agents' grid.
        let index = Index::new(space, space.is_torus(), &items, f32::INFINITY);
        Self { max_lift: max_lift(&all, space), index, all }
    }

    /// Lists the solids in `near` that a disk may hit. On a torus, the list includes their images.
    pub(crate) fn list(&self, near: &Near, cast: &DiskCast, space: &Space, list: &mut Vec<Solid>) {
        list.clear();
        self.for_each_near(near.iter(), cast, space, |_, solid| list.push(solid));
    }

    /// Calls `visit` with the index and each image of the solids in `near` that a disk may hit.
    fn for_each_near(
        &self,
        near: impl Iterator<Item = usize>,
        cast: &DiskCast,
        space: &Space,
        mut visit: impl FnMut(usize, Solid),
    ) {
        let (from, distances) = (Exact::from_f32(cast.from), Distances::new(cast, space));
        let reach = (Exact::from_f32(cast.to) - from).length()
            + distances.contact
            + 16.0 * distances.spacing;
        let size = Exact::from_f32(space.size);
        near.for_each(|index| {
            let solid = &self.all[index];
            let (middle, half) = solid.extent();
            let reach = reach + solid.radius;
            let room = half + Vec3::diagonal(reach);
            let offset = solid.counted(middle - from);
            let mut add = |shift: Exact| {
                if (offset + shift).map(f64::abs).all_le(room) {
                    visit(index, solid.shifted(shift));
                }
            };
            if !space.is_torus() {
                return add(Exact::default());
            }
            let turns_along =
                |offset: f64, size: f64| if size > 0.0 { (-offset / size).round() } else { 0.0 };
            let turns = offset.zip(size, turns_along);
            let layers = if solid.is_upright || size.z == 0.0 { 0 } else { IMAGES };
            for right in (-IMAGES..=IMAGES).map(f64::from) {
                for up in (-IMAGES..=IMAGES).map(f64::from) {
                    for z in (-layers..=layers).map(f64::from) {
                        add((turns + Vec3 { x: right, y: up, z }).zip(size, f64::mul));
                    }
                }
            }
        });
    }

    pub(crate) fn all(&self) -> &[Solid] {
        &self.all
    }

    /// The solids that a disk may overlap. On a torus, the list includes their images.
    pub(crate) fn near(&self, at: Vec3<f32>, radius: f32, space: &Space) -> Vec<Solid> {
        let near = self.index.all_in(swept_aabb(Aabb::at(at), radius, space)).into_iter();
        let cast = DiskCast { from: at, to: at, radius };
        let mut solids = Vec::new();
        self.for_each_near(near.map(|k| k as usize), &cast, space, |_, solid| solids.push(solid));
        solids
    }

    /// True if a disk is too close to a solid for an agent to start there.
    pub(crate) fn overlap(&self, at: Vec3<f32>, radius: f32, space: &Space) -> bool {
        self.are_closer(at, radius, space, |distances| distances.contact)
    }

    /// True if a disk is closer to a solid than any step may bring a disk.
    pub(crate) fn is_inside(&self, at: Vec3<f32>, radius: f32, space: &Space) -> bool {
        self.are_closer(at, radius, space, |distances| distances.least)
    }

    fn are_closer(
        &self,
        at: Vec3<f32>,
        radius: f32,
        space: &Space,
        than: impl Fn(&Distances) -> f64,
    ) -> bool {
        let solids = self.near(at, radius, space);
        let least = than(&Distances::new(&DiskCast { from: at, to: at, radius }, space));
        let at = Exact::from_f32(at);
        solids.iter().any(|solid| solid.blocks(at) && solid.clearance(at).0 < least)
    }
}

/// Lifts along different normals add up to at most twice the spacing times the root of their
/// number. One more spacing covers rounding.
fn max_lift(solids: &[Solid], space: &Space) -> f32 {
    let largest = |size: Exact| size.x.abs().max(size.y.abs()).max(size.z.abs());
    let coordinates = solids.iter().map(|solid| {
        let (middle, half) = solid.extent();
        largest(middle) + largest(half) + solid.radius
    });
    // In open space, a disk may touch an upright wall at any height.
    let is_unlimited = space.topology == Topology::Open && !space.is_flat();
    let size = if is_unlimited { Vec3::diagonal(COORDINATE_LIMIT) } else { space.size };
    let largest = coordinates.fold(largest(Exact::from_f32(size)), f64::max);
    (5.0 * largest) as f32 * f32::EPSILON
}

/// Returns the area that disks starting in `around` may touch if no disk's radius plus
/// displacement exceeds `reach`.
pub(crate) fn swept_aabb(around: Aabb, reach: f32, space: &Space) -> Aabb {
    // The added margin covers rounding errors and the minimum clearance of tiny disks.
    let Aabb { low, high } = around;
    let Vec3 { x, y, z } = space.size;
    let largest = [low.x, low.y, high.x, high.y, x, y, low.z, high.z, z].map(f32::abs);
    let room = reach * 1.001 + largest.into_iter().sum::<f32>() * 4.0e-6;
    around.expanded(Vec3::diagonal(room))
}

/// Rejects straight walls that span at least half the width or height of a torus, because their
/// nearest image would be ambiguous.
pub(crate) fn check(walls: &[Wall], scatter: Option<&Scatter>, space: &Space) -> Result<(), Error> {
    if !space.is_torus() {
        return Ok(());
    }
    let Vec3 { x: width, y: height, z: depth } = space.size * 0.5;
    for (k, wall) in walls.iter().enumerate() {
        let is_polygon = is_polygon(wall);
        for (segment, [from, to]) in segments(&wall.points, wall.closed || is_polygon).enumerate() {
            let is_high = is_polygon && (to[2] - from[2]).abs() >= depth;
            if is_high || (to[0] - from[0]).abs() >= width || (to[1] - from[1]).abs() >= height {
                let field = format!("walls[{k}].points[{}]", (segment + 1) % wall.points.len());
                let along_z =
                    if is_polygon { format!(" and {depth} along z") } else { String::new() };
                let allowed = format!(
                    "less than {width} across and {height} up or down{along_z} from the previous \
                     point, half the torus, because scenery is solid"
                );
                return Err(Error::refused(field, format!("{:?}", &to[..]), allowed));
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
