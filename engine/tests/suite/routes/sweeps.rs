//! Solves the routes' equations independently: sweeps over all cells until nothing changes.

use flockwork::Route;

use super::plans::Plan;
use super::visibility::to_segment;

const RADIUS: f64 = 5.0;
const CELL: f64 = 3.5;

struct Sweeps {
    columns: usize,
    rows: usize,
    cell: [f64; 2],
    distances: Vec<f64>,
}

impl Sweeps {
    fn new(plan: &Plan) -> Self {
        let [columns, rows] = plan.size.map(|side| (side / CELL).ceil());
        let cell = [plan.size[0] / columns, plan.size[1] / rows];
        let (columns, rows) = (columns as usize, rows as usize);
        let distances = vec![f64::INFINITY; columns * rows];
        let mut sweeps = Self { columns, rows, cell, distances };
        let near = 8.0 * cell[0].max(cell[1]);
        let is_free: Vec<bool> =
            (0..columns * rows).map(|k| plan.clearance(sweeps.center(k)) >= RADIUS).collect();
        let mut fixed = vec![false; columns * rows];
        for k in 0..columns * rows {
            let center = sweeps.center(k);
            let distance = to_segment(center, [plan.goal; 2]);
            if is_free[k] && distance <= near && plan.has_room([center, plan.goal], RADIUS) {
                (sweeps.distances[k], fixed[k]) = (distance, true);
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            let order = (0..columns * rows).chain((0..columns * rows).rev());
            for k in order.filter(|&k| is_free[k] && !fixed[k]) {
                let better = sweeps.updated(k);
                if better < sweeps.distances[k] - 1.0e-12 {
                    (sweeps.distances[k], changed) = (better, true);
                }
            }
        }
        sweeps
    }

    fn center(&self, k: usize) -> [f64; 2] {
        let at = [k % self.columns, k / self.columns];
        [0, 1].map(|axis| (at[axis] as f64 + 0.5) * self.cell[axis])
    }

    fn updated(&self, k: usize) -> f64 {
        let (column, row) = (k % self.columns, k / self.columns);
        let at =
            |is_inside: bool, k: usize| if is_inside { self.distances[k] } else { f64::INFINITY };
        let left = at(column > 0, k.wrapping_sub(1));
        let right = at(column + 1 < self.columns, (k + 1) % self.distances.len());
        let below = at(row > 0, k.wrapping_sub(self.columns));
        let above = at(row + 1 < self.rows, (k + self.columns) % self.distances.len());
        let (a, b, [width, height]) = (left.min(right), below.min(above), self.cell);
        let straight = (a + width).min(b + height);
        // Larger solution d of ((d - a) / width)² + ((d - b) / height)² = 1.
        let (p, q) = (width.powi(-2), height.powi(-2));
        let (half, last) = (p * a + q * b, p * a * a + q * b * b - 1.0);
        let root = half * half - (p + q) * last;
        let slanted = (half + root.max(0.0).sqrt()) / (p + q);
        if root > 0.0 && slanted >= a.max(b) { slanted } else { straight }
    }
}

#[test]
fn marched_distances_are_those_of_sweeps() {
    for shift in [0.0, 4.3, 9.1] {
        let plan = Plan {
            size: [210.0, 150.0 + shift],
            walls: vec![
                [[90.0, 0.0], [100.0 + shift, 60.0]],
                [[110.0, 150.0 + shift], [105.0, 110.0]],
                [[40.0 + shift, 60.0], [60.0, 90.0 + shift]],
            ],
            disks: vec![([160.0, 60.0 + shift], 21.0)],
            goal: [190.0, 30.0],
        };
        let expected = Sweeps::new(&plan);
        let goal = plan.goal.map(|along| along as f32);
        let route = Route::new("out", goal).radius(RADIUS as f32).cell(CELL as f32);
        let crowd = plan.scene().route(route).build().unwrap();
        let mut compared = 0;
        for (k, &expected_distance) in expected.distances.iter().enumerate() {
            if expected_distance < f64::INFINITY {
                let center = expected.center(k);
                let at = center.map(|along| along as f32);
                let distance = f64::from(crowd.route_distance("out", at).unwrap());
                assert!(
                    (distance - expected_distance).abs() < 1.0e-3,
                    "{distance}, {expected_distance} at {at:?}"
                );
                compared += 1;
            }
        }
        assert!(compared > 1_500, "{compared}");
    }
}
