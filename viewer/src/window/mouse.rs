//! Mouse input over the crowd: a left click explains an agent, dragging with the left button pans,
//! dragging with the middle button, or with Shift and the left button, turns a world with depth,
//! dragging with the right button moves the nearest named point, and the wheel zooms.

use egui::{PointerButton, Pos2, Sense, Ui, Vec2};

use crate::picture::camera::Camera;
use crate::picture::light::exposure::AgentMark;
use crate::picture::picking::pick;
use crate::picture::projection::Angle;
use crate::picture::view::View;
use crate::session::CURSOR;
use crate::session::worker::Worker;

const ZOOM_PER_NOTCH: f32 = 1.15;
/// Scroll distance per wheel notch, in points. Matches egui's default.
const POINTS_PER_NOTCH: f32 = 40.0;
/// Angle by which a world with depth turns per point of mouse movement.
const DEGREES_PER_POINT: f32 = 0.4;

/// Handles mouse input where no widget covers the crowd. Returns true if the camera moved.
pub(super) fn interact(
    ui: &Ui,
    view: &View,
    marks: &[AgentMark],
    camera: &mut Camera,
    angle: &mut Angle,
    worker: &Worker,
) -> bool {
    let place = ui.available_rect_before_wrap();
    let crowd = ui.interact(place, "crowd".into(), Sense::click_and_drag());
    let scale = ui.ctx().pixels_per_point();
    let Some(at) = crowd.interact_pointer_pos().or(crowd.hover_pos()) else { return false };
    let pixel = |at: Pos2| [at.x * scale, at.y * scale];
    let to = camera.to_world(pixel(at));
    let (moved, pressed_at, scrolled) = ui.input(|input| {
        (input.pointer.delta(), input.pointer.press_origin(), input.smooth_scroll_delta().y)
    });

    if crowd.clicked() {
        // Clicking an agent shows what steers it. Clicking elsewhere moves the nearest named point.
        let picked = pick(view, marks, camera, pixel(at));
        if picked.is_none() && !view.scenery.points.is_empty() {
            worker.send(move |session| session.grab_point(to));
        } else {
            worker.send(move |session| session.explain(picked));
        }
    }
    if crowd.drag_started_by(PointerButton::Secondary) || crowd.secondary_clicked() {
        let from = camera.to_world(pixel(pressed_at.unwrap_or(at)));
        worker.send(move |session| session.grab_point(from));
    }
    if crowd.dragged_by(PointerButton::Secondary) {
        worker.send_continuous(move |session| session.drag_point(to));
    } else if !crowd.is_pointer_button_down_on()
        && moved != Vec2::ZERO
        && view.scenery.points.contains_key(CURSOR)
    {
        worker.send_continuous(move |session| session.follow_cursor(to));
    }
    let turns = crowd.dragged_by(PointerButton::Middle)
        || (crowd.dragged_by(PointerButton::Primary) && ui.input(|input| input.modifiers.shift));
    if turns {
        let [right, down]: [f32; 2] = crowd.drag_delta().into();
        *angle = angle.turned(-right * DEGREES_PER_POINT, down * DEGREES_PER_POINT);
    }
    let pans = crowd.dragged_by(PointerButton::Primary) && !turns;
    if pans {
        camera.pan((crowd.drag_delta() * scale).into());
    }
    let zooms = crowd.contains_pointer() && scrolled != 0.0;
    if zooms {
        camera.zoom_at(pixel(at), ZOOM_PER_NOTCH.powf(scrolled / POINTS_PER_NOTCH));
    }
    pans || zooms
}

#[cfg(test)]
mod tests {
    use egui::Event;

    use super::*;
    use crate::session::Session;
    use crate::session::frame::Frame;

    const CAMERA: Camera = Camera::new([500.0, 300.0], 1.0, [1000.0, 600.0]);

    fn drag(scene: &str, path: &[[f32; 2]]) -> (Box<Frame>, Camera) {
        let (after, camera, _) =
            drag_with(PointerButton::Primary, egui::Modifiers::NONE, scene, path);
        (after, camera)
    }

    fn drag_with(
        button: PointerButton,
        modifiers: egui::Modifiers,
        scene: &str,
        path: &[[f32; 2]],
    ) -> (Box<Frame>, Camera, Angle) {
        let (worker, before) = Worker::start(Session::named(scene), || ()).unwrap();
        let mut paused = before.controls.clone();
        paused.paused = true;
        let applied = paused.clone();
        worker.send(move |session| session.set(applied));
        let mut camera = CAMERA;
        let context = egui::Context::default();
        let mut run = |events: Vec<Event>| {
            let screen = egui::Rect::from_min_size(Pos2::ZERO, CAMERA.size.into());
            let screen_rect = Some(screen);
            let input =
                egui::RawInput { events, screen_rect, modifiers, ..egui::RawInput::default() };
            let _ = context.run_ui(input, |ui| {
                interact(ui, &before.view, &[], &mut camera, &mut paused.look.angle, &worker);
            });
        };
        let moved = |at: [f32; 2]| Event::PointerMoved(at.into());
        let pressed = |at: [f32; 2], pressed| Event::PointerButton {
            pos: at.into(),
            button,
            pressed,
            modifiers,
        };
        run(vec![moved(path[0])]);
        run(vec![pressed(path[0], true)]);
        path[1..].iter().for_each(|&to| run(vec![moved(to)]));
        run(vec![pressed(path[path.len() - 1], false)]);
        let after = loop {
            match worker.latest() {
                Ok(frame) if worker.is_current(&frame) => break frame,
                Ok(frame) => worker.recycle(frame),
                Err(_) => std::thread::yield_now(),
            }
        };
        (after, camera, paused.look.angle)
    }

    #[test]
    fn dragging_pans_and_clicking_explains() {
        let (after, camera) = drag("big-shoal", &[[400.0, 300.0], [450.0, 320.0], [500.0, 300.0]]);
        assert_eq!(camera.center, [400.0, 300.0]);
        assert!(after.view.explained.is_empty());
        let shoal = Session::named("big-shoal").new_frame().view;
        let at = CAMERA.to_screen([shoal.x[5], shoal.y[5]]);
        let (after, _) = drag("big-shoal", &[at]);
        // Checks only the count: which agent was hit depends on the steps taken before the pause.
        assert_eq!(after.view.explained.len(), 1);
    }

    #[test]
    fn the_middle_button_or_shift_turns_the_world_and_leaves_the_camera() {
        let path = [[400.0, 300.0], [450.0, 320.0], [500.0, 350.0]];
        for (button, modifiers) in [
            (PointerButton::Middle, egui::Modifiers::NONE),
            (PointerButton::Primary, egui::Modifiers::SHIFT),
        ] {
            let (after, camera, angle) = drag_with(button, modifiers, "reef", &path);
            assert_eq!(camera.center, CAMERA.center);
            assert_eq!(angle, Angle::default().turned(-40.0, 20.0));
            assert!(after.view.explained.is_empty());
        }
    }

    /// Regression: the scene says to click to set the crosshair, but clicks only explained agents.
    #[test]
    fn a_click_beside_all_agents_moves_the_nearest_point() {
        let at = [30.0, 40.0];
        let (after, camera) = drag("offset-pursuit", &[at]);
        let [x, y] = camera.to_world(at);
        let [cx, cy, _] = after.view.scenery.points["crosshair"];
        assert!((cx - x).abs() < 0.01 && (cy - y).abs() < 0.01, "{cx} {cy}");
    }
}
