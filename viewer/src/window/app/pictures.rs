//! Draws the crowd, or both runs of it side by side, onto the canvas, and keeps what it shows:
//! screenshots and recordings.

use std::path::Path;

use super::App;
use crate::export::files::{unused_name, write_png};
use crate::export::recorder::Recorder;
use crate::picture::look::Look;
use crate::raster::canvas::Canvas;
use crate::raster::palette::BACKGROUND;
use crate::window::panes::Division;

impl App {
    /// How the window is divided, if there are two panes.
    pub(super) fn division(&self) -> Option<Division> {
        self.frame.panes.as_ref().map(|_| Division { free: self.free_width() })
    }

    /// How many columns of the window the panel leaves free.
    pub(super) fn free_width(&self) -> usize {
        let panel = self.panel.width_in_pixels.ceil() as usize;
        (self.screen.size.0 as usize).saturating_sub(panel).max(1)
    }

    /// Draws onto the window's canvas.
    pub(super) fn paint(&mut self) {
        let division = self.division();
        let scale = self.screen.window.scale_factor() as f32;
        let look = Look { scale, ..self.frame.controls.look };
        (self.painter.look, self.twin_painter.look) = (look, look);
        let mut canvas = self.screen.canvas();
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

    pub(super) fn take_screenshot(&mut self) {
        // Without the brush or what is being built.
        self.paint();
        let (file, width) = (self.file_name() + ".png", self.free_width());
        let pixels = self.screen.canvas().columns(width);
        let written = write_png(file.as_ref(), width as u32, &pixels);
        self.panel.notify(written.map_or_else(|why| why.to_string(), |()| format!("wrote {file}")));
    }

    pub(super) fn start_or_stop_recording(&mut self) {
        let (name, size) = (self.file_name(), (self.free_width() as u32, self.screen.size.1));
        match &mut self.recording {
            Some(recording) => recording.stop(),
            None => match Recorder::start(format!("{name}.gif").into(), size) {
                Ok(recording) => {
                    self.recording = Some(recording);
                    self.panel.notify(format!("recording {name}.gif until F11"));
                }
                Err(failure) => self.panel.notify(failure.to_string()),
            },
        }
    }

    /// Adds the picture to the recording. A panel that is shown or hidden meanwhile changes nothing
    /// in its size.
    pub(super) fn record(&mut self) {
        let Some(recording) = self.recording.as_mut().filter(|recording| recording.is_due()) else {
            return;
        };
        let (width, height) = (recording.size.0.min(self.screen.size.0), self.screen.size.1);
        recording.add((width, height), self.screen.canvas().columns(width as usize));
    }

    /// An unused name with the scene and the step.
    fn file_name(&self) -> String {
        unused_name(&self.frame.readings.original.name, self.frame.view.step, Path::new(""))
    }
}
