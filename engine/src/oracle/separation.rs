//! Separation, as specified.

use crate::behaviors::separation::Separation;
use crate::oracle::agent::Oracle;
use crate::oracle::vector::V;

pub(super) fn force(_: &Separation, oracle: &mut Oracle<'_>) -> V {
    oracle.push()
}
