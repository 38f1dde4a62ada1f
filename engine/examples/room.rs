//! People leave a room: walls and other people's bodies stop them, and a custom behavior has a
//! neighborhood and a flag.

use flockwork::behaviors::{Arrive, Neighborhood, WallAvoidance};
use flockwork::kernel::{Batch, Force, Lanes, behavior};
use flockwork::{Scene, Species, Start, Wall, World};

behavior! {
    /// Pushes people apart, less with distance (Helbing and Molnár 1995).
    struct SocialForce: "social_force" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 100.0, 0.0 to 1.0e6;
        /// The force falls to 37% in this distance.
        decay: f32 = 3.0, 0.1 to 100.0 "world units";
        /// True if distances count from body to body, not from center to center.
        between_bodies: bool = true;
        /// People who push.
        neighborhood: Neighborhood = Neighborhood::within(20.0).field_of_view(200.0);
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let (radius, rate) = (batch.radius(), L::splat(-1.0 / self.decay));
        let push = batch.sum_over_neighbors(
            #[inline(always)]
            |neighbor| {
                let distance = neighbor.distance_sq.sqrt();
                let bodies = radius + neighbor.radius();
                let gap = if self.between_bodies { distance - bodies } else { distance };
                neighbor.offset * (-(gap * rate).exp() / distance)
            },
        );
        push.into()
    }

    fn reads_radii(&self) -> bool {
        self.between_bodies
    }
}

const CORNERS: [[f32; 2]; 6] =
    [[200.0, 110.0], [200.0, 200.0], [0.0, 200.0], [0.0, 0.0], [200.0, 0.0], [200.0, 90.0]];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let people = Species::new("person", 150)
        .radius([2.0, 3.0])
        .max_speed([20.0, 30.0])
        .start(Start::in_box([5.0, 5.0], [150.0, 195.0]))
        .behavior(WallAvoidance { feeler_length: 10.0, ..WallAvoidance::default() })
        .behavior(SocialForce::default())
        .behavior(Arrive { target: [300.0, 100.0].into(), ..Arrive::default() });
    let room = Scene::new(World::open(200.0, 200.0))
        .species(people)
        .wall(Wall::new(CORNERS).two_sided())
        .solid(true)
        .non_penetration(2);
    let mut crowd = room.build()?;
    let mut inside = crowd.len();
    for _ in 0..6 {
        crowd.run(300)?;
        inside = crowd.agents_in_rectangle([[0.0, 0.0], [200.0, 200.0]], None)?.len();
        println!("{:2.0} s: {inside} people inside", crowd.tick() as f32 / 60.0);
    }
    assert!(inside < crowd.len(), "nobody found the door");
    Ok(())
}
