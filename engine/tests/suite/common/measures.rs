use flockwork::{Number, Simulation};

use crate::common::agents::{flat, ids};

pub(crate) fn distance([ax, ay]: [f32; 2], [bx, by]: [f32; 2]) -> f32 {
    (ax - bx).hypot(ay - by)
}

/// Distance from a point to a line segment.
pub(crate) fn distance_to_line(point: [f32; 2], [from, to]: [[f32; 2]; 2]) -> f32 {
    let offset = [to[0] - from[0], to[1] - from[1]];
    let off = [point[0] - from[0], point[1] - from[1]];
    let length_sq = offset[0] * offset[0] + offset[1] * offset[1];
    let along = ((off[0] * offset[0] + off[1] * offset[1]) / length_sq).clamp(0.0, 1.0);
    distance(off, [offset[0] * along, offset[1] * along])
}

/// Width, height and depth; a flat world's depth is 0.
pub(crate) fn sides(simulation: &Simulation) -> [f32; 3] {
    let [width, height] = simulation.world_size();
    [width, height, simulation.world().depth.unwrap_or_default()]
}

pub(crate) fn mean_distance_to_nearest(simulation: &Simulation) -> f32 {
    let positions: Vec<[f32; 2]> =
        ids(simulation).iter().map(|&id| flat(simulation.agent(id).unwrap().position)).collect();
    let size = simulation.world_size();
    let distance = |a: [f32; 2], b: [f32; 2]| {
        let offset = [0, 1].map(|axis| {
            let offset = (a[axis] - b[axis]).abs();
            offset.min(size[axis] - offset)
        });
        offset[0].hypot(offset[1])
    };
    let nearest = |k: usize| {
        let others = positions.iter().enumerate().filter(|(other, _)| *other != k);
        others.map(|(_, &other)| distance(positions[k], other)).fold(f32::MAX, f32::min)
    };
    (0..positions.len()).map(nearest).sum::<f32>() / positions.len() as f32
}

pub(crate) fn velocities(simulation: &Simulation) -> Vec<[f32; 2]> {
    simulation.agents().velocities().map(flat).collect()
}

/// Asserts that the next step keeps every force within the agent's maximum, except for rounding and
/// for `untruncated`, a bound on forces whose squares underflow.
pub(crate) fn assert_forces_within_maximum(simulation: &Simulation, untruncated: f64, what: &str) {
    for (slot, [x, y, _]) in simulation.forces().into_iter().enumerate() {
        let most =
            f64::from(simulation.get(Number::MaxForce, simulation.agents().id(slot)).unwrap());
        let force = f64::from(x).hypot(f64::from(y));
        assert!(force <= most * (1.0 + 1.0e-5) + untruncated, "{what}: {force} of {most}");
    }
}

/// Asserts that every tenth of the range 0 to 1 contains its share of the numbers, within five
/// standard deviations.
pub(crate) fn assert_even(what: &str, numbers: &[f32]) {
    let mut tenths = [0.0_f32; 10];
    for &number in numbers {
        assert!((0.0..=1.0).contains(&number), "{what}: {number}");
        tenths[((number * 10.0) as usize).min(9)] += 1.0;
    }
    let share = numbers.len() as f32 / 10.0;
    let allowed = 5.0 * (share * 0.9).sqrt();
    assert!(tenths.iter().all(|tenth| (tenth - share).abs() < allowed), "{what}: {tenths:?}");
}
