//! Checks that a saved report is one that a measurement can have written. Everything that is made
//! of a report rests on it: figures need finite axes, tables as many columns as they have heads.

use std::collections::HashSet;
use std::fmt::Display;

use serde_json::Value;

use crate::results::report::Report;

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

/// The ranges of all numbers that nothing is computed again from. A name stands for its field
/// wherever it is, a path such as `rows[].n` for one field.
const RANGES: [(&[&str], Range); 20] = [
    (&["machine.cores"], positive(1.0, 1.0e6, " cores")),
    (&["load_before", "load_after", "cores_elsewhere"], CORES),
    (&["lanes"], positive(1.0, 64.0, " lanes")),
    (&["threads"], positive(1.0, 1024.0, " threads")),
    (&["rows[].n", "stopped[].n"], positive(1.0, 1.0e8, " agents")),
    (&["rows[].x"], positive(1.0e-6, 1.0e9, "")),
    (&["setup.mean_neighbors"], positive(1.0e-3, 1.0e6, "")),
    (&["setup.step_seconds"], positive(1.0e-3, 3600.0, " s")),
    (&["setup.time_seconds"], positive(1.0, 86_400.0, " s")),
    (&["predicted_seconds", "seconds"], from_zero(1.0e30, " s")),
    (&["steps_per_repeat", "crowds", "steps"], from_zero(1.0e12, "")),
    (&["mean_neighbors"], from_zero(1.0e8, " neighbors")),
    (&["pairs_per_agent"], from_zero(1.0e10, " pairs")),
    (&["bytes_per_agent"], from_zero(1.0e9, " bytes")),
    (&["ns[]"], positive(1.0e-6, 1.0e15, " ns")),
    (&["waited"], from_zero(1.0e4, "")),
    (&["sort", "steer", "non_penetration", "smooth"], from_zero(1.0e15, " ns")),
    (&["cycles", "instructions", "branch_misses"], from_zero(1.0e15, "")),
    (&["bytes", "l1", "l2", "l3", "working_set"], positive(1.0, 1.0e15, " bytes")),
    (
        &["add", "mul", "fma", "add_and_fma", "div", "sqrt", "broadcast", "read", "copy"],
        positive(1.0, 1.0e18, " per second"),
    ),
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

/// The first range that has the end of this path.
fn range_of(path: &str) -> Option<&'static Range> {
    let digits = |c: char| c.is_ascii_digit();
    let parts = path.split('[').map(|part| part.trim_start_matches(digits));
    let general = parts.collect::<Vec<_>>().join("[");
    let ends_with = |end: &&str| {
        general.strip_suffix(end).is_some_and(|start| start.is_empty() || start.ends_with('.'))
    };
    let found = RANGES.iter().find(|(ends, _)| ends.iter().any(ends_with));
    found.map(|(_, range)| range)
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
    let require = |holds: bool, said: &dyn Fn() -> String| if holds { Ok(()) } else { Err(said()) };
    let not_empty = |field: String, length: usize, what: &str| {
        require(length > 0, &|| format!("{field} has no {what}: must have at least one"))
    };
    if let Some(roofline) = &report.roofline {
        let limits = &roofline.limits;
        not_empty("roofline.limits".into(), limits.len(), "limits")?;
        let levels = limits[0].bandwidths.len();
        for (k, limits) in limits.iter().enumerate() {
            let (path, found) =
                (format!("roofline.limits[{k}].bandwidths"), limits.bandwidths.len());
            not_empty(path.clone(), found, "bandwidths")?;
            require(found == levels, &|| {
                format!("{path} has {found} entries: must be {levels}, as above")
            })?;
        }
    }
    let rows = &report.rows;
    let times = rows.iter().flat_map(|row| &row.blocks).map(|block| block.ns.len()).sum();
    for (what, count, most) in
        [("rows", rows.len(), MOST_ROWS), ("times in rows", times, MOST_TIMES)]
    {
        require(count <= most, &|| format!("{count} {what}: must be at most {most}"))?;
    }
    let mut ids = HashSet::new();
    for (k, row) in rows.iter().enumerate() {
        require(ids.insert(&row.id), &|| {
            format!("rows[{k}].id = {:?}: must be an id that no other row has", row.id)
        })?;
        not_empty(format!("rows[{k}].blocks"), row.blocks.len(), "times")?;
        for (block, times) in row.blocks.iter().enumerate() {
            not_empty(format!("rows[{k}].blocks[{block}].ns"), times.ns.len(), "times")?;
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
