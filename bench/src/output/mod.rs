//! A report as text, as sentences, as files, and as a page with figures.

mod bars;
pub(crate) mod behaviors;
mod chart;
mod csv;
mod figures;
mod findings;
mod levels;
mod page;
pub(crate) mod save;
mod sections;
mod svg;
pub(crate) mod table;
