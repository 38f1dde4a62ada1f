//! A force as a behavior gives it: a vector, and by what it is still to be divided.
//!
//! A mean or a unit vector costs a division, and so does cutting a force to what remains of a
//! budget. Divided only when it is weighed and cut, a force costs one for everything.

use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;

/// An unweighted force: `vector` divided by `per`.
#[derive(Clone, Copy)]
pub(crate) struct Force<T> {
    pub(crate) vector: Vec2<T>,
    pub(crate) per: Per<T>,
}

/// What a vector is divided by. If that is 0, so is the force.
#[derive(Clone, Copy)]
pub(crate) enum Per<T> {
    One,
    Number(T),
    /// The vector's own length: the force is a unit vector.
    Length,
}

impl<T> From<Vec2<T>> for Force<T> {
    #[inline(always)]
    fn from(vector: Vec2<T>) -> Self {
        Self { vector, per: Per::One }
    }
}

impl<L: Lanes> Force<L> {
    /// By what to multiply the vector, so that it is the weighted force.
    #[inline(always)]
    pub(crate) fn factor(&self, weight: L) -> L {
        let per = match self.per {
            Per::One => return weight,
            Per::Number(number) => number,
            Per::Length => self.vector.length(),
        };
        per.gt(L::zero()).keep(weight / per)
    }

    /// The same for the weighted force, or as much of it as is no longer than `most`, and how
    /// long that is.
    #[inline(always)]
    pub(crate) fn factor_within(&self, weight: L, most: L) -> (L, L) {
        let length = self.vector.length();
        let factor = match self.per {
            Per::One => (length * weight).le(most).select(weight, most / length),
            Per::Number(number) => {
                let fits = (length * weight).le(most * number);
                let factor = fits.select(weight, most) / fits.select(number, length);
                number.gt(L::zero()).keep(factor)
            }
            Per::Length => {
                let factor = weight.le(most).select(weight, most) / length;
                length.gt(L::zero()).keep(factor)
            }
        };
        (factor, length * factor)
    }
}
