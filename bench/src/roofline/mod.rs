//! The roofline of the machine at hand: how fast it can do what the kernels are made of, and
//! how much of that a step reaches.
//!
//! Every limit is measured and none is looked up, with the vectors that the kernels use, as
//! the best of several repeats. Work whose result is not exactly what plain scalar code gets
//! has no rate.

mod arithmetic;
mod caches;
mod error;
mod limits;
mod memory;
mod share;
mod together;
mod work;

pub use arithmetic::Rates;
pub use caches::Caches;
pub(crate) use caches::data_caches;
pub use error::WrongResult;
pub use limits::{Limits, Roofline};
pub use memory::Bandwidth;
pub use share::{Ruler, Share};
pub use work::{Counts, Pairs, Step, Work};
