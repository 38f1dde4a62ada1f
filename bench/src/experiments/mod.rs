//! The experiments: which crowds each one measures, and in which ways.

pub(crate) mod cell_size;
pub(crate) mod density;
pub(crate) mod group;
pub(crate) mod kernels;
pub(crate) mod ladder;
pub(crate) mod levels;
pub(crate) mod peers;
pub(crate) mod request;
pub(crate) mod scaling;
pub(crate) mod scenes;
pub(crate) mod threads;
