//! Points and vectors in the input: two numbers in a flat world, three in a world with depth.

use std::fmt;
use std::ops::{Deref, DerefMut};

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::{Error, within};
use crate::math::vec3::Vec3;
use crate::world::COORDINATE_LIMIT;

/// A point or vector: `[x, y]` in a flat world, `[x, y, z]` in a world with depth.
///
/// ```
/// use flockwork::Point;
///
/// let point = Point::from([3.0, 4.0]);
/// assert_eq!(point[1], 4.0);
/// assert_eq!(point.len(), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    at: [f32; 3],
    axes: usize,
}

impl Point {
    /// The coordinates on the map: x and y.
    #[must_use]
    pub fn xy(&self) -> [f32; 2] {
        [self.at[0], self.at[1]]
    }

    pub(crate) fn new(at: Vec3<f32>, axes: usize) -> Self {
        Self { at: at.into(), axes }
    }

    pub(crate) fn in_world(self, field: &str, axes: usize) -> Result<Vec3<f32>, Error> {
        self.check_axes(field, axes).map(|()| self.at.into())
    }

    /// Rejects a point whose number of coordinates differs from the world's number of axes.
    pub(crate) fn check_axes(self, field: &str, axes: usize) -> Result<(), Error> {
        if self.axes == axes {
            return Ok(());
        }
        let allowed = match axes {
            2 => "two numbers in a flat world",
            _ => "three numbers in a world with depth",
        };
        Err(Error::refused(field, format!("{:?}", &self[..]), allowed))
    }

    /// Rejects a point that no scene with this number of axes may contain.
    pub(crate) fn check_in(self, field: &str, axes: usize) -> Result<(), Error> {
        self.check_axes(field, axes)?;
        self.check(field)
    }

    /// Checks that each coordinate is within ±[`COORDINATE_LIMIT`].
    pub(crate) fn check(self, field: &str) -> Result<(), Error> {
        self.iter().enumerate().try_for_each(|(axis, &value)| {
            let field = format!("{field}[{axis}]");
            within(&field, value, -COORDINATE_LIMIT, COORDINATE_LIMIT, "world units")
        })
    }
}

/// Dereferences to the coordinates.
impl Deref for Point {
    type Target = [f32];
    fn deref(&self) -> &[f32] {
        &self.at[..self.axes]
    }
}

impl DerefMut for Point {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.at[..self.axes]
    }
}

impl From<[f32; 2]> for Point {
    fn from([x, y]: [f32; 2]) -> Self {
        Self { at: [x, y, 0.0], axes: 2 }
    }
}

impl From<[f32; 3]> for Point {
    fn from(at: [f32; 3]) -> Self {
        Self { at, axes: 3 }
    }
}

impl From<Point> for Vec3<f32> {
    fn from(point: Point) -> Self {
        point.at.into()
    }
}

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self[..].serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Coordinates)
    }
}

struct Coordinates;

impl<'de> Visitor<'de> for Coordinates {
    type Value = Point;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("two or three numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Point, A::Error> {
        let mut at = Vec::new();
        while let Some(along) = seq.next_element::<f32>()? {
            at.push(along);
        }
        match at[..] {
            [x, y] => Ok([x, y].into()),
            [x, y, z] => Ok([x, y, z].into()),
            _ => Err(A::Error::invalid_length(at.len(), &self)),
        }
    }
}
