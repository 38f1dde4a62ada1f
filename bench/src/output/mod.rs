//! Results for people: as text, as sentences, and as a page with pictures.

mod bars;
pub(crate) mod behaviors;
mod chart;
mod figures;
mod findings;
pub(crate) mod numbers;
pub(crate) mod page;
mod sections;
mod svg;
pub(crate) mod table;
