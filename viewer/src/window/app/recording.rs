//! Pictures and films that are taken in the window, and what their files are called.

use std::path::{Path, PathBuf};

use super::App;
use crate::export::files::free_name;
use crate::export::recorder::{Recorder, take_picture};
use crate::export::target::Target;

impl App {
    pub(super) fn take_picture(&mut self) {
        let name = self.file_name();
        let Some(screen) = &mut self.screen else { return };
        let width = screen.size.0;
        // Without what is being sketched above it.
        let mut canvas = screen.canvas();
        self.painter.paint(&self.frame.view, &self.camera, &mut canvas);
        let said = take_picture(&name, width, canvas.pixels);
        self.panel.notice(said);
    }

    pub(super) fn start_or_end_film(&mut self, form: &str) {
        let (name, Some(screen)) = (self.file_name(), &self.screen) else { return };
        let path = PathBuf::from(format!("{name}.{form}"));
        let target = if form == "gif" { Target::Gif(path) } else { Target::Png(path) };
        match &mut self.film {
            Some(film) => film.end(),
            None => match Recorder::start(target, screen.size) {
                Ok(film) => {
                    self.film = Some(film);
                    self.panel.notice(format!("filming {name}.{form} until F10 or F11"));
                }
                Err(failure) => self.panel.notice(failure.to_string()),
            },
        }
    }

    /// Says what is shown; with a number if there are such files already.
    fn file_name(&self) -> String {
        let readings = &self.frame.readings;
        free_name(&readings.original.name, readings.tick, Path::new(""))
    }
}
