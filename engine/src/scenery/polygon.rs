//! Walls that are convex polygons in a world with depth: floors, ramps, terrain.
//!
//! A polygon is cut into triangles that share its first corner. Feelers and balls are tested
//! against each triangle separately.

use crate::error::Error;
use crate::math::vec3::Vec3;
use crate::scenery::definition::Wall;
use crate::scenery::index::Item;

/// Maximum distance of a corner from the polygon's plane, as a fraction of the polygon's size.
const FLATNESS: f64 = 1.0e-4;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Triangle {
    pub(crate) corners: [Vec3<f32>; 3],
    /// Unit normal on the front, the side from which the corners run counterclockwise.
    pub(crate) normal: Vec3<f32>,
    /// For each edge, from a corner to the next, the unit vector in the plane that points inward.
    pub(crate) inward: [Vec3<f32>; 3],
    /// Sign of the normal for agents behind the wall: −1 if the wall is two-sided, else 1.
    pub(crate) behind: f32,
}

impl Triangle {
    /// An index item that covers all points within `range` of the triangle, seen from above.
    pub(crate) fn item(&self, range: f32) -> Item {
        let [a, b, c] = self.corners;
        let center = (a + b + c) * (1.0 / 3.0);
        let farthest = self.corners.iter().map(|&corner| (corner - center).length());
        let radius = range + farthest.fold(0.0, f32::max);
        Item { from: center, to: center, radius }
    }
}

/// Unit normal of the first three corners; zero if they are on a line.
pub(super) fn normal_of(corners: &[Vec3<f64>]) -> Vec3<f64> {
    (corners[1] - corners[0]).across_both(corners[2] - corners[0])
}

/// The triangles of a wall that [is a polygon](is_polygon).
pub(super) fn triangles(wall: &Wall) -> impl Iterator<Item = Triangle> + '_ {
    wall.points[1..].windows(2).map(|pair| {
        let corners = [wall.points[0], pair[0], pair[1]].map(Vec3::from);
        let exact = corners.map(Vec3::<f64>::from_f32);
        let normal = normal_of(&exact);
        let inward = std::array::from_fn(|k| {
            let edge = exact[(k + 1) % 3] - exact[k];
            normal.across_both(edge).to_f32()
        });
        let behind = if wall.two_sided { -1.0 } else { 1.0 };
        Triangle { corners, normal: normal.to_f32(), inward, behind }
    })
}

pub(crate) fn is_polygon(wall: &Wall) -> bool {
    wall.points.first().is_some_and(|point| point.len() == 3)
}

/// Rejects polygons that are not flat or not convex.
pub(super) fn check(path: &str, wall: &Wall) -> Result<(), Error> {
    let refuse = |value: String, allowed: &str| {
        Err(Error::refused(format!("{path}.points"), value, allowed))
    };
    let corners: Vec<Vec3<f64>> =
        wall.points.iter().map(|&point| Vec3::<f64>::from_f32(point)).collect();
    if corners.len() < 3 {
        return refuse(format!("{} points", corners.len()), "at least 3 corners of a polygon");
    }
    if wall.closed {
        let field = format!("{path}.closed");
        return Err(Error::refused(field, true, "left out: a polygon is always closed"));
    }
    let normal = normal_of(&corners);
    let size = corners.iter().map(|&corner| (corner - corners[0]).length()).fold(0.0, f64::max);
    let count = corners.len();
    for k in 0..count {
        let [a, b, c] = [corners[k], corners[(k + 1) % count], corners[(k + 2) % count]];
        let [first, from_first] = [corners[0], b - corners[0]];
        if (c - first).dot(normal).abs() > FLATNESS * size {
            return refuse(format!("corner {} off the plane", (k + 2) % count), "in one plane");
        }
        let turns_left = |one: Vec3<f64>, next: Vec3<f64>| {
            normal.across_both(one).dot(next) > FLATNESS * next.length()
        };
        // A star polygon also turns left at every corner, but winds around more than once.
        let goes_on = k + 2 < count;
        if !turns_left(b - a, c - b) || goes_on && !turns_left(from_first, c - first) {
            return refuse(
                format!("no left turn at corner {}", (k + 1) % count),
                "a convex polygon",
            );
        }
    }
    Ok(())
}
