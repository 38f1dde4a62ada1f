use crate::reference::vector::V;
use crate::reference::vehicle::Vehicle;
use crate::world::Topology;

/// A wall or an obstacle: all points within `radius` of a line segment. `front`, if set, is a unit
/// normal, and the shape stops only agents on the side that it points to.
#[derive(Clone, Copy)]
struct SolidShape {
    from: V,
    to: V,
    radius: f64,
    front: Option<V>,
}

pub(super) struct Stopped {
    pub(super) position: V,
    pub(super) velocity: V,
}

/// Moves a vehicle's disk from `from` toward `to`, sliding along the shapes in the way, and removes
/// the velocity components that point into those shapes.
pub(super) fn stopped(vehicle: &Vehicle<'_>, from: V, to: V, velocity: V) -> Stopped {
    let mut end = Stopped { position: from, velocity };
    let mut rest = to - from;
    let mut normals: Vec<V> = Vec::new();
    let mut moved = false;
    loop {
        let (free, normal) = free_distance(vehicle, end.position, rest);
        end.position = end.position + rest.normalized() * free;
        moved |= free > 0.0;
        let Some(normal) = normal else { break };
        rest = rest.normalized() * (rest.length() - free);
        let slide = |vector: V| vector - normal * vector.dot(normal).min(0.0);
        (rest, end.velocity) = (slide(rest), slide(end.velocity));
        if normals.iter().any(|other| rest.dot(*other) < -1.0e-9 * rest.length()) {
            end.velocity = V::default();
            break;
        }
        normals.push(normal);
        if moved && normals.len() > 2 {
            break;
        }
        rest = rest * share_inside(vehicle, end.position, rest);
    }
    end
}

/// Sphere tracing: repeatedly advances a disk by the gap to the nearest shape, until contact.
/// Returns the distance moved and the contact normal, if any.
fn free_distance(vehicle: &Vehicle<'_>, from: V, motion: V) -> (f64, Option<V>) {
    let (length, direction) = (motion.length(), motion.normalized());
    let coordinates = [from.x, from.y, vehicle.size.x, vehicle.size.y].map(f64::abs);
    let spacing = coordinates.into_iter().fold(0.0, f64::max) * f64::from(f32::EPSILON);
    let contact = vehicle.radius.max(4.0 * spacing);
    let shapes: Vec<SolidShape> = shapes(vehicle, from)
        .filter(|shape| {
            shape
                .front
                .is_none_or(|normal| !vehicle.negative((from - shape.from).dot(normal), contact))
        })
        .collect();
    let mut along = 0.0;
    while along < length {
        let at = from + direction * along;
        let (mut gap, mut nearest) = (f64::MAX, V::default());
        for shape in &shapes {
            let (clearance, normal) = shape.clearance(at);
            let approach = -direction.dot(normal);
            if clearance - contact < spacing && approach < 1.0e-9 {
                continue;
            }
            if clearance - contact < gap {
                (gap, nearest) = (clearance - contact, normal);
            }
        }
        if gap < 1.0e-3 * spacing {
            vehicle.negative(direction.dot(nearest), 1.0);
            return (along, Some(nearest));
        }
        along += gap;
    }
    (length, None)
}

impl SolidShape {
    fn clearance(&self, at: V) -> (f64, V) {
        let along = self.to - self.from;
        let size = along.length();
        let foot = (at - self.from).dot(along.normalized()).clamp(0.0, size);
        let away = at - (self.from + along.normalized() * foot);
        (away.length() - self.radius, away.normalized())
    }
}

fn shapes(vehicle: &Vehicle<'_>, at: V) -> impl Iterator<Item = SolidShape> {
    let walls = vehicle.scenery.walls.iter().map(|wall| {
        let (from, to) = (V::from_f32(wall.from), V::from_f32(wall.to));
        let front = (wall.behind > 0.0).then_some((to - from).left().normalized());
        SolidShape { from, to, radius: 0.0, front }
    });
    let obstacles = vehicle.obstacles();
    let circles =
        obstacles.map(|(at, radius)| SolidShape { from: at, to: at, radius, front: None });
    let images: &[f64] =
        if vehicle.topology == Topology::Torus { &[-2.0, -1.0, 0.0, 1.0, 2.0] } else { &[0.0] };
    walls.chain(circles).flat_map(move |shape| {
        let middle = (shape.from + shape.to) * 0.5;
        let nearest = at + vehicle.displacement(at, middle) - middle;
        let pairs = images.iter().flat_map(|right| images.iter().map(move |up| (*right, *up)));
        pairs.map(move |(right, up)| {
            let offset = nearest + V::new(right * vehicle.size.x, up * vehicle.size.y);
            SolidShape { from: shape.from + offset, to: shape.to + offset, ..shape }
        })
    })
}

fn share_inside(vehicle: &Vehicle<'_>, from: V, motion: V) -> f64 {
    if vehicle.topology != Topology::Bounded {
        return 1.0;
    }
    let share = |from: f64, motion: f64, size: f64| match from + motion {
        to if to < 0.0 => -from / motion,
        to if to > size => (size - from) / motion,
        _ => 1.0,
    };
    share(from.x, motion.x, vehicle.size.x).min(share(from.y, motion.y, vehicle.size.y)).max(0.0)
}
