//! Routes to goals around scenery.

mod accuracy;
mod changes;
mod crowd;
mod plans;
mod reference;
mod refusals;
mod rooms;
mod sweeps;
mod visibility;
