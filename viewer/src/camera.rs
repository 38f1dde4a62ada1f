//! Which part of the world is seen, and how large.

/// Maps world units (y up) to pixels (y down).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    /// The world point at the middle of the picture.
    pub(crate) center: [f32; 2],
    /// Pixels per world unit.
    pub(crate) zoom: f32,
    /// Width and height of the picture in pixels.
    pub(crate) size: [f32; 2],
}

/// Zooming stops where a world would shrink to a pixel or a unit fill the screen.
const ZOOM_RANGE: (f32, f32) = (1.0e-4, 1.0e3);

impl Camera {
    /// Shows the whole world, with a little air around it.
    pub(crate) fn fit(world: [f32; 2], (width, height): (u32, u32)) -> Self {
        let size = [width.max(1) as f32, height.max(1) as f32];
        let zoom = (size[0] / world[0]).min(size[1] / world[1]) * 0.98;
        let center = [world[0] / 2.0, world[1] / 2.0];
        Self { center, zoom: zoom.clamp(ZOOM_RANGE.0, ZOOM_RANGE.1), size }
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

    /// Zooms by a factor; the world point under `cursor` stays there.
    pub(crate) fn zoom_at(&mut self, cursor: [f32; 2], factor: f32) {
        let before = self.to_world(cursor);
        self.zoom = (self.zoom * factor).clamp(ZOOM_RANGE.0, ZOOM_RANGE.1);
        let after = self.to_world(cursor);
        self.center[0] += before[0] - after[0];
        self.center[1] += before[1] - after[1];
    }

    /// Moves the picture by pixels.
    pub(crate) fn pan(&mut self, [dx, dy]: [f32; 2]) {
        self.center[0] -= dx / self.zoom;
        self.center[1] += dy / self.zoom;
    }
}

#[cfg(test)]
mod tests {
    use super::Camera;

    fn close(a: [f32; 2], b: [f32; 2]) -> bool {
        (a[0] - b[0]).abs() < 1.0e-2 && (a[1] - b[1]).abs() < 1.0e-2
    }

    #[test]
    fn world_and_screen_are_inverse() {
        let mut camera = Camera::fit([800.0, 600.0], (1280, 720));
        camera.zoom_at([100.0, 50.0], 3.0);
        for point in [[0.0, 0.0], [800.0, 600.0], [123.0, 456.0]] {
            assert!(close(camera.to_world(camera.to_screen(point)), point));
        }
    }

    #[test]
    fn the_point_under_the_cursor_stays_when_zooming() {
        let mut camera = Camera::fit([800.0, 600.0], (1280, 720));
        let cursor = [321.0, 123.0];
        let before = camera.to_world(cursor);
        camera.zoom_at(cursor, 2.5);
        assert!(close(camera.to_world(cursor), before));
    }

    #[test]
    fn up_in_the_world_is_up_on_the_screen() {
        let camera = Camera::fit([100.0, 100.0], (200, 200));
        assert!(camera.to_screen([50.0, 90.0])[1] < camera.to_screen([50.0, 10.0])[1]);
    }

    #[test]
    fn fit_survives_a_window_without_size() {
        let camera = Camera::fit([100.0, 100.0], (0, 0));
        assert!(camera.to_screen([50.0, 50.0]).iter().all(|value| value.is_finite()));
    }
}
