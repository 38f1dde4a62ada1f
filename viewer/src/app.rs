//! The window: events, one step and one frame at a time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use flockwork::{AgentId, Partition, Simulation};
use pixels::{Pixels, SurfaceTexture};
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::error::EventLoopError;
use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::{Key, NamedKey};
use winit::window::{Window, WindowId};

use crate::camera::Camera;
use crate::canvas::Canvas;
use crate::explained::{self, Explained};
use crate::options::Options;
use crate::painter::Painter;
use crate::view::View;
use crate::{Failure, build};

/// How often the title is brought up to date.
const TITLE_EVERY: Duration = Duration::from_millis(500);
/// How much one notch of the wheel zooms.
const ZOOM_PER_NOTCH: f32 = 1.15;

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
    let simulation = build(options)?;
    let explained = explained::find(&simulation, &options.explain)?;
    let mut app = App::new(simulation, explained, options.size);
    app.painter.color_by = options.color;
    event_loop.run_app(&mut app).map_err(|error| Failure::Drawing(error.to_string()))?;
    app.failure.map_or(Ok(()), Err)
}

struct App {
    simulation: Simulation,
    /// The agents whose reasons are shown.
    explained: Vec<AgentId>,
    painter: Painter,
    camera: Camera,
    /// Whether the camera still shows the whole world, and should after resizing.
    fitted: bool,
    screen: Option<Screen>,
    paused: bool,
    /// Single steps asked for while paused.
    pending_steps: u32,
    cursor: [f32; 2],
    dragging: bool,
    meter: Meter,
    /// Why the simulation cannot go on, for the title.
    trouble: Option<String>,
    /// Why the program ends.
    failure: Option<Failure>,
}

struct Screen {
    window: Arc<Window>,
    pixels: Pixels<'static>,
    size: (u32, u32),
}

/// Times since the title was last brought up to date.
struct Meter {
    since: Instant,
    steps: u32,
    frames: u32,
    stepping: Duration,
    drawing: Duration,
}

impl Meter {
    fn new() -> Self {
        let zero = Duration::ZERO;
        Self { since: Instant::now(), steps: 0, frames: 0, stepping: zero, drawing: zero }
    }
}

impl App {
    fn new(simulation: Simulation, explained: Vec<AgentId>, size: (u32, u32)) -> Self {
        let camera = Camera::fit(simulation.world_size(), size);
        Self {
            simulation,
            explained,
            painter: Painter::new(),
            camera,
            fitted: true,
            screen: None,
            paused: false,
            pending_steps: 0,
            cursor: [0.0; 2],
            dragging: false,
            meter: Meter::new(),
            trouble: None,
            failure: None,
        }
    }

    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<Screen, Failure> {
        let [width, height] = self.camera.size.map(|value| value as u32);
        let attributes = Window::default_attributes()
            .with_title("flockwork")
            .with_inner_size(PhysicalSize::new(width, height));
        let window = event_loop
            .create_window(attributes)
            .map_err(|error| Failure::NoWindow(error.to_string()))?;
        let window = Arc::new(window);
        let inner = window.inner_size();
        let size = (inner.width.max(1), inner.height.max(1));
        let surface = SurfaceTexture::new(size.0, size.1, Arc::clone(&window));
        let pixels = Pixels::new(size.0, size.1, surface)
            .map_err(|error| Failure::NoWindow(format!("{error} (is there a Vulkan driver?)")))?;
        self.camera = Camera::fit(self.simulation.world_size(), size);
        Ok(Screen { window, pixels, size })
    }

    fn resize(&mut self, size: PhysicalSize<u32>) -> Result<(), Failure> {
        let Some(screen) = &mut self.screen else { return Ok(()) };
        // A minimized window has no size; what was drawn last is kept until it is back.
        if size.width == 0 || size.height == 0 {
            return Ok(());
        }
        let drawing = |error: pixels::TextureError| Failure::Drawing(error.to_string());
        screen.pixels.resize_surface(size.width, size.height).map_err(drawing)?;
        screen.pixels.resize_buffer(size.width, size.height).map_err(drawing)?;
        screen.size = (size.width, size.height);
        if self.fitted {
            self.camera = Camera::fit(self.simulation.world_size(), screen.size);
        } else {
            self.camera.size = [size.width as f32, size.height as f32];
        }
        Ok(())
    }

    /// One step, if there is one to take, and one frame.
    fn frame(&mut self) -> Result<(), Failure> {
        if (!self.paused || self.pending_steps > 0) && self.trouble.is_none() {
            self.pending_steps = self.pending_steps.saturating_sub(1);
            let start = Instant::now();
            match self.simulation.step() {
                Ok(()) => self.meter.steps += 1,
                Err(error) => {
                    eprintln!("error: {error}");
                    self.trouble = Some(error.to_string());
                }
            }
            self.meter.stepping += start.elapsed();
        }
        let Some(screen) = &mut self.screen else { return Ok(()) };
        let start = Instant::now();
        let explained = Explained::all(&mut self.simulation, &self.explained)?;
        let view = View { explained, ..View::of(&self.simulation, self.painter.color_by) };
        let pixels = bytemuck::cast_slice_mut(screen.pixels.frame_mut());
        let mut canvas = Canvas::new(screen.size.0 as usize, pixels);
        self.painter.paint(&view, &self.camera, &mut canvas);
        self.meter.drawing += start.elapsed();
        self.meter.frames += 1;
        screen.pixels.render().map_err(|error| Failure::Drawing(error.to_string()))?;
        if self.meter.since.elapsed() >= TITLE_EVERY {
            self.update_title();
        }
        Ok(())
    }

    fn update_title(&mut self) {
        let meter = std::mem::replace(&mut self.meter, Meter::new());
        let Some(screen) = &self.screen else { return };
        let scene = self.simulation.scene();
        let rate = f64::from(meter.steps) / meter.since.elapsed().as_secs_f64();
        let per = |time: Duration, count: u32| time.as_secs_f64() * 1.0e3 / f64::from(count.max(1));
        let partition = match self.simulation.partition() {
            Partition::Cells => "cells",
            Partition::AllPairs => "all pairs",
        };
        let state = match &self.trouble {
            Some(trouble) => format!("stopped: {trouble}"),
            None if self.paused => format!("paused at step {}", self.simulation.tick()),
            None => format!("{rate:.0} steps/s"),
        };
        screen.window.set_title(&format!(
            "flockwork: {}, N = {}, seed {} | {state} | {:.1} ms/step, {:.1} ms/frame | {partition}",
            scene.name,
            self.simulation.len(),
            scene.seed,
            per(meter.stepping, meter.steps),
            per(meter.drawing, meter.frames),
        ));
    }

    fn key(&mut self, key: &Key, event_loop: &ActiveEventLoop) {
        match key.as_ref() {
            Key::Named(NamedKey::Escape) => event_loop.exit(),
            Key::Named(NamedKey::Space) => self.paused = !self.paused,
            Key::Named(NamedKey::ArrowRight) => {
                self.paused = true;
                self.pending_steps += 1;
            }
            Key::Named(NamedKey::Home) | Key::Character("f" | "F") => self.fit(),
            Key::Character("g" | "G") => self.toggle_partition(),
            Key::Character("r" | "R") => self.restart(),
            _ => return,
        }
        self.update_title();
    }

    fn toggle_partition(&mut self) {
        self.simulation.set_partition(match self.simulation.partition() {
            Partition::Cells => Partition::AllPairs,
            Partition::AllPairs => Partition::Cells,
        });
    }

    fn fit(&mut self) {
        let size = self.screen.as_ref().map_or((1, 1), |screen| screen.size);
        self.camera = Camera::fit(self.simulation.world_size(), size);
        self.fitted = true;
    }

    /// Starts the scene over, computed as it was before.
    fn restart(&mut self) {
        let rebuilt = self.simulation.scene().build().and_then(|mut fresh| {
            fresh.set_threads(self.simulation.threads())?;
            fresh.set_partition(self.simulation.partition());
            Ok(fresh)
        });
        match rebuilt {
            Ok(fresh) => {
                self.simulation = fresh;
                self.trouble = None;
            }
            Err(error) => self.trouble = Some(error.to_string()),
        }
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
        if self.dragging {
            self.camera.pan([to[0] - self.cursor[0], to[1] - self.cursor[1]]);
            self.fitted = false;
        }
        self.cursor = to;
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.screen.is_some() {
            return;
        }
        match self.open(event_loop) {
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
        let outcome = match event {
            WindowEvent::CloseRequested => {
                event_loop.exit();
                Ok(())
            }
            WindowEvent::Resized(size) => self.resize(size),
            WindowEvent::RedrawRequested => self.frame(),
            WindowEvent::KeyboardInput {
                event: KeyEvent { logical_key, state: ElementState::Pressed, .. },
                ..
            } => {
                self.key(&logical_key, event_loop);
                Ok(())
            }
            WindowEvent::MouseWheel { delta, .. } => {
                self.zoom(delta);
                Ok(())
            }
            WindowEvent::CursorMoved { position, .. } => {
                self.move_cursor([position.x as f32, position.y as f32]);
                Ok(())
            }
            WindowEvent::MouseInput { state, button: MouseButton::Left, .. } => {
                self.dragging = state == ElementState::Pressed;
                Ok(())
            }
            _ => Ok(()),
        };
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
