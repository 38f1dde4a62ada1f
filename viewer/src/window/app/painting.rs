use std::path::Path;

use super::App;
use crate::export::files::{unused_name, write_png};
use crate::picture::look::Look;

impl App {
    pub(super) fn free_width(&self) -> usize {
        let panel = self.panel.width_in_pixels.ceil() as usize;
        (self.screen.size.0 as usize).saturating_sub(panel).max(1)
    }

    pub(super) fn paint(&mut self) {
        let scale = self.screen.window.scale_factor() as f32;
        self.painter.look = Look { scale, ..self.frame.controls.look };
        self.painter.paint(&self.frame.view, &self.camera, &mut self.screen.canvas());
    }

    pub(super) fn take_screenshot(&mut self) {
        let (scene, step) = (&self.frame.readings.original.name, self.frame.view.step);
        let file = unused_name(scene, step, Path::new("")) + ".png";
        let width = self.free_width();
        let pixels = self.screen.canvas().columns(width);
        let written = write_png(file.as_ref(), width as u32, &pixels);
        self.panel.notify(written.map_or_else(|why| why.to_string(), |()| format!("wrote {file}")));
    }
}
