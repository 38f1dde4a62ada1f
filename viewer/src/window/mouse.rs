//! The mouse in the world: the left button pans and picks, the right button drags
//! the nearest point.

use crate::picture::camera::Camera;
use crate::picture::light::exposure::AgentMark;
use crate::picture::picking::pick;
use crate::picture::view::View;
use crate::session::worker::Worker;

/// A press that moves less than this many pixels is a click.
const CLICK_DISTANCE: f32 = 4.0;

#[derive(Default)]
pub(crate) struct Mouse {
    pub(crate) cursor: [f32; 2],
    drag: Option<Drag>,
}

enum Drag {
    /// Pans from the pixel `from`. `moved` is false while the press may still become a click.
    Pan { from: [f32; 2], moved: bool },
    /// Moves a point of the scene.
    Lead,
}

impl Mouse {
    pub(crate) fn is_bare(&self) -> bool {
        self.drag.is_none()
    }

    pub(crate) fn press_left(&mut self) {
        self.drag = Some(Drag::Pan { from: self.cursor, moved: false });
    }

    pub(crate) fn press_right(&mut self, camera: &Camera, worker: &Worker) {
        let at = camera.to_world(self.cursor);
        worker.send(move |session| session.grab_point(at));
        self.drag = Some(Drag::Lead);
    }

    pub(crate) fn move_to(&mut self, to: [f32; 2], camera: &mut Camera, worker: &Worker) -> bool {
        let before = std::mem::replace(&mut self.cursor, to);
        match &mut self.drag {
            Some(Drag::Lead) => {
                let to = camera.to_world(to);
                worker.send_continuous(move |session| session.drag_point(to));
                false
            }
            Some(Drag::Pan { from, moved }) => {
                *moved |= (to[0] - from[0]).hypot(to[1] - from[1]) > CLICK_DISTANCE;
                if *moved {
                    camera.pan([to[0] - before[0], to[1] - before[1]]);
                }
                *moved
            }
            None => false,
        }
    }

    /// Ends a drag. A click on an agent explains the agent; a click elsewhere moves the scene's
    /// nearest point there.
    pub(crate) fn release(
        &mut self,
        view: &View,
        marks: &[AgentMark],
        camera: &Camera,
        worker: &Worker,
    ) {
        let Some(Drag::Pan { moved: false, .. }) = self.drag.take() else { return };
        let picked = pick(view, marks, camera, self.cursor);
        if picked.is_none() && !view.scenery.points.is_empty() {
            let at = camera.to_world(self.cursor);
            worker.send(move |session| session.grab_point(at));
        } else {
            worker.send(move |session| session.explain(picked));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;
    use crate::session::frame::Frame;

    const CAMERA: Camera = Camera::new([500.0, 300.0], 1.0, [1000.0, 600.0]);

    fn drag(scene: &str, path: &[[f32; 2]]) -> (Box<Frame>, Camera) {
        let (worker, before) = Worker::start(Session::named(scene), || ());
        let mut paused = before.controls.clone();
        paused.paused = true;
        worker.send(move |session| session.set(paused));
        let mut mouse = Mouse::default();
        let mut camera = CAMERA;
        mouse.move_to(path[0], &mut camera, &worker);
        mouse.press_left();
        for &to in &path[1..] {
            mouse.move_to(to, &mut camera, &worker);
        }
        mouse.release(&before.view, &[], &camera, &worker);
        let after = loop {
            match worker.latest() {
                Ok(frame) if worker.is_current(&frame) => break frame,
                Ok(frame) => worker.recycle(frame),
                Err(_) => std::thread::yield_now(),
            }
        };
        (after, camera)
    }

    #[test]
    fn dragging_pans_and_clicking_explains() {
        let (after, camera) = drag("big-shoal", &[[400.0, 300.0], [450.0, 320.0], [500.0, 300.0]]);
        assert_eq!(camera.center, [400.0, 300.0]);
        assert!(after.view.explained.is_empty());
        let shoal = Session::named("big-shoal").new_frame().view;
        let at = CAMERA.to_screen([shoal.x[5], shoal.y[5]]);
        let (after, _) = drag("big-shoal", &[at]);
        // The crowd may have taken a step or two before it was paused.
        assert_eq!(after.view.explained.len(), 1);
    }

    /// Regression: the scene tells users to click, but a click only opened an agent's explanation.
    #[test]
    fn a_click_beside_all_agents_moves_the_nearest_point() {
        let at = [30.0, 40.0];
        let (after, camera) = drag("offset-pursuit", &[at]);
        let [x, y] = camera.to_world(at);
        let [cx, cy] = after.view.scenery.points["crosshair"];
        assert!((cx - x).abs() < 0.01 && (cy - y).abs() < 0.01, "{cx} {cy}");
    }
}
