pub(crate) mod exposure;
pub(crate) mod points;
mod tone;
pub(crate) mod trails;
