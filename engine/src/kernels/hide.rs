//! Hide: arrive at the nearest place with an obstacle between oneself and the hunter.
//!
//! Each obstacle near the batch is broadcast; its hiding spot lies on the far side of it as
//! seen from the hunter. Every lane keeps the way to the spot of least cost so far. Lanes
//! that find no spot evade the hunter.
//!
//! Cost per obstacle and batch: 1 square root, 1 division, about 25 further operations.

use serde::{Deserialize, Serialize};

use crate::fields::{Field, Parameters, Remembers};
use crate::kernels::arrive::Deceleration;
use crate::kernels::{Batch, arrive, evade};
use crate::lanes::{Lanes, Mask};
use crate::target::{Pose, Target};
use crate::vec2::Vec2;

/// Steers to where an obstacle hides the agent from a hunter
/// (Reynolds 1999, "Hiding"; Buckland 2004, ch. 3). Without an obstacle it evades.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Hide {
    /// Factor of the force, from 0 to 1e6. Default 200.
    pub weight: f32,
    /// From whom to hide.
    pub hunter: Target,
    /// The distance from an obstacle's rim to the hiding spot behind it, from 0 to 1e4, in
    /// world units. Default 30.
    pub gap: f32,
    /// Only obstacles whose rim is within this distance, in world units from 0 to 1e6, serve;
    /// without it all do, which costs time in proportion to their number. Default none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_distance: Option<f32>,
    /// The agent hides only while it sees the hunter, and for so many seconds (0 to 1e4) after;
    /// without it, it always hides. Default none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<f32>,
    /// The agent hides only while it and the hunter see each other; the hunter sees half the
    /// plane, ahead of it. Default false.
    pub mutual: bool,
    /// How much spots ahead of the hunter are put off in favor of those beside and behind it,
    /// from 0 to 1. The distance to a spot counts 1 + bias·cos times, where cos is that of the
    /// angle between the hunter's heading and the obstacle. Default 0.
    pub bias: f32,
    /// A hunter further away than this, in world units from 0 to 1e7, is no threat; without it,
    /// it always is. Default none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threat_distance: Option<f32>,
}

impl Default for Hide {
    fn default() -> Self {
        Self {
            weight: 200.0,
            hunter: Target::Nobody,
            gap: 30.0,
            search_distance: None,
            memory: None,
            mutual: false,
            bias: 0.0,
            threat_distance: None,
        }
    }
}

impl Parameters for Hide {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let units = "world units";
        vec![
            Field::weight(&mut self.weight),
            Field::target("hunter", &mut self.hunter),
            Field::number("gap", &mut self.gap, 0.0, 1.0e4, units),
            Field::optional("search_distance", &mut self.search_distance, 0.0, 1.0e6, units),
            Field::optional("memory", &mut self.memory, 0.0, 1.0e4, "s"),
            Field::flag("mutual", &mut self.mutual),
            Field::number("bias", &mut self.bias, 0.0, 1.0, ""),
            Field::optional("threat_distance", &mut self.threat_distance, 0.0, 1.0e7, units),
        ]
    }

    fn obstacle_reach(&self) -> f32 {
        self.search_distance.unwrap_or(0.0)
    }

    fn remembers(&self) -> Remembers {
        Remembers { alert: self.memory.is_some(), ..Remembers::default() }
    }
}

#[inline(always)]
pub(crate) fn force<L: Lanes>(hide: &Hide, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let (hunter, mut hides) = batch.target(&hide.hunter);
    let to_hunter = batch.way_to(hunter.position);
    if let Some(distance) = hide.threat_distance {
        hides = hides & to_hunter.dot(to_hunter).le(L::splat(distance * distance));
    }
    if let Some(seconds) = hide.memory {
        let seen = hides & sees(batch, to_hunter);
        let left = batch.findings.memory.alert - L::splat(batch.crowd.dt);
        let left = left.gt(L::zero()).keep(left);
        let alert = seen.select(L::splat(seconds), left);
        batch.findings.memory.alert = batch.live.select(alert, batch.findings.memory.alert);
        hides = hides & (seen | alert.gt(L::zero()));
    }
    if hide.mutual {
        let seen_by_hunter = (-to_hunter).dot(hunter.heading).ge(L::zero());
        hides = hides & sees(batch, to_hunter) & seen_by_hunter;
    }
    let (way, found) = nearest_spot(hide, batch, &hunter);
    let hidden = arrive::along(batch, way, Deceleration::Fast);
    let evasion = evade::from(batch, hunter.position, hunter.velocity);
    Vec2::select(found, hidden, evasion).keep(hides)
}

/// The way to each agent's best hiding spot, and the lanes that have one.
#[inline(always)]
fn nearest_spot<L: Lanes>(
    hide: &Hide,
    batch: &Batch<'_, L>,
    hunter: &Pose<L>,
) -> (Vec2<L>, Mask<L>) {
    let space = batch.crowd.space;
    let obstacles = &batch.crowd.scenery.obstacles;
    let (one, bias) = (L::splat(1.0), L::splat(hide.bias));
    let position = batch.position();
    let mut best = Vec2::zero();
    let mut least = L::splat(f32::INFINITY);
    let mut visit = |k: usize| {
        let center = Vec2::new(L::splat(obstacles.x[k]), L::splat(obstacles.y[k]));
        let behind = space.displacement(hunter.position, center).normalized();
        let way = space.displacement(position, center);
        let spot = behind.mul_add(L::splat(obstacles.radius[k] + hide.gap), way);
        let ahead = hunter.heading.dot(behind).mul_add(bias, one);
        let cost = spot.dot(spot) * (ahead * ahead);
        let mut better = cost.lt(least);
        if let Some(distance) = hide.search_distance {
            let reach = L::splat(distance + obstacles.radius[k]);
            better = better & way.dot(way).lt(reach * reach);
        }
        best = Vec2::select(better, spot, best);
        least = better.select(cost, least);
    };
    if hide.search_distance.is_some() {
        batch.obstacles().for_each(batch.crowd.scenery.obstacle_index.items(), visit);
    } else {
        (0..obstacles.x.len()).for_each(&mut visit);
    }
    (best, least.lt(L::splat(f32::INFINITY)))
}

/// The lanes whose agent sees what is at the end of `way`.
#[inline(always)]
fn sees<L: Lanes>(batch: &Batch<'_, L>, way: Vec2<L>) -> Mask<L> {
    let view = L::splat(batch.kind.species.view_distance);
    let distance_sq = way.dot(way);
    let near = distance_sq.lt(view * view);
    match batch.kind.view_cos_signed_sq {
        Some(view_cos) => {
            let ahead = batch.heading().dot(way);
            near & (ahead * ahead.abs()).ge(L::splat(view_cos) * distance_sq)
        }
        None => near,
    }
}
