use std::collections::BTreeMap;
use std::sync::Arc;

use flockwork::angle::sin_cos;
use flockwork::{
    Behavior, FlowField, Obstacle, Point, Scene, Simulation, StraightWall, WaypointPath,
};

use super::camera::{Camera, flat};
use super::projection::{Projection, in_space};
use crate::raster::{BACKGROUND, Canvas, Tint, length};

const OBSTACLE: Tint = Tint::new([31, 36, 48]);
const OBSTACLE_EDGE: Tint = Tint::new([66, 74, 92]);
const WALL: Tint = Tint::new([104, 112, 130]);
const ROAD: Tint = Tint::new([22, 27, 36]);
const ROAD_EDGE: Tint = Tint::new([48, 58, 74]);
const PATH: Tint = Tint::new([58, 98, 108]);
const WAYPOINT: Tint = Tint::new([98, 152, 162]);
const FLOW: Tint = Tint::new([46, 54, 72]);
const POINT: Tint = Tint::new([214, 196, 140]);
/// Color of a fully lit rock, and of faces, which are nearly transparent.
const ROCK: Tint = Tint::new([104, 116, 142]);
const FACE: Tint = Tint { opacity: 0.22, ..Tint::new([104, 112, 130]) };
/// Brightness of the farthest rock or face, relative to the nearest.
const FARTHEST: f32 = 0.5;

/// Minimum distance between flow field arrows, in pixels.
const ARROW_SPACING: f32 = 24.0;
/// Walls shorter than this many pixels get no tick.
const MIN_LENGTH_WITH_TICK: f32 = 12.0;
/// Walls shorter than this many pixels are drawn fainter.
const FULL_LENGTH: f32 = 24.0;
/// Length of the tick that marks the front of a one-sided wall, in pixels.
const TICK: f32 = 8.0;
/// Half the width of a named point's cross, in pixels.
const CROSS: f32 = 5.0;

#[derive(Default)]
pub(crate) struct Scenery {
    /// Obstacles in the coordinates of the picture. In a turned world, the farthest comes first.
    obstacles: Vec<Obstacle>,
    /// Straight walls of a world that is not turned.
    walls: Vec<StraightWall>,
    /// Other walls, farthest first: polygons and, in a turned world, upright walls. In the
    /// coordinates of the picture.
    faces: Vec<Vec<[f32; 3]>>,
    /// Each path comes with the distance agents may stray from it, in world units; 0 means no
    /// limit.
    paths: Vec<(WaypointPath, f32)>,
    pub(crate) points: BTreeMap<String, [f32; 3]>,
    flows: Vec<Arc<FlowField>>,
    world: [f32; 2],
    projection: Projection,
}

impl Scenery {
    pub(crate) fn of(simulation: &Simulation, projection: Projection) -> Self {
        let scene = simulation.scene();
        let place = |at: &Point| projection.place(in_space(*at));
        let path = |path: &WaypointPath| {
            let points = path.points.iter().map(|at| place(at).into()).collect();
            (WaypointPath { points, ..path.clone() }, half_width(scene, path))
        };
        let obstacles = simulation.obstacles();
        let mut scenery = Self {
            obstacles: obstacles.map(|one| Obstacle::new(place(&one.center), one.radius)).collect(),
            paths: scene.paths.iter().map(path).collect(),
            points: scene.points.iter().map(|(name, at)| (name.clone(), place(at))).collect(),
            flows: scene.flow.iter().chain(scene.flows.values()).cloned().collect(),
            world: simulation.world_size(),
            projection,
            ..Self::default()
        };
        let polygons = scene.walls.iter().map(|wall| &wall.points);
        let polygons = polygons.filter(|points| points.iter().any(|at| at.len() == 3));
        scenery.faces = polygons.map(|points| points.iter().map(place).collect()).collect();
        let top = simulation.world().depth.unwrap_or(0.0);
        let upright = |StraightWall { ends: [[ax, ay], [bx, by]], .. }: StraightWall| {
            let corners = [[ax, ay, 0.0], [bx, by, 0.0], [bx, by, top], [ax, ay, top]];
            corners.map(|at| projection.place(at)).to_vec()
        };
        if projection.is_turned() {
            scenery.obstacles.sort_by(|a, b| a.center[2].total_cmp(&b.center[2]));
            scenery.faces.extend(simulation.walls().map(upright));
        } else {
            scenery.walls = simulation.walls().collect();
        }
        let middle =
            |face: &Vec<[f32; 3]>| face.iter().map(|at| at[2]).sum::<f32>() / face.len() as f32;
        scenery.faces.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
        scenery
    }

    /// Sets x to NaN where an obstacle covers one of the agents between two corners, so that
    /// nothing draws or picks the agent.
    pub(super) fn hide_agents(&self, [low, high]: [[f32; 2]; 2], [x, y, z]: [&mut [f32]; 3]) {
        for &Obstacle { center, radius } in &self.obstacles {
            let overlaps = |k: usize| low[k] <= center[k] + radius && high[k] >= center[k] - radius;
            if !(overlaps(0) && overlaps(1)) {
                continue;
            }
            for (k, x) in x.iter_mut().enumerate() {
                let (dx, dy) = (*x - center[0], y[k] - center[1]);
                if z[k] < center[2] && dx * dx + dy * dy < radius * radius {
                    *x = f32::NAN;
                }
            }
        }
    }

    /// Clears the picture, then draws the scenery once per periodic image, each with its camera.
    pub(crate) fn draw(&self, cameras: &[Camera], canvas: &mut Canvas<'_>) {
        canvas.bands(|canvas| {
            canvas.pixels.fill(BACKGROUND);
            for camera in cameras {
                self.flows.iter().for_each(|flow| self.draw_flow(flow, camera, canvas));
            }
            for camera in cameras {
                self.faces.iter().for_each(|face| self.draw_face(face, camera, canvas));
                self.paths.iter().for_each(|(path, half)| draw_path(path, *half, camera, canvas));
            }
            for camera in cameras {
                self.obstacles.iter().for_each(|one| self.draw_obstacle(one, camera, canvas));
            }
            for camera in cameras {
                self.walls.iter().for_each(|wall| draw_wall(wall, camera, canvas));
                let points = self.points.values();
                points.for_each(|point| draw_point(flat(*point), camera, canvas));
            }
        });
    }

    /// Draws a disk, or a ball in a turned world.
    fn draw_obstacle(&self, obstacle: &Obstacle, camera: &Camera, canvas: &mut Canvas<'_>) {
        let center = camera.to_screen(obstacle.center.xy());
        let radius = obstacle.radius * camera.zoom;
        if self.projection.is_turned() {
            return canvas.ball(center, radius, self.faded(ROCK, obstacle.center[2]));
        }
        canvas.disk(center, radius, OBSTACLE);
        canvas.ring(center, radius, (0.15 * radius).min(1.5), OBSTACLE_EDGE);
    }

    fn draw_face(&self, face: &[[f32; 3]], camera: &Camera, canvas: &mut Canvas<'_>) {
        let corners: Vec<[f32; 2]> = face.iter().map(|at| camera.to_screen(flat(*at))).collect();
        canvas.polygon(&corners, FACE);
        for (k, from) in corners.iter().enumerate() {
            let tint = self.faded(WALL, face[k][2]);
            canvas.line([*from, corners[(k + 1) % corners.len()]], 1.0, tint);
        }
    }

    fn faded(&self, tint: Tint, z: f32) -> Tint {
        let share = FARTHEST + (1.0 - FARTHEST) * self.projection.nearness(z);
        Tint { color: tint.color.map(|channel| (f32::from(channel) * share) as u8), ..tint }
    }

    fn draw_flow(&self, flow: &FlowField, camera: &Camera, canvas: &mut Canvas<'_>) {
        let columns = flow.columns as usize;
        let rows = flow.degrees.len() / columns;
        let cell = [self.world[0] / columns as f32, self.world[1] / rows as f32];
        let stride = cell.map(|side| (ARROW_SPACING / (side * camera.zoom)).ceil().max(1.0));
        let smallest = (cell[0] * stride[0]).min(cell[1] * stride[1]);
        let half = 0.3 * smallest * camera.zoom;

        let strip = canvas.rows();
        for row in (0..rows).step_by(stride[1] as usize) {
            let y = (row as f32 + 0.5) * cell[1];
            let ends = [0.0, self.world[0]]
                .map(|x| camera.to_screen(flat(self.projection.place([x, y, 0.0])))[1]);
            let (top, bottom) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            // False for NaN, so rows at NaN positions are skipped.
            if !(bottom + half >= strip.start as f32 && top - half <= strip.end as f32) {
                continue;
            }
            for column in (0..columns).step_by(stride[0] as usize) {
                let at = [(column as f32 + 0.5) * cell[0], y, 0.0];
                let [x, y] = camera.to_screen(flat(self.projection.place(at)));
                let (sin, cos) = sin_cos(flow.degrees[row * columns + column].to_radians());
                let [along, up, _] = self.projection.direction([cos, sin, 0.0]);
                let (dx, dy) = (half * along, -half * up);
                canvas.arrow([[x - dx, y - dy], [x + dx, y + dy]], 1.5, FLOW);
            }
        }
    }
}

fn draw_point(point: [f32; 2], camera: &Camera, canvas: &mut Canvas<'_>) {
    let ([x, y], tint) = (camera.to_screen(point), POINT);
    let cross = CROSS * canvas.scale;
    canvas.line([[x - cross, y], [x + cross, y]], 1.5, tint);
    canvas.line([[x, y - cross], [x, y + cross]], 1.5, tint);
}

/// Largest path radius among the stay-on-path behaviors; 0 if agents only visit waypoints.
fn half_width(scene: &Scene, path: &WaypointPath) -> f32 {
    let behaviors = scene.species.iter().flat_map(|kind| &kind.behaviors);
    let radii = behaviors.filter_map(|behavior| match behavior {
        Behavior::StayOnPath(stay) if stay.path == path.name => Some(stay.radius),
        _ => None,
    });
    radii.fold(0.0, f32::max)
}

fn draw_path(path: &WaypointPath, half_width: f32, camera: &Camera, canvas: &mut Canvas<'_>) {
    let points = || path.points.iter().map(|point| camera.to_screen(point.xy()));
    let again = points().next().filter(|_| path.closed);
    let width = 2.0 * half_width * camera.zoom / canvas.scale;
    let layers = [(width + 2.0, ROAD_EDGE), (width, ROAD), (1.5, PATH)];
    for (width, tint) in layers.into_iter().skip(if half_width > 0.0 { 0 } else { 2 }) {
        for (from, to) in points().zip(points().skip(1).chain(again)) {
            canvas.line([from, to], width, tint);
        }
    }
    for point in points() {
        canvas.disk(point, 3.0 * canvas.scale, WAYPOINT);
    }
}

/// Draws a wall. A one-sided wall gets a tick on its front, which is on the left as seen from its
/// first end.
fn draw_wall(wall: &StraightWall, camera: &Camera, canvas: &mut Canvas<'_>) {
    let [from, to] = wall.ends.map(|end| camera.to_screen(end));
    let direction = [to[0] - from[0], to[1] - from[1]];
    let length = length(direction.map(f64::from)) as f32;
    // Short walls are fainter, because thousands of them would outshine the crowd.
    let tint = WALL.faint((length / FULL_LENGTH).min(1.0));
    canvas.line([from, to], 2.0, tint);
    if length >= MIN_LENGTH_WITH_TICK && !wall.two_sided {
        let middle = [from[0] + direction[0] / 2.0, from[1] + direction[1] / 2.0];
        // In screen coordinates, y points down.
        let front = [direction[1] / length * TICK, -direction[0] / length * TICK];
        canvas.line([middle, [middle[0] + front[0], middle[1] + front[1]]], 1.5, tint);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::Pixel;
    use flockwork::behaviors::{PathFollowing, StayOnPath};
    use flockwork::{Scene, Species, Wall, World};

    fn picture(world: World, scene: Scene, images: &[[f32; 2]]) -> Vec<Pixel> {
        let camera = Camera::new([50.0, 50.0], 1.0, [100.0, 100.0]);
        let scenery =
            Scenery::of(&Scene { world, ..scene }.build().unwrap(), Projection::default());
        let mut pixels = vec![BACKGROUND; 100 * 100];
        let cameras: Vec<Camera> = images.iter().map(|image| camera.at_image(*image)).collect();
        scenery.draw(&cameras, &mut Canvas::new(100, &mut pixels));
        pixels
    }

    fn at(pixels: &[Pixel], x: usize, y: usize) -> Pixel {
        pixels[(99 - y) * 100 + x]
    }

    fn with_obstacle(center: [f32; 2], radius: f32) -> Scene {
        Scene { obstacles: vec![Obstacle::new(center, radius)].into(), ..Scene::default() }
    }

    #[test]
    fn an_obstacle_is_drawn_at_its_position() {
        let scene = with_obstacle([30.0, 70.0], 10.0);
        let pixels = picture(World::bounded(100.0, 100.0), scene, &[[0.0; 2]]);
        assert_eq!(at(&pixels, 30, 70)[..3], OBSTACLE.color);
        assert_ne!(at(&pixels, 20, 70), BACKGROUND);
        for (x, y) in [(17, 70), (43, 70), (30, 83), (30, 57), (70, 30)] {
            assert_eq!(at(&pixels, x, y), BACKGROUND, "{x} {y}");
        }
    }

    #[test]
    fn periodic_images_of_the_scenery_are_drawn_as_bright() {
        let points = || vec![[20.0, 50.0], [40.0, 50.0]];
        let wall =
            Scene { walls: vec![Wall::new(points()).two_sided()].into(), ..Scene::default() };
        let path = WaypointPath::new("route", points());
        let path = Scene { paths: vec![path].into(), ..Scene::default() };
        let point =
            Scene { points: [("cursor".into(), [30.0, 50.0].into())].into(), ..Scene::default() };
        let flow = FlowField { columns: 1, degrees: vec![0.0] };
        let flow = Scene { flow: Some(flow.into()), ..Scene::default() };
        for (scene, x) in [(wall, 30), (path, 30), (point, 30), (flow, 50)] {
            let drawn = |image: f32| {
                let scene = Scene { world: World::torus(100.0, 100.0), ..scene.clone() };
                let scenery = Scenery::of(&scene.build().unwrap(), Projection::default());
                let mut pixels = vec![BACKGROUND; 100 * 100];
                let camera = Camera::new([50.0 + image, 50.0], 1.0, [100.0, 100.0]);
                let cameras = [camera, camera.at_image([100.0, 0.0])];
                scenery.draw(&cameras, &mut Canvas::new(100, &mut pixels));
                u32::from(at(&pixels, x, 49)[1])
            };
            let (itself, repetition) = (drawn(0.0), drawn(100.0));
            assert!(
                itself == repetition && itself > u32::from(BACKGROUND[1]),
                "{itself} {repetition}"
            );
        }
    }

    #[test]
    fn an_obstacle_continues_across_the_seam_of_a_torus() {
        let scene = with_obstacle([98.0, 50.0], 20.0);
        let images = [[-100.0, 0.0], [0.0, 0.0]];
        let pixels = picture(World::torus(100.0, 100.0), scene, &images);
        assert_eq!(at(&pixels, 5, 50), at(&pixels, 90, 50));
        assert_eq!(at(&pixels, 50, 50), BACKGROUND);
    }

    #[test]
    fn a_wall_has_its_tick_on_its_front() {
        let points = vec![[20.0, 50.0], [81.0, 50.0]];
        let scene = Scene { walls: vec![Wall::new(points)].into(), ..Scene::default() };
        let pixels = picture(World::bounded(100.0, 100.0), scene, &[[0.0; 2]]);
        assert_ne!(at(&pixels, 30, 50), BACKGROUND);
        assert_ne!(
            at(&pixels, 50, 55),
            BACKGROUND,
            "the left of a wall drawn to the right is above"
        );
        assert_eq!(at(&pixels, 50, 45), BACKGROUND);
        assert_eq!(at(&pixels, 30, 55), BACKGROUND);
    }

    #[test]
    fn a_two_sided_wall_has_no_tick() {
        let points = vec![[20.0, 50.0], [81.0, 50.0]];
        let walls = vec![Wall::new(points).two_sided()].into();
        let scene = Scene { walls, ..Scene::default() };
        let pixels = picture(World::bounded(100.0, 100.0), scene, &[[0.0; 2]]);
        assert_ne!(at(&pixels, 30, 50), BACKGROUND);
        assert_eq!(at(&pixels, 50, 55), BACKGROUND);
    }

    #[test]
    fn only_closed_paths_return_to_their_start() {
        let points = vec![[20.0, 20.0], [80.0, 20.0], [80.0, 80.0]];
        for closed in [false, true] {
            let path = WaypointPath { closed, ..WaypointPath::new("route", points.clone()) };
            let scene = Scene { paths: vec![path].into(), ..Scene::default() };
            let pixels = picture(World::bounded(100.0, 100.0), scene, &[[0.0; 2]]);
            assert_ne!(at(&pixels, 50, 20), BACKGROUND);
            assert_eq!(at(&pixels, 50, 50) != BACKGROUND, closed);
        }
    }

    /// Regression: the road of `stay-on-path` was drawn as a thin line.
    #[test]
    fn a_path_that_agents_keep_to_is_as_wide_as_they_may_stray() {
        let path = WaypointPath::new("route", [[0.0, 50.0], [100.0, 50.0]]);
        let scene = |behavior: Behavior| {
            let kind = Species { behaviors: vec![behavior], ..Species::new("car", 0) };
            Scene { paths: vec![path.clone()].into(), species: vec![kind], ..Scene::default() }
        };
        let keeps = StayOnPath { path: "route".into(), radius: 12.0, ..StayOnPath::default() };
        let follows = PathFollowing { path: "route".into(), ..PathFollowing::default() };
        let world = World::bounded(100.0, 100.0);
        let road = picture(world, scene(keeps.into()), &[[0.0; 2]]);
        assert_eq!(at(&road, 50, 59)[..3], ROAD.color);
        assert_eq!(at(&road, 50, 40)[..3], ROAD.color);
        assert_eq!(at(&road, 50, 66), BACKGROUND);
        let line = picture(world, scene(follows.into()), &[[0.0; 2]]);
        assert_eq!(at(&line, 50, 59), BACKGROUND);
    }

    #[test]
    fn a_fine_flow_field_is_thinned_out() {
        let flow =
            |columns: u32| FlowField { columns, degrees: vec![0.0; (columns * columns) as usize] };
        let lit = |columns| {
            let scene = Scene { flow: Some(flow(columns).into()), ..Scene::default() };
            let pixels = picture(World::bounded(100.0, 100.0), scene, &[[0.0; 2]]);
            pixels.iter().filter(|pixel| **pixel != BACKGROUND).count()
        };
        let (coarse, fine) = (lit(4), lit(400));
        assert!(coarse > 100 && fine.abs_diff(coarse) < coarse / 2, "{coarse} {fine}");
    }

    /// Regression: floors and ramps vanished in a view from straight above.
    #[test]
    fn polygons_are_drawn_from_straight_above() {
        let floor =
            vec![[20.0, 20.0, 8.0], [80.0, 20.0, 8.0], [80.0, 60.0, 8.0], [20.0, 60.0, 8.0]];
        let scene = Scene { walls: vec![Wall::new(floor)].into(), ..Scene::default() };
        let pixels = picture(World::bounded(100.0, 100.0).depth(30.0), scene, &[[0.0; 2]]);
        assert!(at(&pixels, 50, 40) != BACKGROUND && at(&pixels, 20, 40) != BACKGROUND);
        assert_eq!(at(&pixels, 50, 80), BACKGROUND);
    }

    /// Regression: only the flow field without a name was drawn.
    #[test]
    fn named_flow_fields_are_drawn() {
        let wind = FlowField { columns: 1, degrees: vec![0.0] };
        let scene = Scene::default().named_flow("wind", wind);
        let pixels = picture(World::bounded(100.0, 100.0), scene, &[[0.0; 2]]);
        assert_ne!(at(&pixels, 50, 50), BACKGROUND);
    }
}
