//! The reference: the model (`docs/model.md`) as a textbook has it, in `f64`, vehicle by vehicle.
//!
//! Read [`vehicle`] first: what a vehicle is, remembers and sees. Then any page of behaviors,
//! [`targets`], [`obstacles`], [`paths`] or [`neighbors`]: each behavior is one function, which
//! returns its unweighted force, with the control flow of its source. [`step`] combines the forces
//! and moves the vehicle. The model has the sources in full, and the deviations from them; of
//! Buckland 2004, it is chapter 3.
//!
//! The reference shares the engine's columns, the scenery's shapes and the parameters with the
//! kernels, but nothing that is worked out from them: no sweep, no grid, no fused operations, its
//! own vectors, random numbers and flow between cells, and displacements by the textbook minimum
//! image. So where kernels agree with it, they are right. It is slow: vehicles look at all others.

use crate::behaviors::{Behavior, all_behaviors};
use crate::scene::species::Combine;

mod neighbors;
mod obstacles;
mod paths;
mod random;
mod solid;
pub(crate) mod step;
mod targets;
mod vector;
mod vehicle;

use vector::V;
use vehicle::Vehicle;

/// The unweighted force of a behavior, which the vehicle's `weight` then scales.
fn force(behavior: &Behavior, vehicle: &mut Vehicle<'_>) -> V {
    vehicle.weight = f64::from(behavior.weight());
    if vehicle.species.combine == Combine::Dithered {
        vehicle.weight /= f64::from(vehicle.species.probability(behavior.name()));
    }
    macro_rules! dispatch {
        ($($name:ident: $module:ident in $page:ident,)+) => {
            match behavior {
                $(Behavior::$name(own) => $page::$module(own, vehicle),)+
                Behavior::Outside(_) => unreachable!("behaviors of other crates have no reference"),
            }
        };
    }
    all_behaviors!(dispatch)
}
