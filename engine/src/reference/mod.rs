//! The reference: a textbook implementation of the model (`docs/model.md`), in `f64`.
//!
//! Read [`vehicle`] first, for a vehicle's state and its view of the world.
//! Then read any group of behaviors: [`targets`], [`obstacles`], [`paths`] or [`neighbors`]. Each
//! behavior is one function that returns the unweighted force, with the control flow of its source.
//! [`step`] combines the forces and moves the vehicle. `docs/model.md` lists all sources and the
//! deviations from them; citations of Buckland 2004 refer to chapter 3.
//!
//! The reference reads the same columns, scenery and parameters as the kernels, but uses no sweep,
//! no grid and no fused operations. It has its own random numbers and flow-field
//! interpolation, solves routes by itself ([`route`]), and computes displacements by the textbook
//! minimum-image formula.
//! So if the kernels and the reference agree, both are probably right.
//! The reference is slow: each vehicle looks at all other vehicles.

use crate::behaviors::{Behavior, all_behaviors};
use crate::scene::species::Combine;

mod neighbors;
mod obstacles;
mod paths;
mod random;
mod route;
mod shapes;
mod solid;
pub(crate) mod step;
mod targets;
mod vector;
mod vehicle;

use vector::V;
use vehicle::Vehicle;

fn force(behavior: &Behavior, vehicle: &mut Vehicle<'_>) -> V {
    vehicle.weight = f64::from(behavior.weight());
    if vehicle.species.combine == Combine::Dithered {
        vehicle.weight /= f64::from(vehicle.species.probability_of(behavior.name()));
    }
    macro_rules! dispatch {
        ($($name:ident: $module:ident in $page:ident,)+) => {
            match behavior {
                $(Behavior::$name(inner) => $page::$module(inner, vehicle),)+
                Behavior::Outside(_) => unreachable!("behaviors of other crates have no reference"),
            }
        };
    }
    all_behaviors!(dispatch)
}
