//! The event loop. The window waits for the user's events and for frames from the session's thread.

mod input;
mod painting;
mod recording;

use std::io::{self, Write};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use flockwork::Partition;
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::error::EventLoopError;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::ModifiersState;
use winit::window::WindowId;

use super::device_lost;
use super::legend::Legend;
use super::mouse::Mouse;
use super::panel;
use super::panel::state::{PanelContext, State};
use super::panes;
use super::profiler::{Profiler, rate, time};
use super::screen::Screen;
use crate::error::Error;
use crate::export::recorder::Recorder;
use crate::interrupt::{INTERRUPTED, on_interrupt};
use crate::options::Options;
use crate::output::unless_reader_left;
use crate::picture::camera::Camera;
use crate::picture::look::Look;
use crate::picture::painter::Painter;
use crate::raster::palette::Pixel;
use crate::raster::shapes::Rasterizer;
use crate::session::Session;
use crate::session::controls::Controls;
use crate::session::frame::Frame;
use crate::session::worker::{Stopped, Worker};

/// How often the title is updated.
const TITLE_INTERVAL: Duration = Duration::from_millis(250);
/// How long a hidden window waits for its next frame.
const HIDDEN_INTERVAL: Duration = Duration::from_millis(50);

/// Wakes the window.
#[derive(Debug)]
enum Wake {
    /// There is a new frame.
    Frame,
    /// The program was asked to end.
    End,
}

/// Opens the window and runs until it is closed.
pub(crate) fn run(options: &Options) -> Result<ExitCode, Error> {
    let event_loop = EventLoop::<Wake>::with_user_event().build().map_err(|error| {
        match error {
            // winit's own message contains a path into its source.
            EventLoopError::Os(_) | EventLoopError::NotSupported(_) => {
                Error::NoWindow("no display was found (is DISPLAY or WAYLAND_DISPLAY set?)".into())
            }
            other => Error::NoWindow(other.to_string()),
        }
    })?;
    device_lost::install_handler();
    let [proxy, on_end] = [(); 2].map(|()| event_loop.create_proxy());
    // Without an event loop there is no window to wake.
    let wake = move || drop(proxy.send_event(Wake::Frame));
    // Until here, a request to end ends the program.
    let session = Session::new(options)?;
    on_interrupt(move || drop(on_end.send_event(Wake::End)));
    let (worker, frame) = Worker::start(session, wake);
    let mut app = App::new(worker, frame, options.size);
    event_loop.run_app(&mut app).map_err(|error| Error::Drawing(error.to_string()))?;
    let printed = match app.recording {
        Some(recording) => writeln!(io::stdout(), "{}", recording.finish()),
        None => Ok(()),
    };
    if let Some(failure) = app.failure {
        return Err(failure);
    }
    unless_reader_left(printed)?;
    Ok(if app.interrupted { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

struct App {
    worker: Worker,
    /// The frame that is shown.
    frame: Box<Frame>,
    /// The session's settings, including those it has not applied yet.
    controls: Controls,
    painter: Painter,
    /// For the second pane.
    twin_painter: Painter,
    /// The pixels of a pane.
    pane: Vec<Pixel>,
    camera: Camera,
    /// Whether the camera still shows the whole world, and should after resizing.
    fitted: bool,
    /// Whether the camera follows the explained agent.
    following: bool,
    screen: Option<Screen>,
    panel: State,
    profiler: Profiler,
    mouse: Mouse,
    /// The column of the window that the mouse is at.
    pointer: f32,
    modifiers: ModifiersState,
    recording: Option<Recorder>,
    last_frame: Instant,
    title_since: Instant,
    /// Whether the program was asked to end.
    interrupted: bool,
    /// Why the program ends.
    failure: Option<Error>,
}

impl App {
    fn new(worker: Worker, frame: Box<Frame>, size: (u32, u32)) -> Self {
        let mut panel = State::default();
        panel.show_message(&frame.readings.message);
        Self {
            worker,
            camera: frame.view.fit(size),
            controls: frame.controls.clone(),
            frame,
            painter: Painter::new(Look::default()),
            twin_painter: Painter::new(Look::default()),
            pane: Vec::new(),
            fitted: true,
            following: false,
            screen: None,
            panel,
            profiler: Profiler::default(),
            mouse: Mouse::default(),
            pointer: 0.0,
            modifiers: ModifiersState::empty(),
            recording: None,
            last_frame: Instant::now(),
            title_since: Instant::now(),
            interrupted: false,
            failure: None,
        }
    }

    /// Takes the newest frame from the session's thread, if there is one. Several may have arrived
    /// since the last picture, as wake-ups coalesce.
    fn receive(&mut self) -> Result<(), Error> {
        let gone = |Stopped| Error::Drawing("the simulation thread has ended".into());
        while let Some(mut frame) = self.worker.latest().map_err(gone)? {
            std::mem::swap(&mut self.frame, &mut frame);
            if self.frame.readings.scenes_opened != frame.readings.scenes_opened {
                (self.fitted, self.following) = (true, false);
            }
            if self.frame.readings.setups == frame.readings.setups {
                // Keeps the step times of a frame that was never shown.
                self.frame.step_times.append(&mut frame.step_times);
            } else {
                self.profiler = Profiler::default();
                frame.step_times.clear();
            }
            self.panel.show_message(&self.frame.readings.message);
            self.profiler.add_measures(&mut self.frame.rows);
            self.worker.recycle(frame);
        }
        // Controls that were just edited must not jump back until the session has applied them.
        if self.worker.is_current(&self.frame) {
            self.controls.clone_from(&self.frame.controls);
        }
        Ok(())
    }

    /// Draws the latest frame.
    fn draw(&mut self) -> Result<(), Error> {
        self.receive()?;
        if self.fitted {
            self.fit();
        }
        self.follow();
        let Some(screen) = &mut self.screen else { return Ok(()) };
        // A recording continues in a hidden window.
        if !screen.is_visible() && self.recording.is_none() {
            self.frame.step_times.clear();
            self.update_title();
            thread::sleep(HIDDEN_INTERVAL);
            return Ok(());
        }
        let since_last = self.last_frame.elapsed();
        let start = Instant::now();
        self.last_frame = start;
        self.paint();
        let drawn = start.elapsed();
        self.record();
        let Some(screen) = &mut self.screen else { return Ok(()) };
        let canvas = screen.canvas();
        if self.frame.panes.is_none() {
            self.mouse.draw(&self.camera, &mut Rasterizer::new(canvas.width, 0, canvas.pixels));
        }

        let before = self.controls.clone();
        let division = self.division();
        let Some(screen) = &mut self.screen else { return Ok(()) };
        let mut cx = PanelContext {
            state: &mut self.panel,
            controls: &mut self.controls,
            mouse: &mut self.mouse,
            frame: &self.frame,
            profiler: &self.profiler,
            worker: &self.worker,
        };
        let presenting = Instant::now();
        let (view, camera) = (&self.frame.view, &self.camera);
        let color_by = self.frame.controls.color_by;
        screen.present(|ui| {
            panel::show(ui, &mut cx);
            let covered = cx.state.width_in_pixels / ui.ctx().pixels_per_point();
            let kinds = &cx.frame.readings.original.species;
            let species = kinds.iter().map(|kind| kind.name.as_str()).collect();
            Legend { view, camera, color_by, species, covered }.show(ui);
            if let Some((panes, division)) = cx.frame.panes.as_ref().zip(division) {
                panes::label(ui, panes, division);
            }
        })?;
        let taken = std::mem::take(&mut self.frame.step_times);
        let readings = &self.frame.readings;
        let runs = readings.hash.is_none() && (readings.work.is_none() || !taken.is_empty());
        self.profiler.record(
            &taken,
            [self.frame.capture_time, drawn, presenting.elapsed()],
            runs.then_some(since_last),
        );
        self.set_if_changed(&before);
        self.finish_recording_when_done();
        if self.title_since.elapsed() >= TITLE_INTERVAL || self.frame.controls.paused {
            self.update_title();
        }
        Ok(())
    }

    /// Sends the controls if they have changed.
    fn set_if_changed(&self, before: &Controls) {
        if self.controls != *before {
            let wanted = self.controls.clone();
            self.worker.send(move |session| session.set(wanted));
        }
    }

    fn finish_recording_when_done(&mut self) {
        if let Some(recording) = self.recording.take_if(|recording| recording.is_done()) {
            self.panel.notify(recording.finish());
        }
    }

    fn update_title(&mut self) {
        self.title_since = Instant::now();
        let Some(screen) = &self.screen else { return };
        let readings = &self.frame.readings;
        let partition = match self.frame.controls.partition {
            Partition::Auto | Partition::Cells => "cells",
            Partition::AllPairs => "all pairs",
        };
        let state = match (&readings.failure, readings.hash) {
            (Some(failure), _) => format!("stopped: {failure}"),
            (None, Some(hash)) => format!("paused at step {}, state {hash:016x}", readings.tick),
            (None, None) => format!("{} steps/s", rate(self.profiler.rates().1)),
        };
        screen.window.set_title(&format!(
            "flockwork: {}, N = {}, seed {} | {state} | {} per step, {} per frame | {partition}",
            readings.original.name,
            readings.agents,
            readings.seed,
            time(self.profiler.step()),
            time(self.profiler.frame()),
        ));
    }

    /// Shows the whole world beside the panel.
    fn fit(&mut self) {
        let size = self.screen.as_ref().map_or((1, 1), |screen| screen.size);
        let hidden = self.panel.width_in_pixels.min(size.0 as f32 * 0.6);
        let free = size.0 - hidden as u32;
        let width = if self.frame.panes.is_some() { free / 2 } else { free };
        self.camera = self.frame.view.fit((width, size.1));
        self.camera.size = [size.0 as f32, size.1 as f32];
        self.camera.center[0] += hidden / 2.0 / self.camera.zoom;
        self.fitted = true;
    }

    /// Keeps the explained agent centered beside the panel.
    fn follow(&mut self) {
        let Some(agent) = self.frame.view.explained.first().filter(|_| self.following) else {
            return;
        };
        let [x, y] = agent.position();
        self.camera.center = [x + self.panel.width_in_pixels / 2.0 / self.camera.zoom, y];
    }

    fn resize(&mut self, size: PhysicalSize<u32>) -> Result<(), Error> {
        let Some(screen) = &mut self.screen else { return Ok(()) };
        screen.resize(size)?;
        self.camera.size = [screen.size.0 as f32, screen.size.1 as f32];
        Ok(())
    }

    fn fail(&mut self, failure: Error, event_loop: &ActiveEventLoop) {
        self.failure = Some(failure);
        event_loop.exit();
    }
}

impl ApplicationHandler<Wake> for App {
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

    fn user_event(&mut self, event_loop: &ActiveEventLoop, wake: Wake) {
        match (wake, &self.screen) {
            (Wake::Frame, Some(screen)) => screen.window.request_redraw(),
            (Wake::Frame, None) => {}
            (Wake::End, _) => {
                self.interrupted = true;
                event_loop.exit();
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let redraws = matches!(event, WindowEvent::RedrawRequested);
        let taken = self.screen.as_mut().is_some_and(|screen| screen.consumes(&event));
        if !(taken || self.is_for_panel(&event)) {
            let handled = self.handle(event, event_loop);
            handled.unwrap_or_else(|failure| self.fail(failure, event_loop));
        }
        // Any event may change the picture.
        if let (Some(screen), false) = (&self.screen, redraws) {
            screen.window.request_redraw();
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Some(screen) = &self.screen else { return };
        let quiet = match &self.recording {
            Some(_) => Duration::from_millis(50),
            None => screen.repaint_after,
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
