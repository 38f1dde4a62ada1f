//! Translates keys and mouse into commands for the session and the window.

use std::path::Path;

use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::{Key, NamedKey};

use super::App;
use crate::error::Error;
use crate::window::keys::{self, Command};
use crate::window::mouse::Shown;
use crate::window::screen::Screen;

/// Zoom factor per notch of the wheel.
const ZOOM_PER_NOTCH: f32 = 1.15;

impl App {
    fn key(&mut self, event: &KeyEvent, event_loop: &ActiveEventLoop) {
        if keys::is_system_shortcut(self.modifiers) {
            return;
        }
        let KeyEvent { logical_key: key, physical_key, repeat, .. } = event;
        if self.panel.asks_to_quit && *key == Key::Named(NamedKey::Enter) {
            event_loop.exit();
        }
        let command = keys::command(key, *physical_key, self.modifiers.shift_key());
        let command = command.filter(|command| !*repeat || command.repeats());
        let Some(command) = command else { return };
        let before = self.controls.clone();
        let (worker, controls) = (&self.worker, &mut self.controls);
        let mut scaled = Ok(String::new());
        match command {
            Command::Quit if self.screen.as_ref().is_some_and(Screen::close_menu) => {}
            Command::Quit if self.panel.help => self.panel.help = false,
            Command::Quit if self.panel.asks_to_quit => self.panel.asks_to_quit = false,
            Command::Quit if self.frame.readings.unsaved => self.panel.asks_to_quit = true,
            Command::Quit => event_loop.exit(),
            Command::Pause => controls.paused = !controls.paused,
            Command::Step if controls.paused => worker.send(|session| session.step_once()),
            Command::Step | Command::Drive => {}
            Command::Fit => (self.fitted, self.following) = (true, false),
            Command::Follow => self.toggle_following(),
            Command::NextScene => worker.send(|session| session.switch_scene(1)),
            Command::PreviousScene => worker.send(|session| session.switch_scene(-1)),
            Command::Restart => worker.send(|session| session.restart(None)),
            Command::NewSeed => worker.send(|session| session.reseed()),
            Command::Partition => controls.toggle_partition(),
            Command::SaveCheckpoint => worker.send(|session| session.save_checkpoint()),
            Command::SaveSnapshot => worker.send(|session| session.save_snapshot(Path::new(""))),
            Command::SaveScene => worker.send(|session| session.save_scene(Path::new(""))),
            Command::Undo => worker.send(|session| session.undo()),
            Command::FullScreen => {
                if let Some(screen) = &mut self.screen {
                    screen.toggle_full_screen();
                }
            }
            Command::RestoreCheckpoint => worker.send(|session| session.restore_checkpoint()),
            Command::CheckDeterminism => worker.send(|session| session.check_determinism()),
            Command::Screenshot => self.take_screenshot(),
            Command::Record(form) => self.start_or_stop_recording(form),
            Command::Panel => self.panel.open = !self.panel.open,
            Command::Help => self.panel.help = !self.panel.help,
            Command::Explain => worker.send(|session| session.toggle_explained()),
            Command::Trails => controls.toggle_trails(),
            Command::Colors => {
                controls.color_by = controls.color_by.next(self.frame.view.columns.len());
            }
            Command::Flow => {
                let (name, next) = controls.flow_view.next();
                controls.flow_view = next;
                self.panel.notify(format!("flow view: {name}"));
            }
            Command::Aims => controls.aims = !controls.aims,
            Command::Panes => {
                controls.panes = !controls.panes;
                self.fitted = true;
            }
            Command::Forward => worker.send(|session| session.toggle_forward()),
            Command::WriteNumbers => {
                let said = self.history.write(&self.frame.readings.original.name);
                self.panel.notify(said);
            }
            Command::Smoothing => controls.toggle_smoothing(&self.frame.readings.original),
            Command::Scenery => controls.toggle_scenery(),
            Command::NonPenetration => {
                controls.toggle_non_penetration(&self.frame.readings.original);
            }
            Command::SelectTool(tool) => self.mouse.tool = tool,
            Command::Weight(behavior, factor) => scaled = controls.scale_weight(behavior, factor),
            Command::Force(factor) => scaled = controls.scale_force(factor),
            Command::Speed(factor) => scaled = controls.scale_speed(factor),
        }
        let (Ok(said) | Err(said)) = scaled;
        self.panel.show_message(&said);
        self.set_if_changed(&before);
    }

    /// Tracks which arrow keys are held.
    fn hold_arrow(&mut self, key: &Key, down: bool) {
        let Some(direction) = keys::arrow(key) else { return };
        self.arrows.retain(|held| *held != direction);
        if down && !self.controls.paused && !keys::is_system_shortcut(self.modifiers) {
            self.arrows.push(direction);
        } else {
            self.drive();
        }
    }

    /// Releases all arrow keys: a window without focus does not see their release events.
    fn release_arrows(&mut self) {
        if !self.arrows.is_empty() {
            self.arrows.clear();
            self.drive();
        }
    }

    pub(super) fn drive(&self) {
        let [x, y] = self.arrows.iter().fold([0.0, 0.0], |[x, y], held| [x + held[0], y + held[1]]);
        let length = x.hypot(y).max(1.0);
        let direction = [x / length, y / length];
        self.worker.send_continuous(move |session| session.drive(direction));
    }

    fn toggle_following(&mut self) {
        self.following = !self.following && !self.frame.view.explained.is_empty();
        if self.following {
            self.fitted = false;
        } else if self.frame.view.explained.is_empty() {
            self.panel.notify("click an agent to follow it".into());
        }
    }

    fn zoom(&mut self, delta: MouseScrollDelta) {
        let notches = match delta {
            MouseScrollDelta::LineDelta(_, lines) => lines,
            MouseScrollDelta::PixelDelta(pixels) => pixels.y as f32 / 40.0,
        };
        self.camera.zoom_at(self.mouse.cursor(), ZOOM_PER_NOTCH.powf(notches));
        self.fitted = false;
    }

    fn press(&mut self, button: MouseButton, down: bool) {
        let (mouse, camera, worker) = (&mut self.mouse, &self.camera, &self.worker);
        let shown = Shown { view: &self.frame.view, marks: &self.painter.marks };
        match (button, down) {
            (MouseButton::Left, true) => mouse.press(camera, worker),
            (MouseButton::Left, false) => mouse.release(shown, camera, worker),
            (MouseButton::Right, true) => mouse.press_right(camera, worker),
            (MouseButton::Right, false) => mouse.release_right(),
            _ => {}
        }
    }

    /// Whether the mouse is over the panel, which may not have seen the event yet.
    pub(super) fn is_for_panel(&self, event: &WindowEvent) -> bool {
        let width = self.screen.as_ref().map_or(0.0, |screen| screen.size.0 as f32);
        let over = self.pointer >= width - self.panel.width_in_pixels;
        match event {
            WindowEvent::MouseWheel { .. } => over,
            WindowEvent::MouseInput { state, .. } => over && *state == ElementState::Pressed,
            _ => false,
        }
    }

    pub(super) fn handle(
        &mut self,
        event: WindowEvent,
        event_loop: &ActiveEventLoop,
    ) -> Result<(), Error> {
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Resized(size) => self.resize(size)?,
            WindowEvent::Occluded(occluded) => {
                self.screen.iter_mut().for_each(|screen| screen.occluded = occluded);
            }
            WindowEvent::RedrawRequested => {
                self.draw()?;
                if self.panel.quits {
                    event_loop.exit();
                }
            }
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers.state(),
            WindowEvent::Focused(false) => self.release_arrows(),
            WindowEvent::KeyboardInput { event, is_synthetic, .. } => {
                let down = event.state == ElementState::Pressed;
                // A key held while the window gets the focus is reported twice.
                if down && is_synthetic {
                    return Ok(());
                }
                if !event.repeat {
                    self.hold_arrow(&event.logical_key, down);
                }
                if down {
                    self.key(&event, event_loop);
                }
            }
            WindowEvent::MouseWheel { delta, .. } => self.zoom(delta),
            WindowEvent::CursorMoved { position, .. } => {
                let x = position.x as f32;
                self.pointer = x;
                let x = self.division().map_or(x, |division| division.undivided(x));
                let to = [x, position.y as f32];
                if self.mouse.move_to(to, &mut self.camera, &self.worker) {
                    (self.fitted, self.following) = (false, false);
                }
            }
            WindowEvent::MouseInput { state, button, .. } => {
                self.press(button, state == ElementState::Pressed);
            }
            WindowEvent::DroppedFile(path) => {
                self.worker.send(move |session| session.open_file(&path));
            }
            _ => {}
        }
        Ok(())
    }
}
