//! The points: at the usual density, and placed such that rounding decides no neighbor.

use flockwork::Simulation;

/// Coordinates are multiples of a quarter, so squared distances are exact multiples of a sixteenth.
/// The square of the radius, 2500.03, is halfway between two of these.
pub(super) const RADIUS: f32 = 50.0003;
const STEPS_PER_UNIT: f32 = 4.0;

pub struct Points {
    pub at: Vec<[f32; 2]>,
    /// The side of the square that contains them.
    pub side: f32,
}

impl Points {
    /// The positions of a crowd of workload W, in cell order.
    pub fn of(crowd: &Simulation) -> Self {
        let state = crowd.agents();
        let rounded = |value: f32| (value * STEPS_PER_UNIT).floor() / STEPS_PER_UNIT;
        let at = state.x.iter().zip(state.y).map(|(&x, &y)| [rounded(x), rounded(y)]);
        Self { at: at.collect(), side: crowd.world_size()[0] }
    }
}

/// What a neighbor at `to` adds to the sum at `from`.
pub(super) fn push(from: [f32; 2], to: [f32; 2]) -> [f32; 2] {
    let offset = [from[0] - to[0], from[1] - to[1]];
    let distance_sq = offset[0] * offset[0] + offset[1] * offset[1];
    // The point itself, and any coincident one, adds nothing.
    let inverse = if distance_sq > 0.0 { 1.0 / distance_sq } else { 0.0 };
    offset.map(|x| x * inverse)
}

pub(super) fn distance_sq(a: [f32; 2], b: [f32; 2]) -> f32 {
    let (x, y) = (a[0] - b[0], a[1] - b[1]);
    x * x + y * y
}

/// The sum at a point over all pairs, and the sum of the lengths of its terms.
pub(super) fn brute_sum(points: &Points, at: usize) -> ([f64; 2], f64) {
    let (mut sum, mut scale) = ([0.0; 2], 0.0);
    let here = points.at[at];
    for &there in &points.at {
        if distance_sq(here, there) < RADIUS * RADIUS {
            let [x, y] = push(here, there).map(f64::from);
            sum = [sum[0] + x, sum[1] + y];
            scale += x.hypot(y);
        }
    }
    (sum, scale)
}
