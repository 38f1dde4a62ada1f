//! Translates keys and mouse into commands for the session and the window.

use std::path::Path;

use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::{Key, NamedKey};

use super::App;
use crate::error::Error;
use crate::picture::camera::Camera;
use crate::picture::view::View;
use crate::session::interaction::CURSOR;
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
        let command = command.filter(|command| !*repeat || *command == Command::Step);
        let Some(command) = command else { return };
        let before = self.controls.clone();
        let (worker, controls) = (&self.worker, &mut self.controls);
        match command {
            Command::Quit if self.screen.as_ref().is_some_and(Screen::close_menu) => {}
            Command::Quit if self.panel.help => self.panel.help = false,
            Command::Quit if self.frame.readings.work.is_some() => {
                worker.send(|session| session.cancel());
            }
            Command::Quit if self.panel.asks_to_quit => self.panel.asks_to_quit = false,
            Command::Quit if self.frame.readings.unsaved => self.panel.asks_to_quit = true,
            Command::Quit => event_loop.exit(),
            Command::Pause => controls.paused = !controls.paused,
            Command::Step if controls.paused => worker.send(|session| session.step_once()),
            Command::Step => {}
            Command::Fit => (self.fitted, self.following) = (true, false),
            Command::Follow => self.toggle_following(),
            Command::NextScene => worker.send(|session| session.switch_scene(1)),
            Command::PreviousScene => worker.send(|session| session.switch_scene(-1)),
            Command::Restart => worker.send(|session| session.restart(None)),
            Command::NewSeed => worker.send(|session| session.reseed()),
            Command::Partition => controls.toggle_partition(),
            Command::Grid => controls.grid = !controls.grid,
            Command::SaveCheckpoint => worker.send(|session| session.save_checkpoint()),
            Command::SaveSnapshot => worker.send(|session| session.save_snapshot(Path::new(""))),
            Command::SaveScene => worker.send(|session| session.save_scene(Path::new(""))),
            Command::RestoreCheckpoint => worker.send(|session| session.restore_checkpoint()),
            Command::CheckDeterminism => worker.send(|session| session.check_determinism()),
            Command::Screenshot => self.take_screenshot(),
            Command::Record => self.start_or_stop_recording(),
            Command::Panel => self.panel.open = !self.panel.open,
            Command::Help => self.panel.help = !self.panel.help,
            Command::Explain => self.toggle_explained(),
            Command::Trails => controls.toggle_trails(),
            Command::Colors => {
                controls.color_by = controls.color_by.next(self.frame.view.columns.len());
            }
            Command::Flow => {
                let (name, next) = controls.flow_view.next();
                controls.flow_view = next;
                self.panel.notify(format!("flow view: {name}"));
            }
            Command::Panes => {
                controls.panes = !controls.panes;
                self.fitted = true;
            }
            Command::Forward => worker.send(|session| session.toggle_forward()),
            Command::SelectTool(tool) => self.mouse.tool = tool,
        }
        self.set_if_changed(&before);
    }

    /// Explains the agent in the middle of the view, or none.
    fn toggle_explained(&mut self) {
        let view = &self.frame.view;
        let mut number = None;
        if view.explained.is_empty() {
            let [width, height] = self.camera.size;
            number = middle_agent(view, &self.camera, [width - self.panel.width_in_pixels, height]);
            if number.is_none() {
                self.panel.notify("no agent is in view".into());
            }
        }
        self.worker.send(move |session| session.explain(number));
    }

    fn toggle_following(&mut self) {
        self.following = !self.following && !self.frame.view.explained.is_empty();
        if self.following {
            self.fitted = false;
        } else if self.frame.view.explained.is_empty() {
            self.panel.notify("click an agent to follow it".into());
        }
    }

    /// The scene's point `cursor`, if it has one, follows the bare mouse.
    fn lead_by_cursor(&self) {
        let free = self.camera.size[0] - self.panel.width_in_pixels;
        let has_point = self.frame.readings.points.contains_key(CURSOR);
        if has_point && self.mouse.is_bare() && self.pointer < free {
            let to = self.camera.to_world(self.mouse.cursor());
            self.worker.send_continuous(move |session| session.follow_cursor(to));
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
            // A key held while the window gets the focus is reported twice.
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. }
                if event.state == ElementState::Pressed =>
            {
                self.key(&event, event_loop);
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
                self.lead_by_cursor();
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

/// The number of the agent nearest to the middle of the part of the window that the panel leaves
/// free; none if no agent is there.
fn middle_agent(view: &View, camera: &Camera, free: [f32; 2]) -> Option<u32> {
    let middle = camera.to_world(free.map(|length| length / 2.0));
    let away = |slot: usize| {
        let offset = [view.x[slot] - middle[0], view.y[slot] - middle[1]];
        [0, 1].map(|k| match view.repeats {
            true => offset[k] - view.world[k] * (offset[k] / view.world[k]).round(),
            false => offset[k],
        })
    };
    let in_view = |[x, y]: &[f32; 2]| {
        2.0 * x.abs() * camera.zoom <= free[0] && 2.0 * y.abs() * camera.zoom <= free[1]
    };
    let all = (0..view.x.len()).map(|slot| (slot, away(slot))).filter(|(_, away)| in_view(away));
    let nearest = all.min_by(|(_, a), (_, b)| a[0].hypot(a[1]).total_cmp(&b[0].hypot(b[1])));
    nearest.map(|(slot, _)| view.index[slot])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It explained the first agent of the crowd, wherever that was.
    #[test]
    fn the_key_explains_an_agent_that_is_in_view() {
        let view = View {
            x: vec![1.0, 52.0, 60.0, 99.0],
            y: vec![50.0; 4],
            index: vec![7, 8, 9, 10],
            world: [100.0; 2],
            repeats: true,
            ..View::default()
        };
        let found = |center: f32, zoom: f32| {
            let camera = Camera::new([center, 50.0], zoom, [100.0, 100.0]);
            middle_agent(&view, &camera, [100.0, 100.0])
        };
        assert_eq!((found(50.0, 1.0), found(58.0, 4.0)), (Some(8), Some(9)));
        assert_eq!(found(30.0, 10.0), None, "nobody is near");
        assert_eq!((found(102.0, 1.0), found(-2.0, 10.0)), (Some(7), Some(10)), "across the seam");
        // The panel covers the right half.
        let camera = Camera::new([60.0, 50.0], 4.0, [100.0, 100.0]);
        assert_eq!(middle_agent(&view, &camera, [50.0, 100.0]), Some(8));
    }
}
