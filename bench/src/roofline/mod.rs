//! The roofline of this machine: the throughput of the kernels' operations,
//! and the share of these limits that a step reaches.
//!
//! Every limit is measured with the vectors that the kernels use, as the best of several repeats;
//! nothing is looked up. A measurement fails unless its result equals that of plain
//! scalar code exactly.

mod arithmetic;
mod limits;
mod memory;
mod share;
mod timing;

pub use arithmetic::Rates;
pub use limits::{Limits, Roofline};
pub use memory::{Bandwidth, Caches};
pub use share::{Bottleneck, Share, Step, Work};
pub use timing::Unmeasured;
