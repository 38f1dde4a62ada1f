//! Slabs: parts of a crowd that step separately, with results bit-identical to the whole crowd's.
//!
//! A slab owns whole rows of the crowd's grid, so its agents are one contiguous range of the whole
//! crowd's slots. A slab also has ghosts of the agents in nearby rows. Two rules keep
//! every sum in the order of the whole crowd:
//!
//! 1. A slab lists the agents that leave it in slot order, one list per receiver.
//! 2. A receiver concatenates these lists and its own list, ordered by slab number, and sorts
//!    the result stably by cell.
//!
//! Proof: let S be the whole crowd in slot order. By induction, S is the concatenation of the
//! slabs' lists. A receiver gets the subsequence of S in its cells, in the order of S. A stable
//! sort orders by cell and then by position in S, and the cells of slabs ascend, so the
//! concatenated sorted lists are the stable sort of S. The proof makes no assumption about borders,
//! so borders may move in every step, and a crowd may start or resume with agents in any slab.
//!
//! All slabs of a crowd call the same functions in the same order. Functions that need messages
//! from other slabs, such as [`Slab::step`], take an [`Exchange`].
//!
//! Messages use this build's byte order and layout, so they must not be stored in files.

mod borders;
mod edit;
mod exchange;
mod ghosts;
mod halo;
mod messages;
mod migrants;
mod post;
mod remove;
mod state;
mod step;
mod targets;

pub use exchange::{Exchange, Incoming, Outgoing, Refused, agree};
pub use state::Slab;
