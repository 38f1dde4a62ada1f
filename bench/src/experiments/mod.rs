//! The experiments: which crowds, and which ways to compute them.

pub(crate) mod cell_size;
pub(crate) mod density;
pub(crate) mod kernels;
pub(crate) mod scaling;
pub(crate) mod scenes;
pub(crate) mod stages;
pub(crate) mod threads;
