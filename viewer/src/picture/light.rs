pub(crate) mod exposure;
mod places;
pub(crate) mod points;
mod tone;
pub(crate) mod trails;
