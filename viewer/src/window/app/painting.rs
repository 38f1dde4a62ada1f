//! Draws the crowd, or both runs of it side by side.

use super::App;
use crate::raster::canvas::Canvas;
use crate::raster::palette::BACKGROUND;
use crate::window::panes::Division;

impl App {
    /// How the window is divided, if there are two panes.
    pub(super) fn division(&self) -> Option<Division> {
        let screen = self.screen.as_ref().filter(|_| self.frame.panes.is_some())?;
        Some(Division { free: free_width(screen.size.0 as usize, self.panel.width_in_pixels) })
    }

    /// Draws onto the window's canvas.
    pub(super) fn paint(&mut self) {
        let division = self.division();
        let Some(screen) = &mut self.screen else { return };
        let look = self.frame.controls.look(screen.window.scale_factor() as f32);
        (self.painter.look, self.twin_painter.look) = (look, look);
        let mut canvas = screen.canvas();
        let Some((division, panes)) = division.zip(self.frame.panes.as_ref()) else {
            self.painter.paint(&self.frame.view, &self.camera, &mut canvas);
            return;
        };
        let camera = division.camera(&self.camera);
        self.pane.resize(division.pane() * canvas.height(), BACKGROUND);
        let both = [(&mut self.painter, &self.frame.view), (&mut self.twin_painter, &panes.view)];
        for (number, (painter, view)) in both.into_iter().enumerate() {
            painter.paint(view, &camera, &mut Canvas::new(division.pane(), &mut self.pane));
            division.put(&self.pane, number, &mut canvas);
        }
    }
}

/// How many columns of the window the panel leaves free.
pub(super) fn free_width(window: usize, panel: f32) -> usize {
    window.saturating_sub(panel.ceil() as usize).max(1)
}
