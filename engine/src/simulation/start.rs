use crate::math::angle::sin_cos;
use crate::math::lanes::fused::mul_add;
use crate::math::random::{AgentRng, Purpose};
use crate::math::vec2::Vec2;
use crate::scene::Scene;
use crate::scene::start::{Start, StartPlace};
use crate::world::space::Space;

/// Maximum rejection-sampling attempts. Each succeeds with a probability of at least 1/2.
const MAX_ATTEMPTS: usize = 64;

pub(crate) const MAX_DRAWS: usize = 1_000;

pub(crate) fn drawn(
    scene: &Scene,
    space: &Space,
    number: usize,
    index: u32,
    is_free: impl Fn([f32; 2]) -> bool,
) -> Option<([f32; 2], Vec2<f32>)> {
    let (start, seed) = (&scene.species[number].start, scene.seed_of_start());
    let mut draws = AgentRng::new(seed, index, Purpose::Place);
    let mut places = (0..MAX_DRAWS).map(|_| position(start, &mut draws, seed, space));
    let place = places.find(|&at| is_free(at))?;
    let heading = match start.heading {
        Some(degrees) => {
            let (sin, cos) = sin_cos(degrees.to_radians());
            Vec2::new(cos, sin)
        }
        None => draws.direction(),
    };
    Some((place, heading))
}

fn position(start: &Start, draws: &mut AgentRng, seed: u64, space: &Space) -> [f32; 2] {
    let position = match start.place {
        StartPlace::Anywhere => {
            return [draws.unit() * space.size.x, draws.unit() * space.size.y];
        }
        StartPlace::Circle { center, radius } => in_circle(draws, center, radius, space),
        StartPlace::Box { low, high } => {
            let (low, high) = match space.bounds() {
                Some([least, most]) => {
                    let low: [f32; 2] = std::array::from_fn(|axis| low[axis].max(least[axis]));
                    (low, std::array::from_fn(|axis| high[axis].min(most[axis])))
                }
                None => (low, high),
            };
            let between = |unit: f32, axis: usize| mul_add(unit, high[axis] - low[axis], low[axis]);
            Vec2::new(between(draws.unit(), 0), between(draws.unit(), 1))
        }
        StartPlace::Clusters { count, radius } => {
            let cluster = (draws.unit() * count as f32) as u32;
            let mut of_cluster = AgentRng::new(seed, cluster, Purpose::Clusters);
            let center = [of_cluster.unit() * space.size.x, of_cluster.unit() * space.size.y];
            in_circle(draws, center, radius, space)
        }
    };
    // Rounding may move a point across the edge of the world.
    space.wrap_any(space.clamped(position)).into()
}

/// Draws a point uniformly from the intersection of a circle and the world,
/// by rejection sampling from the bounding rectangle of the intersection.
/// The intersection is convex, so it covers at least half of the rectangle.
fn in_circle(draws: &mut AgentRng, center: [f32; 2], radius: f32, space: &Space) -> Vec2<f32> {
    let (middle, reach) = (center.map(f64::from), f64::from(radius));
    let bounds = space.bounds().map(|corners| corners.map(|corner| corner.map(f64::from)));
    let leads_out = |[low, high]: &[[f64; 2]; 2]| {
        (0..2).any(|axis| middle[axis] - reach < low[axis] || middle[axis] + reach > high[axis])
    };
    let Some([low, high]) = bounds.filter(leads_out) else {
        return draws.in_circle(center.into(), radius);
    };
    let nearest: [f64; 2] = std::array::from_fn(|axis| middle[axis].clamp(low[axis], high[axis]));
    let sides: [[f64; 2]; 2] = std::array::from_fn(|axis| {
        let away = middle[1 - axis] - nearest[1 - axis];
        let half = (reach * reach - away * away).max(0.0).sqrt();
        [(middle[axis] - half).max(low[axis]), (middle[axis] + half).min(high[axis])]
    });
    for _ in 0..MAX_ATTEMPTS {
        let point = sides.map(|[from, to]| from + f64::from(draws.unit()) * (to - from));
        let [x, y]: [f64; 2] = std::array::from_fn(|axis| point[axis] - middle[axis]);
        if x * x + y * y <= reach * reach {
            return Vec2::new(point[0] as f32, point[1] as f32);
        }
    }
    Vec2::new(nearest[0] as f32, nearest[1] as f32)
}
