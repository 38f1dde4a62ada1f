//! A report as text, as sentences, as files, and as a page with figures.
//!
//! From a report to what is read: `findings` are sentences, `figures` charts, and `sections` tables.
//! The page and the terminal show the same ones. [`chart`] draws all charts, as `curves` or `bars`;
//! templates make the page.

mod bars;
pub(crate) mod behaviors;
mod chart;
mod csv;
mod curves;
mod figures;
mod findings;
mod page;
pub(crate) mod print;
pub(crate) mod save;
mod sections;
mod svg;
pub(crate) mod table;
