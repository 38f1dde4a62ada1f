//! A custom behavior with a custom column: alarm spreads through a shoal from fish to fish.

use flockwork::behaviors::{Alignment, Cohesion, Separation};
use flockwork::kernel::{Batch, Force, Lanes, Vec3, behavior};
use flockwork::{Method, Number, Scene, Simulation, Species, World};

/// Position of "fear" in the list that `columns` returns.
const FEAR: usize = 0;

behavior! {
    /// Steers away from frightened neighbors of the same species and catches their fear.
    struct Alarm: "alarm" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 300.0, 0.0 to 1.0e6;
        /// Rate at which fear decays, per second.
        calming: f32 = 0.5, 0.0 to 60.0 "1/s";
        /// Time for which neighbors are assumed to keep their velocity.
        foresight: f32 = 0.1, 0.0 to 10.0 "s";
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let species = batch.species();
        let (push, fear, seen) = batch.sum_over_neighbors(
            #[inline(always)]
            |neighbor| {
                if neighbor.species() != species {
                    return (Vec3::zero(), L::zero(), L::zero());
                }
                // A large fish frightens more.
                let fear = neighbor.column(FEAR) * neighbor.radius();
                let soon = neighbor.velocity().mul_add(L::splat(self.foresight), neighbor.offset);
                let push = -soon * (fear / neighbor.distance_sq);
                (push, fear, L::splat(1.0))
            },
        );
        let own = batch.column(FEAR);
        let caught = (fear * L::splat(4.0) / (seen + L::splat(1.0))).clamp(0.0, 1.0);
        let worst = own.gt(caught).select(own, caught);
        batch.set_column(FEAR, worst * L::splat(1.0 - self.calming * batch.dt()));
        Force::unit(push)
    }

    fn columns(&self) -> Vec<&str> {
        vec!["fear"]
    }

    fn reads_radii(&self) -> bool {
        true
    }

    fn reads_velocities(&self) -> bool {
        true
    }
}

fn frightened(shoal: &Simulation) -> Result<usize, flockwork::Error> {
    Ok(shoal.agents().column("fear")?.iter().filter(|&&fear| fear > 0.1).count())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Registration is needed only for scene files and snapshots, not for scenes in code.
    flockwork::kernel::register::<Alarm>()?;
    let fish = Species::new("fish", 2_000)
        .behavior(Alarm::default())
        .behavior(Separation::default())
        .behavior(Alignment::default())
        .behavior(Cohesion::default());
    let scene = Scene::new(World::torus(1_600.0, 900.0)).species(fish).seed(7);
    assert_eq!(Scene::parse(&scene.to_toml(), "shoal.toml")?, scene);

    let mut shoal = scene.build()?;
    let mut again = scene.build()?;
    again.set_execution(again.execution().method(Method::Scalar))?;
    for crowd in [&mut shoal, &mut again] {
        crowd.run(60)?;
        let first = crowd.agents().ids().min().ok_or("an empty shoal")?;
        crowd.set(Number::Column("fear"), first, 1.0)?;
    }
    for second in 0..4 {
        println!("{second} s: {} of {} frightened", frightened(&shoal)?, shoal.len());
        shoal.run(60)?;
    }
    assert!(frightened(&shoal)? > 100);

    // The scalar method gives the same bits as SIMD lanes.
    again.run(240)?;
    assert_eq!(again.state_hash(), shoal.state_hash());
    Ok(())
}
