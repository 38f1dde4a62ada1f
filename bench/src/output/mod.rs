//! Results for people: as text, as sentences, and as a page with pictures.

mod bars;
pub(crate) mod behaviors;
mod chart;
mod csv;
mod figures;
mod findings;
mod page;
pub(crate) mod save;
mod sections;
mod svg;
pub(crate) mod table;
