//! Slides: the motion of a disk along the solids that stop it.
//!
//! A disk stops at its first contact, and the rest of its displacement slides along the contact. A
//! disk that has moved stops for good at its third contact, so it slides at most twice. Until a
//! disk moves, it slides along as many solids as it touches or overlaps, because three solids must
//! not hold a disk whose motion leads out of them all. A ball slides once more, and where two
//! solids meet, it slides along the crease between them. The end point, rounded to `f32`, is
//! accepted if nothing blocks the straight line to it and its clearance is at least the smaller of
//! the required clearance and the clearance at the start. Otherwise, earlier contact points are
//! tried, latest first, and finally the start. The distance to a convex shape is a convex function
//! along a straight line, so a disk that begins to leave a shape cannot hit that shape again.

use super::{DiskCast, Distances, Exact, Hit, PARALLEL, Solid};
use crate::math::vec3::Vec3;
use crate::world::Topology;
use crate::world::space::Space;

/// Maximum number of slides of a disk that has moved; a ball may slide once more.
const MAX_SLIDES: usize = 2;
/// A ball is on a face of the world if it would cross that face within this fraction of its motion.
const ON_FACE: f64 = 1.0e-6;

#[derive(Debug)]
pub(crate) struct SlideResult<'a> {
    pub(crate) position: Vec3<f32>,
    contacts: &'a [Contact],
    /// True if the disk was stuck between shapes, with no direction left to slide in.
    wedged: bool,
    space: Space,
}

#[derive(Debug)]
pub(crate) struct Contact {
    at: Exact,
    normal: Exact,
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
        let start = Exact::from_f32(self.from);
        let (mut at, mut rest) = (start, Exact::from_f32(self.to) - start);
        // A repeated contact is treated as movement, so that `MAX_SLIDES` applies.
        let (mut has_moved, mut wedged) = (false, false);
        contacts.clear();
        let end = loop {
            let hits = solids.iter().enumerate().filter_map(|(index, solid)| {
                solid.blocks(at).then(|| solid.hit(index, start, (at, rest), distances))?
            });
            let first = hits.min_by(|a, b| a.fraction.total_cmp(&b.fraction));
            let Some(Hit { index, fraction, normal, lift }) = first else { break at + rest };
            has_moved |= fraction > 0.0 || solids[index].met;
            solids[index].met = true;
            at = at + rest * fraction + normal * lift;
            (rest, wedged) = slide_along(rest * (1.0 - fraction), normal, contacts, space);
            contacts.push(Contact { at, normal });
            if wedged || has_moved && contacts.len() >= MAX_SLIDES + space.axes() - 1 {
                break at;
            }
            (rest, wedged) = kept_inside(space, at, rest, contacts);
            if wedged {
                break at;
            }
        };
        if contacts.is_empty() {
            return None;
        }
        let is_clear = |at: &Vec3<f32>| {
            let at = Exact::from_f32(*at);
            is_inside(space, at)
                && solids
                    .iter()
                    .all(|solid| !solid.blocks(start) || solid.allows(start, at, distances.least))
        };
        let ends = contacts.iter().map(|contact| contact.at).chain([end]);
        let position = ends.rev().map(Exact::to_f32).find(is_clear).unwrap_or(self.from);
        Some(SlideResult { position, contacts, wedged, space: *space })
    }
}

impl SlideResult<'_> {
    pub(crate) fn velocity(&self, velocity: Vec3<f32>) -> Vec3<f32> {
        if self.wedged {
            return Vec3::ZERO;
        }
        let velocity = Exact::from_f32(velocity);
        let slid = (0..self.contacts.len()).fold(velocity, |velocity, k| {
            let (before, contact) = (&self.contacts[..k], &self.contacts[k]);
            slide_along(velocity, contact.normal, before, &self.space).0
        });
        slid.to_f32()
    }
}

/// Slides a vector along a contact. In space, if the result would lead into an earlier contact, it
/// follows the crease between the two contacts instead. The flag is true if the result still leads
/// into an earlier contact.
fn slide_along(vector: Exact, normal: Exact, before: &[Contact], space: &Space) -> (Exact, bool) {
    let mut slid = vector - normal * vector.dot(normal).min(0.0);
    let leads_into =
        |vector: Exact, other: &Contact| vector.dot(other.normal) < -PARALLEL * vector.length();
    if !space.is_flat() {
        for other in before {
            if leads_into(slid, other) {
                let crease = normal.across_both(other.normal);
                slid = crease * slid.dot(crease);
            }
        }
    }
    (slid, before.iter().any(|other| leads_into(slid, other)))
}

/// Shortens a motion at the edge of a bounded world. In space, a ball on a face slides along that
/// face. The flag is true if the ball is then stuck.
fn kept_inside(space: &Space, from: Exact, motion: Exact, contacts: &[Contact]) -> (Exact, bool) {
    let (mut kept, mut wedged) = (motion, false);
    if space.topology != Topology::Bounded {
        return (kept, wedged);
    }
    let [at, size] = [from, Exact::from_f32(space.size)].map(<[f64; 3]>::from);
    if !space.is_flat() {
        for axis in 0..3 {
            for (inward, distance) in [(1.0, at[axis]), (-1.0, size[axis] - at[axis])] {
                let normal = Exact::by_axis(|other| if other == axis { inward } else { 0.0 });
                let outward = -kept.dot(normal);
                if outward > 0.0 && distance <= ON_FACE * outward {
                    let slid = slide_along(kept, normal, contacts, space);
                    (kept, wedged) = (slid.0, wedged || slid.1);
                }
            }
        }
    }
    let fraction = |(along, axis): (f64, usize)| {
        let to = at[axis] + along;
        let edge = to.clamp(0.0, size[axis]);
        if to == edge { 1.0 } else { ((edge - at[axis]) / along).clamp(0.0, 1.0) }
    };
    let fractions = <[f64; 3]>::from(kept).into_iter().zip(0..).map(fraction);
    (kept * fractions.fold(1.0, f64::min), wedged)
}

pub(super) fn is_inside(space: &Space, at: Exact) -> bool {
    space.bounds().is_none_or(|bounds| {
        let [low, high] = bounds.map(Exact::from_f32);
        low.all_le(at) && at.all_le(high)
    })
}
