//! Draws a crowd into pixels. The layers, bottom to top, are the static world, trails, small agents
//! (points of light), large agents (triangles), and explanations.

use flockwork::inspect::Cells;

use super::camera::{Camera, flat};
use super::culling::VisibleCrowd;
use super::light::exposure::{AgentMark, Exposure, MAX_ENLARGED};
use super::light::points::Light;
use super::light::trails::Trails;
use super::projection::{Projection, edges_along};
use super::roles::Role;
use super::triangles;
use super::view::{MAX_SIZE, View};
use crate::raster::{Canvas, FRAME, Tint};

/// Color of cell borders. Borders less than `MIN_CELL` pixels apart are not drawn.
const GRID: Tint = Tint { opacity: 0.5, ..Tint::new([72, 84, 112]) };
const MIN_CELL: f32 = 4.0;

const SEAM: f32 = 0.5;
/// Opacity of the edges of a turned world that lie behind its faces.
const HIDDEN: f32 = 0.6;

#[derive(Default)]
pub(crate) struct Painter {
    pub(crate) marks: Vec<AgentMark>,
    points: Light,
    trails: Trails,
}

impl Painter {
    pub(crate) fn paint(&mut self, view: &View, camera: &Camera, canvas: &mut Canvas<'_>) {
        // Enter the thread pool once: a thread outside the pool would sleep and wake up for every
        // pass.
        rayon::scope(|_| self.paint_passes(view, camera, canvas));
    }

    fn paint_passes(&mut self, view: &View, camera: &Camera, canvas: &mut Canvas<'_>) {
        let cameras = view.cameras(camera);
        view.scenery.draw(&cameras, canvas);
        for camera in &cameras {
            view.cells.iter().for_each(|cells| draw_grid(*cells, view.projection, camera, canvas));
        }
        let is_turned = view.projection.is_turned();
        if view.framed && is_turned {
            draw_box(view, camera, true, canvas);
        }
        self.paint_agents(view, camera, &cameras, canvas);
        for route in view.explained.iter().flat_map(|explained| &explained.routes) {
            route.draw(&cameras, canvas);
        }
        if view.framed && is_turned {
            draw_box(view, camera, false, canvas);
        }
        if view.framed && !is_turned {
            // Aligned to pixel centers, so that the frame is sharp.
            let [low, high] =
                [[0.0; 2], view.world].map(|at| camera.to_screen(at).map(|at| at.floor() + 0.5));
            let frame = Tint::new(FRAME).faint(if view.is_torus { SEAM } else { 1.0 });
            Canvas::new(canvas.width, canvas.pixels).outline(low, high, frame);
        }
        for camera in &cameras {
            view.explained.iter().for_each(|one| one.draw(view.projection, camera, canvas));
        }
    }

    fn paint_agents(
        &mut self,
        view: &View,
        camera: &Camera,
        cameras: &[Camera],
        canvas: &mut Canvas<'_>,
    ) {
        let scale = canvas.scale;
        let largest = view.radii.iter().copied().fold(0.0, f32::max) * camera.zoom;
        let enlarged = view.roles.iter().map(|role| role.enlarged).fold(1.0, f32::max);
        let is_turned = view.projection.is_turned();
        let enlarged = if is_turned { MAX_SIZE * enlarged } else { enlarged };
        let margin = triangles::extent(enlarged * largest.max(MAX_ENLARGED * scale));
        let seen = VisibleCrowd::new(view, camera, cameras, margin);
        let exposure = Exposure::of(&seen);
        self.marks.clear();
        let mark = |(&radius, role): (&f32, &Role)| exposure.mark(radius, *role, camera, scale);
        self.marks.extend(view.radii.iter().zip(&view.roles).map(mark));

        self.trails.draw(&seen, canvas);
        let lights: Vec<f32> = self.marks.iter().map(|mark| mark.light).collect();
        // Points fade out late: half a point plus half a triangle would be darker
        // than either alone.
        let opacity = |mark: &AgentMark| 1.0 - mark.triangle * mark.triangle * mark.triangle;
        let opacity = self.marks.iter().map(opacity).fold(0.0, f32::max);
        if opacity > 0.0 {
            self.points.draw_points(&seen, &lights, opacity, canvas);
        }
        if self.marks.iter().any(|mark| mark.triangle > 0.0) {
            triangles::draw(&seen, &self.marks, canvas);
        }
    }
}

/// Draws the edges of a turned world: if `hidden`, those behind its faces, else the others.
fn draw_box(view: &View, camera: &Camera, hidden: bool, canvas: &mut Canvas<'_>) {
    let corners = view.projection.corners([[0.0; 3], view.projection.size()]);
    let z = |corner: &usize| corners[*corner][2];
    let farthest = (0..8).min_by(|a, b| z(a).total_cmp(&z(b))).unwrap_or(0);
    let frame = Tint::new(FRAME).faint(if hidden { HIDDEN } else { 1.0 });
    for ends in (0..3).flat_map(edges_along) {
        if ends.contains(&farthest) == hidden {
            let ends = ends.map(|corner| camera.to_screen(flat(corners[corner])));
            canvas.line(ends, 1.0, frame);
        }
    }
}

/// Draws the grid's cell borders, which lie on the bottom of a turned world. Omits lines that would
/// be less than [`MIN_CELL`] pixels apart.
fn draw_grid(cells: Cells, projection: Projection, camera: &Camera, canvas: &mut Canvas<'_>) {
    let Cells { low, size, columns, rows, .. } = cells;
    let mut canvas = Canvas::new(canvas.width, canvas.pixels);
    let corner = |column: u32, row: u32| {
        let at = [low[0] + column as f32 * size[0], low[1] + row as f32 * size[1]];
        let at = flat(projection.place([at[0], at[1], 0.0]));
        camera.to_screen(at).map(|at| at.floor() + 0.5)
    };
    if size[1] * camera.zoom >= MIN_CELL {
        for row in 0..=rows {
            canvas.line([corner(0, row), corner(columns, row)], 1.0, GRID);
        }
    }
    if size[0] * camera.zoom >= MIN_CELL {
        for column in 0..=columns {
            canvas.line([corner(column, 0), corner(column, rows)], 1.0, GRID);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::projection::Angle;
    use crate::picture::view::{ColorBy, Look};
    use crate::raster::{BACKGROUND, Pixel, heading, unweighted};
    use flockwork::{Obstacle, Scene, Simulation, Species, Wall, World};

    fn with_scenery(obstacle: Obstacle, points: Vec<[f32; 2]>) -> Scene {
        let walls = vec![Wall::new(points)].into();
        Scene { obstacles: vec![obstacle].into(), walls, ..Scene::default() }
    }

    fn picture(simulation: &Simulation, camera: &Camera) -> Vec<Pixel> {
        let (width, height) = (camera.size[0] as usize, camera.size[1] as usize);
        let mut pixels = vec![[0; 4]; width * height];
        let view = View::of(simulation, ColorBy::Heading);
        Painter::default().paint(&view, camera, &mut Canvas::new(width, &mut pixels));
        pixels
    }

    fn crowd(agents: usize) -> Simulation {
        let kind = Species { radius: 0.5.into(), ..Species::new("dot", agents) };
        Scene::new(World::bounded(200.0, 100.0)).species(kind).build().unwrap()
    }

    #[test]
    fn points_light_only_the_pixels_around_them() {
        for y in [75.0, 74.5, 73.0, 72.2, 71.0, 70.0, 69.5, 68.0, 67.0, 66.0, 65.0, 64.0, 63.0] {
            // Enough agents that none is drawn as a triangle.
            let mut dots = crowd(0);
            for _ in 0..1_000 {
                dots.spawn("dot", [150.0, y], [1.0, 0.0]).unwrap();
            }
            let camera = Camera::new([100.0, 50.0], 1.0, [220.0, 120.0]);
            let pixels = picture(&dots, &camera);
            let [x, y] = camera.to_screen([150.0, y]).map(|value| value as usize);
            let background = |pixel: &Pixel| *pixel == BACKGROUND || pixel[..3] == FRAME;
            assert!(!background(&pixels[y * 220 + x]));
            for (at, pixel) in pixels.iter().enumerate() {
                let near = (at % 220).abs_diff(x) <= 1 && (at / 220).abs_diff(y) <= 1;
                assert!(near || background(pixel), "at {at}");
            }
        }
    }

    #[test]
    fn the_whole_partition_is_drawn() {
        let empty = crowd(0);
        let camera = Camera::new([100.0, 50.0], 1.0, [200.0, 100.0]);
        let mut view = View::of(&empty, ColorBy::Heading);
        let cells =
            Cells { low: [0.0; 2], size: [40.0, 20.0], columns: 5, rows: 5, serpentine: false };
        let mut lit = |cells: Vec<Cells>| {
            view.cells = cells;
            let mut pixels = vec![[0; 4]; 200 * 100];
            Painter::default().paint(&view, &camera, &mut Canvas::new(200, &mut pixels));
            move |x: usize, y: usize| pixels[(99 - y) * 200 + x] != BACKGROUND
        };
        let (with, without) = (lit(vec![cells]), lit(Vec::new()));
        for [x, y] in [[40, 50], [80, 10], [120, 90], [160, 33], [100, 79], [20, 39]] {
            assert!(with(x, y) && !without(x, y), "a border at {x}, {y}");
        }
        assert!(!with(60, 50), "nothing inside a cell");
    }

    #[test]
    fn a_crowded_spot_is_brighter_and_shows_the_mean_heading() {
        let camera = Camera::new([100.0, 50.0], 1.0, [220.0, 120.0]);
        let middle = |headings: &[[f32; 2]]| {
            let mut few = crowd(0);
            for _ in 0..1_000 {
                few.spawn("dot", [20.0, 20.0], [1.0, 0.0]).unwrap();
            }
            for heading in headings {
                few.spawn("dot", [100.5, 50.5], *heading).unwrap();
            }
            picture(&few, &camera)[59 * 220 + 110]
        };
        let brightness = |pixel: Pixel| pixel[..3].iter().map(|&c| u32::from(c)).sum::<u32>();
        let (one, many) = (middle(&[[1.0, 0.0]]), middle(&[[1.0, 0.0]; 9]));
        assert!(brightness(many) > brightness(one));
        let mixed = middle(&[[1.0, 0.0], [-1.0, 0.0]]);
        assert!(mixed[0].abs_diff(mixed[1]) < 8, "opposite headings give gray: {mixed:?}");
    }

    #[test]
    fn a_large_agent_is_a_triangle_that_points_along_its_heading() {
        let mut one = crowd(0);
        one.spawn("dot", [100.0, 50.0], [1.0, 0.0]).unwrap();
        let camera = Camera::new([100.0, 50.0], 20.0, [100.0, 100.0]);
        let pixels = picture(&one, &camera);
        let lit = |x: usize, y: usize| pixels[y * 100 + x] != BACKGROUND;
        assert!(lit(50, 50) && lit(64, 50), "center and tip");
        assert!(!lit(36, 50) && !lit(50, 30) && !lit(50, 70), "behind and beside");
    }

    #[test]
    fn a_small_agent_with_room_around_it_is_a_triangle_too() {
        let mut one = crowd(0);
        one.spawn("dot", [100.0, 50.0], [1.0, 0.0]).unwrap();
        let camera = Camera::new([100.0, 50.0], 1.0, [40.0, 40.0]);
        let pixels = picture(&one, &camera);
        let lit = |x: usize| pixels[20 * 40 + x] != BACKGROUND;
        assert!(lit(27) && !lit(12), "its tip, and behind it");
    }

    #[test]
    fn large_agents_are_triangles_among_small_ones_that_are_points() {
        let kind = |name, radius: f32| Species { radius: radius.into(), ..Species::new(name, 0) };
        let scene = Scene::new(World::bounded(200.0, 100.0));
        let mut crowd =
            scene.species(kind("fish", 0.5)).species(kind("shark", 10.0)).build().unwrap();
        for k in 0..1_000 {
            let place = if k % 2 == 0 { [150.5, 50.5] } else { [100.5, 50.5] };
            crowd.spawn("fish", place, [-1.0, 0.0]).unwrap();
        }
        let fish = picture(&crowd, &Camera::new([100.0, 50.0], 1.0, [200.0, 100.0]));
        crowd.spawn("shark", [100.5, 50.5], [1.0, 0.0]).unwrap();
        let camera = Camera::new([100.0, 50.0], 1.0, [200.0, 100.0]);
        let both = picture(&crowd, &camera);
        let at = |pixels: &[Pixel], x: usize| pixels[49 * 200 + x];
        let shark = unweighted(heading(1.0, 0.0)).map(|channel| channel as u8);
        for x in [95, 100, 105] {
            let difference = (0..3).map(|k| at(&both, x)[k].abs_diff(shark[k])).max();
            assert!(difference <= Some(1), "the shark hides the fish: {:?}", at(&both, x));
        }
        assert!(at(&fish, 150) != BACKGROUND && at(&fish, 152) == BACKGROUND, "a point");
        for x in 130..200 {
            assert_eq!(at(&both, x), at(&fish, x), "the other fish are unchanged");
        }
    }

    #[test]
    fn culling_does_not_change_the_picture() {
        let mut crowd = Scene::named("stress").unwrap().agents(4_000).build().unwrap();
        crowd.run(3).unwrap();
        let [width, height] = crowd.world_size();
        for color_by in [ColorBy::Heading, ColorBy::Speed] {
            let mut painter = Painter::default();
            for (center, zoom) in
                [([width / 2.0, height / 3.0], 0.6), ([0.0, height], 0.6), ([9.0, 7.0], 2.0)]
            {
                let camera = Camera::new(center, zoom, [200.0, 150.0]);
                let mut view = View::of(&crowd, color_by);
                let mut draw = |view: &View| {
                    let mut pixels = vec![[0; 4]; 200 * 150];
                    painter.paint(view, &camera, &mut Canvas::new(200, &mut pixels));
                    pixels
                };
                let some = draw(&view);
                let cameras = view.cameras(&camera);
                let shown = VisibleCrowd::new(&view, &camera, &cameras, 4.0).chunks.len();
                assert!(shown < cameras.len() * view.chunks.len(), "{shown}");
                for chunk in &mut view.chunks {
                    (chunk.low, chunk.high) = ([-1.0e9; 2], [1.0e9; 2]);
                }
                assert!(draw(&view) == some, "{color_by:?} {center:?}");
            }
        }
    }

    #[test]
    fn worlds_of_any_size_with_zero_or_one_agent_are_drawn() {
        for side in [1.0e-3, 1.0, 1.0e7] {
            for agents in [0, 1] {
                let kind = Species {
                    radius: (side / 20.0_f32).min(10.0).into(),
                    ..Species::new("dot", 0)
                };
                let world = World::bounded(side, side);
                let mut crowd = Scene::new(world).species(kind).build().unwrap();
                for _ in 0..agents {
                    crowd.spawn("dot", [side / 2.0; 2], [1.0, 0.0]).unwrap();
                }
                for (width, height) in [(1, 1), (17, 16), (64, 48)] {
                    let camera = Camera::fit([side; 2], 0.98, (width, height));
                    let pixels = picture(&crowd, &camera);
                    let middle = pixels[(height / 2 * width + width / 2) as usize];
                    let shown = middle != BACKGROUND && middle[..3] != FRAME;
                    assert!(shown == (agents == 1) || width == 1, "{agents} in {side}");
                }
            }
        }
    }

    #[test]
    fn agents_at_non_finite_positions_are_not_drawn() {
        let crowd = crowd(100);
        let camera = Camera::fit([200.0, 100.0], 0.98, (64, 48));
        let draw = |view: &View| {
            let mut pixels = vec![[0; 4]; 64 * 48];
            let mut painter = Painter::default();
            painter.paint(view, &camera, &mut Canvas::new(64, &mut pixels));
            pixels
        };
        let empty = draw(&View::of(
            &Scene::new(World::bounded(200.0, 100.0)).build().unwrap(),
            ColorBy::Heading,
        ));
        for (x, y) in [(f32::NAN, 50.0), (100.0, f32::NAN), (f32::INFINITY, 50.0)] {
            for zoom in [1.0, 20.0] {
                let mut view = View::of(&crowd, ColorBy::Speed);
                view.x.fill(x);
                view.y.fill(y);
                view.radii.fill(zoom);
                assert!(draw(&view) == empty, "{x} {y}");
            }
        }
    }

    #[test]
    fn each_coloring_works_for_points_and_triangles() {
        let kind = |name, speed: f32| Species {
            max_speed: speed.into(),
            radius: 0.5.into(),
            ..Species::new(name, 0)
        };
        let scene = Scene::new(World::bounded(200.0, 100.0));
        let mut crowd =
            scene.species(kind("one", 10.0)).species(kind("two", 50.0)).build().unwrap();
        // Two agents of one species, far apart and heading in opposite directions, one agent of
        // the other species, and a cluster that makes the first species too large for a role.
        let [east, west] = [[1.0, 0.0], [-1.0, 0.0]];
        let shown = [[40.5, 80.5], [160.5, 80.5], [100.5, 80.5]];
        crowd.spawn("one", shown[0], east).unwrap();
        crowd.spawn("one", shown[1], west).unwrap();
        crowd.spawn("two", shown[2], east).unwrap();
        for k in 0..300 {
            crowd.spawn("one", [20.5 + k as f32 / 1_000.0, 20.5], east).unwrap();
        }
        let colors = |color_by, zoom: f32| {
            let view = View::of(&crowd, color_by);
            let mut painter = Painter::default();
            shown.map(|center| {
                let mut pixels = vec![[0; 4]; 15 * 15];
                let camera = Camera::new(center, zoom, [15.0, 15.0]);
                painter.paint(&view, &camera, &mut Canvas::new(15, &mut pixels));
                pixels[7 * 15 + 7]
            })
        };
        for zoom in [1.0, 10.0] {
            let [east, west, other] = colors(ColorBy::Heading, zoom);
            assert!(east == other && east != west, "whatever the species");
            let [east, west, other] = colors(ColorBy::Species, zoom);
            assert!(east == west && east != other);
            let [east, west, other] = colors(ColorBy::Speed, zoom);
            assert!(east == west && east == other, "each at its own species' max speed");
        }
    }

    fn seen_from(simulation: &Simulation, angle: Angle, camera: &Camera) -> Vec<Pixel> {
        let (width, height) = (camera.size[0] as usize, camera.size[1] as usize);
        let mut pixels = vec![[0; 4]; width * height];
        let mut view = View::default();
        view.update(simulation, Look { angle, ..Look::default() });
        Painter::default().paint(&view, camera, &mut Canvas::new(width, &mut pixels));
        pixels
    }

    fn deep(places: &[[f32; 3]], radius: f32) -> Simulation {
        let kind = Species { radius: radius.into(), ..Species::new("dot", 0) };
        let scene = Scene::new(World::bounded(200.0, 100.0).depth(80.0)).species(kind);
        let mut crowd = scene.build().unwrap();
        for place in places {
            crowd.spawn("dot", *place, [1.0, 0.0, 0.0]).unwrap();
        }
        crowd
    }

    #[test]
    fn straight_down_a_world_with_depth_is_drawn_as_a_flat_one() {
        let places: Vec<[f32; 3]> = (0..=255_u8)
            .map(|k| [f32::from(k) * 0.7 + 3.0, f32::from(k) * 0.3 + 5.0, 40.0])
            .collect();
        for count in [3, 256] {
            let high = deep(&places[..count], 1.0);
            let kind = Species { radius: 1.0.into(), ..Species::new("dot", 0) };
            let scene = Scene::new(World::bounded(200.0, 100.0)).species(kind);
            let mut flat = scene.build().unwrap();
            for [x, y, _] in &places[..count] {
                flat.spawn("dot", [*x, *y], [1.0, 0.0]).unwrap();
            }
            let camera = Camera::fit([200.0, 100.0], 0.98, (320, 200));
            assert!(seen_from(&high, Angle::STRAIGHT_DOWN, &camera) == picture(&flat, &camera));
            assert!(seen_from(&high, Angle::default(), &camera) != picture(&flat, &camera));
        }
    }

    #[test]
    fn nearer_agents_are_larger_and_brighter_and_cover_those_behind() {
        let camera = Camera::new([100.0, 50.0], 4.0, [200.0, 160.0]);
        let south = Angle { yaw: 0.0, pitch: 0.0 };
        let lit = |places: &[[f32; 3]]| seen_from(&deep(places, 2.0), south, &camera);
        let bright = |pixels: &[Pixel]| {
            let agents = pixels.iter().filter(|pixel| pixel[0] > 90 && pixel[0] > pixel[2]);
            (agents.clone().count(), agents.map(|pixel| u32::from(pixel[0])).max().unwrap_or(0))
        };
        let (near, far) = ([100.0, 10.0, 40.0], [100.0, 90.0, 40.0]);
        let (large, small) = (bright(&lit(&[near])), bright(&lit(&[far])));
        assert!(large.0 > small.0 && large.1 > small.1 + 20, "{large:?} {small:?}");
        // In any order of slots, the near agent's center is drawn last.
        let center = 80 * 200 + 100;
        for both in [[near, far], [far, near]] {
            assert_eq!(lit(&both)[center], lit(&[near])[center]);
        }
    }

    #[test]
    fn rocks_cover_the_agents_behind_them_only() {
        let camera = Camera::new([100.0, 50.0], 4.0, [200.0, 160.0]);
        let south = Angle { yaw: 0.0, pitch: 0.0 };
        let center = |y: Option<f32>| {
            let places: Vec<[f32; 3]> = y.map(|y| [100.0, y, 40.0]).into_iter().collect();
            let mut crowd = deep(&places, 2.0);
            let rock = Obstacle::new([100.0, 50.0, 40.0], 10.0);
            crowd.edit(|scene| scene.obstacles = vec![rock].into()).unwrap();
            seen_from(&crowd, south, &camera)[80 * 200 + 100]
        };
        let rock = center(None);
        assert_ne!(rock, BACKGROUND);
        assert_eq!(center(Some(80.0)), rock, "behind the rock");
        assert_ne!(center(Some(20.0)), rock, "before it");
    }

    #[test]
    fn the_frame_of_a_turned_world_has_twelve_edges() {
        let empty = deep(&[], 1.0);
        let angle = Angle { yaw: 30.0, pitch: 30.0 };
        let camera = Camera::new([100.0, 50.0], 1.5, [400.0, 300.0]);
        let pixels = seen_from(&empty, angle, &camera);
        let projection = Projection::of(&empty, angle);
        let corners = projection.corners([[0.0; 3], [200.0, 100.0, 80.0]]);
        for [from, to] in (0..3).flat_map(edges_along) {
            let middle = [0, 1].map(|k| f32::midpoint(corners[from][k], corners[to][k]));
            let [x, y] = camera.to_screen(middle).map(|along| along as usize);
            let near = |(x, y): (usize, usize)| pixels[y * 400 + x] != BACKGROUND;
            let around = (y - 1..y + 2).flat_map(|y| (x - 1..x + 2).map(move |x| (x, y)));
            assert!(around.into_iter().any(near), "{from} {to}");
        }
    }

    #[test]
    fn the_picture_does_not_depend_on_threads() {
        let mut many = crowd(50_000);
        let points = vec![[10.0, 10.0], [190.0, 80.0]];
        let obstacle = Obstacle::new([100.0, 50.0], 30.0);
        many.set_scenery(&with_scenery(obstacle, points)).unwrap();
        many.step().unwrap();
        for zoom in [1.6, 4.5] {
            let camera = Camera::new([100.0, 50.0], zoom, [320.0, 200.0]);
            let pool =
                |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let [one, three] =
                [1, 3].map(|threads| pool(threads).install(|| picture(&many, &camera)));
            assert!(one == three);
        }
    }

    #[test]
    fn triangles_and_points_draw_at_every_zoom_and_position() {
        let mut many = crowd(500);
        let obstacle = Obstacle::new([1.0e6, -1.0e6], 1.0e6);
        let points = vec![[-1.0e6, 1.0e6], [1.0e6, -1.0e6]];
        many.set_scenery(&with_scenery(obstacle, points)).unwrap();
        let mut camera = Camera::fit([200.0, 100.0], 0.98, (64, 48));
        for factor in [1.0, 8.0, 50.0, 1.0e6, 1.0e-9] {
            camera.zoom_at([3.0, 5.0], factor);
            assert_eq!(picture(&many, &camera).len(), 64 * 48);
        }
        camera.center = [f32::NAN, 1.0e30];
        picture(&many, &camera);
    }
}
