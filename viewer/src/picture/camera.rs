use std::ops::RangeInclusive;

/// Maps world units (y up) to pixels (y down).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    pub(crate) center: [f32; 2],
    /// Pixels per world unit.
    pub(crate) zoom: f32,
    /// Width and height of the picture, in pixels.
    pub(crate) size: [f32; 2],
    initial_zoom: f32,
}

/// Zoom limits, relative to the zoom that fits the whole world. The minimum shrinks the world
/// to about a pixel; the maximum is the limit of `f32` precision.
pub(crate) const ZOOM_RANGE: RangeInclusive<f32> = 1.0e-3..=1.0e6;

impl Camera {
    pub(crate) const fn new(center: [f32; 2], zoom: f32, size: [f32; 2]) -> Self {
        Self { center, zoom, size, initial_zoom: zoom }
    }

    /// Fits the whole world into a fraction of the picture, from 0 to 1.
    pub(crate) fn fit(world: [f32; 2], share: f32, (width, height): (u32, u32)) -> Self {
        let size = [width.max(1) as f32, height.max(1) as f32];
        let zoom = (size[0] / world[0]).min(size[1] / world[1]) * share;
        Self::new([world[0] / 2.0, world[1] / 2.0], zoom, size)
    }

    pub(crate) fn to_screen(self, [x, y]: [f32; 2]) -> [f32; 2] {
        [
            (x - self.center[0]) * self.zoom + self.size[0] / 2.0,
            (self.center[1] - y) * self.zoom + self.size[1] / 2.0,
        ]
    }

    pub(crate) fn to_world(self, [x, y]: [f32; 2]) -> [f32; 2] {
        [
            (x - self.size[0] / 2.0) / self.zoom + self.center[0],
            self.center[1] - (y - self.size[1] / 2.0) / self.zoom,
        ]
    }

    pub(crate) fn zoom_at(&mut self, cursor: [f32; 2], factor: f32) {
        let before = self.to_world(cursor);
        let [least, most] =
            [ZOOM_RANGE.start(), ZOOM_RANGE.end()].map(|end| end * self.initial_zoom);
        self.zoom = (self.zoom * factor).clamp(least, most);
        let after = self.to_world(cursor);
        self.center[0] += before[0] - after[0];
        self.center[1] += before[1] - after[1];
    }

    /// Returns a camera that draws the periodic image of the world at `offset`, in world units.
    pub(crate) fn at_image(self, offset: [f32; 2]) -> Self {
        Self { center: [0, 1].map(|k| self.center[k] - offset[k]), ..self }
    }

    /// Pans by an offset in pixels.
    pub(crate) fn pan(&mut self, [dx, dy]: [f32; 2]) {
        self.center[0] -= dx / self.zoom;
        self.center[1] += dy / self.zoom;
    }
}

/// Rounds `longest` down to 1, 2 or 5 times a power of ten.
pub(crate) fn round_length(longest: f32) -> f32 {
    let power = 10.0_f32.powf(longest.max(f32::MIN_POSITIVE).log10().floor());
    let times = [5.0, 2.0].into_iter().find(|times| times * power <= longest).unwrap_or(1.0);
    times * power
}

/// Drops the coordinate along the line of sight.
pub(crate) fn flat([x, y, _]: [f32; 3]) -> [f32; 2] {
    [x, y]
}

#[cfg(test)]
mod tests {
    use super::{Camera, round_length};

    fn close(a: [f32; 2], b: [f32; 2]) -> bool {
        (a[0] - b[0]).abs() < 1.0e-2 && (a[1] - b[1]).abs() < 1.0e-2
    }

    #[test]
    fn world_and_screen_are_inverse() {
        let mut camera = Camera::fit([800.0, 600.0], 0.98, (1280, 720));
        camera.zoom_at([100.0, 50.0], 3.0);
        for point in [[0.0, 0.0], [800.0, 600.0], [123.0, 456.0]] {
            assert!(close(camera.to_world(camera.to_screen(point)), point));
        }
    }

    #[test]
    fn the_smallest_and_the_largest_world_fit() {
        for world in [[1.0e-3, 1.0e-3], [1.0e7, 1.0e7], [1.0e7, 1.0e-3]] {
            for size in [(16, 16), (7680, 4320)] {
                let mut camera = Camera::fit(world, 0.98, size);
                for factor in [1.0, 1.0e9, 1.0e-18, 1.0e3] {
                    camera.zoom_at([0.0, 0.0], factor);
                }
                let [left, top] = camera.to_screen([0.0, world[1]]);
                let [right, bottom] = camera.to_screen([world[0], 0.0]);
                let filled = ((right - left) / camera.size[0]).max((bottom - top) / camera.size[1]);
                assert!((filled - 0.98).abs() < 0.01, "{world:?} in {size:?}: {filled}");
            }
        }
    }

    #[test]
    fn zooming_keeps_the_point_under_the_cursor() {
        let mut camera = Camera::fit([800.0, 600.0], 0.98, (1280, 720));
        let cursor = [321.0, 123.0];
        let before = camera.to_world(cursor);
        camera.zoom_at(cursor, 2.5);
        assert!(close(camera.to_world(cursor), before));
    }

    #[test]
    fn up_in_the_world_is_up_on_the_screen() {
        let camera = Camera::fit([100.0, 100.0], 1.0, (200, 200));
        assert!(camera.to_screen([50.0, 90.0])[1] < camera.to_screen([50.0, 10.0])[1]);
    }

    #[test]
    fn fit_survives_a_window_of_size_zero() {
        let camera = Camera::fit([100.0, 100.0], 1.0, (0, 0));
        assert!(camera.to_screen([50.0, 50.0]).iter().all(|value| value.is_finite()));
    }

    #[test]
    fn scale_bars_have_round_lengths() {
        for (longest, expected) in
            [(1.0, 1.0), (1.9, 1.0), (4.9, 2.0), (70.0, 50.0), (240.0, 200.0)]
        {
            assert!((round_length(longest) - expected).abs() < 1.0e-3 * expected, "{longest}");
        }
    }
}
