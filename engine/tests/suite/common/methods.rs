//! The ways to compute a step, which have to give the same bits.

use flockwork::{LaneWidth, Method, Partition, Scene, Simulation};

pub(crate) const KERNELS: [Method; 3] = [
    Method::Kernels(LaneWidth::Four),
    Method::Kernels(LaneWidth::Eight),
    Method::Kernels(LaneWidth::Sixteen),
];

pub(crate) const METHODS: [Method; 4] = [KERNELS[0], KERNELS[1], KERNELS[2], Method::Scalar];

/// Runs a scene with settings applied first, and returns the state hash.
pub(crate) fn hash_after(scene: &Scene, steps: u64, settings: impl FnOnce(&mut Simulation)) -> u64 {
    let mut simulation = scene.build().unwrap();
    settings(&mut simulation);
    simulation.run(steps).unwrap();
    simulation.state_hash()
}

/// The state hash after each step.
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

/// The state hash of the scalar method, without the grid.
pub(crate) fn hash_by_reference(scene: &Scene, steps: u64) -> u64 {
    hash_after(scene, steps, |simulation| {
        simulation.set_method(Method::Scalar);
        simulation.set_partition(Partition::AllPairs);
    })
}

/// Every method gives the same bits, with the grid and without.
pub(crate) fn assert_methods_agree(scene: &Scene, steps: u64) {
    let expected = hash_by_reference(scene, steps);
    for (method, partition) in METHODS.into_iter().flat_map(|method| {
        // Alone, the engine's choice would leave small crowds without the grid.
        [Partition::Auto, Partition::Cells].map(|partition| (method, partition))
    }) {
        let hash = hash_after(scene, steps, |simulation| {
            simulation.set_method(method);
            simulation.set_partition(partition);
        });
        assert_eq!(hash, expected, "{method:?}, {partition:?}");
    }
}
