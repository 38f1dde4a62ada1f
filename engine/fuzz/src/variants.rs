//! One crowd, computed by several methods that must give the same bits.

use std::fmt::Debug;

use flockwork::cpu::Level;
use flockwork::{Method, Partition, Simulation, Snapshot};

use Partition::{AllPairs, Cells};

/// Combinations to compare; the first, scalar without a grid, is the simplest.
const VARIANTS: [(Method, Partition); 6] = [
    (Method::Scalar, AllPairs),
    (Method::Scalar, Cells),
    (Method::Simd, Cells),
    (Method::Simd, Cells),
    (Method::Simd, Cells),
    (Method::Simd, AllPairs),
];

pub(crate) struct Variants {
    all: Vec<Simulation>,
    turns: usize,
}

impl Variants {
    pub(crate) fn of(simulation: &Simulation) -> Self {
        let state = simulation.snapshot();
        let all = VARIANTS.map(|_| {
            let mut one = state.build().expect("it was built before");
            one.set_execution(one.execution().threads(1)).expect("one thread is there already");
            one
        });
        let mut variants = Self { all: all.into(), turns: 0 };
        variants.set_variants();
        variants
    }

    /// Rotates the combinations of method, partition and SIMD level by one simulation.
    pub(crate) fn turn(&mut self) {
        self.turns += 1;
        self.set_variants();
    }

    fn set_variants(&mut self) {
        let levels: Vec<Level> = Level::available().collect();
        for (k, one) in self.all.iter_mut().enumerate() {
            let (method, partition) = VARIANTS[(k + self.turns) % VARIANTS.len()];
            let level = levels[(k + self.turns / 2) % levels.len()];
            one.set_execution(one.execution().level(level).method(method).partition(partition))
                .expect("the level is available");
        }
    }

    pub(crate) fn one(&self) -> &Simulation {
        &self.all[0]
    }

    /// Makes the same call on every simulation; the outcomes and resulting states must be equal.
    pub(crate) fn each<T: Debug>(&mut self, mut call: impl FnMut(&mut Simulation) -> T) -> T {
        let first = call(&mut self.all[0]);
        // Compares text because a refused step may report a NaN.
        let (said, hash) = (format!("{first:?}"), self.all[0].state_hash());
        for one in &mut self.all[1..] {
            assert_eq!(format!("{:?}", call(one)), said, "by {:?}", one.execution().method);
            let variant = one.execution();
            assert_eq!(one.state_hash(), hash, "by {variant:?}");
        }
        self.all.iter().for_each(assert_finite);
        first
    }

    pub(crate) fn step(&mut self) {
        if let Err(error) = self.each(Simulation::step) {
            assert_ne!(error.code(), "panicked", "an assertion failed: {error}");
            crate::assert_readable(&error);
        }
    }

    pub(crate) fn assert_can_be_saved(&self) {
        let one = &self.all[self.turns % self.all.len()];
        let bytes = one.snapshot().to_bytes();
        let read = Snapshot::from_bytes(&bytes).expect("a state of a simulation");
        assert!(read.to_bytes() == bytes, "by {:?}", one.execution().method);
    }
}

fn assert_finite(simulation: &Simulation) {
    let agents = simulation.agents();
    let own = agents.column_names().map(|name| agents.column(name).expect("its own name"));
    let columns = [agents.x, agents.y, agents.z, agents.hx, agents.hy, agents.hz];
    for column in columns.into_iter().chain(own) {
        assert!(column.iter().all(|number| number.is_finite()), "{column:?}");
    }
    for slot in 0..simulation.len() {
        let velocity = agents.velocity(slot);
        assert!(velocity.iter().all(|number| number.is_finite()), "{velocity:?}");
        let smoothed = agents.smoothed_heading(slot);
        let smoothed_is_short = |[x, y, z]: [f32; 3]| x.hypot(y).hypot(z) <= 1.001;
        assert!(smoothed.is_none_or(smoothed_is_short), "{smoothed:?}");
    }
}
