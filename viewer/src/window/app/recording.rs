//! Screenshots and recordings of the window, and their file names.

use std::path::{Path, PathBuf};

use super::App;
use crate::export::files::unused_name;
use crate::export::recorder::{Recorder, save_screenshot};
use crate::export::target::Target;
use crate::picture::exported::exported;

impl App {
    pub(super) fn take_screenshot(&mut self) {
        let name = self.file_name();
        let Some(screen) = &mut self.screen else { return };
        // Without the brush or what is being built.
        let mut canvas = screen.canvas();
        self.painter.paint(&self.frame.view, &self.camera, &mut canvas);
        let width = free_width(canvas.width, self.panel.width_in_pixels);
        let pixels = exported(&self.frame.view, &self.camera, &canvas, width);
        let message = save_screenshot(&name, width as u32, &pixels);
        self.panel.notify(message);
    }

    pub(super) fn start_or_stop_recording(&mut self, form: &str) {
        let (name, Some(screen)) = (self.file_name(), &self.screen) else { return };
        let path = PathBuf::from(format!("{name}.{form}"));
        let target = if form == "gif" { Target::Gif(path) } else { Target::Png(path) };
        let width = free_width(screen.size.0 as usize, self.panel.width_in_pixels) as u32;
        match &mut self.recording {
            Some(recording) => recording.stop(),
            None => match Recorder::start(target, (width, screen.size.1)) {
                Ok(recording) => {
                    self.recording = Some(recording);
                    self.panel.notify(format!("recording {name}.{form} until F10 or F11"));
                }
                Err(failure) => self.panel.notify(failure.to_string()),
            },
        }
    }

    /// Adds the picture to the recording. A panel that is shown or hidden meanwhile changes nothing
    /// in its size.
    pub(super) fn record(&mut self) {
        let (Some(screen), Some(recording)) = (&mut self.screen, &mut self.recording) else {
            return;
        };
        if !recording.is_due() {
            return;
        }
        let canvas = screen.canvas();
        let width = (recording.size.0 as usize).min(canvas.width);
        let pixels = exported(&self.frame.view, &self.camera, &canvas, width);
        recording.add((width as u32, canvas.height() as u32), pixels);
    }

    /// An unused name with the scene and the step.
    fn file_name(&self) -> String {
        let readings = &self.frame.readings;
        unused_name(&readings.original.name, readings.tick, Path::new(""))
    }
}

/// How many columns of the window the panel leaves free.
fn free_width(window: usize, panel: f32) -> usize {
    window.saturating_sub(panel.ceil() as usize).max(1)
}
