//! Events in, pictures out.

use std::time::{Duration, Instant};

use flockwork::Partition;
use winit::application::ApplicationHandler;
use winit::error::EventLoopError;
use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::Key;
use winit::window::WindowId;

use crate::Failure;
use crate::camera::Camera;
use crate::explained::Explained;
use crate::keys::{self, Command};
use crate::meter::Meter;
use crate::options::Options;
use crate::painter::Painter;
use crate::panel;
use crate::screen::Screen;
use crate::session::Session;
use crate::view::View;

/// How often the title is brought up to date.
const TITLE_EVERY: Duration = Duration::from_millis(500);
/// How much one notch of the wheel zooms.
const ZOOM_PER_NOTCH: f32 = 1.15;
/// A press that moves less than this many pixels is a click.
const CLICK: f32 = 4.0;
/// A click finds agents this many pixels away.
const PICKED: f32 = 16.0;

/// Opens the window and runs until it is closed.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let event_loop = EventLoop::new().map_err(|error| match error {
        // What winit says of it is a path into its source.
        EventLoopError::Os(_) | EventLoopError::NotSupported(_) => {
            Failure::NoWindow("no display was found (is DISPLAY or WAYLAND_DISPLAY set?)".into())
        }
        other => Failure::NoWindow(other.to_string()),
    })?;
    event_loop.set_control_flow(ControlFlow::Poll);
    let mut app = App::new(Session::new(options)?, options.size);
    app.painter.color_by = options.color;
    event_loop.run_app(&mut app).map_err(|error| Failure::Drawing(error.to_string()))?;
    app.failure.map_or(Ok(()), Err)
}

struct App {
    session: Session,
    painter: Painter,
    /// What was drawn last; kept for its memory.
    view: View,
    camera: Camera,
    /// Whether the camera still shows the whole world, and should after resizing.
    fitted: bool,
    screen: Option<Screen>,
    panel: panel::State,
    meter: Meter,
    last_frame: Instant,
    title_since: Instant,
    cursor: [f32; 2],
    /// Where the left button went down, and whether the mouse has moved since.
    pressed: Option<([f32; 2], bool)>,
    /// Whether the right button is down: points follow the mouse.
    leading: bool,
    /// Why the program ends.
    failure: Option<Failure>,
}

impl App {
    fn new(session: Session, size: (u32, u32)) -> Self {
        Self {
            camera: Camera::fit(session.simulation.world_size(), size),
            session,
            painter: Painter::new(),
            view: View::default(),
            fitted: true,
            screen: None,
            panel: panel::State::default(),
            meter: Meter::default(),
            last_frame: Instant::now(),
            title_since: Instant::now(),
            cursor: [0.0; 2],
            pressed: None,
            leading: false,
            failure: None,
        }
    }

    /// The steps that are due, and one frame.
    fn frame(&mut self) -> Result<(), Failure> {
        let since_last = self.last_frame.elapsed();
        self.last_frame = Instant::now();
        if self.leading {
            self.session.lead(self.camera.to_world(self.cursor));
        }
        let steps = self.session.advance(since_last);
        if self.fitted {
            self.fit();
        }
        let Some(screen) = &mut self.screen else { return Ok(()) };
        let start = Instant::now();
        let session = &mut self.session;
        let view = &mut self.view;
        view.explained = Explained::all(&mut session.simulation, &session.explained)?;
        view.look(&session.simulation, self.painter.color_by);
        self.painter.paint(view, &self.camera, &mut screen.canvas());
        let drawn = Instant::now();
        let (panel, meter) = (&mut self.panel, &self.meter);
        panel.color_by = self.painter.color_by;
        screen.present(|ui| panel::show(ui, panel, session, meter, &view.explained))?;
        self.painter.color_by = panel.color_by;
        self.meter.note(&steps, drawn - start, drawn.elapsed(), since_last);
        if self.title_since.elapsed() >= TITLE_EVERY {
            self.update_title();
        }
        Ok(())
    }

    fn update_title(&mut self) {
        self.title_since = Instant::now();
        let Some(screen) = &self.screen else { return };
        let simulation = &self.session.simulation;
        let scene = simulation.scene();
        let [sort, steer, part, smooth, draw, _] = self.meter.medians();
        let partition = match simulation.partition() {
            Partition::Cells => "cells",
            Partition::AllPairs => "all pairs",
        };
        let state = match &self.session.trouble {
            Some(trouble) => format!("stopped: {trouble}"),
            None if self.session.paused => format!("paused at step {}", simulation.tick()),
            None => format!("{:.0} steps/s", self.meter.rates().1),
        };
        screen.window.set_title(&format!(
            "flockwork: {}, N = {}, seed {} | {state} | {:.1} ms/step, {draw:.1} ms/frame | \
             {partition}",
            scene.name,
            simulation.len(),
            scene.seed,
            sort + steer + part + smooth,
        ));
    }

    fn key(&mut self, key: &Key, event_loop: &ActiveEventLoop) {
        let Some(command) = keys::command(key) else { return };
        let session = &mut self.session;
        match command {
            Command::Quit => event_loop.exit(),
            Command::Pause => session.paused = !session.paused,
            Command::Step => session.step_once(),
            Command::Fit => self.fitted = true,
            Command::NextScene => session.switch_scene(1),
            Command::PreviousScene => session.switch_scene(-1),
            Command::Restart => session.restart(None),
            Command::NewSeed => session.restart(Some(session.simulation.scene().seed + 1)),
            Command::Partition => session.toggle_partition(),
            Command::Save => session.save(),
            Command::GoBack => session.go_back(),
            Command::CheckDeterminism => session.check_determinism(),
            Command::Panel => self.panel.open = !self.panel.open,
            Command::Help => self.panel.help = !self.panel.help,
            Command::Explain => {
                session.explained = match session.explained.is_empty() {
                    true if !session.simulation.is_empty() => vec![session.simulation.id_at(0)],
                    _ => Vec::new(),
                };
            }
            Command::Smoothing => session.toggle_smoothing(),
            Command::Scenery => session.toggle_scenery(),
            Command::NonPenetration => {
                let on = session.simulation.scene().non_penetration > 0;
                session.report(|simulation| simulation.set_non_penetration(u32::from(!on)));
            }
            Command::Weight(behavior, factor) => session.adjust_weight(behavior, factor),
            Command::Force(factor) => session.adjust(|species| {
                species.max_force = species.max_force.scaled(factor, 0.0, 1.0e9);
                true
            }),
            Command::Speed(factor) => session.adjust(|species| {
                species.max_speed = species.max_speed.scaled(factor, 1.0e-3, 1.0e5);
                true
            }),
        }
        if matches!(command, Command::NextScene | Command::PreviousScene) {
            self.fitted = true;
        }
        self.update_title();
    }

    /// Shows the whole world beside the panel.
    fn fit(&mut self) {
        let size = self.screen.as_ref().map_or((1, 1), |screen| screen.size);
        let hidden = self.panel.width_in_pixels.min(size.0 as f32 * 0.6);
        let free = (size.0 - hidden as u32, size.1);
        self.camera = Camera::fit(self.session.simulation.world_size(), free);
        self.camera.size = [size.0 as f32, size.1 as f32];
        self.camera.center[0] += hidden / 2.0 / self.camera.zoom;
        self.fitted = true;
    }

    fn resize(&mut self, size: winit::dpi::PhysicalSize<u32>) -> Result<(), Failure> {
        let Some(screen) = &mut self.screen else { return Ok(()) };
        screen.resize(size)?;
        self.camera.size = [screen.size.0 as f32, screen.size.1 as f32];
        Ok(())
    }

    fn zoom(&mut self, delta: MouseScrollDelta) {
        let notches = match delta {
            MouseScrollDelta::LineDelta(_, lines) => lines,
            MouseScrollDelta::PixelDelta(pixels) => pixels.y as f32 / 40.0,
        };
        self.camera.zoom_at(self.cursor, ZOOM_PER_NOTCH.powf(notches));
        self.fitted = false;
    }

    fn move_cursor(&mut self, to: [f32; 2]) {
        if let Some((from, moved)) = &mut self.pressed {
            *moved |= (to[0] - from[0]).hypot(to[1] - from[1]) > CLICK;
            if *moved {
                self.camera.pan([to[0] - self.cursor[0], to[1] - self.cursor[1]]);
                self.fitted = false;
            }
        }
        self.cursor = to;
    }

    /// Whether the mouse acts on the panel, which may not have noticed yet.
    fn is_for_panel(&self, event: &WindowEvent) -> bool {
        let width = self.screen.as_ref().map_or(0.0, |screen| screen.size.0 as f32);
        let over = self.cursor[0] >= width - self.panel.width_in_pixels;
        match event {
            WindowEvent::MouseWheel { .. } => over,
            WindowEvent::MouseInput { state, .. } => over && *state == ElementState::Pressed,
            _ => false,
        }
    }

    fn press(&mut self, button: MouseButton, down: bool) {
        match (button, down) {
            (MouseButton::Left, true) => self.pressed = Some((self.cursor, false)),
            (MouseButton::Left, false) => {
                if let Some((_, false)) = self.pressed.take() {
                    let reach = PICKED / self.camera.zoom;
                    self.session.pick(self.camera.to_world(self.cursor), reach);
                }
            }
            (MouseButton::Right, _) => self.leading = down,
            _ => {}
        }
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.screen.is_some() {
            return;
        }
        let size = self.camera.size.map(|length| length as u32);
        match Screen::open(event_loop, (size[0], size[1])) {
            Ok(screen) => {
                self.screen = Some(screen);
                self.update_title();
            }
            Err(failure) => {
                self.failure = Some(failure);
                event_loop.exit();
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        if self.screen.as_mut().is_some_and(|screen| screen.takes(&event))
            || self.is_for_panel(&event)
        {
            return;
        }
        let mut outcome = Ok(());
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Resized(size) => outcome = self.resize(size),
            WindowEvent::RedrawRequested => outcome = self.frame(),
            WindowEvent::KeyboardInput {
                event: KeyEvent { logical_key, state: ElementState::Pressed, .. },
                ..
            } => self.key(&logical_key, event_loop),
            WindowEvent::MouseWheel { delta, .. } => self.zoom(delta),
            WindowEvent::CursorMoved { position, .. } => {
                self.move_cursor([position.x as f32, position.y as f32]);
            }
            WindowEvent::MouseInput { state, button, .. } => {
                self.press(button, state == ElementState::Pressed);
            }
            _ => {}
        }
        if let Err(failure) = outcome {
            self.failure = Some(failure);
            event_loop.exit();
        }
    }

    fn about_to_wait(&mut self, _: &ActiveEventLoop) {
        if let Some(screen) = &self.screen {
            screen.window.request_redraw();
        }
    }
}
