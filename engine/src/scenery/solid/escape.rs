//! Finds the nearest clear position for a disk after solids were moved onto it.

use std::f32::consts::TAU;

use super::slide::is_inside;
use super::{DiskCast, Distances, Exact, Solid, Solids};
use crate::math::angle::sin_cos;
use crate::math::vec3::Vec3;
use crate::world::space::Space;

/// Number of directions to try, in flat worlds and in space, besides those straight out of the
/// overlapped solids.
const DIRECTIONS: [u8; 2] = [32, 96];
/// Maximum number of advances along a direction.
const MAX_ADVANCES: usize = 64;
/// Turn between successive directions in space, as a fraction of a full turn: the golden angle.
const GOLDEN: f32 = 0.381_966;

impl Solids {
    /// Tries many directions from the disk's position and returns the nearest clear position, or
    /// `None` if the disk overlaps no solid or if no direction is free.
    pub(crate) fn way_out(&self, at: Vec3<f32>, radius: f32, space: &Space) -> Option<Vec3<f32>> {
        if !self.is_inside(at, radius, space) {
            return None;
        }
        let start = Exact::from_f32(at);
        let distances = Distances::new(&DiskCast { from: at, to: at, radius }, space);
        let near = self.near(at, radius, space);
        let normals = near.iter().filter(|solid| solid.blocks(start));
        let normals = normals.map(|solid| solid.clearance(start).1);
        let ends = normals.chain(directions(space)).filter_map(|direction| {
            let end = self.first_clear(start, direction, distances, space)?.to_f32();
            self.is_free((at, end), radius, space).then_some(end)
        });
        let length = |end: &Vec3<f32>| (Exact::from_f32(*end) - start).length();
        ends.min_by(|a, b| length(a).total_cmp(&length(b)))
    }

    /// The first clear position along a direction. A move of length d increases a clearance by at
    /// most d, so a shorter advance could not clear the solid that the disk overlaps most.
    fn first_clear(
        &self,
        start: Exact,
        direction: Exact,
        Distances { contact, least, spacing }: Distances,
        space: &Space,
    ) -> Option<Exact> {
        let mut at = start;
        // Images of solids are not searched farther away.
        let farthest = if space.is_torus() { space.smaller_side().into() } else { f64::INFINITY };
        for _ in 0..MAX_ADVANCES {
            if (at - start).length() > farthest {
                return None;
            }
            let near = self.near(at.to_f32(), contact as f32, space);
            let clearances = near.iter().filter(|solid| solid.blocks(at));
            let clearance = clearances.map(|solid| solid.clearance(at).0).fold(contact, f64::min);
            if clearance >= least + spacing {
                return is_inside(space, at).then_some(at);
            }
            at = at + direction * (contact - clearance + spacing);
        }
        None
    }

    /// True if the center of a disk crosses no solid on its way, except an obstacle in which it
    /// starts, and the disk does not overlap a solid at the end.
    fn is_free(&self, (from, to): (Vec3<f32>, Vec3<f32>), radius: f32, space: &Space) -> bool {
        let (start, end) = (Exact::from_f32(from), Exact::from_f32(to));
        let near = self.near(from, (end - start).length() as f32 + radius, space);
        let crosses = |solid: &Solid| {
            solid.clearance(start).0 > 0.0 && solid.met_by_point(start, end - start).is_some()
        };
        !near.iter().any(crosses) && !self.is_inside(to, radius, space)
    }
}

/// Evenly spread unit vectors.
fn directions(space: &Space) -> impl Iterator<Item = Exact> {
    let is_flat = space.is_flat();
    let count = DIRECTIONS[usize::from(!is_flat)];
    (0..count).map(move |k| {
        let fraction = f32::from(k) / f32::from(count);
        let turn = if is_flat { fraction } else { (f32::from(k) * GOLDEN).fract() };
        let (sin, cos) = sin_cos(turn * TAU);
        let (x, y) = (f64::from(cos), f64::from(sin));
        if is_flat {
            return Exact::flat(x, y);
        }
        let z = 1.0 - 2.0 * f64::from(fraction);
        let level = (1.0 - z * z).sqrt();
        Exact { x: x * level, y: y * level, z }
    })
}
