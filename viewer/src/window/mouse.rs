//! What the mouse does in the world: one tool at a time for the left button.

use crate::picture::camera::Camera;
use crate::raster::shapes::{Ink, Tint};
use crate::session::worker::Runner;

/// A press that moves less than this many pixels is a click.
const CLICK: f32 = 4.0;
/// A click finds agents this many pixels away.
const PICKED: f32 = 16.0;
/// Points of a wall are so many pixels apart.
const WALL_SPACING: f32 = 16.0;
const SKETCH: Tint = Tint::new([240, 228, 66]);

/// What the left button does.
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

impl Tool {
    /// With the name on the button and what it does.
    pub(crate) const ALL: [(Self, &str, &str); 6] = [
        (Self::Look, "look", "click an agent to explain it, drag to pan"),
        (Self::Lead, "lead", "move the scene's point: the cursor, where the dog is sent"),
        (Self::Add, "add", "add agents"),
        (Self::Erase, "erase", "remove agents"),
        (Self::Obstacle, "obstacle", "drag from an obstacle's center to its rim; right: undo"),
        (Self::Wall, "wall", "draw a wall; right: undo"),
    ];
}

pub(crate) struct Mouse {
    pub(crate) tool: Tool,
    /// The radius of the brush that adds and erases, in pixels.
    pub(crate) brush: f32,
    /// The name of the species that is added.
    pub(crate) species: String,
    cursor: [f32; 2],
    stroke: Option<Stroke>,
    /// Whether the right button leads the crowd.
    leading: bool,
}

/// What happens between pressing and releasing the left button.
struct Stroke {
    /// Where it began, in the world.
    from: [f32; 2],
    /// The same in pixels; later, where it was acted upon last.
    last: [f32; 2],
    moved: bool,
    /// Of a wall, in the world.
    points: Vec<[f32; 2]>,
}

impl Default for Mouse {
    fn default() -> Self {
        Self {
            tool: Tool::Look,
            brush: 40.0,
            species: String::new(),
            cursor: [0.0; 2],
            stroke: None,
            leading: false,
        }
    }
}

impl Mouse {
    pub(crate) fn cursor(&self) -> [f32; 2] {
        self.cursor
    }

    pub(crate) fn press(&mut self, camera: &Camera, runner: &Runner) {
        let from = camera.to_world(self.cursor);
        let points = vec![from];
        self.stroke = Some(Stroke { from, last: self.cursor, moved: false, points });
        if self.tool == Tool::Lead {
            runner.tell(move |session| session.take_point(from));
        }
        self.brush_once(camera, runner);
    }

    /// Follows the mouse; returns whether the picture has been panned.
    pub(crate) fn move_to(&mut self, to: [f32; 2], camera: &mut Camera, runner: &Runner) -> bool {
        let before = std::mem::replace(&mut self.cursor, to);
        if self.leading {
            self.lead(camera, runner);
        }
        let Some(stroke) = &mut self.stroke else { return false };
        let way = distance(to, stroke.last);
        stroke.moved |= way > CLICK;
        match self.tool {
            Tool::Look if stroke.moved => {
                camera.pan([to[0] - before[0], to[1] - before[1]]);
                return true;
            }
            Tool::Lead => self.lead(camera, runner),
            Tool::Add | Tool::Erase if way > self.brush / 2.0 => {
                stroke.last = to;
                self.brush_once(camera, runner);
            }
            Tool::Wall if way > WALL_SPACING => {
                stroke.last = to;
                stroke.points.push(camera.to_world(to));
            }
            _ => {}
        }
        false
    }

    pub(crate) fn release(&mut self, camera: &Camera, runner: &Runner) {
        let Some(mut stroke) = self.stroke.take() else { return };
        let at = camera.to_world(self.cursor);
        match self.tool {
            Tool::Look if !stroke.moved => {
                let reach = PICKED / camera.zoom;
                runner.tell(move |session| session.pick(at, reach));
            }
            Tool::Obstacle if stroke.moved => {
                let (center, radius) = (stroke.from, distance(at, stroke.from));
                runner.tell(move |session| session.add_obstacle(center, radius));
            }
            Tool::Wall if stroke.moved => {
                if stroke.points.last() != Some(&at) {
                    stroke.points.push(at);
                }
                runner.tell(move |session| session.add_wall(stroke.points));
            }
            _ => {}
        }
    }

    /// The right button leads the crowd, or takes back what was built last.
    pub(crate) fn press_right(&mut self, camera: &Camera, runner: &Runner) {
        match self.tool {
            Tool::Obstacle => runner.tell(|session| session.undo_scenery(false)),
            Tool::Wall => runner.tell(|session| session.undo_scenery(true)),
            _ => {
                self.leading = true;
                let at = camera.to_world(self.cursor);
                runner.tell(move |session| session.take_point(at));
            }
        }
    }

    pub(crate) fn release_right(&mut self) {
        self.leading = false;
    }

    fn lead(&self, camera: &Camera, runner: &Runner) {
        let to = camera.to_world(self.cursor);
        runner.keep_telling(move |session| session.lead(to));
    }

    fn brush_once(&self, camera: &Camera, runner: &Runner) {
        let (at, radius) = (camera.to_world(self.cursor), self.brush / camera.zoom);
        match self.tool {
            Tool::Add => {
                let species = self.species.clone();
                runner.tell(move |session| session.add(&species, at, radius));
            }
            Tool::Erase => runner.tell(move |session| session.erase(at, radius)),
            _ => {}
        }
    }

    /// Draws the brush, or what would be built.
    pub(crate) fn draw(&self, camera: &Camera, ink: &mut Ink<'_>) {
        match (self.tool, &self.stroke) {
            (Tool::Add | Tool::Erase, _) => ink.ring(self.cursor, self.brush, 1.5, SKETCH),
            (Tool::Obstacle, Some(stroke)) => {
                let center = camera.to_screen(stroke.from);
                ink.ring(center, distance(self.cursor, center), 1.5, SKETCH);
            }
            (Tool::Wall, Some(stroke)) => {
                let points = stroke.points.iter().map(|&point| camera.to_screen(point));
                let mut from = None;
                for to in points.chain([self.cursor]) {
                    if let Some(from) = from.replace(to) {
                        ink.line([from, to], 2.0, SKETCH);
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

    /// Drags the mouse with a tool in a paused scene, and returns what is then to be seen.
    fn drag(scene: &str, tool: Tool, way: &[[f32; 2]]) -> (Box<Frame>, Box<Frame>, Camera) {
        let (runner, before) = Runner::start(Session::named(scene), || ());
        let mut paused = before.controls.clone();
        paused.paused = true;
        runner.tell(move |session| session.set(paused));
        let mut mouse = Mouse { tool, species: "fish".into(), ..Mouse::default() };
        let mut camera = CAMERA;
        mouse.move_to(way[0], &mut camera, &runner);
        mouse.press(&camera, &runner);
        for &to in &way[1..] {
            mouse.move_to(to, &mut camera, &runner);
        }
        mouse.release(&camera, &runner);
        let after = loop {
            match runner.latest().unwrap() {
                Some(frame) if runner.is_heard(&frame) => break frame,
                Some(frame) => runner.give_back(frame),
                None => std::thread::yield_now(),
            }
        };
        (before, after, camera)
    }

    const WAY: [[f32; 2]; 3] = [[400.0, 300.0], [450.0, 320.0], [500.0, 300.0]];

    #[test]
    fn dragging_pans_and_clicking_explains() {
        let (_, after, camera) = drag("big-shoal", Tool::Look, &WAY);
        assert_eq!(camera.center, [400.0, 300.0]);
        assert!(after.view.explained.is_empty());
        let shoal = Session::named("big-shoal").frame().view;
        let at = CAMERA.to_screen([shoal.x[5], shoal.y[5]]);
        let (_, after, _) = drag("big-shoal", Tool::Look, &[at]);
        // The crowd may have taken a step or two before it was paused.
        assert_eq!(after.view.explained.len(), 1);
    }

    #[test]
    fn the_brush_adds_and_erases() {
        let (before, after, _) = drag("big-shoal", Tool::Add, &WAY);
        assert!(after.readings.agents >= before.readings.agents + 8);
        let everywhere: Vec<[f32; 2]> = (0..26)
            .flat_map(|k| {
                let x = k as f32 * 40.0;
                (0..16).map(move |j| [x, j as f32 * 40.0])
            })
            .collect();
        let (_, after, _) = drag("big-shoal", Tool::Erase, &everywhere);
        assert_eq!(after.readings.agents, 0);
    }

    #[test]
    fn obstacles_and_walls_are_built() {
        let build = |tool| {
            let (_, after, _) = drag("flock", tool, &WAY);
            (after.view.ground.obstacles().len(), after.view.ground.walls().len())
        };
        assert_eq!(build(Tool::Obstacle), (1, 0));
        assert_eq!(build(Tool::Wall), (0, 2), "three points");
        let (_, slip, _) = drag("flock", Tool::Obstacle, &WAY[..1]);
        assert_eq!(slip.view.ground.obstacles().len(), 0);
    }
}
