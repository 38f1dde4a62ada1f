//! The window. winit delivers events, the `pixels` crate shows the picture of the crowd, and egui
//! draws the widgets on top.

use std::fmt::Display;
use std::io::{self, Write};
use std::panic::{self, PanicHookInfo};
use std::process;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use egui::FullOutput;
use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};
use pixels::{Pixels, PixelsContext, SurfaceTexture, wgpu};
use winit::dpi::{LogicalSize, PhysicalSize};
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::Key;
use winit::window::Window;

use super::apply;
use crate::raster::Canvas;
use crate::{Error, spawn};

/// A present call that takes longer than this is considered stuck.
const PRESENT_TIMEOUT: Duration = Duration::from_millis(300);

pub(crate) struct Screen {
    pub(crate) window: Arc<Window>,
    pixels: Pixels<'static>,
    /// Size of the GPU surface in pixels. After a resize, the picture's size lags by up
    /// to one frame.
    surface: (u32, u32),
    pub(crate) occluded: bool,
    /// Receives the surface's size before each present call, and `None` after it.
    watchdog: Sender<Option<PhysicalSize<u32>>>,
    widgets: egui_winit::State,
    renderer: Renderer,
    /// Time until the widgets must be redrawn even if there is no event.
    pub(crate) repaint_after: Duration,
}

impl Screen {
    pub(crate) fn open(event_loop: &ActiveEventLoop, size: (u32, u32)) -> Result<Self, Error> {
        let attributes = Window::default_attributes()
            .with_title("flockwork")
            .with_inner_size(LogicalSize::new(size.0, size.1));
        let no_window = |error: &dyn Display| Error::NoWindow(error.to_string());
        let window = event_loop.create_window(attributes).map_err(|error| no_window(&error))?;
        let window = Arc::new(window);
        let inner = window.inner_size();
        let size = (inner.width.max(1), inner.height.max(1));
        let surface = SurfaceTexture::new(size.0, size.1, Arc::clone(&window));
        let mut pixels = Pixels::new(size.0, size.1, surface)
            .map_err(|error| no_window(&format!("{error} (is there a Vulkan driver?)")))?;
        // Mailbox mode avoids tearing and never waits for the display. If the window were resized
        // during a wait, the `pixels` crate would hang.
        let modes = &pixels.context().surface_capabilities.present_modes;
        if modes.contains(&wgpu::PresentMode::Mailbox) {
            pixels.set_present_mode(wgpu::PresentMode::Mailbox);
        }
        let context = egui::Context::default();
        apply(&context);
        let device = pixels.device();
        let largest = device.limits().max_texture_dimension_2d as usize;
        let id = context.viewport_id();
        let widgets = egui_winit::State::new(context, id, &window, None, None, Some(largest));
        let format = pixels.render_texture_format();
        let renderer = Renderer::new(device, format, RendererOptions::default());
        let (watchdog, presents) = channel();
        let watched = Arc::clone(&window);
        // The thread ends when the screen is dropped, which closes the channel.
        let watch = move || unblock_presents(&watched, &presents);
        spawn(watch)?;
        Ok(Self {
            window,
            pixels,
            surface: size,
            occluded: false,
            watchdog,
            widgets,
            renderer,
            repaint_after: Duration::MAX,
        })
    }

    /// Size of the picture in pixels.
    pub(crate) fn size(&self) -> (u32, u32) {
        let texture = self.pixels.texture();
        (texture.width(), texture.height())
    }

    /// Resizes the picture and the surface to fit the window. Returns false if there is nothing
    /// to show, e.g. because the window is minimized.
    pub(crate) fn fit_window(&mut self) -> Result<bool, Error> {
        let visible = self.follow_window()?;
        if visible && self.size() != self.surface {
            let (width, height) = self.surface;
            self.pixels.resize_buffer(width, height).map_err(|error| drawing(&error))?;
        }
        Ok(visible)
    }

    /// Resizes the surface to the window's current size, because resize events lag. If the sizes
    /// differed, the `pixels` crate would retry forever.
    fn follow_window(&mut self) -> Result<bool, Error> {
        // Waiting for the previous picture here lets the next present begin at once, which leaves
        // little time for the window to be resized in between.
        let _ = self.pixels.device().poll(wgpu::PollType::wait_indefinitely());
        let PhysicalSize { width, height } = self.window.inner_size();
        let hidden = self.occluded || self.window.is_minimized() == Some(true);
        let visible = !hidden && width.min(height) > 0;
        if visible && self.surface != (width, height) {
            let resized = self.pixels.resize_surface(width, height);
            resized.map_err(|error| drawing(&format!("the window is too large: {error}")))?;
            self.surface = (width, height);
        }
        Ok(visible)
    }

    /// Passes an event to the widgets. Returns true if a text field consumes it.
    pub(crate) fn consumes(&mut self, event: &WindowEvent) -> bool {
        // Widgets get key presses only while the user types. Otherwise, Tab would focus a widget,
        // and Space and arrows would act on both that widget and the crowd. Key releases and egui's
        // text-scaling keys always reach the widgets.
        let typing = self.widgets.egui_ctx().text_edit_focused();
        if let WindowEvent::KeyboardInput { event: KeyEvent { state, logical_key, .. }, .. } = event
            && !typing
            && *state == ElementState::Pressed
            && !(self.widgets.egui_input().modifiers.command
                && matches!(logical_key.as_ref(), Key::Character("+" | "=" | "-" | "0")))
        {
            return false;
        }
        let taken = self.widgets.on_window_event(&self.window, event).consumed;
        taken && typing && matches!(event, WindowEvent::KeyboardInput { .. })
    }

    /// Returns true if the widgets must handle earlier mouse events before this event. Each layout
    /// handles at most one click, at the mouse's latest position.
    pub(crate) fn is_behind(&self, event: &WindowEvent) -> bool {
        let mut events = self.widgets.egui_input().events.iter();
        match event {
            WindowEvent::KeyboardInput { .. } | WindowEvent::CursorMoved { .. } => {
                events.any(|event| matches!(event, egui::Event::PointerButton { .. }))
            }
            WindowEvent::MouseInput { .. } => {
                events.any(|event| matches!(event, egui::Event::PointerMoved(_)))
            }
            _ => false,
        }
    }

    pub(crate) fn close_menu(&self) -> bool {
        let context = self.widgets.egui_ctx();
        let open = egui::Popup::is_any_open(context);
        egui::Popup::close_all(context);
        open
    }

    pub(crate) fn canvas(&mut self) -> Canvas<'_> {
        let width = self.pixels.texture().width();
        Canvas::new(width as usize, bytemuck::cast_slice_mut(self.pixels.frame_mut()))
            .scaled(self.window.scale_factor() as f32)
    }

    /// Lays out the widgets and handles the input received since the last call.
    pub(crate) fn run(&mut self, build: impl FnMut(&mut egui::Ui)) -> FullOutput {
        let input = self.widgets.take_egui_input(&self.window);
        self.widgets.egui_ctx().clone().run_ui(input, build)
    }

    pub(crate) fn show(&mut self, output: FullOutput) -> Result<(), Error> {
        self.widgets.handle_platform_output(&self.window, output.platform_output);
        let repaint = output.viewport_output.values().map(|viewport| viewport.repaint_delay);
        self.repaint_after = repaint.min().unwrap_or(Duration::MAX);
        let triangles = self.widgets.egui_ctx().tessellate(output.shapes, output.pixels_per_point);
        let (device, queue) = (self.pixels.device(), self.pixels.queue());
        for (id, delta) in &output.textures_delta.set {
            self.renderer.update_texture(device, queue, *id, delta);
        }
        let visible = self.follow_window()?;
        let descriptor = ScreenDescriptor {
            size_in_pixels: self.surface.into(),
            pixels_per_point: output.pixels_per_point,
        };
        let renderer = &mut self.renderer;
        let render = |encoder: &mut wgpu::CommandEncoder,
                      target: &wgpu::TextureView,
                      context: &PixelsContext<'_>| {
            context.scaling_renderer.render(encoder, target);
            let PixelsContext { device, queue, .. } = context;
            renderer.update_buffers(device, queue, encoder, &triangles, &descriptor);
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("panel"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: target,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
                })],
                depth_stencil_attachment: None,
                timestamp_writes: None,
                occlusion_query_set: None,
                multiview_mask: None,
            });
            renderer.render(&mut pass.forget_lifetime(), &triangles, &descriptor);
            Ok(())
        };
        let mut shown = Ok(());
        if visible {
            let _ = self.watchdog.send(Some(self.surface.into()));
            shown = self.pixels.render_with(render);
            let _ = self.watchdog.send(None);
        }
        for id in &output.textures_delta.free {
            self.renderer.free_texture(id);
        }
        shown.map_err(|error| drawing(&error))
    }
}

/// Unblocks a stuck present call. If the window is resized while the `pixels` crate waits for the
/// display, the crate retries forever with the old size. Briefly restoring the window's old size
/// lets it finish.
fn unblock_presents(window: &Window, presents: &Receiver<Option<PhysicalSize<u32>>>) {
    for surface in presents.iter().flatten() {
        let mut replaced = None;
        while presents.recv_timeout(PRESENT_TIMEOUT) == Err(RecvTimeoutError::Timeout) {
            let size = window.inner_size();
            if size != surface {
                replaced = Some(size);
                let _ = window.request_inner_size(surface);
            }
        }
        if let Some(size) = replaced {
            let _ = window.request_inner_size(size);
        }
    }
}

fn drawing(error: &dyn Display) -> Error {
    Error::Drawing(error.to_string())
}

/// Makes the viewer exit with an error message when winit or wgpu panics because the display or
/// the GPU is lost. (If Xlib notices first, it ends the process with its own message.)
/// Recordings need no cleanup, because they are complete after every picture.
pub(super) fn end_when_lost() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        let Some(cause) = cause(panic) else { return usual(panic) };
        let what = format!("the display or the GPU was lost ({cause})");
        // Ignores write errors: a panic inside the panic hook would abort the process.
        let _ = writeln!(io::stderr(), "error: {}", Error::Drawing(what));
        process::exit(2)
    }));
}

fn cause(panic: &PanicHookInfo<'_>) -> Option<String> {
    let file = panic.location()?.file();
    let theirs = ["winit", "wgpu"].iter().any(|name| file.contains(name));
    let words = panic.payload_as_str()?.split_whitespace();
    theirs.then(|| words.collect::<Vec<_>>().join(" "))
}
