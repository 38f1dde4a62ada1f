use flockwork::behaviors::Separation;
use flockwork::kernel::{Batch, Force, Lanes, behavior, register};
use flockwork::{AgentId, Number, Scene, Species, World};
use flockwork_cluster::failure::Failure;
use flockwork_cluster::rank::Rank;
use flockwork_cluster::transport::Transport;

/// Error message of the refused step, without the rank.
pub(crate) const SAID: &str =
    "step 2: behavior `fragile` panicked: out of hay; the step was not taken";

behavior! {
    pub(crate) struct Fragile: "fragile" {
        weight: f32 = 1.0, 0.0 to 1.0e6;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        assert!(batch.column(0).le(L::zero()).all(), "out of hay");
        Force::none()
    }

    fn columns(&self) -> Vec<&str> {
        vec!["fatal"]
    }
}

pub(crate) fn scene() -> Scene {
    register::<Fragile>().unwrap();
    let fish =
        Species::new("fish", 3000).behavior(Separation::default()).behavior(Fragile::default());
    Scene::new(World::torus(3.0e3, 3.0e3)).species(fish)
}

/// Takes six steps, with a refused step between the second and the third. Returns the state hash
/// and the error message.
pub(crate) fn panics_once<T: Transport>(
    scene: &Scene,
    transport: &mut T,
) -> Result<(u64, String), Failure> {
    let id = AgentId { index: 1234, generation: 0 };
    let mut rank = Rank::new(scene, transport)?;
    rank.step()?;
    rank.step()?;
    rank.slab_mut().set(Number::Column("fatal"), id, 1.0)?;
    let message = rank.step().unwrap_err().to_string();
    rank.slab_mut().set(Number::Column("fatal"), id, 0.0)?;
    (0..4).try_for_each(|_| rank.step())?;
    Ok((rank.state_hash()?, message))
}
