use serde::{Deserialize, Serialize};

use crate::error::{Error, within};
use crate::math::vec3::Vec3;
use crate::world::point::Point;

/// A circle to avoid or hide behind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[must_use]
pub struct Obstacle {
    /// Center, in world units; each coordinate is from -1e7 to 1e7.
    pub center: Point,
    /// Radius, in world units, from 0 to 1e6.
    pub radius: f32,
}

/// A chain of straight walls. A wall's front is its left side, looking from one point
/// to the next. Counterclockwise points enclose a room; clockwise points enclose a block.
/// In a world with depth, walls stand upright, as high as the world.
///
/// In a world with depth, points with three coordinates instead make the wall a convex polygon with
/// these corners. Its front is the side from which the corners run counterclockwise.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[must_use]
pub struct Wall {
    /// At least two points (three for a polygon) within ±1e7 world units, each at least 1e-3 from
    /// the previous one. On a torus, behaviors never look for walls across the seam.
    pub points: Vec<Point>,
    /// True if a wall joins the last point to the first. Default false.
    pub closed: bool,
    /// True if agents behind the wall are kept behind it. If false, the wall pushes them through
    /// to its front, as in Buckland 2004. Default false.
    pub two_sided: bool,
}

/// A straight segment of a [`Wall`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StraightWall {
    /// Endpoints of the segment, in world units. Its front is the left side, viewed from the first
    /// endpoint toward the second.
    pub ends: [[f32; 2]; 2],
    /// True if agents behind the wall are kept behind it.
    pub two_sided: bool,
}

/// A named chain of waypoints.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[must_use]
pub struct WaypointPath {
    /// Name by which behaviors refer to the path.
    pub name: String,
    /// At least two waypoints within ±1e7 world units, each at least 1e-3 from the previous one.
    #[serde(default)]
    pub points: Vec<Point>,
    /// True if the first waypoint follows the last. Default false.
    #[serde(default)]
    pub closed: bool,
}

/// A grid of directions that covers the world, for
/// [`FlowFollowing`](crate::behaviors::FlowFollowing).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[must_use]
pub struct FlowField {
    /// Number of columns in the grid, from 1 to 4096.
    pub columns: u32,
    /// Directions in degrees, from -360 to 360, counterclockwise from the +x axis: at most a
    /// million rows, listed from the bottom up. Each direction applies at the center of its cell.
    pub degrees: Vec<f32>,
}

impl Obstacle {
    /// A circular obstacle, in world units: center within ±1e7, radius from 0 to 1e6.
    pub fn new(center: impl Into<Point>, radius: f32) -> Self {
        Self { center: center.into(), radius }
    }

    pub(crate) fn check(&self, path: &str, axes: usize) -> Result<(), Error> {
        self.center.check_in(&format!("{path}.center"), axes)?;
        within(&format!("{path}.radius"), self.radius, 0.0, 1.0e6, "world units")
    }
}

impl Wall {
    /// An open chain of one-sided walls through these points, in world units.
    pub fn new(points: impl IntoIterator<Item = impl Into<Point>>) -> Self {
        Self { points: points.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    setters! {
        /// Joins the last point to the first.
        closed() = true;
        /// Makes the wall two-sided: agents behind it are kept behind it.
        two_sided() = true;
    }
}

impl WaypointPath {
    /// An open chain of waypoints, in world units. Behaviors refer to the path by name.
    pub fn new(
        name: impl Into<String>,
        points: impl IntoIterator<Item = impl Into<Point>>,
    ) -> Self {
        let points = points.into_iter().map(Into::into).collect();
        Self { name: name.into(), points, closed: false }
    }

    setters! {
        /// Closes the path: the first waypoint follows the last.
        closed() = true;
    }
}

impl FlowField {
    /// A field with `columns` columns. Directions are in degrees, counterclockwise from the +x
    /// axis, listed row by row from the bottom.
    pub fn new(columns: u32, degrees: impl IntoIterator<Item = f32>) -> Self {
        Self { columns, degrees: degrees.into_iter().collect() }
    }

    pub(crate) fn check(&self, path: &str) -> Result<(), Error> {
        within(&format!("{path}.columns"), self.columns as f32, 1.0, 4096.0, "")?;
        if self.degrees.is_empty() || !self.degrees.len().is_multiple_of(self.columns as usize) {
            let value = format!("{} directions", self.degrees.len());
            let allowed = format!("one or more whole rows of {}", self.columns);
            return Err(Error::refused(format!("{path}.degrees"), value, allowed));
        }
        let rows = self.degrees.len() / self.columns as usize;
        within(&format!("rows of {path}"), rows as f32, 1.0, MAX_COUNT as f32, "")?;
        self.degrees.iter().enumerate().try_for_each(|(k, &degrees)| {
            within(&format!("{path}.degrees[{k}]"), degrees, -360.0, 360.0, "degrees")
        })
    }
}

/// Maximum number of waypoints in a path and of rows in a flow field. Kernels store both numbers as
/// `f32`, waypoints in steps of one half.
pub(super) const MAX_COUNT: usize = 1_000_000;

/// Checks a list of points, each of which must have `axes` coordinates.
pub(super) fn check_chain(
    path: &str,
    (points, axes): (&[Point], usize),
    closed: bool,
) -> Result<(), Error> {
    if points.len() < 2 {
        let value = format!("{} points", points.len());
        return Err(Error::refused(format!("{path}.points"), value, "at least 2 points"));
    }
    for (k, &point) in points.iter().enumerate() {
        point.check_in(&format!("{path}.points[{k}]"), axes)?;
    }
    for (k, [from, to]) in segments(points, closed).enumerate() {
        let segment = Vec3::from(to) - Vec3::from(from);
        if segment.length() < 1.0e-3 {
            let field = format!("{path}.points[{}]", (k + 1) % points.len());
            let allowed = "at least 1e-3 world units from the previous point";
            return Err(Error::refused(field, format!("{:?}", &to[..]), allowed));
        }
    }
    Ok(())
}

pub(crate) fn segments(points: &[Point], closed: bool) -> impl Iterator<Item = [Point; 2]> + '_ {
    let last = match (closed, points) {
        (true, [first, .., last]) => Some([*last, *first]),
        _ => None,
    };
    points.windows(2).map(|pair| [pair[0], pair[1]]).chain(last)
}
