//! Events in, pictures out. The window waits for both: for what the user does, and for what
//! the simulation's thread has to show.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use flockwork::Partition;
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::error::EventLoopError;
use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::Key;
use winit::window::WindowId;

use crate::Failure;
use crate::camera::Camera;
use crate::controls::Controls;
use crate::export::Target;
use crate::frame::Frame;
use crate::ink::Ink;
use crate::keys::{self, Command};
use crate::lost;
use crate::meter::Meter;
use crate::mouse::Mouse;
use crate::options::Options;
use crate::painter::Painter;
use crate::panel::{self, Desk};
use crate::recorder::{Recorder, take_picture};
use crate::runner::{Runner, Stopped};
use crate::screen::Screen;
use crate::session::Session;

/// How often the title is brought up to date.
const TITLE_EVERY: Duration = Duration::from_millis(250);
/// How long a window that nobody sees waits for its next frame.
const UNSEEN: Duration = Duration::from_millis(50);
/// How much one notch of the wheel zooms.
const ZOOM_PER_NOTCH: f32 = 1.15;

/// Wakes the window up: there is a new frame.
#[derive(Debug)]
struct NewFrame;

/// Opens the window and runs until it is closed.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let event_loop = EventLoop::<NewFrame>::with_user_event().build().map_err(|error| {
        match error {
            // What winit says of it is a path into its source.
            EventLoopError::Os(_) | EventLoopError::NotSupported(_) => Failure::NoWindow(
                "no display was found (is DISPLAY or WAYLAND_DISPLAY set?)".into(),
            ),
            other => Failure::NoWindow(other.to_string()),
        }
    })?;
    lost::end_clearly();
    let proxy = event_loop.create_proxy();
    // Without a loop there is no window to wake up.
    let wake = move || drop(proxy.send_event(NewFrame));
    let (runner, frame) = Runner::start(Session::new(options)?, wake);
    let mut app = App::new(runner, frame, options.size);
    event_loop.run_app(&mut app).map_err(|error| Failure::Drawing(error.to_string()))?;
    if let Some(film) = app.film {
        println!("{}", film.result());
    }
    app.failure.map_or(Ok(()), Err)
}

struct App {
    runner: Runner,
    /// What is shown.
    frame: Box<Frame>,
    /// What the session is set to, or will be when it has heard of it.
    controls: Controls,
    painter: Painter,
    camera: Camera,
    /// Whether the camera still shows the whole world, and should after resizing.
    fitted: bool,
    /// Whether the camera follows the explained agent.
    following: bool,
    screen: Option<Screen>,
    panel: panel::State,
    meter: Meter,
    mouse: Mouse,
    /// The arrow keys that are held.
    arrows: Vec<[f32; 2]>,
    film: Option<Recorder>,
    last_frame: Instant,
    title_since: Instant,
    /// Why the program ends.
    failure: Option<Failure>,
}

impl App {
    fn new(runner: Runner, frame: Box<Frame>, size: (u32, u32)) -> Self {
        Self {
            runner,
            camera: Camera::fit(frame.view.world, size),
            controls: frame.controls.clone(),
            frame,
            painter: Painter::new(),
            fitted: true,
            following: false,
            screen: None,
            panel: panel::State::default(),
            meter: Meter::default(),
            mouse: Mouse::default(),
            arrows: Vec::new(),
            film: None,
            last_frame: Instant::now(),
            title_since: Instant::now(),
            failure: None,
        }
    }

    /// Takes the newest frame from the simulation's thread, if there is one. Several may have
    /// come since the last picture, for which the window was woken up but once.
    fn receive(&mut self) -> Result<(), Failure> {
        let gone = |Stopped| Failure::Drawing("the simulation's thread has ended".into());
        while let Some(mut frame) = self.runner.latest().map_err(gone)? {
            std::mem::swap(&mut self.frame, &mut frame);
            if self.frame.readings.scenes != frame.readings.scenes {
                self.fitted = true;
                self.meter = Meter::default();
            }
            // What has not been shown of the steps of the frame before is not to be lost.
            self.frame.taken.append(&mut frame.taken);
            self.runner.give_back(frame);
        }
        // What has just been changed here is not to jump back for a moment.
        if self.runner.is_heard(&self.frame) {
            self.controls.clone_from(&self.frame.controls);
        }
        self.meter.note_survey(&self.frame.readings.survey);
        Ok(())
    }

    /// Draws what there is to see.
    fn draw(&mut self) -> Result<(), Failure> {
        self.receive()?;
        if self.fitted {
            self.fit();
        }
        self.follow();
        if !self.arrows.is_empty() && !self.controls.paused {
            self.drive();
        }
        let Some(screen) = &mut self.screen else { return Ok(()) };
        // A film goes on.
        if !screen.is_seen() && self.film.is_none() {
            self.frame.taken.clear();
            self.update_title();
            thread::sleep(UNSEEN);
            return Ok(());
        }
        let since_last = self.last_frame.elapsed();
        let start = Instant::now();
        self.last_frame = start;
        self.painter.color_by = self.frame.controls.color_by;
        let size = screen.size;
        let mut canvas = screen.canvas();
        self.painter.paint(&self.frame.view, &self.camera, &mut canvas);
        let drawn = start.elapsed();
        if let Some(film) = &mut self.film {
            film.note(size, canvas.pixels);
        }
        self.mouse.draw(&self.camera, &mut Ink::new(canvas.width, 0, canvas.pixels));

        let before = self.controls.clone();
        let mut desk = Desk {
            state: &mut self.panel,
            controls: &mut self.controls,
            mouse: &mut self.mouse,
            frame: &self.frame,
            meter: &self.meter,
            runner: &self.runner,
        };
        let presenting = Instant::now();
        screen.present(|ui| panel::show(ui, &mut desk))?;
        let taken = std::mem::take(&mut self.frame.taken);
        self.meter.note(&taken, drawn, presenting.elapsed(), since_last);
        self.set_if_changed(&before);
        self.end_film_when_done();
        if self.title_since.elapsed() >= TITLE_EVERY || self.frame.controls.paused {
            self.update_title();
        }
        Ok(())
    }

    /// Has the controls applied if they are no longer what they were.
    fn set_if_changed(&self, before: &Controls) {
        if self.controls != *before {
            let wanted = self.controls.clone();
            self.runner.tell(move |session| session.set(wanted));
        }
    }

    fn end_film_when_done(&mut self) {
        if let Some(film) = self.film.take_if(|film| film.is_done()) {
            self.panel.notice(film.result());
        }
    }

    fn update_title(&mut self) {
        self.title_since = Instant::now();
        let Some(screen) = &self.screen else { return };
        let readings = &self.frame.readings;
        let [sort, steer, part, smooth, draw, _] = self.meter.medians();
        let partition = match self.frame.controls.partition {
            Partition::Cells => "cells",
            Partition::AllPairs => "all pairs",
        };
        let state = match (&readings.trouble, readings.hash) {
            (Some(trouble), _) => format!("stopped: {trouble}"),
            (None, Some(hash)) => format!("paused at step {}, state {hash:016x}", readings.tick),
            (None, None) => format!("{:.0} steps/s", self.meter.rates().1),
        };
        screen.window.set_title(&format!(
            "flockwork: {}, N = {}, seed {} | {state} | {:.1} ms/step, {draw:.1} ms/frame | \
             {partition}",
            readings.original.name,
            readings.agents,
            readings.seed,
            sort + steer + part + smooth,
        ));
    }

    fn key(&mut self, key: &Key, repeat: bool, event_loop: &ActiveEventLoop) {
        let command = keys::command(key).filter(|command| !repeat || command.repeats());
        let Some(command) = command else { return };
        let before = self.controls.clone();
        let (runner, controls) = (&self.runner, &mut self.controls);
        match command {
            Command::Quit => event_loop.exit(),
            Command::Pause => controls.paused = !controls.paused,
            Command::Step if controls.paused => runner.tell(|session| session.step_once()),
            Command::Step | Command::Drive => {}
            Command::Fit => (self.fitted, self.following) = (true, false),
            Command::Follow => self.toggle_following(),
            Command::NextScene => runner.tell(|session| session.switch_scene(1)),
            Command::PreviousScene => runner.tell(|session| session.switch_scene(-1)),
            Command::Restart => runner.tell(|session| session.restart(None)),
            Command::NewSeed => {
                let seed = self.frame.readings.seed.wrapping_add(1);
                runner.tell(move |session| session.restart(Some(seed)));
            }
            Command::Partition => controls.toggle_partition(),
            Command::Save => runner.tell(|session| session.save()),
            Command::SaveFile => runner.tell(|session| session.save_file(Path::new(""))),
            Command::GoBack => runner.tell(|session| session.go_back()),
            Command::CheckDeterminism => runner.tell(|session| session.check_determinism()),
            Command::Picture => self.take_picture(),
            Command::Film(form) => self.start_or_end_film(form),
            Command::Panel => self.panel.open = !self.panel.open,
            Command::Help => self.panel.help = !self.panel.help,
            Command::Explain => runner.tell(|session| session.toggle_explained()),
            Command::Trails => controls.toggle_trails(),
            Command::Colors => controls.color_by = controls.color_by.next(),
            Command::Smoothing => controls.toggle_smoothing(&self.frame.readings.original),
            Command::Scenery => controls.toggle_scenery(),
            Command::NonPenetration => {
                controls.non_penetration = u32::from(controls.non_penetration == 0);
            }
            Command::Hold(tool) => self.mouse.tool = tool,
            Command::Weight(behavior, factor) => controls.scale_weight(behavior, factor),
            Command::Force(factor) => controls.scale_force(factor),
            Command::Speed(factor) => controls.scale_speed(factor),
        }
        self.set_if_changed(&before);
    }

    /// Notes which arrow keys are held.
    fn hold_arrow(&mut self, key: &Key, down: bool) {
        let Some(direction) = keys::arrow(key) else { return };
        self.arrows.retain(|held| *held != direction);
        if down && !self.controls.paused {
            self.arrows.push(direction);
        } else {
            self.drive();
        }
    }

    fn drive(&self) {
        let [x, y] = self.arrows.iter().fold([0.0, 0.0], |[x, y], held| [x + held[0], y + held[1]]);
        let length = x.hypot(y).max(1.0);
        let direction = [x / length, y / length];
        self.runner.tell(move |session| session.drive(direction));
    }

    fn take_picture(&mut self) {
        let name = self.file_name();
        let Some(screen) = &mut self.screen else { return };
        let width = screen.size.0;
        let said = take_picture(&name, width, screen.canvas().pixels);
        self.panel.notice(said);
    }

    fn start_or_end_film(&mut self, form: &str) {
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

    /// Says what is shown.
    fn file_name(&self) -> String {
        let readings = &self.frame.readings;
        format!("flockwork-{}-{}", readings.original.name, readings.tick)
    }

    /// Shows the whole world beside the panel.
    fn fit(&mut self) {
        let size = self.screen.as_ref().map_or((1, 1), |screen| screen.size);
        let hidden = self.panel.width_in_pixels.min(size.0 as f32 * 0.6);
        let free = (size.0 - hidden as u32, size.1);
        self.camera = Camera::fit(self.frame.view.world, free);
        self.camera.size = [size.0 as f32, size.1 as f32];
        self.camera.center[0] += hidden / 2.0 / self.camera.zoom;
        self.fitted = true;
    }

    fn toggle_following(&mut self) {
        self.following = !self.following && !self.frame.view.explained.is_empty();
        if self.following {
            self.fitted = false;
        } else if self.frame.view.explained.is_empty() {
            self.panel.notice("click an agent first, to follow it".into());
        }
    }

    /// Keeps the explained agent in the middle of what the panel does not hide.
    fn follow(&mut self) {
        let Some(agent) = self.frame.view.explained.first().filter(|_| self.following) else {
            return;
        };
        let [x, y] = agent.position();
        self.camera.center = [x + self.panel.width_in_pixels / 2.0 / self.camera.zoom, y];
    }

    fn resize(&mut self, size: PhysicalSize<u32>) -> Result<(), Failure> {
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
        self.camera.zoom_at(self.mouse.cursor(), ZOOM_PER_NOTCH.powf(notches));
        self.fitted = false;
    }

    fn press(&mut self, button: MouseButton, down: bool) {
        let (mouse, camera, runner) = (&mut self.mouse, &self.camera, &self.runner);
        match (button, down) {
            (MouseButton::Left, true) => mouse.press(camera, runner),
            (MouseButton::Left, false) => mouse.release(camera, runner),
            (MouseButton::Right, true) => mouse.press_right(camera, runner),
            (MouseButton::Right, false) => mouse.release_right(),
            _ => {}
        }
    }

    /// Whether the mouse acts on the panel, which may not have noticed yet.
    fn is_for_panel(&self, event: &WindowEvent) -> bool {
        let width = self.screen.as_ref().map_or(0.0, |screen| screen.size.0 as f32);
        let over = self.mouse.cursor()[0] >= width - self.panel.width_in_pixels;
        match event {
            WindowEvent::MouseWheel { .. } => over,
            WindowEvent::MouseInput { state, .. } => over && *state == ElementState::Pressed,
            _ => false,
        }
    }

    fn handle(&mut self, event: WindowEvent, event_loop: &ActiveEventLoop) -> Result<(), Failure> {
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Resized(size) => self.resize(size)?,
            WindowEvent::Occluded(occluded) => {
                self.screen.iter_mut().for_each(|screen| screen.occluded = occluded);
            }
            WindowEvent::RedrawRequested => self.draw()?,
            WindowEvent::KeyboardInput { event, is_synthetic, .. } => {
                let KeyEvent { logical_key, state, repeat, .. } = event;
                let down = state == ElementState::Pressed;
                // A key that was down when the window got the focus is told of twice.
                if down && is_synthetic {
                    return Ok(());
                }
                if !repeat {
                    self.hold_arrow(&logical_key, down);
                }
                if down {
                    self.key(&logical_key, repeat, event_loop);
                }
            }
            WindowEvent::MouseWheel { delta, .. } => self.zoom(delta),
            WindowEvent::CursorMoved { position, .. } => {
                let to = [position.x as f32, position.y as f32];
                if self.mouse.move_to(to, &mut self.camera, &self.runner) {
                    (self.fitted, self.following) = (false, false);
                }
            }
            WindowEvent::MouseInput { state, button, .. } => {
                self.press(button, state == ElementState::Pressed);
            }
            WindowEvent::DroppedFile(path) => {
                self.runner.tell(move |session| session.open_file(&path));
            }
            _ => {}
        }
        Ok(())
    }

    fn fail(&mut self, failure: Failure, event_loop: &ActiveEventLoop) {
        self.failure = Some(failure);
        event_loop.exit();
    }
}

impl ApplicationHandler<NewFrame> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.screen.is_some() {
            return;
        }
        let size = self.camera.size.map(|length| length as u32);
        match Screen::open(event_loop, (size[0], size[1])) {
            Ok(screen) => {
                screen.window.request_redraw();
                self.screen = Some(screen);
                self.update_title();
            }
            Err(failure) => self.fail(failure, event_loop),
        }
    }

    fn user_event(&mut self, _: &ActiveEventLoop, NewFrame: NewFrame) {
        if let Some(screen) = &self.screen {
            screen.window.request_redraw();
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let redraws = matches!(event, WindowEvent::RedrawRequested);
        let taken = self.screen.as_mut().is_some_and(|screen| screen.takes(&event));
        if !(taken || self.is_for_panel(&event)) {
            let handled = self.handle(event, event_loop);
            handled.unwrap_or_else(|failure| self.fail(failure, event_loop));
        }
        // Whatever happened may change the picture.
        if let (Some(screen), false) = (&self.screen, redraws) {
            screen.window.request_redraw();
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Some(screen) = &self.screen else { return };
        let quiet = match &self.film {
            Some(_) => Duration::from_millis(50),
            None => screen.rest,
        };
        if quiet.is_zero() {
            screen.window.request_redraw();
        }
        event_loop.set_control_flow(match Instant::now().checked_add(quiet) {
            Some(until) => ControlFlow::WaitUntil(until),
            None => ControlFlow::Wait,
        });
    }

    fn new_events(&mut self, _: &ActiveEventLoop, cause: winit::event::StartCause) {
        if let (winit::event::StartCause::ResumeTimeReached { .. }, Some(screen)) =
            (cause, &self.screen)
        {
            screen.window.request_redraw();
        }
    }
}
