//! The force that a behavior returns: a vector and a divisor that is not yet applied.
//!
//! Computing a mean or a unit vector takes a division. Clamping the force to the remaining budget
//! takes another. Deferring the first division until the force is clamped merges the two.

use crate::math::component::Component;
use crate::math::lanes::{Lanes, Mask};
use crate::math::vec3::Vec3;

/// Unweighted force on each agent of a batch, optionally with a pending division.
/// The division is free if the weighted force is clamped, because clamping divides anyway.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Force<T: Component> {
    pub(crate) vector: Vec3<T>,
    pub(crate) per: Divisor<T>,
}

/// Pending divisor of a force's vector. A divisor of 0 means no force.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Divisor<T> {
    One,
    /// The vector is known to be zero for all agents.
    Nothing,
    Number(T),
    /// Divides the vector by its own length, which gives a force of magnitude 1.
    Length,
}

/// False for lengths up to 1e-18. Such lengths are inexact, because the squared components
/// underflow. Clamping with an inexact length could leave a force above its maximum.
#[inline(always)]
fn has_direction<L: Lanes>(length: L) -> Mask<L> {
    length.gt(L::splat(1.0e-18))
}

impl<T: Component> From<Vec3<T>> for Force<T> {
    #[inline(always)]
    fn from(vector: Vec3<T>) -> Self {
        Self { vector, per: Divisor::One }
    }
}

impl<L: Lanes> Force<L> {
    /// No force on any agent; cheaper than a zero vector.
    #[inline(always)]
    pub fn none() -> Self {
        Self { vector: Vec3::zero(), per: Divisor::Nothing }
    }

    /// `vector / divisor`, or no force in lanes where the divisor is not positive.
    /// For a mean, pass the sum over the neighbors and the number of neighbors.
    #[inline(always)]
    pub fn divided(vector: Vec3<L>, divisor: L) -> Self {
        Self { vector, per: Divisor::Number(divisor) }
    }

    /// Force of magnitude 1 in the direction of `vector`,
    /// or no force in lanes where the length of `vector` is at most 1e-18.
    #[inline(always)]
    pub fn unit(vector: Vec3<L>) -> Self {
        Self { vector, per: Divisor::Length }
    }

    #[inline(always)]
    pub(crate) fn is_none(&self) -> bool {
        matches!(self.per, Divisor::Nothing)
    }

    #[inline(always)]
    pub(crate) fn factor(&self, weight: L) -> L {
        let per = match self.per {
            Divisor::One | Divisor::Nothing => return weight,
            Divisor::Number(number) => number,
            Divisor::Length => {
                let length = self.vector.length();
                return has_direction(length).keep(weight / length);
            }
        };
        per.gt(L::zero()).keep(weight / per)
    }

    /// Returns (factor, length). Multiplying the vector by `factor` gives the weighted force,
    /// clamped to the length `most`. `length` is the length of the clamped force.
    #[inline(always)]
    pub(crate) fn factor_within(&self, weight: L, most: L) -> (L, L) {
        let length = self.vector.length();
        let factor = match self.per {
            Divisor::One | Divisor::Nothing => {
                (length * weight).le(most).select(weight, most / length)
            }
            Divisor::Number(number) => {
                let fits = (length * weight).le(most * number);
                let factor = fits.select(weight, most) / fits.select(number, length);
                (number.gt(L::zero()) & has_direction(length)).keep(factor)
            }
            Divisor::Length => {
                let factor = weight.le(most).select(weight, most) / length;
                has_direction(length).keep(factor)
            }
        };
        (factor, length * factor)
    }
}
