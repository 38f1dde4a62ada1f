//! One flock, steered by each way to combine forces.

use flockwork::{Alignment, Cohesion, Combine, Scene, Separation, Species, Wander};

use crate::crowds;

/// The name of each way to combine forces, and its crowd of `agents` at the usual density.
pub fn all(agents: usize) -> [(&'static str, Scene); 3] {
    [
        ("prioritized", Combine::Prioritized),
        ("weighted_sum", Combine::WeightedSum),
        ("dithered", Combine::Dithered),
    ]
    .map(|(name, combine)| {
        let flock = Species::new("agent", agents)
            .combine(combine)
            .steer(Separation::default())
            .steer(Alignment::default())
            .steer(Cohesion { weight: 40.0, normalized: true })
            .steer(Wander::default());
        (name, crowds::flock_of(flock))
    })
}
