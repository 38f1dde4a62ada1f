//! Slabs: a crowd in parts, each stepped on its own, bit for bit as the whole crowd is.
//!
//! A slab owns whole rows of the crowd's grid, so its agents are one contiguous range of the whole
//! crowd's slots, and holds copies of the rows around them. Two rules make every sum add up in the
//! order of the whole crowd:
//!
//! 1. A slab lists the agents that leave it for another in the order of its slots: one list for each
//!    receiver.
//! 2. A receiver joins these lists in the order of the senders, itself in its own place, and sorts
//!    the joined list stably by cell.
//!
//! For let S be the whole crowd in slot order: by induction, the slabs' lists one after another. A
//! receiver gets the subsequence of S that lies in its cells, in the order of S. A stable sort
//! orders by cell and then by place in S, and the cells of slabs ascend, so that the sorted lists,
//! one after another, are the stable sort of S. Borders appear nowhere in this, so they may move in
//! every step, and a crowd may begin, or go on, with its agents anywhere.
//!
//! Nothing here knows how messages travel. All slabs of a crowd call the same functions in the same
//! order, and pass on what each of them returns:
//!
//! ```text
//! targets → costs of rows, when due → migrants → numbers of copies → own targets → copies
//!         → steer (inner rows while copies travel) → settle → push apart → finish
//! ```
//!
//! Messages are bytes of this build on this kind of machine; they are not for files.

mod borders;
mod copies;
mod edit;
mod messages;
mod migrants;
mod remove;
mod state;
mod step;
mod targets;

pub use edit::Edit;
pub use messages::{Message, Outbox, Received};
pub use remove::Removal;
pub use state::Slab;
pub use step::{Refusal, Steered, Steering};
