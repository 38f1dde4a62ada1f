//! Methods of computing a step, all of which must give the same bits.

use flockwork::cpu::Level;
use flockwork::{Method, Partition, Scene, Simulation};

/// An instruction level, which implies a number of lanes, and a method.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variant {
    level: Level,
    method: Method,
}

impl Variant {
    /// SIMD at every level that the processor supports: 4, 8 and 16 lanes.
    pub(crate) fn vectors() -> impl Iterator<Item = Self> {
        Level::available().map(|level| Self { level, method: Method::Simd })
    }

    pub(crate) fn scalar() -> Self {
        Self { level: Level::found(), method: Method::Scalar }
    }

    pub(crate) fn all() -> impl Iterator<Item = Self> {
        Self::vectors().chain([Self::scalar()])
    }

    /// Cycles through the SIMD levels of this processor.
    pub(crate) fn nth_vector(n: usize) -> Self {
        let all: Vec<_> = Self::vectors().collect();
        all[n % all.len()]
    }

    pub(crate) fn set(self, simulation: &mut Simulation) {
        simulation
            .set_execution(simulation.execution().level(self.level).method(self.method))
            .unwrap();
    }
}

pub(crate) fn hash_after(scene: &Scene, steps: u64, settings: impl FnOnce(&mut Simulation)) -> u64 {
    let mut simulation = scene.build().unwrap();
    settings(&mut simulation);
    simulation.run(steps).unwrap();
    simulation.state_hash()
}

pub(crate) fn hashes(
    scene: &Scene,
    steps: usize,
    settings: impl FnOnce(&mut Simulation),
) -> Vec<u64> {
    let mut simulation = scene.build().unwrap();
    settings(&mut simulation);
    let hash = |_| {
        simulation.step().unwrap();
        simulation.state_hash()
    };
    (0..steps).map(hash).collect()
}

/// State hash from the scalar method without a grid.
pub(crate) fn hash_by_reference(scene: &Scene, steps: u64) -> u64 {
    hash_after(scene, steps, |simulation| {
        simulation
            .set_execution(
                simulation.execution().method(Method::Scalar).partition(Partition::AllPairs),
            )
            .unwrap();
    })
}

/// Asserts that every method gives the same bits, with and without a grid.
pub(crate) fn assert_variants_agree(scene: &Scene, steps: u64) {
    // The automatic choice would leave small crowds without a grid.
    assert_agree(scene, steps, Variant::all(), &[Partition::Auto, Partition::Cells], "");
}

/// Asserts that every variant with every partition gives the same bits as the reference.
pub(crate) fn assert_agree(
    scene: &Scene,
    steps: u64,
    variants: impl Iterator<Item = Variant>,
    partitions: &[Partition],
    context: &str,
) {
    let expected = hash_by_reference(scene, steps);
    for variant in variants {
        for &partition in partitions {
            let hash = hash_after(scene, steps, |simulation| {
                variant.set(simulation);
                simulation.set_execution(simulation.execution().partition(partition)).unwrap();
            });
            assert_eq!(hash, expected, "{context} {variant:?}, {partition:?}");
        }
    }
}
