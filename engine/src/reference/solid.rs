use crate::reference::shapes::Shape;
use crate::reference::vector::V;
use crate::reference::vehicle::Vehicle;
use crate::world::Topology;

/// Moves a vehicle's disk from `from` toward `to`, sliding along the shapes in the way, and removes
/// the velocity components that point into those shapes. Returns the new position and velocity.
pub(super) fn stopped(vehicle: &Vehicle<'_>, from: V, to: V, mut velocity: V) -> (V, V) {
    let (mut position, mut rest) = (from, to - from);
    let mut normals: Vec<V> = Vec::new();
    let mut has_moved = false;
    loop {
        let (free, normal) = free_distance(vehicle, position, rest);
        position = position + rest.normalized() * free;
        has_moved |= free > 0.0;
        let Some(normal) = normal else { break };
        rest = rest.normalized() * (rest.length() - free);
        (rest, velocity) = (
            slide(rest, normal, &normals, vehicle.is_flat()),
            slide(velocity, normal, &normals, vehicle.is_flat()),
        );
        if normals.iter().any(|other| leads_into(rest, *other)) {
            velocity = V::default();
            break;
        }
        normals.push(normal);
        if has_moved && normals.len() > if vehicle.is_flat() { 2 } else { 3 } {
            break;
        }
        if vehicle.topology == Topology::Bounded && !vehicle.is_flat() {
            let Some(along) = along_faces(vehicle, position, rest, &normals) else {
                velocity = V::default();
                break;
            };
            rest = along;
        }
        rest = rest * fraction_inside(vehicle, position, rest);
    }
    (position, velocity)
}

fn leads_into(vector: V, contact: V) -> bool {
    vector.dot(contact) < -1.0e-9 * vector.length()
}

/// Removes the part of a vector that leads into a contact. In space, if the result leads into an
/// earlier contact, it follows the crease between the two contacts instead.
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

/// Slides a motion along those faces of the world that it would cross immediately. Returns `None`
/// if the result leads into a contact.
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
    let stops =
        |shape: &Shape| shape.height(from).is_none_or(|height| !vehicle.negative(height, contact));
    let shapes: Vec<Shape> = vehicle.shapes(from).filter(stops).collect();
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

fn fraction_inside(vehicle: &Vehicle<'_>, from: V, motion: V) -> f64 {
    if vehicle.topology != Topology::Bounded {
        return 1.0;
    }
    let fractions = from.zip3(motion, vehicle.size, |from, motion, size| match from + motion {
        to if to < 0.0 => -from / motion,
        to if to > size => (size - from) / motion,
        _ => 1.0,
    });
    <[f64; 3]>::from(fractions).into_iter().fold(1.0, f64::min).max(0.0)
}
