//! The readings of a crowd since it was opened.

use std::path::Path;

use crate::export::files::unused_name;
use crate::numbers::table::{self, Row};

/// Number of readings that are kept: a day of four per second.
const MAX_ROWS: usize = 345_600;

#[derive(Default)]
pub(crate) struct History {
    rows: Vec<Row>,
}

impl History {
    pub(crate) fn append(&mut self, rows: &mut Vec<Row>) {
        self.rows.append(rows);
        let excess = self.rows.len().saturating_sub(MAX_ROWS);
        self.rows.drain(..excess);
    }

    /// Oldest first.
    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Writes all readings to a file named after the scene and the step; returns a message.
    pub(crate) fn write(&self, scene: &str) -> String {
        let Some(last) = self.rows.last() else {
            return "there are no readings yet".into();
        };
        let name = unused_name(scene, last.measures.step, Path::new("")) + ".csv";
        match table::write(Path::new(&name), &self.rows) {
            Ok(()) => format!("wrote {name}: {} readings", self.rows.len()),
            Err(error) => error.to_string(),
        }
    }
}
