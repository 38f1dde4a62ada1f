//! Measures over time as a table (CSV).

use std::path::Path;
use std::time::Duration;

use flockwork::StageTimes;
use flockwork::internal::file;

use super::measures::Measures;
use crate::error::Error;

const COLUMNS: [&str; 12] = [
    "step",
    "seconds",
    "agents",
    "order",
    "speed",
    "neighbors",
    "max_neighbors",
    "nearest",
    "sort_ms",
    "steer_ms",
    "non_penetration_ms",
    "smooth_ms",
];

/// The measures after a step, and how long the step took.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Row {
    pub(crate) measures: Measures,
    pub(crate) times: StageTimes,
}

impl Row {
    /// Milliseconds of the whole step.
    pub(crate) fn step_ms(&self) -> f64 {
        let StageTimes { sort, steer, non_penetration, smooth, .. } = self.times;
        milliseconds(sort + steer + non_penetration + smooth)
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1.0e3
}

/// Writes a file with a line per row.
pub(crate) fn write(path: &Path, rows: &[Row]) -> Result<(), Error> {
    let fail = |error: &dyn std::fmt::Display| Error::write(path, error);
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(COLUMNS).map_err(|error| fail(&error))?;
    for Row { measures, times } in rows {
        let ms = |time: Duration| format!("{:.4}", milliseconds(time));
        let record = [
            measures.step.to_string(),
            measures.seconds.to_string(),
            measures.agents.to_string(),
            measures.order.to_string(),
            measures.speed.to_string(),
            measures.neighbors.to_string(),
            measures.max_neighbors.to_string(),
            measures.nearest.map_or_else(String::new, |nearest| nearest.to_string()),
            ms(times.sort),
            ms(times.steer),
            ms(times.non_penetration),
            ms(times.smooth),
        ];
        table.write_record(record).map_err(|error| fail(&error))?;
    }
    let bytes = table.into_inner().map_err(|error| fail(&error))?;
    file::replace(path, &bytes).map(drop).map_err(|error| fail(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_line_with_all_columns() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.csv");
        let measures = Measures { step: 60, seconds: 1.0, order: 0.25, ..Measures::default() };
        let rows = [Row::default(), Row { measures, ..Row::default() }];
        write(&path, &rows).unwrap();
        let mut reader = csv::Reader::from_path(&path).unwrap();
        assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>(), COLUMNS);
        let lines: Vec<_> = reader.records().map(Result::unwrap).collect();
        assert_eq!(lines.len(), 2);
        assert_eq!((&lines[1][0], &lines[1][3], &lines[1][7]), ("60", "0.25", ""));
        let nowhere = write(Path::new("/nowhere/x.csv"), &rows).unwrap_err();
        assert!(nowhere.to_string().contains("/nowhere/x.csv"), "{nowhere}");
    }
}
