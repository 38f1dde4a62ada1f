//! Translates keys and mouse into commands for the session and the window.

use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::keyboard::{Key, NamedKey};

use super::App;
use crate::error::Error;
use crate::picture::camera::Camera;
use crate::session::interaction::CURSOR;
use crate::window::keys::{self, Command};

/// Zoom factor per notch of the wheel.
const ZOOM_PER_NOTCH: f32 = 1.15;

impl App {
    pub(super) fn handle(&mut self, event: WindowEvent) -> Result<(), Error> {
        match event {
            WindowEvent::CloseRequested => self.panel.quits = true,
            WindowEvent::Resized(size) => {
                self.screen.resize(size)?;
                self.camera.size = [self.screen.size.0 as f32, self.screen.size.1 as f32];
            }
            WindowEvent::Occluded(occluded) => self.screen.occluded = occluded,
            WindowEvent::RedrawRequested => self.draw()?,
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers.state(),
            // A key held while the window gets the focus is reported twice.
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. }
                if event.state == ElementState::Pressed =>
            {
                self.key(&event);
            }
            WindowEvent::MouseWheel { delta, .. } => {
                let notches = match delta {
                    MouseScrollDelta::LineDelta(_, lines) => lines,
                    MouseScrollDelta::PixelDelta(pixels) => pixels.y as f32 / 40.0,
                };
                self.camera.zoom_at(self.mouse.cursor, ZOOM_PER_NOTCH.powf(notches));
                self.fitted = false;
            }
            WindowEvent::CursorMoved { position, .. } => {
                let x = position.x as f32;
                let x = self.division().map_or(x, |division| division.undivided(x));
                let to = [x, position.y as f32];
                if self.mouse.move_to(to, &mut self.camera, &self.worker) {
                    (self.fitted, self.following) = (false, false);
                }
                self.lead_by_cursor();
            }
            WindowEvent::MouseInput { state, button, .. } => self.press(button, state),
            WindowEvent::DroppedFile(path) => {
                self.worker.send(move |session| session.open_file(&path));
            }
            _ => {}
        }
        Ok(())
    }

    fn key(&mut self, event: &KeyEvent) {
        if keys::is_system_shortcut(self.modifiers) {
            return;
        }
        let KeyEvent { logical_key: key, physical_key, repeat, .. } = event;
        self.panel.quits |= self.panel.asks_to_quit && *key == Key::Named(NamedKey::Enter);
        let binding = keys::pressed(key, *physical_key, self.modifiers.shift_key());
        if let Some((_, name, command, _)) = binding
            && (!*repeat || *name == "Right")
        {
            self.execute(*command);
        }
    }

    /// Does what a key or its button stands for.
    pub(super) fn execute(&mut self, command: Command) {
        match command {
            Command::Quit if self.screen.close_menu() => {}
            Command::Quit if self.panel.help => self.panel.help = false,
            Command::Quit if self.frame.readings.work.is_some() => {
                self.worker.send(|session| session.cancel());
            }
            Command::Quit if self.panel.asks_to_quit => self.panel.asks_to_quit = false,
            Command::Quit if self.frame.readings.unsaved => self.panel.asks_to_quit = true,
            Command::Quit => self.panel.quits = true,
            Command::Do(act) => self.worker.send(act),
            Command::Change(change) => {
                let before = self.controls.clone();
                change(&mut self.controls);
                self.set_if_changed(&before);
            }
            Command::SelectTool(tool) => self.mouse.tool = tool,
            Command::Fit => (self.fitted, self.following) = (true, false),
            Command::Follow => {
                self.following = !self.following;
                if self.following && self.frame.view.explained.is_empty() {
                    self.panel.notify("click an agent to follow it".into());
                }
            }
            Command::Explain => {
                let Camera { zoom, size: [_, height], .. } = self.camera;
                let size = [self.free_width() as f32, height];
                let middle = self.camera.to_world(size.map(|side| side / 2.0));
                let reach = size.map(|side| side / 2.0 / zoom);
                self.worker.send(move |session| session.toggle_explained(middle, reach));
            }
            Command::Screenshot => self.take_screenshot(),
            Command::Record => self.start_or_stop_recording(),
            Command::Panel => self.panel.hidden = !self.panel.hidden,
            Command::Help => self.panel.help = !self.panel.help,
            Command::ByMouse => {}
        }
    }

    /// The scene's point `cursor`, if it has one, follows the bare mouse.
    fn lead_by_cursor(&self) {
        let has_point = self.frame.view.scenery.points.contains_key(CURSOR);
        let cursor = self.mouse.cursor;
        if has_point && self.mouse.is_bare() && cursor[0] < self.free_width() as f32 {
            let to = self.camera.to_world(cursor);
            self.worker.send_continuous(move |session| session.follow_cursor(to));
        }
    }

    fn press(&mut self, button: MouseButton, state: ElementState) {
        let (mouse, camera, worker) = (&mut self.mouse, &self.camera, &self.worker);
        let (view, marks) = (&self.frame.view, &self.painter.marks);
        match (button, state) {
            (_, ElementState::Released) => mouse.release(view, marks, camera, worker),
            (MouseButton::Left, _) => mouse.press(camera, worker),
            (MouseButton::Right, _) => mouse.press_right(camera, worker),
            _ => {}
        }
    }
}
