use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::TryRecvError;
use std::thread;
use std::time::{Duration, Instant};

use flockwork::Partition;
use winit::application::ApplicationHandler;
use winit::error::EventLoopError;
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::ModifiersState;
use winit::window::WindowId;

use super::answer::{self, Profiler, grouped, rate};
use super::keys::{self, Command};
use super::panel::{Panel, State};
use super::screen::{self, Screen};
use super::{legend, mouse, panel};
use crate::export::{unused_name, write_png};
use crate::options::Options;
use crate::picture::camera::Camera;
use crate::picture::painter::Painter;
use crate::session::Session;
use crate::session::controls::Controls;
use crate::session::frame::Frame;
use crate::session::worker::Worker;
use crate::{Error, INTERRUPTED, on_interrupt};

const TITLE_INTERVAL: Duration = Duration::from_millis(250);
const QUIET_INTERVAL: Duration = Duration::from_millis(50);

#[derive(Debug)]
enum Wake {
    Frame,
    End,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, Error> {
    // Create the session first, so that invalid options are reported even without a display.
    let session = Session::new(options)?;
    let event_loop = EventLoop::<Wake>::with_user_event().build().map_err(|error| {
        Error::NoWindow(match error {
            EventLoopError::RecreationAttempt => error.to_string(),
            // Replaces winit's message, which contains the path of one of its source files.
            _ => "no display was found (is DISPLAY or WAYLAND_DISPLAY set?)".into(),
        })
    })?;
    screen::end_when_lost();
    let [proxy, on_end] = [(); 2].map(|()| event_loop.create_proxy());
    // Without an event loop there is no window to wake, so a failure is ignored.
    let wake = move || drop(proxy.send_event(Wake::Frame));
    on_interrupt(move || drop(on_end.send_event(Wake::End)));
    let (worker, frame) = Worker::start(session, wake)?;
    let crowd = Some((worker, frame, options.size));
    let mut program = Program { crowd, app: None, outcome: Ok(ExitCode::SUCCESS) };
    let ended = event_loop.run_app(&mut program);
    // Closes the window before a save in progress is completed.
    let saved = program.app.is_none_or(|app| app.panel.worker.finish());
    ended.map_err(|error| Error::Drawing(error.to_string()))?;
    if saved { program.outcome } else { program.outcome.map(|_| ExitCode::from(2)) }
}

struct Program {
    /// Worker, first frame and window size, held here until the window exists.
    crowd: Option<(Worker, Box<Frame>, (u32, u32))>,
    app: Option<App>,
    outcome: Result<ExitCode, Error>,
}

impl ApplicationHandler<Wake> for Program {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let Some((worker, frame, size)) = self.crowd.take() else { return };
        match Screen::open(event_loop, size) {
            Ok(screen) => self.app = Some(App::new(worker, frame, screen)),
            Err(failure) => {
                self.outcome = Err(failure);
                event_loop.exit();
            }
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, wake: Wake) {
        match (wake, &self.app) {
            (Wake::Frame, Some(app)) => app.screen.window.request_redraw(),
            (Wake::Frame, None) => {}
            (Wake::End, app) => {
                if let Some(app) = app {
                    // Standard error may be closed, so failures are ignored.
                    let step = app.panel.frame.view.step;
                    let _ = writeln!(io::stderr(), "interrupted at step {step}");
                }
                self.outcome = Ok(INTERRUPTED.into());
                event_loop.exit();
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(app) = &mut self.app else { return };
        let redraws = matches!(event, WindowEvent::RedrawRequested);
        let catch_up = app.screen.is_behind(&event).then_some(WindowEvent::RedrawRequested);
        for event in catch_up.into_iter().chain([event]) {
            if !app.screen.consumes(&event)
                && let Err(failure) = app.handle(event)
            {
                self.outcome = Err(failure);
                app.panel.state.quits = true;
            }
        }
        if app.panel.state.quits {
            event_loop.exit();
        }
        // Any event may change the picture, so each one requests a redraw, except a redraw itself.
        if !redraws {
            app.screen.window.request_redraw();
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Some(app) = &self.app else { return };
        if app.next_draw.is_some_and(|next| next <= Instant::now()) {
            app.screen.window.request_redraw();
        }
        event_loop
            .set_control_flow(app.next_draw.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }
}

struct App {
    panel: Panel,
    painter: Painter,
    camera: Camera,
    /// True while the camera fits the whole world. Resizing the window then refits the camera.
    fitted: bool,
    screen: Screen,
    modifiers: ModifiersState,
    last_frame: Instant,
    next_draw: Option<Instant>,
    title_since: Instant,
}

impl App {
    fn new(worker: Worker, frame: Box<Frame>, screen: Screen) -> Self {
        let mut state = State::default();
        state.notify(frame.readings.message.clone());
        let now = Instant::now();
        let (camera, controls) = (frame.view.fit(screen.size()), frame.controls.clone());
        let mut app = Self {
            panel: Panel { state, controls, frame, profiler: Profiler::default(), worker },
            camera,
            painter: Painter::default(),
            fitted: true,
            screen,
            modifiers: ModifiersState::empty(),
            last_frame: now,
            next_draw: Some(now),
            title_since: now,
        };
        app.update_title();
        app
    }

    /// Takes the newest frame from the session's thread. Several may have arrived since the last
    /// picture, because wake-ups coalesce.
    fn receive(&mut self) -> Result<(), Error> {
        loop {
            let mut frame = match self.panel.worker.latest() {
                Ok(frame) => frame,
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    return Err(Error::Drawing("the simulation thread has ended".into()));
                }
            };
            std::mem::swap(&mut self.panel.frame, &mut frame);
            let projection = self.panel.frame.view.projection;
            let center = projection.keep_center(frame.view.projection, self.camera.center);
            self.camera.center = center;
            let [new, old] = [&self.panel.frame, &frame].map(|frame| &frame.readings.original);
            self.fitted |= !Arc::ptr_eq(new, old);
            if self.panel.frame.readings.setups == frame.readings.setups {
                // Step times of a frame that was never drawn carry over to the next frame.
                self.panel.frame.step_times.append(&mut frame.step_times);
            } else {
                self.panel.profiler = Profiler::default();
                frame.step_times.clear();
            }
            self.panel.state.notify(self.panel.frame.readings.message.clone());
            self.panel.worker.recycle(frame);
        }
        // Edited controls must not jump back before the session has applied them.
        if self.panel.worker.is_current(&self.panel.frame) {
            self.panel.controls.clone_from(&self.panel.frame.controls);
        }
        Ok(())
    }

    fn draw(&mut self) -> Result<(), Error> {
        self.receive()?;
        if !self.screen.fit_window()? {
            self.panel.frame.step_times.clear();
            self.update_title();
            thread::sleep(QUIET_INTERVAL);
            return Ok(());
        }
        if self.fitted {
            self.fit();
        }
        let (width, height) = self.screen.size();
        self.camera.size = [width as f32, height as f32];
        let since_last = self.last_frame.elapsed();
        self.last_frame = Instant::now();
        let before = self.panel.controls.clone();
        let (panel, camera, marks) = (&mut self.panel, &mut self.camera, &self.painter.marks);
        let shown = self.screen.run(|ui| {
            panel::show(ui, panel);
            let Panel { state, controls, frame, profiler, worker } = &mut *panel;
            let angle = &mut controls.look.angle;
            let moved = mouse::interact(ui, &frame.view, marks, camera, angle, worker);
            self.fitted &= !moved;
            let covered = state.width_in_pixels / ui.ctx().pixels_per_point();
            legend::show(ui, frame, camera, covered, &mut state.legend);
            answer::show(ui, frame, profiler, covered);
        });
        self.painter.paint(&self.panel.frame.view, &self.camera, &mut self.screen.canvas());
        self.screen.show(shown)?;
        self.set_if_changed(&before);
        if let Some(command) = self.panel.state.clicked.take() {
            self.execute(command);
        }
        let taken = std::mem::take(&mut self.panel.frame.step_times);
        let readings = &self.panel.frame.readings;
        let runs = readings.hash.is_none() && (readings.work.is_none() || !taken.is_empty());
        self.panel.profiler.record(&taken, runs.then_some(since_last));
        if self.title_since.elapsed() >= TITLE_INTERVAL || self.panel.frame.controls.paused {
            self.update_title();
        }
        self.next_draw = Instant::now().checked_add(self.screen.repaint_after);
        Ok(())
    }

    fn set_if_changed(&self, before: &Controls) {
        if self.panel.controls != *before {
            let wanted = self.panel.controls.clone();
            self.panel.worker.send(move |session| session.set(wanted));
        }
    }

    fn update_title(&mut self) {
        self.title_since = Instant::now();
        let readings = &self.panel.frame.readings;
        let all_pairs = self.panel.frame.controls.partition == Partition::AllPairs;
        let partition = if all_pairs { "all pairs" } else { "cells" };
        let state = match (&readings.failure, readings.hash) {
            (Some(failure), _) => format!("stopped: {failure}"),
            (None, Some(hash)) => {
                format!("paused at step {}, state {hash:016x}", self.panel.frame.view.step)
            }
            (None, None) => format!("{} steps/s", rate(self.panel.profiler.rates().1)),
        };
        self.screen.window.set_title(&format!(
            "flockwork: {}, N = {}, seed {} | {state} | {:.2} ms per step | {partition}",
            readings.original.name,
            grouped(self.panel.frame.view.x.len()),
            readings.seed,
            self.panel.profiler.step(),
        ));
    }

    fn fit(&mut self) {
        let size = self.screen.size();
        let hidden = self.panel.state.width_in_pixels.min(size.0 as f32 * 0.6);
        let free = size.0 - hidden as u32;
        self.camera = self.panel.frame.view.fit((free, size.1));
        self.camera.center[0] += hidden / 2.0 / self.camera.zoom;
    }

    fn take_screenshot(&mut self) {
        let (scene, step) = (&self.panel.frame.readings.original.name, self.panel.frame.view.step);
        let file = unused_name(scene, step, Path::new("")) + ".png";
        let panel = self.panel.state.width_in_pixels.ceil() as usize;
        let width = (self.screen.size().0 as usize).saturating_sub(panel).max(1);
        let picture = self.screen.canvas();
        let pixels: Vec<_> =
            picture.pixels.chunks(picture.width).flat_map(|row| &row[..width]).copied().collect();
        let written = write_png(file.as_ref(), width as u32, &pixels);
        self.panel
            .state
            .notify(written.map_or_else(|why| why.to_string(), |()| format!("wrote {file}")));
    }

    fn handle(&mut self, event: WindowEvent) -> Result<(), Error> {
        match event {
            WindowEvent::CloseRequested => self.panel.state.quits = true,
            WindowEvent::Occluded(occluded) => self.screen.occluded = occluded,
            WindowEvent::RedrawRequested => self.draw()?,
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers.state(),
            // Ignores synthetic presses. Otherwise, a key held while the window gains focus
            // would count twice.
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. }
                if event.state == ElementState::Pressed =>
            {
                let KeyEvent { logical_key: key, physical_key, repeat, .. } = event;
                if let Some((name, command, _)) = keys::pressed(&key, physical_key, self.modifiers)
                    && (!repeat || *name == "Right")
                {
                    self.execute(*command);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn execute(&mut self, command: Command) {
        match command {
            Command::Close if self.screen.close_menu() => {}
            Command::Close if self.panel.state.help => self.panel.state.help = false,
            Command::Close if self.panel.frame.readings.work.is_some() => {
                self.panel.worker.send(|session| session.cancel());
            }
            Command::Close => self.panel.worker.send(|session| session.explain(None)),
            Command::Quit => self.panel.state.quits = true,
            Command::Do(act) => self.panel.worker.send(act),
            Command::Change(change) => {
                let before = self.panel.controls.clone();
                change(&mut self.panel.controls);
                self.set_if_changed(&before);
            }
            Command::Step => {
                // Also pause this copy, because the next change of any control sends all controls.
                self.panel.controls.paused = true;
                self.panel.worker.send(Session::step_once);
            }
            Command::Fit => self.fitted = true,
            Command::Screenshot => self.take_screenshot(),
            Command::Panel => self.panel.state.hidden = !self.panel.state.hidden,
            Command::Help => self.panel.state.help = !self.panel.state.help,
            Command::Listed => {}
        }
    }
}
