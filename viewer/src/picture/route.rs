//! Draws a route over the crowd: contours of the distance to its goal, and arrows that point in the
//! direction of decreasing distance.

use flockwork::{Error, Simulation};
use rayon::prelude::*;

use super::camera::{Camera, round_length};
use crate::raster::{Canvas, Tint};

/// Nearly white, because agents use all other colors. The dark edge sets lines off from a dense
/// crowd.
pub(super) const ROUTE: Tint = Tint { opacity: 0.7, ..Tint::new([250, 246, 214]) };
const EDGE: Tint = Tint { opacity: 0.6, ..Tint::new([11, 13, 18]) };
/// Total width of the edges on both sides of a line, in pixels.
const EDGE_WIDTH: f32 = 3.0;

/// Number of squares along the world's longer side. Distances are read at their corners.
const SQUARES: f32 = 320.0;
/// Approximate number of contours.
const CONTOURS: f32 = 16.0;
/// No distance changes by more than this per unit of length, except across a wall.
const MAX_SLOPE: f32 = 1.3;
/// Spacing of arrows and length of each arrow, in pixels.
const ARROW_SPACING: f32 = 40.0;
const ARROW_LENGTH: f32 = 16.0;

pub(crate) struct DrawnRoute {
    /// Distances to the goal, row by row; infinite where no way leads to the goal.
    distances: Vec<f32>,
    columns: usize,
    rows: usize,
    square: [f32; 2],
    /// Difference in distance between adjacent contours.
    interval: f32,
}

impl DrawnRoute {
    pub(super) fn of(simulation: &Simulation, name: &str) -> Result<Self, Error> {
        let world = simulation.world_size();
        let longest = world[0].max(world[1]);
        let squares = world.map(|side| (SQUARES * side / longest).ceil());
        let square = [world[0] / squares[0], world[1] / squares[1]];
        let [columns, rows] = squares.map(|count| count as usize + 1);
        let at = |k: usize| [(k % columns) as f32 * square[0], (k / columns) as f32 * square[1]];
        let corners = (0..columns * rows).into_par_iter();
        let distances = corners.map(|k| simulation.route_distance(name, at(k)));
        let distances: Vec<f32> = distances.collect::<Result<_, _>>()?;
        let known = distances.iter().copied().filter(|distance| distance.is_finite());
        let interval = round_length(known.fold(0.0, f32::max) / CONTOURS);
        Ok(Self { distances, columns, rows, square, interval })
    }

    pub(super) fn draw(&self, cameras: &[Camera], canvas: &mut Canvas<'_>) {
        canvas.bands(|canvas| {
            for camera in cameras {
                for (edge, tint) in [(EDGE_WIDTH, EDGE), (0.0, ROUTE)] {
                    self.draw_contours(1.0 + edge, tint, camera, canvas);
                    self.draw_arrows(1.5 + edge, tint, camera, canvas);
                }
            }
        });
    }

    fn draw_contours(&self, thickness: f32, tint: Tint, camera: &Camera, canvas: &mut Canvas<'_>) {
        let half_width = 0.5 * thickness * canvas.scale + 0.5;
        let world =
            [self.square[0] * (self.columns - 1) as f32, self.square[1] * (self.rows - 1) as f32];
        let corners = [camera.to_screen([0.0, world[1]]), camera.to_screen([world[0], 0.0])];
        canvas.shade(corners, tint, |pixel| {
            let distance = self.distance(camera.to_world(pixel))?;
            let contour = (distance / self.interval).round() * self.interval;
            // Route distance changes by about one unit per world unit, so the difference is roughly
            // how far away the contour is.
            let away = (distance - contour).abs() * camera.zoom;
            (distance > 0.0).then_some(half_width - away)
        });
    }

    /// Interpolates between the corners of a square. Returns `None` if a wall separates the corners
    /// or no way leads from one of them to the goal.
    fn distance(&self, at: [f32; 2]) -> Option<f32> {
        let [x, y] = [at[0] / self.square[0], at[1] / self.square[1]];
        let (column, row) = (x as usize, y as usize);
        if x < 0.0 || y < 0.0 || column + 1 >= self.columns || row + 1 >= self.rows {
            return None;
        }
        let below = row * self.columns + column;
        let corners = [below, below + 1, below + self.columns, below + self.columns + 1];
        let [a, b, c, d] = corners.map(|corner| self.distances[corner]);
        let spread = a.max(b).max(c).max(d) - a.min(b).min(c).min(d);
        let most = MAX_SLOPE * (self.square[0] + self.square[1]);
        let (right, up) = (x - column as f32, y - row as f32);
        let [bottom, top] = [a + (b - a) * right, c + (d - c) * right];
        (spread <= most).then_some(bottom + (top - bottom) * up)
    }

    fn draw_arrows(&self, thickness: f32, tint: Tint, camera: &Camera, canvas: &mut Canvas<'_>) {
        let half = 0.5 * ARROW_LENGTH * canvas.scale;
        let spacing = ARROW_SPACING * canvas.scale / camera.zoom;
        let stride = self.square.map(|side| ((spacing / side).ceil()).max(1.0) as usize);
        let rows = canvas.rows();
        for row in (stride[1] / 2..self.rows).step_by(stride[1]) {
            for column in (stride[0] / 2..self.columns).step_by(stride[0]) {
                let at = [column as f32 * self.square[0], row as f32 * self.square[1]];
                let [x, y] = camera.to_screen(at);
                // False for NaN.
                if !(y + half >= rows.start as f32 && y - half <= rows.end as f32) {
                    continue;
                }
                if let Some([along, up]) = self.downhill(column, row) {
                    let (dx, dy) = (half * along, -half * up);
                    canvas.arrow([[x - dx, y - dy], [x + dx, y + dy]], thickness, tint);
                }
            }
        }
    }

    /// Returns a unit vector in the direction of decreasing distance. Returns `None` at the goal
    /// and where no way leads to it.
    fn downhill(&self, column: usize, row: usize) -> Option<[f32; 2]> {
        let at = |column: usize, row: usize| {
            let inside = column < self.columns && row < self.rows;
            if inside { self.distances[row * self.columns + column] } else { f32::INFINITY }
        };
        let here = at(column, row);
        let fall = |there: f32, side: f32| {
            let slope = (here - there) / side;
            if slope > 0.0 && slope <= MAX_SLOPE { slope } else { 0.0 }
        };
        let along = |before: f32, after: f32, side: f32| {
            let (back, ahead) = (fall(before, side), fall(after, side));
            if ahead >= back { ahead } else { -back }
        };
        let x = along(at(column.wrapping_sub(1), row), at(column + 1, row), self.square[0]);
        let y = along(at(column, row.wrapping_sub(1)), at(column, row + 1), self.square[1]);
        let length = (x * x + y * y).sqrt();
        (length > 0.0).then(|| [x / length, y / length])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::BACKGROUND;
    use flockwork::behaviors::FlowFollowing;
    use flockwork::{Route, Scene, Species, Wall, World};

    fn around_a_wall() -> (Simulation, DrawnRoute) {
        let follow = FlowFollowing { route: Some("out".into()), ..FlowFollowing::default() };
        let simulation = Scene::new(World::bounded(100.0, 100.0))
            .wall(Wall::new([[50.0, 0.0], [50.0, 70.0]]).two_sided())
            .route(Route::new("out", [85.0, 15.0]))
            .species(Species::new("person", 1).radius(2.0).behavior(follow))
            .build()
            .unwrap();
        let route = DrawnRoute::of(&simulation, "out").unwrap();
        (simulation, route)
    }

    #[test]
    fn arrows_lead_around_the_wall_to_the_goal() {
        let (simulation, route) = around_a_wall();
        for start in [[10.0, 10.0], [40.0, 30.0], [20.0, 90.0], [90.0, 90.0]] {
            let length = simulation.route_distance("out", start).unwrap();
            let ([mut x, mut y], mut walked): ([f32; 2], f32) = (start, 0.0);
            while (x - 85.0).hypot(y - 15.0) > 2.0 {
                let [column, row] = [x / route.square[0], y / route.square[1]].map(f32::round);
                let arrow = route.downhill(column as usize, row as usize);
                let [along, up] = arrow.unwrap_or_else(|| panic!("no arrow at {x}, {y}"));
                (x, y, walked) = (x + 0.2 * along, y + 0.2 * up, walked + 0.2);
                assert!((x - 50.0).abs() > 1.0 || y > 70.0, "through the wall at {x}, {y}");
                assert!(walked < 1.1 * length, "{walked} from {start:?}");
            }
            assert!(walked > 0.9 * length - 2.0, "{walked} from {start:?}");
        }
    }

    #[test]
    fn contours_are_where_the_distance_is_a_multiple_of_the_interval() {
        let (simulation, route) = around_a_wall();
        let camera = Camera::new([50.0, 50.0], 2.0, [200.0, 200.0]);
        let mut pixels = vec![BACKGROUND; 200 * 200];
        route.draw_contours(1.0, ROUTE, &camera, &mut Canvas::new(200, &mut pixels));
        let mut lit = 0;
        for (k, pixel) in pixels.iter().enumerate() {
            let at = camera.to_world([(k % 200) as f32 + 0.5, (k / 200) as f32 + 0.5]);
            let distance = simulation.route_distance("out", at).unwrap();
            let contours = distance / route.interval;
            let away = (contours - contours.round()).abs() * route.interval * camera.zoom;
            let near_wall = (at[0] - 50.0).abs() < 3.0 && at[1] < 74.0;
            if *pixel != BACKGROUND {
                lit += 1;
                assert!(away < 1.5, "{at:?} is {away} pixels from a contour");
            } else if distance > 2.0 && !near_wall {
                assert!(away > 0.5, "no contour at {at:?}");
            }
        }
        assert!(lit > 1_000, "{lit}");
    }
}
