use crate::reference::vector::V;
use crate::reference::vehicle::Vehicle;
use crate::world::Topology;

/// A wall or an obstacle: all points within `radius` of a line segment. `front`, if set, is a unit
/// normal, and the shape stops only agents on the side that it points to. Heights do not count for
/// an upright shape.
#[derive(Clone, Copy)]
struct SolidShape {
    from: V,
    to: V,
    radius: f64,
    front: Option<V>,
    is_upright: bool,
    /// Third corner of a triangle.
    third: Option<V>,
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
    let mut has_moved = false;
    loop {
        let (free, normal) = free_distance(vehicle, end.position, rest);
        end.position = end.position + rest.normalized() * free;
        has_moved |= free > 0.0;
        let Some(normal) = normal else { break };
        rest = rest.normalized() * (rest.length() - free);
        (rest, end.velocity) = (
            slide(rest, normal, &normals, vehicle.is_flat()),
            slide(end.velocity, normal, &normals, vehicle.is_flat()),
        );
        if normals.iter().any(|other| leads_into(rest, *other)) {
            end.velocity = V::default();
            break;
        }
        normals.push(normal);
        if has_moved && normals.len() > if vehicle.is_flat() { 2 } else { 3 } {
            break;
        }
        if vehicle.topology == Topology::Bounded && !vehicle.is_flat() {
            let Some(along) = along_faces(vehicle, end.position, rest, &normals) else {
                end.velocity = V::default();
                break;
            };
            rest = along;
        }
        rest = rest * fraction_inside(vehicle, end.position, rest);
    }
    end
}

fn leads_into(vector: V, contact: V) -> bool {
    vector.dot(contact) < -1.0e-9 * vector.length()
}

/// Removes the part of a vector that leads into a contact. In space, a vector that then leads into
/// an earlier contact follows the line between the two.
fn slide(vector: V, normal: V, before: &[V], is_flat: bool) -> V {
    let mut slid = vector - normal * vector.dot(normal).min(0.0);
    for other in before.iter().filter(|_| !is_flat) {
        if leads_into(slid, *other) {
            let line = normal.across_both(*other);
            slid = line * slid.dot(line);
        }
    }
    slid
}

/// Slides a motion along the faces of the world that it leaves at once. `None` if it then leads
/// into a contact.
fn along_faces(vehicle: &Vehicle<'_>, at: V, motion: V, contacts: &[V]) -> Option<V> {
    let (size, axes) = (
        vehicle.size,
        [V { x: 1.0, ..V::default() }, V { y: 1.0, ..V::default() }, V { z: 1.0, ..V::default() }],
    );
    let faces =
        axes.into_iter().flat_map(|axis| [(axis, at.dot(axis)), (-axis, (size - at).dot(axis))]);
    let mut kept = motion;
    for (normal, distance) in faces {
        let outward = -kept.dot(normal);
        if outward > 0.0 && distance <= 1.0e-6 * outward {
            kept = slide(kept, normal, contacts, false);
            if contacts.iter().any(|other| leads_into(kept, *other)) {
                return None;
            }
        }
    }
    Some(kept)
}

/// Sphere tracing: repeatedly advances a disk by the gap to the nearest shape, until contact.
/// Returns the distance moved and the contact normal, if any.
fn free_distance(vehicle: &Vehicle<'_>, from: V, motion: V) -> (f64, Option<V>) {
    let (length, direction) = (motion.length(), motion.normalized());
    let coordinates = [from, vehicle.size].map(<[f64; 3]>::from);
    let largest = coordinates.as_flattened().iter().fold(0.0, |most: f64, at| most.max(at.abs()));
    let spacing = largest * f64::from(f32::EPSILON);
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
        if let Some(third) = self.third {
            return clearance_of_triangle(at, [self.from, self.to, third]);
        }
        let along = self.to - self.from;
        let size = along.length();
        let foot = (at - self.from).dot(along.normalized()).clamp(0.0, size);
        let away = at - (self.from + along.normalized() * foot);
        let away = if self.is_upright { V { z: 0.0, ..away } } else { away };
        (away.length() - self.radius, away.normalized())
    }
}

fn clearance_of_triangle(at: V, corners: [V; 3]) -> (f64, V) {
    let [a, b, c] = corners;
    let normal = (b - a).across_both(c - a);
    let height = (at - a).dot(normal);
    let foot = at - normal * height;
    let edges = [[a, b], [b, c], [c, a]];
    let mut nearest = foot;
    let inside = |&[from, to]: &[V; 2]| (to - from).across_both(foot - from).dot(normal) >= 0.0;
    if !edges.iter().all(inside) {
        let on_edge = edges.map(|[from, to]| {
            let along = to - from;
            from + along * ((at - from).dot(along) / along.dot(along)).clamp(0.0, 1.0)
        });
        let distance = |point: &V| (at - *point).length();
        nearest = on_edge.into_iter().fold(on_edge[0], |nearest, point| {
            if distance(&point) < distance(&nearest) { point } else { nearest }
        });
    }
    ((at - nearest).length(), (at - nearest).normalized())
}

fn shapes(vehicle: &Vehicle<'_>, at: V) -> impl Iterator<Item = SolidShape> {
    let walls = vehicle.scenery.walls.iter().map(|wall| {
        let (from, to) = (V::from_f32(wall.from), V::from_f32(wall.to));
        let front = (wall.behind > 0.0).then_some((to - from).quarter_turn().normalized());
        SolidShape { from, to, radius: 0.0, front, is_upright: true, third: None }
    });
    let obstacles = vehicle.obstacles();
    let circles = obstacles.map(|(at, radius)| SolidShape {
        from: at,
        to: at,
        radius,
        front: None,
        is_upright: false,
        third: None,
    });
    let images: &[f64] =
        if vehicle.topology == Topology::Torus { &[-2.0, -1.0, 0.0, 1.0, 2.0] } else { &[0.0] };
    let triangles = vehicle.scenery.triangles.iter().map(|triangle| {
        let [from, to, third] = triangle.corners.map(V::from_f32);
        let front = (triangle.behind > 0.0).then_some((to - from).across_both(third - from));
        SolidShape { from, to, radius: 0.0, front, is_upright: false, third: Some(third) }
    });
    walls.chain(triangles).chain(circles).flat_map(move |shape| {
        let middle = (shape.from + shape.to) * 0.5;
        let nearest = at + vehicle.displacement(at, middle) - middle;
        let layers = if vehicle.is_flat() || shape.is_upright { &[0.0][..] } else { images };
        let turns = images.iter().flat_map(move |&x| {
            images.iter().flat_map(move |&y| layers.iter().map(move |&z| V { x, y, z }))
        });
        turns.map(move |turns| {
            let offset = nearest + turns.zip(vehicle.size, |turns, size| turns * size);
            let third = shape.third.map(|third| third + offset);
            SolidShape { from: shape.from + offset, to: shape.to + offset, third, ..shape }
        })
    })
}

fn fraction_inside(vehicle: &Vehicle<'_>, from: V, motion: V) -> f64 {
    if vehicle.topology != Topology::Bounded {
        return 1.0;
    }
    let fraction = |from: f64, motion: f64, size: f64| match from + motion {
        to if to < 0.0 => -from / motion,
        to if to > size => (size - from) / motion,
        _ => 1.0,
    };
    let fractions = [
        fraction(from.x, motion.x, vehicle.size.x),
        fraction(from.y, motion.y, vehicle.size.y),
        fraction(from.z, motion.z, vehicle.size.z),
    ];
    fractions.into_iter().fold(1.0, f64::min).max(0.0)
}
