//! Wall avoidance, as specified.

use std::f64::consts::FRAC_PI_4;

use crate::behaviors::feelers::Feelers;
use crate::behaviors::wall_avoidance::WallAvoidance;
use crate::math::vec2::Vec2;
use crate::oracle::agent::Oracle;
use crate::oracle::vector::{V, add, cross, dot, norm, perp, scale, sub};

pub(super) fn force(avoidance: &WallAvoidance, oracle: &mut Oracle<'_>) -> V {
    let long = f64::from(avoidance.feeler_length);
    let feelers: Vec<(f64, f64)> = match avoidance.feelers {
        Feelers::Three => vec![(0.0, long), (FRAC_PI_4, long / 2.0), (-FRAC_PI_4, long / 2.0)],
        Feelers::Sweeping => {
            let period = f64::from(avoidance.sweep_period);
            let turns = oracle.crowd.tick as f64 * f64::from(oracle.crowd.dt) / period;
            let swing = (turns.fract() - 0.5).abs() * 4.0 - 1.0;
            vec![(f64::from(avoidance.sweep_angle).to_radians() * swing, long)]
        }
    };
    let walls = &oracle.crowd.scenery.walls;
    let mut nearest: Option<(f64, V)> = None;
    for k in 0..walls.from.len() {
        let wide = |v: Vec2<f32>| [v.x, v.y].map(f64::from);
        let (from, to) = (wide(walls.from[k]), wide(walls.to[k]));
        let normal = norm(perp(sub(to, from)));
        let behind = dot(sub(oracle.position(), from), normal) < 0.0;
        if walls.behind[k] < 0.0 {
            let side = dot(sub(oracle.position(), from), normal);
            oracle.decides(side + long, long);
        }
        let outward = if behind { f64::from(walls.behind[k]) } else { 1.0 };
        for (angle, long) in &feelers {
            let (sin, cos) = angle.sin_cos();
            let heading = oracle.heading();
            let direction = add(scale(heading, cos), scale(perp(heading), sin));
            let feeler = scale(direction, *long);
            let wall = sub(to, from);
            let offset = sub(from, oracle.position());
            let scale_by = 1.0 / cross(feeler, wall);
            let (t, u) = (cross(offset, wall) * scale_by, cross(offset, feeler) * scale_by);
            let hit = (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u);
            for along in [t, u] {
                oracle.decides(along + 1.0, 1.0);
                oracle.decides(along, 1.0);
            }
            if hit {
                oracle.decides(nearest.map_or(f64::MAX, |(least, _)| least), t * long);
            }
            if hit && nearest.is_none_or(|(least, _)| t * long < least) {
                nearest = Some((t * long, scale(normal, outward * long * (1.0 - t))));
            }
        }
    }
    nearest.map_or([0.0; 2], |(_, force)| force)
}
