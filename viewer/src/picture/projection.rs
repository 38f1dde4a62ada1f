//! Orthographic projection: turns the positions of a world with depth when they are copied for the
//! painter. Panning, zooming, culling and picking then need only x and y, as in a flat world.

use std::ops::RangeInclusive;

use flockwork::angle::sin_cos;
use flockwork::{Point, Simulation};

pub(crate) const YAW_RANGE: RangeInclusive<f32> = -360.0..=360.0;
pub(crate) const PITCH_RANGE: RangeInclusive<f32> = -90.0..=90.0;

/// Direction from which a world with depth is seen, in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Angle {
    /// Rotation of the viewer around the world, counterclockwise as seen from above. At 0, x points
    /// to the right.
    pub(crate) yaw: f32,
    /// Elevation of the viewer above the horizon; 90 looks straight down.
    pub(crate) pitch: f32,
}

impl Default for Angle {
    fn default() -> Self {
        Self { yaw: 30.0, pitch: 25.0 }
    }
}

impl Angle {
    pub(crate) const STRAIGHT_DOWN: Self = Self { yaw: 0.0, pitch: 90.0 };

    /// Returns the angle after a turn of the viewer, with yaw and pitch kept in their ranges.
    pub(crate) fn turned(self, yaw: f32, pitch: f32) -> Self {
        let pitch = (self.pitch + pitch).clamp(*PITCH_RANGE.start(), *PITCH_RANGE.end());
        Self { yaw: (self.yaw + yaw) % 360.0, pitch }
    }
}

/// Maps the world to the picture's plane: x to the right, y up, z toward the viewer, in world
/// units. The world's center stays where it is. The default is the identity, which looks straight
/// down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Projection {
    /// Sides of a world with depth; zero for a flat world.
    size: [f32; 3],
    turn: Option<Turn>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Turn {
    angle: Angle,
    /// Unit vectors in the world that point to the right, up, and toward the viewer.
    axes: [[f32; 3]; 3],
    /// Extent of the world along the line of sight.
    reach: f32,
}

impl Projection {
    /// The identity for flat worlds, whatever the angle.
    pub(crate) fn of(simulation: &Simulation, angle: Angle) -> Self {
        let [width, height] = simulation.world_size();
        let depth = simulation.world().depth;
        depth.map_or(Self::default(), |depth| Self::new(angle, [width, height, depth]))
    }

    fn new(angle: Angle, size: [f32; 3]) -> Self {
        let turn = (angle != Angle::STRAIGHT_DOWN).then(|| Turn::new(angle, size));
        Self { size, turn }
    }

    pub(crate) fn size(&self) -> [f32; 3] {
        self.size
    }

    pub(crate) fn is_turned(&self) -> bool {
        self.turn.is_some()
    }

    /// Returns where to move a camera's center after the view has turned from `before`, so that the
    /// world turns about the center of the picture.
    pub(crate) fn keep_center(&self, before: Self, [x, y]: [f32; 2]) -> [f32; 2] {
        if *self == before || self.size != before.size {
            return [x, y];
        }
        let [x, y, _] = self.place(before.place_in_world([x, y, self.size[2] / 2.0]));
        [x, y]
    }

    #[inline(always)]
    pub(crate) fn place(&self, at: [f32; 3]) -> [f32; 3] {
        let Some(turn) = &self.turn else { return at };
        let center = self.size.map(|side| side / 2.0);
        let turned = turn.turn([0, 1, 2].map(|k| at[k] - center[k]));
        [0, 1, 2].map(|k| center[k] + turned[k])
    }

    #[inline(always)]
    pub(crate) fn direction(&self, vector: [f32; 3]) -> [f32; 3] {
        self.turn.as_ref().map_or(vector, |turn| turn.turn(vector))
    }

    /// Returns the point in the world that [`Self::place`] maps to `at`.
    pub(crate) fn place_in_world(&self, at: [f32; 3]) -> [f32; 3] {
        if !self.is_turned() {
            return at;
        }
        let center = self.size.map(|side| side / 2.0);
        let from = self.direction_in_world([0, 1, 2].map(|k| at[k] - center[k]));
        [0, 1, 2].map(|k| center[k] + from[k])
    }

    pub(crate) fn direction_in_world(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        let Some(Turn { axes: [right, up, near], .. }) = self.turn else { return [x, y, z] };
        [0, 1, 2].map(|k| x * right[k] + y * up[k] + z * near[k])
    }

    /// Returns the corners of a box, given by its lowest and highest corner in the world. Bit k of
    /// a corner's index is set if its coordinate on axis k is the highest.
    pub(crate) fn corners(&self, ends: [[f32; 3]; 2]) -> [[f32; 3]; 8] {
        std::array::from_fn(|k| self.place([0, 1, 2].map(|axis| ends[(k >> axis) & 1][axis])))
    }

    /// Returns how near a point is to the viewer, from 0 for the world's farthest point to 1
    /// for its nearest. `z` is the third number of [`Self::place`].
    #[inline(always)]
    pub(crate) fn nearness(&self, z: f32) -> f32 {
        let Some(Turn { reach, .. }) = &self.turn else { return 0.5 };
        (0.5 + (z - self.size[2] / 2.0) / reach).clamp(0.0, 1.0)
    }

    /// Width and height of an area that holds the world at every yaw, so that the picture keeps
    /// its scale while the world turns. `None` if the projection is the identity.
    pub(crate) fn extent(&self) -> Option<[f32; 2]> {
        let Turn { angle, .. } = self.turn?;
        let [width, height, depth] = self.size;
        let across = (width * width + height * height).sqrt();
        let (sin, cos) = sin_cos(angle.pitch.to_radians());
        Some([across, across * sin.abs() + depth * cos])
    }
}

/// Coordinates of a point, with z = 0 in a flat world.
pub(crate) fn in_space(point: Point) -> [f32; 3] {
    let [x, y] = point.xy();
    [x, y, point.get(2).copied().unwrap_or(0.0)]
}

/// The four edges of a box along an axis, as pairs of indices of [`Projection::corners`].
pub(crate) fn edges_along(axis: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..8)
        .filter(move |corner| corner & (1 << axis) == 0)
        .map(move |corner| [corner, corner | (1 << axis)])
}

impl Turn {
    fn new(angle: Angle, size: [f32; 3]) -> Self {
        let (yaw_sin, yaw_cos) = sin_cos(angle.yaw.to_radians());
        let (sin, cos) = sin_cos(angle.pitch.to_radians());
        let right = [yaw_cos, yaw_sin, 0.0];
        let up = [-yaw_sin * sin, yaw_cos * sin, cos];
        let near = [yaw_sin * cos, -yaw_cos * cos, sin];
        let reach = size[0] * near[0].abs() + size[1] * near[1].abs() + size[2] * near[2].abs();
        Self { angle, axes: [right, up, near], reach }
    }

    #[inline(always)]
    fn turn(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        self.axes.map(
            #[inline(always)]
            |axis| axis[0] * x + axis[1] * y + axis[2] * z,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [f32; 3] = [100.0, 60.0, 40.0];

    fn at(yaw: f32, pitch: f32) -> Projection {
        Projection::new(Angle { yaw, pitch }, SIZE)
    }

    fn close(a: [f32; 3], b: [f32; 3]) -> bool {
        (0..3).all(|k| (a[k] - b[k]).abs() < 1.0e-4)
    }

    #[test]
    fn points_are_where_a_viewer_at_that_angle_sees_them() {
        // East of, north of, and above the center.
        let points = [[60.0, 30.0, 20.0], [50.0, 40.0, 20.0], [50.0, 30.0, 30.0]];
        for (yaw, pitch, seen) in [
            // Seen from the south: east is on the right, and north is far away.
            (0.0, 0.0, [[60.0, 30.0, 20.0], [50.0, 30.0, 10.0], [50.0, 40.0, 20.0]]),
            // Seen from the east: north is on the right, and east is near.
            (90.0, 0.0, [[50.0, 30.0, 30.0], [60.0, 30.0, 20.0], [50.0, 40.0, 20.0]]),
            // Seen from above, with west at the top.
            (90.0, 90.0, [[50.0, 20.0, 20.0], [60.0, 30.0, 20.0], [50.0, 30.0, 30.0]]),
            // Seen from below.
            (0.0, -90.0, [[60.0, 30.0, 20.0], [50.0, 20.0, 20.0], [50.0, 30.0, 10.0]]),
            // Seen from 30° above the horizon: higher points are drawn higher and are nearer.
            (0.0, 30.0, [[60.0, 30.0, 20.0], [50.0, 35.0, 11.339_75], [50.0, 38.660_25, 25.0]]),
        ] {
            for (point, seen) in points.into_iter().zip(seen) {
                let placed = at(yaw, pitch).place(point);
                assert!(close(placed, seen), "{yaw} {pitch} {point:?}: {placed:?}");
            }
        }
    }

    #[test]
    fn places_and_directions_in_the_picture_lead_back_to_the_world() {
        for yaw in [-200.0, 0.0, 33.0] {
            for pitch in [-90.0, -12.0, 25.0, 90.0] {
                let projection = at(yaw, pitch);
                for point in [[0.0; 3], SIZE, [12.0, 50.0, -7.0]] {
                    let back = projection.place_in_world(projection.place(point));
                    assert!(close(back, point), "{yaw} {pitch}: {back:?}");
                    let back = projection.direction_in_world(projection.direction(point));
                    assert!(close(back, point), "{yaw} {pitch}: {back:?}");
                }
            }
        }
    }

    #[test]
    fn the_world_is_inside_its_extent_and_reaches_from_the_farthest_to_the_nearest() {
        for (yaw, pitch) in [(0.0, 0.0), (31.0, 25.0), (70.0, -60.0), (200.0, 90.0)] {
            let projection = at(yaw, pitch);
            let extent = projection.extent().unwrap();
            let corners = projection.corners([[0.0; 3], SIZE]);
            for corner in corners {
                for k in 0..2 {
                    let away = (corner[k] - SIZE[k] / 2.0).abs();
                    assert!(away <= extent[k] / 2.0 + 1.0e-3, "{yaw} {pitch} {corner:?}");
                }
            }
            let near = corners.map(|corner| projection.nearness(corner[2]));
            let ends = [
                near.iter().copied().fold(1.0, f32::min),
                near.iter().copied().fold(0.0, f32::max),
            ];
            assert!(ends[0] < 1.0e-5 && ends[1] > 1.0 - 1.0e-5, "{ends:?}");
        }
    }

    /// Regression: when the view turned to or from straight down, the picture jumped to another part
    /// of the world.
    #[test]
    fn the_world_turns_about_the_center_of_the_picture_also_from_straight_down() {
        let (down, tilted) = (at(0.0, 90.0), at(30.0, 25.0));
        let center = tilted.keep_center(down, [80.0, 20.0]);
        let [x, y, _] = tilted.place([80.0, 20.0, SIZE[2] / 2.0]);
        assert_eq!(center, [x, y]);
        let [x, y, _] = tilted.place_in_world([center[0], center[1], SIZE[2] / 2.0]);
        assert_eq!(down.keep_center(tilted, center), [x, y]);
        assert_eq!(tilted.keep_center(Projection::default(), [80.0, 20.0]), [80.0, 20.0]);
        assert_eq!(tilted.keep_center(tilted, [80.1, 20.2]), [80.1, 20.2], "not even rounded");
    }

    #[test]
    fn a_box_has_twelve_edges() {
        let corners = Projection::default().corners([[0.0; 3], SIZE]);
        for axis in 0..3 {
            assert_eq!(edges_along(axis).count(), 4);
            for [from, to] in edges_along(axis) {
                let along = [0, 1, 2].map(|k| corners[to][k] - corners[from][k]);
                let expected = [0, 1, 2].map(|k| if k == axis { SIZE[k] } else { 0.0 });
                assert!(close(along, expected), "{along:?}");
            }
        }
    }

    #[test]
    fn turning_keeps_the_angles_in_their_ranges() {
        let mut angle = Angle::default();
        for _ in 0..100 {
            angle = angle.turned(37.0, 11.0);
            assert!(YAW_RANGE.contains(&angle.yaw) && PITCH_RANGE.contains(&angle.pitch));
        }
        assert_eq!(angle.pitch, 90.0);
        assert_eq!(angle.turned(0.0, -1.0e9).pitch, -90.0);
    }
}
