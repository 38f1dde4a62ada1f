//! The window: a buffer of pixels with the panel's widgets on top.

use std::fmt::Display;
use std::io::{self, Write};
use std::num::NonZeroU32;
use std::panic::{self, PanicHookInfo};
use std::process;
use std::sync::Arc;
use std::time::Duration;

use egui::{Color32, ColorImage, ImageData, Rect, TextureHandle, TextureOptions, ViewportId, vec2};
use egui_wgpu::winit::Painter;
use egui_wgpu::{RendererOptions, WgpuConfiguration, WgpuSetup};
use winit::dpi::{LogicalSize, PhysicalSize};
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::Key;
use winit::window::Window;

use super::style;
use crate::error::Error;
use crate::raster::canvas::Canvas;

pub(crate) struct Screen {
    pub(crate) window: Arc<Window>,
    painter: Painter,
    /// What the crowd is drawn on, and its copy on the GPU.
    picture: Arc<ColorImage>,
    texture: TextureHandle,
    pub(crate) size: (u32, u32),
    /// Whether other windows cover it completely.
    pub(crate) occluded: bool,
    /// The longest side of a surface that the GPU supports.
    largest: u32,
    widgets: egui_winit::State,
    /// Where the mouse is, in points.
    pointer: egui::Pos2,
    /// How long the widgets stay unchanged without an event.
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
        let context = egui::Context::default();
        style::apply(&context);
        let display = event_loop.owned_display_handle();
        let configuration = WgpuConfiguration {
            wgpu_setup: WgpuSetup::from_display_handle(display),
            ..WgpuConfiguration::default()
        };
        let options = RendererOptions { dithering: false, ..RendererOptions::default() };
        let painter = pollster::block_on(async {
            let mut painter = Painter::new(context.clone(), configuration, false, options).await;
            let begun = painter.set_window(ViewportId::ROOT, Some(Arc::clone(&window))).await;
            begun.map(|()| painter)
        });
        let painter =
            painter.map_err(|error| no_window(&format!("{error} (is there a Vulkan driver?)")))?;
        let largest = painter.max_texture_side();
        let widgets =
            egui_winit::State::new(context.clone(), ViewportId::ROOT, &window, None, None, largest);
        let PhysicalSize { width, height } = window.inner_size();
        let size = (width.max(1), height.max(1));
        let picture = blank(size);
        let shown = ImageData::Color(Arc::clone(&picture));
        Ok(Self {
            window,
            painter,
            texture: context.load_texture("picture", shown, TextureOptions::NEAREST),
            picture,
            size,
            occluded: false,
            largest: largest.map_or(u32::MAX, |side| side as u32),
            widgets,
            pointer: egui::Pos2::ZERO,
            repaint_after: Duration::MAX,
        })
    }

    /// Follows the window's size.
    pub(crate) fn resize(&mut self, size: PhysicalSize<u32>) {
        let (PhysicalSize { width, height }, largest) = (size, self.largest);
        if width.max(height) > largest {
            let _ = writeln!(
                io::stderr(),
                "a window of {width}x{height} cannot be drawn: the GPU supports at most {largest} per side"
            );
        } else if let (Some(across), Some(down)) = (NonZeroU32::new(width), NonZeroU32::new(height))
        {
            self.painter.on_window_resized(ViewportId::ROOT, across, down);
            self.size = (width, height);
            self.picture = blank(self.size);
        }
    }

    /// A minimized window may have no size; the last picture is kept until it is back.
    fn can_show(&self, size: PhysicalSize<u32>) -> bool {
        size.width.min(size.height) > 0 && size.width.max(size.height) <= self.largest
    }

    /// Whether any of the window can be seen.
    pub(crate) fn is_visible(&self) -> bool {
        let hidden = self.occluded || self.window.is_minimized() == Some(true);
        !hidden && self.can_show(self.window.inner_size())
    }

    /// Whether the widgets consume an event; the panel covers this many columns.
    pub(crate) fn consumes(&mut self, event: &WindowEvent, panel: f32) -> bool {
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
        let scale = context.pixels_per_point();
        match event {
            WindowEvent::CursorMoved { position, .. } => {
                self.pointer = egui::pos2(position.x as f32 / scale, position.y as f32 / scale);
                context.egui_is_using_pointer()
            }
            // What is under the mouse now: egui itself knows where it was in the latest picture.
            WindowEvent::MouseInput { state: ElementState::Pressed, .. }
            | WindowEvent::MouseWheel { .. } => {
                let layer = context.layer_id_at(self.pointer);
                layer.is_some_and(|layer| layer.order != egui::Order::Background)
                    || self.pointer.x * scale >= self.size.0 as f32 - panel
                    || context.egui_is_using_pointer()
            }
            WindowEvent::KeyboardInput { .. } => taken && typing,
            _ => false,
        }
    }

    /// Whether there are clicks that the widgets have not seen yet.
    pub(crate) fn has_clicks(&self) -> bool {
        let events = &self.widgets.egui_input().events;
        events.iter().any(|event| matches!(event, egui::Event::PointerButton { .. }))
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
        let pixels = &mut Arc::make_mut(&mut self.picture).pixels[..];
        Canvas::new(self.size.0 as usize, bytemuck::cast_slice_mut(pixels))
    }

    /// Presents the canvas with the widgets on top.
    pub(crate) fn present(&mut self, mut build: impl FnMut(&mut egui::Ui)) {
        if !self.is_visible() {
            return;
        }
        self.texture.set(ImageData::Color(Arc::clone(&self.picture)), TextureOptions::NEAREST);
        let input = self.widgets.take_egui_input(&self.window);
        let context = self.widgets.egui_ctx().clone();
        let output = context.run_ui(input, |ui| {
            let size = vec2(self.size.0 as f32, self.size.1 as f32) / ui.ctx().pixels_per_point();
            let place = Rect::from_min_size(egui::Pos2::ZERO, size);
            let whole = Rect::from_min_size(egui::Pos2::ZERO, vec2(1.0, 1.0));
            ui.painter().image(self.texture.id(), place, whole, Color32::WHITE);
            build(ui);
        });
        self.widgets.handle_platform_output(&self.window, output.platform_output);
        let repaint = output.viewport_output.values().map(|viewport| viewport.repaint_delay);
        self.repaint_after = repaint.min().unwrap_or(Duration::MAX);
        let triangles = context.tessellate(output.shapes, output.pixels_per_point);
        self.painter.paint_and_update_textures(
            ViewportId::ROOT,
            output.pixels_per_point,
            [0.0; 4],
            &triangles,
            &output.textures_delta,
            Vec::new(),
            &self.window,
        );
    }
}

fn blank((width, height): (u32, u32)) -> Arc<ColorImage> {
    Arc::new(ColorImage::filled([width as usize, height as usize], Color32::BLACK))
}

/// Ends the viewer with an error message when the display or the GPU is lost: winit and wgpu panic
/// then. (Xlib, where it notices first, ends the process with a message of its own.) Recordings
/// need no cleanup: they are complete after every picture.
pub(super) fn end_when_lost() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        let Some(cause) = cause(panic) else { return usual(panic) };
        let what = format!("the display or the GPU was lost ({cause})");
        // Within a panic, another one would abort.
        let _ = writeln!(io::stderr(), "error: {}", Error::Drawing(what));
        process::exit(2)
    }));
}

/// The message of a panic in winit or wgpu, on one line.
fn cause(panic: &PanicHookInfo<'_>) -> Option<String> {
    let file = panic.location()?.file();
    let theirs = ["winit", "wgpu"].iter().any(|name| file.contains(name));
    let words = panic.payload_as_str()?.split_whitespace();
    theirs.then(|| words.collect::<Vec<_>>().join(" "))
}
