pub(crate) mod files;
mod gif;
pub(crate) mod target;
