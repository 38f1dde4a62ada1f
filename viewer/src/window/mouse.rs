//! What the mouse does in the world: one tool at a time for the left button.

use crate::picture::camera::Camera;
use crate::picture::light::exposure::Mark;
use crate::picture::picking::pick;
use crate::picture::view::View;
use crate::raster::shapes::{Rasterizer, Tint};
use crate::session::worker::Worker;

/// A press that moves less than this many pixels is a click.
const CLICK_DISTANCE: f32 = 4.0;
/// Distance between the points of a wall, in pixels.
const WALL_SPACING: f32 = 16.0;
/// The color of the brush, and of what is being built.
const PREVIEW: Tint = Tint::new([240, 228, 66]);

/// The tools of the left button.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tool {
    #[default]
    Look,
    Lead,
    Add,
    Erase,
    Obstacle,
    Wall,
}

pub(crate) struct Mouse {
    pub(crate) tool: Tool,
    /// Radius of the brush that adds and erases, in pixels.
    pub(crate) brush: f32,
    /// Name of the species to add.
    pub(crate) species: String,
    pub(crate) cursor: [f32; 2],
    drag: Option<Drag>,
}

/// A drag in progress.
struct Drag {
    tool: Tool,
    /// Where it began, in the world.
    from: [f32; 2],
    /// Where it last had an effect, in pixels.
    last: [f32; 2],
    moved: bool,
    /// The points of a wall, in the world.
    points: Vec<[f32; 2]>,
}

impl Default for Mouse {
    fn default() -> Self {
        Self { tool: Tool::Look, brush: 40.0, species: String::new(), cursor: [0.0; 2], drag: None }
    }
}

impl Mouse {
    /// Whether no button is at work.
    pub(crate) fn is_bare(&self) -> bool {
        self.drag.is_none()
    }

    pub(crate) fn press(&mut self, camera: &Camera, worker: &Worker) {
        self.begin(self.tool, camera, worker);
    }

    /// The right button drags the scene's point, or removes what was built last.
    pub(crate) fn press_right(&mut self, camera: &Camera, worker: &Worker) {
        match self.tool {
            Tool::Obstacle => worker.send(|session| session.remove_scenery(false)),
            Tool::Wall => worker.send(|session| session.remove_scenery(true)),
            _ => self.begin(Tool::Lead, camera, worker),
        }
    }

    fn begin(&mut self, tool: Tool, camera: &Camera, worker: &Worker) {
        let from = camera.to_world(self.cursor);
        let points = vec![from];
        self.drag = Some(Drag { tool, from, last: self.cursor, moved: false, points });
        if tool == Tool::Lead {
            worker.send(move |session| session.grab_point(from));
        }
        self.dab(tool, camera, worker);
    }

    /// Follows the mouse; returns whether the camera has panned.
    pub(crate) fn move_to(&mut self, to: [f32; 2], camera: &mut Camera, worker: &Worker) -> bool {
        let before = std::mem::replace(&mut self.cursor, to);
        let Some(drag) = &mut self.drag else { return false };
        let moved = distance(to, drag.last);
        drag.moved |= moved > CLICK_DISTANCE;
        match drag.tool {
            Tool::Look if drag.moved => {
                camera.pan([to[0] - before[0], to[1] - before[1]]);
                return true;
            }
            Tool::Lead => {
                let to = camera.to_world(to);
                worker.send_continuous(move |session| session.drag_point(to));
            }
            tool @ (Tool::Add | Tool::Erase) if moved > self.brush / 2.0 => {
                drag.last = to;
                self.dab(tool, camera, worker);
            }
            Tool::Wall if moved > WALL_SPACING => {
                drag.last = to;
                drag.points.push(camera.to_world(to));
            }
            _ => {}
        }
        false
    }

    /// Ends a drag; a click explains the agent that is drawn there.
    pub(crate) fn release(
        &mut self,
        view: &View,
        marks: &[Mark],
        camera: &Camera,
        worker: &Worker,
    ) {
        let Some(mut drag) = self.drag.take() else { return };
        let at = camera.to_world(self.cursor);
        match drag.tool {
            Tool::Look if !drag.moved => {
                let picked = pick(view, marks, camera, self.cursor);
                worker.send(move |session| session.explain(picked));
            }
            Tool::Obstacle if drag.moved => {
                let (center, radius) = (drag.from, distance(at, drag.from));
                worker.send(move |session| session.add_obstacle(center, radius));
            }
            Tool::Wall if drag.moved => {
                if drag.points.last() != Some(&at) {
                    drag.points.push(at);
                }
                worker.send(move |session| session.add_wall(drag.points));
            }
            _ => {}
        }
    }

    fn dab(&self, tool: Tool, camera: &Camera, worker: &Worker) {
        let (at, radius) = (camera.to_world(self.cursor), self.brush / camera.zoom);
        match tool {
            Tool::Add => {
                let species = self.species.clone();
                worker.send(move |session| session.add_agents(&species, at, radius));
            }
            Tool::Erase => worker.send(move |session| session.remove_agents(at, radius)),
            _ => {}
        }
    }

    /// Draws the brush, or what is being built.
    pub(crate) fn draw(&self, camera: &Camera, rasterizer: &mut Rasterizer<'_>) {
        match (self.tool, &self.drag) {
            (Tool::Add | Tool::Erase, _) => rasterizer.ring(self.cursor, self.brush, 1.5, PREVIEW),
            (Tool::Obstacle, Some(drag)) => {
                let center = camera.to_screen(drag.from);
                rasterizer.ring(center, distance(self.cursor, center), 1.5, PREVIEW);
            }
            (Tool::Wall, Some(drag)) => {
                let points = drag.points.iter().map(|&point| camera.to_screen(point));
                let mut from = None;
                for to in points.chain([self.cursor]) {
                    if let Some(from) = from.replace(to) {
                        rasterizer.line([from, to], 2.0, PREVIEW);
                    }
                }
            }
            _ => {}
        }
    }
}

fn distance(a: [f32; 2], b: [f32; 2]) -> f32 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;
    use crate::session::frame::Frame;

    const CAMERA: Camera = Camera::new([500.0, 300.0], 1.0, [1000.0, 600.0]);

    /// Drags the mouse with a tool in a paused scene; returns the first and the last frame.
    fn drag_tool(scene: &str, tool: Tool, path: &[[f32; 2]]) -> (Box<Frame>, Box<Frame>, Camera) {
        let (worker, before) = Worker::start(Session::named(scene), || ());
        let mut paused = before.controls.clone();
        paused.paused = true;
        worker.send(move |session| session.set(paused));
        let mut mouse = Mouse { tool, species: "fish".into(), ..Mouse::default() };
        let mut camera = CAMERA;
        mouse.move_to(path[0], &mut camera, &worker);
        mouse.press(&camera, &worker);
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
        (before, after, camera)
    }

    const PATH: [[f32; 2]; 3] = [[400.0, 300.0], [450.0, 320.0], [500.0, 300.0]];

    #[test]
    fn dragging_pans_and_clicking_explains() {
        let (_, after, camera) = drag_tool("big-shoal", Tool::Look, &PATH);
        assert_eq!(camera.center, [400.0, 300.0]);
        assert!(after.view.explained.is_empty());
        let shoal = Session::named("big-shoal").new_frame().view;
        let at = CAMERA.to_screen([shoal.x[5], shoal.y[5]]);
        let (_, after, _) = drag_tool("big-shoal", Tool::Look, &[at]);
        // The crowd may have taken a step or two before it was paused.
        assert_eq!(after.view.explained.len(), 1);
    }

    #[test]
    fn the_brush_adds_and_erases() {
        let (before, after, _) = drag_tool("big-shoal", Tool::Add, &PATH);
        assert!(after.view.x.len() >= before.view.x.len() + 8);
        let everywhere: Vec<[f32; 2]> = (0..26)
            .flat_map(|k| {
                let x = k as f32 * 40.0;
                (0..16).map(move |j| [x, j as f32 * 40.0])
            })
            .collect();
        let (_, after, _) = drag_tool("big-shoal", Tool::Erase, &everywhere);
        assert_eq!(after.view.x.len(), 0);
    }

    #[test]
    fn obstacles_and_walls_are_built() {
        let build = |tool| {
            let (_, after, _) = drag_tool("flock", tool, &PATH);
            (after.view.scenery.obstacles().len(), after.view.scenery.walls().len())
        };
        assert_eq!(build(Tool::Obstacle), (1, 0));
        assert_eq!(build(Tool::Wall), (0, 2), "three points");
        let (_, slip, _) = drag_tool("flock", Tool::Obstacle, &PATH[..1]);
        assert_eq!(slip.view.scenery.obstacles().len(), 0);
    }
}
