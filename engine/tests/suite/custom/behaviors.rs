//! The behaviors that these tests use.

use flockwork::custom::{
    Batch, CHOICE, CustomBehavior, Force, Lanes, Mask, Vec2, WEIGHT, fields, number,
};
use flockwork::{Target, What};
use serde::{Deserialize, Serialize};

/// Separation, written anew.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Repulsion {
    pub(super) weight: f32,
}

impl Default for Repulsion {
    fn default() -> Self {
        Self { weight: 200.0 }
    }
}

impl CustomBehavior for Repulsion {
    const NAME: &'static str = "repulsion";

    fields! {
        weight: WEIGHT,
    }

    fn weight(&self) -> f32 {
        self.weight
    }

    #[inline(always)]
    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let mut push = Vec2::zero();
        batch.for_each_neighbor(
            #[inline(always)]
            |neighbor| {
                let inverse = L::splat(1.0) / neighbor.distance_sq;
                push = neighbor.way.mul_add_where(neighbor.seen, inverse, push);
            },
        );
        (-push).into()
    }
}

/// Everything that a batch offers, in one behavior.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Everything {
    pub(crate) weight: f32,
    pub(crate) reach: f32,
    pub(crate) target: Target,
}

impl Default for Everything {
    fn default() -> Self {
        Self { weight: 3.0, reach: 40.0, target: Target::Own }
    }
}

const HUNGER: usize = 0;
const FEAR: usize = 1;

impl CustomBehavior for Everything {
    const NAME: &'static str = "everything";

    fields! {
        weight: WEIGHT,
        reach: number(0.0, 1.0e3, "world units"),
        target: CHOICE,
    }

    fn weight(&self) -> f32 {
        self.weight
    }

    fn columns(&self) -> Vec<&str> {
        vec!["hunger", "fear"]
    }

    fn obstacle_range(&self) -> f32 {
        self.reach
    }

    fn wall_range(&self) -> f32 {
        self.reach
    }

    #[inline(always)]
    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let one = L::splat(1.0);
        let [count, x, y, hunger] = batch.sum_over_neighbors(
            #[inline(always)]
            |neighbor| {
                let room = neighbor.radius() / neighbor.distance_sq;
                let pull = neighbor.way.mul_add(room, neighbor.velocity() + neighbor.heading());
                [one, pull.x, pull.y, neighbor.column(HUNGER)]
            },
        );
        let mut sum = Vec2::new(x, y);
        batch.for_each_obstacle(
            #[inline(always)]
            |obstacle| {
                sum = sum.add_where(obstacle.near, -obstacle.way * obstacle.radius);
            },
        );
        batch.for_each_wall(
            #[inline(always)]
            |wall| {
                let push = wall.normal * wall.way.length() + wall.from + wall.to;
                sum = sum.add_where(wall.near, push);
            },
        );
        let [u, v] = batch.random(0);
        let [w, _] = batch.random(7);
        let (pose, present): (_, Mask<L>) = batch.target(&self.target);
        let to_target = batch.way_to(pose.position).keep(present);
        batch.draw_point(What::Target, pose.position);

        let eaten = batch.column(HUNGER) + (hunger - batch.column(HUNGER) * w) * L::splat(0.01);
        batch.set_column(HUNGER, eaten);
        batch.set_column(FEAR, count + batch.column(FEAR) * L::splat(0.5));
        let limits = batch.max_speed() + batch.max_force() + batch.mass() + batch.radius();
        let own = batch.heading() * limits - batch.velocity() * batch.speed_share();
        let time = L::splat(batch.dt()) * L::splat((batch.tick() % 8) as f32);
        Force::divided(sum + own + to_target + Vec2::new(u, v) * time, count + one)
    }
}

/// A force that is not a number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Broken {
    /// Whether the force is wrong, or else its column.
    pub(super) force: bool,
}

impl CustomBehavior for Broken {
    const NAME: &'static str = "broken";

    fields! {
        force: flockwork::custom::FLAG,
    }

    fn weight(&self) -> f32 {
        1.0
    }

    fn columns(&self) -> Vec<&str> {
        vec!["hunger"]
    }

    #[inline(always)]
    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let wrong = L::zero() / L::zero();
        if self.force {
            return Vec2::new(wrong, wrong).into();
        }
        batch.set_column(0, wrong);
        Force::none()
    }
}
