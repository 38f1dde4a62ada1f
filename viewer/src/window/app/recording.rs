//! Screenshots and recordings of the window, and their file names.

use std::path::{Path, PathBuf};

use super::App;
use crate::export::files::unused_name;
use crate::export::recorder::{Recorder, save_screenshot};
use crate::export::target::Target;

impl App {
    pub(super) fn take_screenshot(&mut self) {
        let name = self.file_name();
        let Some(screen) = &mut self.screen else { return };
        let width = screen.size.0;
        // Without the brush or what is being built.
        let mut canvas = screen.canvas();
        self.painter.paint(&self.frame.view, &self.camera, &mut canvas);
        let message = save_screenshot(&name, width, canvas.pixels);
        self.panel.notify(message);
    }

    pub(super) fn start_or_stop_recording(&mut self, form: &str) {
        let (name, Some(screen)) = (self.file_name(), &self.screen) else { return };
        let path = PathBuf::from(format!("{name}.{form}"));
        let target = if form == "gif" { Target::Gif(path) } else { Target::Png(path) };
        match &mut self.recording {
            Some(recording) => recording.stop(),
            None => match Recorder::start(target, screen.size) {
                Ok(recording) => {
                    self.recording = Some(recording);
                    self.panel.notify(format!("recording {name}.{form} until F10 or F11"));
                }
                Err(failure) => self.panel.notify(failure.to_string()),
            },
        }
    }

    /// An unused name with the scene and the step.
    fn file_name(&self) -> String {
        let readings = &self.frame.readings;
        unused_name(&readings.original.name, readings.tick, Path::new(""))
    }
}
