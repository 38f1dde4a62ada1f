//! Checks that a saved report is one that a measurement can have written. Everything that is made
//! of a report rests on it: figures need finite axes, tables as many columns as they have heads.

use std::collections::HashSet;
use std::fmt::Display;

use serde_json::Value;

use crate::results::report::Report;
use crate::roofline::Roofline;

/// Rows, and times of all rows together: far more than any measurement has. The cost of intervals
/// grows with the times.
const MOST_ROWS: usize = 10_000;
const MOST_TIMES: usize = 1_000_000;
/// Characters of a text.
const LONGEST_TEXT: usize = 1_000;

/// What numbers may be: zero if `from_zero`, or from `low` to `high`.
struct Range {
    low: f64,
    high: f64,
    from_zero: bool,
    unit: &'static str,
}

const fn positive(low: f64, high: f64, unit: &'static str) -> Range {
    Range { low, high, from_zero: false, unit }
}

/// Positive numbers have a lower limit too: divided by them, others must stay finite.
const fn from_zero(high: f64, unit: &'static str) -> Range {
    Range { low: 1.0e-9, high, from_zero: true, unit }
}

const CORES: Range = positive(-1.0e6, 1.0e6, " cores");
const THREADS: Range = positive(1.0, 1024.0, " threads");
const AGENTS: Range = positive(1.0, 1.0e8, " agents");
const STAGE: Range = from_zero(1.0e15, " ns");
const COUNT: Range = from_zero(1.0e12, "");
const EVENTS: Range = from_zero(1.0e15, "");
const LANES: Range = positive(1.0, 64.0, " lanes");
const BYTES: Range = positive(1.0, 1.0e15, " bytes");
const RATE: Range = positive(1.0, 1.0e18, " per second");

/// The ranges of all numbers that nothing is computed again from. A name stands for its field
/// wherever it is, a path such as `rows[].n` for one field.
const RANGES: [(&str, Range); 43] = [
    ("machine.cores", positive(1.0, 1.0e6, " cores")),
    ("lanes", LANES),
    ("machine.caches[].bytes", BYTES),
    ("setup.mean_neighbors", positive(1.0e-3, 1.0e6, "")),
    ("setup.step_seconds", positive(1.0e-3, 3600.0, " s")),
    ("setup.time_seconds", positive(1.0, 86_400.0, " s")),
    ("load_before", CORES),
    ("load_after", CORES),
    ("stopped[].n", AGENTS),
    ("predicted_seconds", from_zero(1.0e30, " s")),
    ("rows[].x", positive(1.0e-6, 1.0e9, "")),
    ("rows[].n", AGENTS),
    ("threads", THREADS),
    ("steps_per_repeat", COUNT),
    ("crowds", COUNT),
    ("steps", COUNT),
    ("mean_neighbors", from_zero(1.0e8, " neighbors")),
    ("pairs_per_agent", from_zero(1.0e10, " pairs")),
    ("bytes_per_agent", from_zero(1.0e9, " bytes")),
    ("ns[]", positive(1.0e-6, 1.0e15, " ns")),
    ("waited", from_zero(1.0e4, "")),
    ("seconds", from_zero(1.0e30, " s")),
    ("cores_elsewhere", CORES),
    ("sort", STAGE),
    ("steer", STAGE),
    ("non_penetration", STAGE),
    ("smooth", STAGE),
    ("cycles", EVENTS),
    ("instructions", EVENTS),
    ("branch_misses", EVENTS),
    ("l1", BYTES),
    ("l2", BYTES),
    ("l3", BYTES),
    ("working_set", BYTES),
    ("rates.add", RATE),
    ("rates.mul", RATE),
    ("rates.fma", RATE),
    ("rates.add_and_fma", RATE),
    ("rates.div", RATE),
    ("rates.sqrt", RATE),
    ("rates.broadcast", RATE),
    ("read", RATE),
    ("copy", RATE),
];

/// Checks every number and text of a report's JSON, and names it by its path, such as
/// `rows[3].blocks[0].ns[2]`. Removes control characters, which terminals obey; refuses long texts,
/// since tables are as wide as the longest.
pub(super) fn check_values(value: &mut Value, path: &str) -> Result<(), String> {
    match value {
        Value::String(text) => clean(text, path),
        Value::Array(list) => list
            .iter_mut()
            .enumerate()
            .try_for_each(|(k, value)| check_values(value, &format!("{path}[{k}]"))),
        Value::Object(fields) => {
            for (mut name, mut value) in std::mem::take(fields) {
                clean(&mut name, path)?;
                let dot = if path.is_empty() { "" } else { "." };
                check_values(&mut value, &format!("{path}{dot}{name}"))?;
                fields.insert(name, value);
            }
            Ok(())
        }
        Value::Number(number) => {
            let value = number.as_f64().unwrap_or(f64::NAN);
            range_of(path).map_or(Ok(()), |range| within(path, value, range))
        }
        Value::Null | Value::Bool(_) => Ok(()),
    }
}

/// The first range whose path is the end of this one.
fn range_of(path: &str) -> Option<&'static Range> {
    let digits = |c: char| c.is_ascii_digit();
    let parts = path.split('[').map(|part| part.trim_start_matches(digits));
    let general = parts.collect::<Vec<_>>().join("[");
    let ends_with = |end: &str| {
        general.strip_suffix(end).is_some_and(|start| start.is_empty() || start.ends_with('.'))
    };
    RANGES.iter().find(|(end, _)| ends_with(end)).map(|(_, range)| range)
}

fn clean(text: &mut String, path: &str) -> Result<(), String> {
    text.retain(|c| !c.is_control());
    let length = text.chars().count();
    if length <= LONGEST_TEXT {
        return Ok(());
    }
    Err(format!("{path} has a text of {length} characters: must be at most {LONGEST_TEXT}"))
}

/// Checks what concerns more than one value.
pub(super) fn check(report: &Report) -> Result<(), String> {
    report.roofline.as_ref().map_or(Ok(()), check_roofline)?;
    let rows = &report.rows;
    at_most("rows", rows.len(), MOST_ROWS)?;
    let times = rows.iter().flat_map(|row| &row.blocks).map(|block| block.ns.len()).sum();
    at_most("times in rows", times, MOST_TIMES)?;
    let mut ids = HashSet::new();
    for (k, row) in rows.iter().enumerate() {
        if !ids.insert(&row.id) {
            return Err(format!(
                "rows[{k}].id = {:?}: must be an id that no other row has",
                row.id
            ));
        }
        not_empty(format!("rows[{k}].blocks"), &row.blocks, "times")?;
        for (block, times) in row.blocks.iter().enumerate() {
            not_empty(format!("rows[{k}].blocks[{block}].ns"), &times.ns, "times")?;
        }
    }
    Ok(())
}

fn check_roofline(roofline: &Roofline) -> Result<(), String> {
    not_empty("roofline.limits", &roofline.limits, "limits")?;
    let levels = roofline.limits[0].bandwidths.len();
    for (k, limits) in roofline.limits.iter().enumerate() {
        let path = format!("roofline.limits[{k}].bandwidths");
        not_empty(&path, &limits.bandwidths, "bandwidths")?;
        let found = limits.bandwidths.len();
        if found != levels {
            return Err(format!("{path} has {found} entries: must be {levels}, as above"));
        }
    }
    Ok(())
}

fn within(field: impl Display, value: f64, range: &Range) -> Result<(), String> {
    let Range { low, high, from_zero, unit } = range;
    if (*low..=*high).contains(&value) || (*from_zero && value == 0.0) {
        return Ok(());
    }
    let zero = if *from_zero { "0, or " } else { "" };
    let [value, low, high] = [value, *low, *high].map(in_words);
    Err(format!("{field} = {value}: must be {zero}from {low} to {high}{unit}"))
}

/// Whole numbers without decimals, and none with hundreds of digits.
fn in_words(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1.0e9 {
        format!("{value}")
    } else {
        format!("{value:?}")
    }
}

fn at_most(what: &str, count: usize, most: usize) -> Result<(), String> {
    if count <= most { Ok(()) } else { Err(format!("{count} {what}: must be at most {most}")) }
}

fn not_empty<T>(field: impl Display, list: &[T], what: &str) -> Result<(), String> {
    if list.is_empty() {
        Err(format!("{field} has no {what}: must have at least one"))
    } else {
        Ok(())
    }
}
