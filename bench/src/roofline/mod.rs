//! The roofline of this machine: the throughput of the kernels' operations, and the fraction of
//! these limits that a step reaches.
//!
//! Limits are measured rather than looked up, with the same vector types as the kernels. The
//! fastest of several repeats is used. A measurement fails unless its result exactly equals that of
//! scalar code.

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
