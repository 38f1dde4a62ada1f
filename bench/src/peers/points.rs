//! The points: at the usual density, and such that no rounding decides who is a neighbor.

use flockwork::Simulation;

/// Coordinates are multiples of a quarter, so squared distances are exact multiples of a
/// sixteenth, and the square of this, 2500.03, is halfway between two of these.
pub(super) const RADIUS: f32 = 50.0003;
const STEPS_PER_UNIT: f32 = 4.0;

pub struct Points {
    pub at: Vec<[f32; 2]>,
    /// They lie in a square of this side.
    pub side: f32,
}

impl Points {
    /// Where the agents of workload W are, in the order of their cells.
    pub fn of(crowd: &Simulation) -> Self {
        let state = crowd.agents();
        let rounded = |value: f32| (value * STEPS_PER_UNIT).floor() / STEPS_PER_UNIT;
        let at = state.x.iter().zip(state.y).map(|(&x, &y)| [rounded(x), rounded(y)]);
        Self { at: at.collect(), side: crowd.world_size()[0] }
    }
}

/// What a neighbor that way adds to a sum.
pub(super) fn push(from: [f32; 2], to: [f32; 2]) -> [f32; 2] {
    let way = [from[0] - to[0], from[1] - to[1]];
    let distance_sq = way[0] * way[0] + way[1] * way[1];
    // The point itself, or another in the same place, pushes nowhere.
    let inverse = if distance_sq > 0.0 { 1.0 / distance_sq } else { 0.0 };
    way.map(|part| part * inverse)
}

pub(super) fn distance_sq(a: [f32; 2], b: [f32; 2]) -> f32 {
    let (x, y) = (a[0] - b[0], a[1] - b[1]);
    x * x + y * y
}

/// The sum at a point by testing all pairs, and the sum of its parts' sizes.
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
