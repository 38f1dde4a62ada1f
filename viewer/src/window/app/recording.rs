//! Screenshots and recordings of the window, and their file names.

use std::path::Path;

use super::App;
use super::painting::free_width;
use crate::export::files::unused_name;
use crate::export::recorder::{Recorder, save_screenshot};
use crate::raster::palette::Pixel;

impl App {
    pub(super) fn take_screenshot(&mut self) {
        let name = self.file_name();
        // Without the brush or what is being built.
        self.paint();
        let width = self.panel.width_in_pixels;
        let Some(screen) = &self.screen else { return };
        let width = free_width(screen.size.0 as usize, width);
        let pixels = self.exported(width);
        let message = save_screenshot(&name, width as u32, &pixels);
        self.panel.notify(message);
    }

    pub(super) fn start_or_stop_recording(&mut self) {
        let (name, Some(screen)) = (self.file_name(), &self.screen) else { return };
        let width = free_width(screen.size.0 as usize, self.panel.width_in_pixels) as u32;
        match &mut self.recording {
            Some(recording) => recording.stop(),
            None => match Recorder::start(format!("{name}.gif").into(), (width, screen.size.1)) {
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
        let (Some(screen), Some(recording)) = (&self.screen, &self.recording) else {
            return;
        };
        if !recording.is_due() {
            return;
        }
        let (width, height) = (recording.size.0.min(screen.size.0), screen.size.1);
        let pixels = self.exported(width as usize);
        if let Some(recording) = &mut self.recording {
            recording.add((width, height), pixels);
        }
    }

    /// The first columns of the picture.
    fn exported(&mut self, width: usize) -> Vec<Pixel> {
        self.screen.as_mut().map_or_else(Vec::new, |screen| screen.canvas().columns(width))
    }

    /// An unused name with the scene and the step.
    fn file_name(&self) -> String {
        let readings = &self.frame.readings;
        unused_name(&readings.original.name, readings.tick, Path::new(""))
    }
}
