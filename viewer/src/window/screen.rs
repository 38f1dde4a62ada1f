//! The window: a buffer of pixels with the panel's widgets on top.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};
use pixels::{Pixels, PixelsContext, SurfaceTexture, TextureError, wgpu};
use winit::dpi::PhysicalSize;
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::Key;
use winit::window::Window;

use super::present_watchdog::PresentWatchdog;
use super::style;
use crate::error::Error;
use crate::raster::canvas::Canvas;

pub(crate) struct Screen {
    pub(crate) window: Arc<Window>,
    pixels: Pixels<'static>,
    /// Size of the canvas.
    pub(crate) size: (u32, u32),
    /// Size of the GPU's surface: the window's, which may be ahead of its events.
    surface: (u32, u32),
    /// Whether other windows cover it completely.
    pub(crate) occluded: bool,
    /// The longest side of a surface that the GPU supports.
    largest: u32,
    /// The first GPU error since the last frame.
    gpu_error: Arc<Mutex<Option<String>>>,
    watchdog: PresentWatchdog,
    widgets: egui_winit::State,
    /// Where the mouse is, in points.
    pointer: egui::Pos2,
    renderer: Renderer,
    /// How long the widgets stay unchanged without an event.
    pub(crate) repaint_after: Duration,
}

impl Screen {
    pub(crate) fn open(event_loop: &ActiveEventLoop, size: (u32, u32)) -> Result<Self, Error> {
        let attributes = Window::default_attributes()
            .with_title("flockwork")
            .with_inner_size(PhysicalSize::new(size.0, size.1));
        let window = event_loop
            .create_window(attributes)
            .map_err(|error| Error::NoWindow(error.to_string()))?;
        let window = Arc::new(window);
        let inner = window.inner_size();
        let size = (inner.width.max(1), inner.height.max(1));
        let texture = SurfaceTexture::new(size.0, size.1, Arc::clone(&window));
        let mut pixels = Pixels::new(size.0, size.1, texture)
            .map_err(|error| Error::NoWindow(format!("{error} (is there a Vulkan driver?)")))?;
        // Without tearing, and without waiting for the display: if the window is resized while
        // pixels waits, it would wait forever.
        let modes = &pixels.context().surface_capabilities.present_modes;
        if modes.contains(&wgpu::PresentMode::Mailbox) {
            pixels.set_present_mode(wgpu::PresentMode::Mailbox);
        }
        let gpu_error = Arc::new(Mutex::new(None));
        let noted = Arc::clone(&gpu_error);
        let note = Arc::new(move |what: String| {
            if let Ok(mut noted) = noted.lock() {
                noted.get_or_insert(what);
            }
        });
        let note_loss = Arc::clone(&note);
        let device = pixels.device();
        device.set_device_lost_callback(move |reason, why| {
            note_loss(format!("the GPU was lost ({reason:?}) {why}"));
        });
        // Without this, wgpu panics.
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| note(error.to_string())));

        let watchdog = PresentWatchdog::new(Arc::clone(&window));

        let context = egui::Context::default();
        style::apply(&context);
        let largest = device.limits().max_texture_dimension_2d;
        let id = context.viewport_id();
        let widgets =
            egui_winit::State::new(context, id, &window, None, None, Some(largest as usize));
        let format = pixels.render_texture_format();
        let renderer = Renderer::new(device, format, RendererOptions::default());
        Ok(Self {
            window,
            pixels,
            size,
            surface: size,
            occluded: false,
            largest,
            gpu_error,
            watchdog,
            widgets,
            pointer: egui::Pos2::ZERO,
            renderer,
            repaint_after: Duration::MAX,
        })
    }

    /// Follows the window's size.
    pub(crate) fn resize(&mut self, size: PhysicalSize<u32>) -> Result<(), Error> {
        if self.is_too_large(size) {
            let PhysicalSize { width, height } = size;
            let _ = writeln!(
                io::stderr(),
                "a window of {width}x{height} cannot be drawn: the GPU supports at most {} per side",
                self.largest
            );
        }
        if !self.can_show(size) {
            return Ok(());
        }
        self.resize_surface(size)?;
        self.pixels.resize_buffer(size.width, size.height).map_err(drawing)?;
        self.size = (size.width, size.height);
        Ok(())
    }

    fn resize_surface(&mut self, size: PhysicalSize<u32>) -> Result<(), Error> {
        self.pixels.resize_surface(size.width, size.height).map_err(drawing)?;
        self.surface = (size.width, size.height);
        Ok(())
    }

    /// Gives the surface the window's size, whose event may not have arrived yet, at the last
    /// moment: with a surface of another size, pixels would retry forever. Returns whether there is
    /// anything to show.
    fn follow_window(&mut self) -> Result<bool, Error> {
        // Waiting for the previous picture here lets the next begin at once, which leaves little
        // time for the window to be resized in between.
        let _ = self.pixels.device().poll(wgpu::PollType::wait_indefinitely());
        let size = self.window.inner_size();
        if !self.can_show(size) {
            return Ok(false);
        }
        if self.surface != (size.width, size.height) {
            self.resize_surface(size)?;
        }
        Ok(true)
    }

    fn is_too_large(&self, size: PhysicalSize<u32>) -> bool {
        size.width.max(size.height) > self.largest
    }

    /// A minimized window may have no size; the last picture is kept until it is back.
    fn can_show(&self, size: PhysicalSize<u32>) -> bool {
        size.width > 0 && size.height > 0 && !self.is_too_large(size)
    }

    /// Whether any of the window can be seen.
    pub(crate) fn is_visible(&self) -> bool {
        let hidden = self.occluded || self.window.is_minimized() == Some(true);
        !hidden && self.can_show(self.window.inner_size())
    }

    /// Whether the widgets consume an event.
    pub(crate) fn consumes(&mut self, event: &WindowEvent) -> bool {
        // Widgets get the mouse, and keys only while the user types: otherwise Tab would give a
        // widget the focus, and Space and arrows would act on both the widget and the crowd. Key
        // releases always pass, and those with which egui scales its text.
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
        let context = self.widgets.egui_ctx();
        match event {
            WindowEvent::CursorMoved { position, .. } => {
                let scale = context.pixels_per_point();
                self.pointer = egui::pos2(position.x as f32 / scale, position.y as f32 / scale);
                context.egui_is_using_pointer()
            }
            // What is under the mouse now: egui itself knows where it was in the latest picture.
            WindowEvent::MouseInput { .. } | WindowEvent::MouseWheel { .. } => {
                let layer = context.layer_id_at(self.pointer);
                let over = layer.is_some_and(|layer| layer.order != egui::Order::Background);
                over || context.egui_is_using_pointer()
            }
            WindowEvent::KeyboardInput { .. } => taken && typing,
            _ => false,
        }
    }

    /// Closes an open menu; returns whether there was one.
    pub(crate) fn close_menu(&self) -> bool {
        let context = self.widgets.egui_ctx();
        let open = egui::Popup::is_any_open(context);
        egui::Popup::close_all(context);
        open
    }

    /// The canvas that the crowd is drawn on.
    pub(crate) fn canvas(&mut self) -> Canvas<'_> {
        Canvas::new(self.size.0 as usize, bytemuck::cast_slice_mut(self.pixels.frame_mut()))
    }

    /// Presents the canvas with the widgets on top.
    pub(crate) fn present(&mut self, build: impl FnMut(&mut egui::Ui)) -> Result<(), Error> {
        if !self.is_visible() {
            return Ok(());
        }
        let input = self.widgets.take_egui_input(&self.window);
        let context = self.widgets.egui_ctx().clone();
        let output = context.run_ui(input, build);
        self.widgets.handle_platform_output(&self.window, output.platform_output);
        let repaint = output.viewport_output.values().map(|viewport| viewport.repaint_delay);
        self.repaint_after = repaint.min().unwrap_or(Duration::MAX);
        let triangles = context.tessellate(output.shapes, output.pixels_per_point);
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
            renderer.update_buffers(
                &context.device,
                &context.queue,
                encoder,
                &triangles,
                &descriptor,
            );
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
            self.watchdog.begin(self.surface);
            shown = self.pixels.render_with(render);
            if let Some(size) = self.watchdog.end() {
                let _ = self.window.request_inner_size(size);
            }
        }
        for id in &output.textures_delta.free {
            self.renderer.free_texture(id);
        }
        let gpu_error = self.gpu_error.lock().ok().and_then(|mut gpu_error| gpu_error.take());
        match gpu_error {
            Some(gpu_error) => Err(Error::Drawing(gpu_error)),
            None => shown.map_err(|error| Error::Drawing(error.to_string())),
        }
    }
}

fn drawing(error: TextureError) -> Error {
    Error::Drawing(error.to_string())
}
