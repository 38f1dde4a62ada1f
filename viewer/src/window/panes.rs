//! Two panes side by side: the crowd by cells, and by all pairs.

use egui::{Align2, FontId, Pos2, Ui};

use super::style::TEXT;
use crate::picture::camera::Camera;
use crate::raster::canvas::Canvas;
use crate::raster::palette::{FRAME, Pixel, opaque};
use crate::session::frame::Panes;

/// How the free part of the window is divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Division {
    /// Columns beside the panel.
    pub(super) free: usize,
}

impl Division {
    /// The width of a pane in pixels.
    pub(super) fn pane(self) -> usize {
        (self.free / 2).max(1)
    }

    /// The camera of each pane, which shows in its middle what the window's shows in the middle of
    /// its free part.
    pub(super) fn camera(self, camera: &Camera) -> Camera {
        let middle = [self.free as f32 / 2.0, camera.size[1] / 2.0];
        let mut pane = *camera;
        pane.center = camera.to_world(middle);
        pane.size[0] = self.pane() as f32;
        pane
    }

    /// Where a column of a pane would be in a window that is not divided.
    pub(super) fn undivided(self, x: f32) -> f32 {
        let pane = self.pane() as f32;
        if x < 0.0 || x >= 2.0 * pane {
            return x;
        }
        let within = if x < pane { x } else { x - pane };
        within + (self.free as f32 - pane) / 2.0
    }

    /// Puts a pane's pixels, which is the first or the second, onto the window's canvas.
    pub(super) fn put(self, pane: &[Pixel], number: usize, canvas: &mut Canvas<'_>) {
        let (width, start) = (self.pane(), number * self.pane());
        let whole = canvas.width;
        for (row, from) in canvas.pixels.chunks_mut(whole).zip(pane.chunks(width)) {
            let end = (start + width).min(whole);
            row[start..end].copy_from_slice(&from[..end - start]);
            if number > 0 {
                row[start] = opaque(FRAME);
                row[end..].fill([0, 0, 0, 255]);
            }
        }
    }
}

/// Says what each pane shows.
pub(super) fn label(ui: &Ui, panes: &Panes, division: Division) {
    let painter = ui.ctx().layer_painter(egui::LayerId::background());
    let width = division.pane() as f32 / ui.ctx().pixels_per_point();
    let same = panes.hashes[0] == panes.hashes[1];
    for (k, name) in ["cells", "all pairs"].into_iter().enumerate() {
        let milliseconds = panes.times[k].as_secs_f64() * 1.0e3;
        let hash = panes.hashes[k];
        let verdict = if same { "the same state" } else { "ANOTHER state" };
        let words = format!("{name}: {milliseconds:.2} ms per step\n{verdict}: {hash:016x}");
        let at = Pos2::new(width * k as f32 + 12.0, 10.0);
        painter.text(at, Align2::LEFT_TOP, words, FontId::proportional(13.0), TEXT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::palette::BACKGROUND;

    #[test]
    fn both_panes_show_the_same_part_of_the_world_and_the_mouse_points_to_it() {
        let division = Division { free: 600 };
        let camera = Camera::new([50.0, 40.0], 4.0, [1_000.0, 500.0]);
        let pane = division.camera(&camera);
        for (k, start) in [0.0, 300.0].into_iter().enumerate() {
            for x in [10.0, 150.0, 290.0] {
                let seen = pane.to_world([x, 100.0]);
                let pointed = camera.to_world([division.undivided(start + x), 100.0]);
                assert!((seen[0] - pointed[0]).abs() < 1.0e-3, "{k}: {seen:?} {pointed:?}");
            }
        }
    }

    #[test]
    fn panes_are_put_side_by_side() {
        let mut pixels = vec![BACKGROUND; 10 * 2];
        let mut canvas = Canvas::new(10, &mut pixels);
        let division = Division { free: 8 };
        division.put(&[[1, 1, 1, 255]; 8], 0, &mut canvas);
        division.put(&[[2, 2, 2, 255]; 8], 1, &mut canvas);
        let row: Vec<u8> = pixels[..10].iter().map(|pixel| pixel[0]).collect();
        assert_eq!(row, [1, 1, 1, 1, FRAME[0], 2, 2, 2, 0, 0]);
    }
}
