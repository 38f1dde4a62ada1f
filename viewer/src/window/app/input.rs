use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};

use super::App;
use crate::error::Error;
use crate::session::interaction::CURSOR;
use crate::window::keys::{self, Command};

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
            // Synthetic presses are ignored: a key held while the window gets the focus
            // is reported twice.
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
                let to = [position.x as f32, position.y as f32];
                if self.mouse.move_to(to, &mut self.camera, &self.worker) {
                    self.fitted = false;
                }
                self.lead_by_cursor();
            }
            WindowEvent::MouseInput { state, button, .. } => self.press(button, state),
            _ => {}
        }
        Ok(())
    }

    fn key(&mut self, event: &KeyEvent) {
        let KeyEvent { logical_key: key, physical_key, repeat, .. } = event;
        if let Some((name, command, _)) = keys::pressed(key, *physical_key, self.modifiers)
            && (!*repeat || *name == "Right")
        {
            self.execute(*command);
        }
    }

    pub(super) fn execute(&mut self, command: Command) {
        match command {
            Command::Close if self.screen.close_menu() => {}
            Command::Close if self.panel.help => self.panel.help = false,
            Command::Close if self.frame.readings.scaling.is_some() => {
                self.worker.send(|session| session.close_scaling());
            }
            Command::Close if self.frame.readings.work.is_some() => {
                self.worker.send(|session| session.cancel());
            }
            Command::Close => self.worker.send(|session| session.explain(None)),
            Command::Quit => self.panel.quits = true,
            Command::Do(act) => self.worker.send(act),
            Command::Change(change) => {
                let before = self.controls.clone();
                change(&mut self.controls);
                self.set_if_changed(&before);
            }
            Command::Fit => self.fitted = true,
            Command::Screenshot => self.take_screenshot(),
            Command::Panel => self.panel.hidden = !self.panel.hidden,
            Command::Help => self.panel.help = !self.panel.help,
            Command::ByMouse => {}
        }
    }

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
            (MouseButton::Left, _) => mouse.press_left(),
            (MouseButton::Right, _) => mouse.press_right(camera, worker),
            _ => {}
        }
    }
}
