//! Events in, pictures out. The window waits for both: for what the user does, and for what
//! the simulation's thread has to show.

mod input;
mod recording;

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
use super::mouse::Mouse;
use super::panel;
use super::panel::context::Desk;
use super::panel::state::State;
use super::profiler::Meter;
use super::screen::Screen;
use crate::error::Error;
use crate::export::recorder::Recorder;
use crate::options::Options;
use crate::picture::camera::Camera;
use crate::picture::painter::Painter;
use crate::raster::shapes::Ink;
use crate::session::Session;
use crate::session::controls::Controls;
use crate::session::frame::Frame;
use crate::session::worker::{Runner, Stopped};

/// How often the title is brought up to date.
const TITLE_EVERY: Duration = Duration::from_millis(250);
/// How long a window that nobody sees waits for its next frame.
const UNSEEN: Duration = Duration::from_millis(50);

/// Wakes the window up: there is a new frame.
#[derive(Debug)]
struct NewFrame;

/// Opens the window and runs until it is closed.
pub(crate) fn run(options: &Options) -> Result<(), Error> {
    let event_loop = EventLoop::<NewFrame>::with_user_event().build().map_err(|error| {
        match error {
            // What winit says of it is a path into its source.
            EventLoopError::Os(_) | EventLoopError::NotSupported(_) => {
                Error::NoWindow("no display was found (is DISPLAY or WAYLAND_DISPLAY set?)".into())
            }
            other => Error::NoWindow(other.to_string()),
        }
    })?;
    device_lost::end_clearly();
    let proxy = event_loop.create_proxy();
    // Without a loop there is no window to wake up.
    let wake = move || drop(proxy.send_event(NewFrame));
    let (runner, frame) = Runner::start(Session::new(options)?, wake);
    let mut app = App::new(runner, frame, options.size);
    event_loop.run_app(&mut app).map_err(|error| Error::Drawing(error.to_string()))?;
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
    panel: State,
    meter: Meter,
    mouse: Mouse,
    /// The arrow keys that are held.
    arrows: Vec<[f32; 2]>,
    modifiers: ModifiersState,
    film: Option<Recorder>,
    last_frame: Instant,
    title_since: Instant,
    /// Why the program ends.
    failure: Option<Error>,
}

impl App {
    fn new(runner: Runner, frame: Box<Frame>, size: (u32, u32)) -> Self {
        let mut panel = State::default();
        panel.hear(&frame.readings.message);
        Self {
            runner,
            camera: Camera::fit(frame.view.world, size),
            controls: frame.controls.clone(),
            frame,
            painter: Painter::new(),
            fitted: true,
            following: false,
            screen: None,
            panel,
            meter: Meter::default(),
            mouse: Mouse::default(),
            arrows: Vec::new(),
            modifiers: ModifiersState::empty(),
            film: None,
            last_frame: Instant::now(),
            title_since: Instant::now(),
            failure: None,
        }
    }

    /// Takes the newest frame from the simulation's thread, if there is one. Several may have
    /// come since the last picture, for which the window was woken up but once.
    fn receive(&mut self) -> Result<(), Error> {
        let gone = |Stopped| Error::Drawing("the simulation's thread has ended".into());
        while let Some(mut frame) = self.runner.latest().map_err(gone)? {
            std::mem::swap(&mut self.frame, &mut frame);
            if self.frame.readings.scenes != frame.readings.scenes {
                self.meter = Meter::default();
                (self.fitted, self.following) = (true, false);
            }
            self.panel.hear(&self.frame.readings.message);
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
    fn draw(&mut self) -> Result<(), Error> {
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
        self.meter.note(&taken, [self.frame.look, drawn, presenting.elapsed()], since_last);
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
        let [sort, steer, part, smooth, _, draw, _] = self.meter.medians();
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

    /// Keeps the explained agent in the middle of what the panel does not hide.
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
