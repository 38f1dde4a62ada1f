//! What several tests build and measure.

pub(crate) mod agents;
pub(crate) mod arbitrary;
pub(crate) mod extremes;
pub(crate) mod measures;
pub(crate) mod methods;
pub(crate) mod refusals;
pub(crate) mod rooms;
pub(crate) mod scenes;
pub(crate) mod snapshots;
