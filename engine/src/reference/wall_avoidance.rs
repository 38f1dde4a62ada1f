//! Wall avoidance for one agent.

use crate::batch::notes::What;
use crate::behaviors::wall_avoidance::WallAvoidance;
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;

#[inline(always)]
pub(crate) fn force<S: Scalar>(avoidance: &WallAvoidance, agent: &mut Agent<'_, S>) -> Vec2<S> {
    let walls = &agent.crowd.scenery.walls;
    let side = agent.heading.perp();
    let feelers = avoidance
        .directions(agent.crowd.tick, agent.crowd.dt)
        .map(|(turn, length)| (Vec2::splat(turn), S::splat(length)))
        .map(|(turn, length)| (side.mul_add(turn.y, agent.heading * turn.x), length));
    for (feeler, _) in feelers.into_iter().filter(|(_, length)| *length > 0.0) {
        agent.draw_line(What::Feeler, agent.position, agent.position + feeler);
    }

    let mut nearest = S::splat(f32::INFINITY);
    let mut push = Vec2::zero();
    let mut hit = None;
    agent.walls().for_each(
        #[inline(always)]
        |k| {
            let normal = Vec2::splat(walls.normal[k]);
            let from = Vec2::splat(walls.from[k]);
            let wall = Vec2::splat(walls.to[k]) - from;
            let to_wall = from - agent.position;
            let outward = if to_wall.dot(normal) > 0.0 { walls.behind[k] } else { 1.0 };
            let outward = S::splat(outward);
            for (feeler, length) in feelers {
                let scale = S::splat(1.0) / feeler.cross(wall);
                let along_feeler = to_wall.cross(wall) * scale;
                let along_wall = to_wall.cross(feeler) * scale;
                let distance = along_feeler * length;
                let inside = |along: S| (S::zero()..=S::splat(1.0)).contains(&along);
                if inside(along_feeler) && inside(along_wall) && distance < nearest {
                    nearest = distance;
                    push = normal * (outward * (length - distance));
                    hit = Some(agent.position + feeler * along_feeler);
                }
            }
        },
    );
    if let Some(hit) = hit {
        agent.draw_point(What::Hit, hit);
    }
    push
}
