//! The window: a buffer of pixels, and the panel's widgets above it.

use std::sync::Arc;
use std::time::Duration;

use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};
use pixels::{Pixels, SurfaceTexture, wgpu};
use winit::dpi::PhysicalSize;
use winit::event::WindowEvent;
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use crate::Failure;
use crate::canvas::Canvas;

pub(crate) struct Screen {
    pub(crate) window: Arc<Window>,
    pixels: Pixels<'static>,
    pub(crate) size: (u32, u32),
    widgets: egui_winit::State,
    renderer: Renderer,
    /// How long the widgets stay as they are if nothing happens.
    pub(crate) rest: Duration,
}

impl Screen {
    pub(crate) fn open(event_loop: &ActiveEventLoop, size: (u32, u32)) -> Result<Self, Failure> {
        let attributes = Window::default_attributes()
            .with_title("flockwork")
            .with_inner_size(PhysicalSize::new(size.0, size.1));
        let window = event_loop
            .create_window(attributes)
            .map_err(|error| Failure::NoWindow(error.to_string()))?;
        let window = Arc::new(window);
        let inner = window.inner_size();
        let size = (inner.width.max(1), inner.height.max(1));
        let surface = SurfaceTexture::new(size.0, size.1, Arc::clone(&window));
        let pixels = Pixels::new(size.0, size.1, surface)
            .map_err(|error| Failure::NoWindow(format!("{error} (is there a Vulkan driver?)")))?;

        let context = egui::Context::default();
        context.set_theme(egui::Theme::Dark);
        let device = pixels.device();
        let most = device.limits().max_texture_dimension_2d as usize;
        let id = context.viewport_id();
        let widgets = egui_winit::State::new(context, id, &window, None, None, Some(most));
        let format = pixels.render_texture_format();
        let renderer = Renderer::new(device, format, RendererOptions::default());
        Ok(Self { window, pixels, size, widgets, renderer, rest: Duration::MAX })
    }

    /// Follows the window's size.
    pub(crate) fn resize(&mut self, size: PhysicalSize<u32>) -> Result<(), Failure> {
        // A minimized window has no size; what was drawn last is kept until it is back.
        if size.width == 0 || size.height == 0 {
            return Ok(());
        }
        let drawing = |error: pixels::TextureError| Failure::Drawing(error.to_string());
        self.pixels.resize_surface(size.width, size.height).map_err(drawing)?;
        self.pixels.resize_buffer(size.width, size.height).map_err(drawing)?;
        self.size = (size.width, size.height);
        Ok(())
    }

    /// Whether the widgets want an event for themselves.
    pub(crate) fn takes(&mut self, event: &WindowEvent) -> bool {
        let taken = self.widgets.on_window_event(&self.window, event).consumed;
        let context = self.widgets.egui_ctx();
        match event {
            WindowEvent::CursorMoved { .. } => context.egui_is_using_pointer(),
            WindowEvent::MouseInput { .. } | WindowEvent::MouseWheel { .. } => {
                context.egui_wants_pointer_input()
            }
            // Tab is ours: widgets are for the mouse.
            WindowEvent::KeyboardInput { .. } => taken && context.text_edit_focused(),
            _ => false,
        }
    }

    /// What the crowd is drawn on.
    pub(crate) fn canvas(&mut self) -> Canvas<'_> {
        Canvas::new(self.size.0 as usize, bytemuck::cast_slice_mut(self.pixels.frame_mut()))
    }

    /// Shows the canvas with widgets above it.
    pub(crate) fn present(&mut self, build: impl FnMut(&mut egui::Ui)) -> Result<(), Failure> {
        let input = self.widgets.take_egui_input(&self.window);
        let context = self.widgets.egui_ctx().clone();
        let output = context.run_ui(input, build);
        self.widgets.handle_platform_output(&self.window, output.platform_output);
        let repaint = output.viewport_output.values().map(|viewport| viewport.repaint_delay);
        self.rest = repaint.min().unwrap_or(Duration::MAX);
        let triangles = context.tessellate(output.shapes, output.pixels_per_point);
        let descriptor = ScreenDescriptor {
            size_in_pixels: self.size.into(),
            pixels_per_point: output.pixels_per_point,
        };
        let (device, queue) = (self.pixels.device(), self.pixels.queue());
        for (id, delta) in &output.textures_delta.set {
            self.renderer.update_texture(device, queue, *id, delta);
        }
        let renderer = &mut self.renderer;
        let shown = self.pixels.render_with(|encoder, target, context| {
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
        });
        for id in &output.textures_delta.free {
            self.renderer.free_texture(id);
        }
        shown.map_err(|error| Failure::Drawing(error.to_string()))
    }
}
