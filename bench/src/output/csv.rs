//! The rows of a report as CSV.

use std::path::Path;

use crate::failure::Failure;
use crate::results::files::cannot_write;
use crate::results::report::Report;

const COLUMNS: [&str; 26] = [
    "experiment",
    "series",
    "point",
    "scene",
    "n",
    "threads",
    "median_ns_per_agent_step",
    "low_ns_per_agent_step",
    "high_ns_per_agent_step",
    "min_ns_per_agent_step",
    "repeats",
    "blocks",
    "outlier_share",
    "drift",
    "mean_neighbors",
    "pairs_per_agent",
    "sort_ns",
    "steer_ns",
    "part_ns",
    "smooth_ns",
    "state_hash",
    "doubts",
    "percent_of_limit",
    "seed",
    "commit",
    "cpu",
];

/// Writes report.csv.
pub(crate) fn save(report: &Report, folder: &Path) -> Result<(), Failure> {
    let path = folder.join("report.csv");
    write(report, &path).map_err(|error| cannot_write(&path, &error))
}

fn write(report: &Report, path: &Path) -> Result<(), csv::Error> {
    let mut writer = csv::Writer::from_path(path)?;
    writer.write_record(COLUMNS)?;
    for row in &report.rows {
        let [low, high] = row.interval_ns;
        let stages = match row.stages_ns {
            Some(stages) => stages.as_array().map(|ns| ns.to_string()),
            None => Default::default(),
        };
        let [sort, steer, non_penetration, smooth] = stages;
        writer.write_record([
            &row.experiment,
            &row.series,
            &row.point,
            &row.scene,
            &row.n.to_string(),
            &row.threads.to_string(),
            &row.median_ns.to_string(),
            &low.to_string(),
            &high.to_string(),
            &row.min_ns.to_string(),
            &row.repeats.to_string(),
            &row.blocks.len().to_string(),
            &row.outlier_share.to_string(),
            &row.drift.to_string(),
            &row.mean_neighbors.to_string(),
            &row.pairs_per_agent.map_or(String::new(), |pairs| pairs.to_string()),
            &sort,
            &steer,
            &non_penetration,
            &smooth,
            &row.state_hash,
            &row.doubts.join("; "),
            &report.reached.get(&row.id).map_or(String::new(), |share| share.percent.to_string()),
            &report.setup.seed.to_string(),
            &report.machine.commit,
            &report.machine.cpu,
        ])?;
    }
    Ok(writer.flush()?)
}
