//! Numbers to keep: what is measured of a crowd, as a table, and the states of its agents.

pub(crate) mod measures;
pub(crate) mod states;
pub(crate) mod table;
