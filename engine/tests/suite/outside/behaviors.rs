use flockwork::Target;
use flockwork::behaviors::Neighborhood;
use flockwork::kernel::{Batch, Force, Lanes, Mask, Vec3, behavior};

behavior! {
    /// Separation, reimplemented.
    pub(super) struct Repulsion: "repulsion" {
        weight: f32 = 200.0, 0.0 to 1.0e6;
        neighborhood: Neighborhood = Neighborhood::default();
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let mut push = Vec3::zero();
        batch.for_each_neighbor(
            #[inline(always)]
            |neighbor| {
                let inverse = L::splat(1.0) / neighbor.distance_sq;
                push = neighbor.offset.mul_add_where(neighbor.seen, inverse, push);
            },
        );
        (-push).into()
    }
}

behavior! {
    /// Cohesion that can claim to need only the sum that separation needs.
    pub(super) struct Gathering: "gathering" {
        weight: f32 = 10.0, 0.0 to 1.0e6;
        reads_all_sums: bool = true;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        batch.neighbor_sums().offset.into()
    }

    fn reads_all_sums(&self) -> bool {
        self.reads_all_sums
    }
}

const HUNGER: usize = 0;
const FEAR: usize = 1;

behavior! {
    /// Uses everything that a batch offers.
    pub(crate) struct Everything: "everything" {
        weight: f32 = 3.0, 0.0 to 1.0e6;
        reach: f32 = 40.0, 0.0 to 1.0e3 "world units";
        target: Target = Target::Own;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let one = L::splat(1.0);
        let (count, mut sum, hunger) = batch.sum_over_neighbors(
            #[inline(always)]
            |neighbor| {
                let room = neighbor.radius() / neighbor.distance_sq;
                let pull = neighbor.offset.mul_add(room, neighbor.velocity() + neighbor.heading());
                (one, pull, neighbor.column(HUNGER))
            },
        );
        batch.for_each_obstacle(
            #[inline(always)]
            |obstacle| {
                sum = sum.add_where(obstacle.near, -obstacle.offset * obstacle.radius);
            },
        );
        batch.for_each_wall(
            #[inline(always)]
            |wall| {
                let push = wall.normal * wall.offset.length() + wall.from + wall.to;
                sum = sum.add_where(wall.near, push);
            },
        );
        let [u, v] = batch.random(0);
        let [w, _] = batch.random(7);
        let (pose, present): (_, Mask<L>) = batch.target(&self.target);
        let to_target = batch.offset_to(pose.position).keep(present);

        let eaten = batch.column(HUNGER) + (hunger - batch.column(HUNGER) * w) * L::splat(0.01);
        batch.set_column(HUNGER, eaten);
        batch.set_column(FEAR, count + batch.column(FEAR) * L::splat(0.5));
        let limits = batch.max_speed() + batch.max_force() + batch.mass() + batch.radius();
        let own = batch.heading() * limits - batch.velocity() * batch.speed_share();
        let time = L::splat(batch.dt()) * L::splat((batch.tick() % 8) as f32);
        Force::divided(sum + own + to_target + Vec3::flat(u, v) * time, count + one)
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
}

behavior! {
    /// Steers toward neighbors, weighted by a column that exists only in worlds with depth.
    pub(crate) struct Lift: "lift" {
        weight: f32 = 1.0, 0.0 to 1.0e6;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let mut sum = Vec3::zero();
        batch.for_each_neighbor(
            #[inline(always)]
            |neighbor| sum = neighbor.offset.mul_add_where(neighbor.seen, neighbor.column(0), sum),
        );
        sum.into()
    }

    fn columns(&self) -> Vec<&str> {
        Vec::new()
    }

    fn columns_in_space(&self) -> Vec<&str> {
        vec!["lift"]
    }
}

behavior! {
    /// Sets its force or its column to NaN.
    pub(super) struct Broken: "broken" {
        weight: f32 = 1.0, 0.0 to 1.0e6;
        /// True to make the force NaN, false to make the column NaN.
        force: bool = false;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let wrong = L::zero() / L::zero();
        if self.force {
            return Vec3::flat(wrong, wrong).into();
        }
        batch.set_column(0, wrong);
        Force::none()
    }

    fn columns(&self) -> Vec<&str> {
        vec!["hunger"]
    }
}

behavior! {
    /// Counts the scenery within an infinite range, or the largest finite one.
    pub(super) struct FarSighted: "far_sighted" {
        weight: f32 = 1.0, 0.0 to 1.0e6;
        is_infinite: bool = true;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let mut seen = L::zero();
        batch.for_each_obstacle(|obstacle| seen = seen + obstacle.near.keep(L::splat(1.0)));
        batch.for_each_wall(|wall| seen = seen + wall.near.keep(L::splat(1.0)));
        batch.set_column(0, seen);
        Force::none()
    }

    fn columns(&self) -> Vec<&str> {
        vec!["seen"]
    }

    fn obstacle_range(&self) -> f32 {
        if self.is_infinite { f32::INFINITY } else { f32::MAX }
    }

    fn wall_range(&self) -> f32 {
        if self.is_infinite { f32::INFINITY } else { f32::MAX }
    }
}
