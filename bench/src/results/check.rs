//! Checks that a saved report is one that a measurement can have written. Everything that is made
//! of a report rests on it: figures need finite axes, and rows need times.

use std::collections::HashSet;

use serde_json::Value;

use crate::results::report::Report;

/// Characters of a text.
const LONGEST_TEXT: usize = 1_000;
/// The least positive number where zero is allowed: divided by it, others must stay finite.
const LEAST: f64 = 1.0e-9;

/// The lists that must not be empty.
const NOT_EMPTY: [&str; 4] = ["limits", "bandwidths", "blocks", "ns"];

/// The ranges of all numbers that nothing is computed again from, and their unit. A name stands for
/// its field wherever it is, a path such as `rows[].n` for one field.
const RANGES: [(&str, f64, f64, &str); 15] = [
    ("machine.cores", 1.0, 1.0e6, " cores"),
    ("load_before load_after cores_elsewhere", -1.0e6, 1.0e6, " cores"),
    ("lanes", 1.0, 64.0, " lanes"),
    ("threads", 1.0, 1024.0, " threads"),
    ("rows[].n stopped[].n", 1.0, 1.0e8, " agents"),
    ("rows[].x", 1.0e-6, 1.0e9, ""),
    ("setup.mean_neighbors", 1.0e-3, 1.0e6, ""),
    ("setup.step_seconds", 1.0e-3, 3600.0, " s"),
    ("setup.time_seconds", 1.0, 86_400.0, " s"),
    ("mean_neighbors", 0.0, 1.0e8, " neighbors"),
    ("pairs_per_agent bytes_per_agent", 0.0, 1.0e10, ""),
    ("ns[]", 1.0e-6, 1.0e15, " ns"),
    (
        "seconds steps_per_repeat crowds steps waited sort steer non_penetration \
         smooth cycles instructions branch_misses",
        0.0,
        1.0e15,
        "",
    ),
    ("bytes l1 l2 l3 working_set", 1.0, 1.0e15, " bytes"),
    ("add mul fma add_and_fma div sqrt broadcast copy", 1.0, 1.0e18, " per second"),
];

/// Checks every value of a report's JSON, and names it by its path, such as
/// `rows[3].blocks[0].ns[2]`. Removes control characters, which terminals obey; refuses long texts,
/// since tables are as wide as the longest.
pub(super) fn check(value: &mut Value, path: &str) -> Result<(), String> {
    match value {
        Value::String(text) => clean(text, path),
        Value::Array(list) if list.is_empty() && NOT_EMPTY.iter().any(|end| is_at(path, end)) => {
            Err(format!("{path} has no entries: must have at least one"))
        }
        Value::Array(list) => {
            let mut numbered = list.iter_mut().enumerate();
            numbered.try_for_each(|(k, value)| check(value, &format!("{path}[{k}]")))
        }
        Value::Object(fields) => {
            for (mut name, mut value) in std::mem::take(fields) {
                clean(&mut name, path)?;
                let dot = if path.is_empty() { "" } else { "." };
                check(&mut value, &format!("{path}{dot}{name}"))?;
                fields.insert(name, value);
            }
            Ok(())
        }
        Value::Number(number) => within(path, number.as_f64().unwrap_or(f64::NAN)),
        Value::Null | Value::Bool(_) => Ok(()),
    }
}

/// Checks what concerns more than one value.
pub(super) fn check_together(report: &Report) -> Result<(), String> {
    let mut ids = HashSet::new();
    if let Some((k, row)) = report.rows.iter().enumerate().find(|(_, row)| !ids.insert(&row.id)) {
        return Err(format!("rows[{k}].id = {:?}: must be an id that no other row has", row.id));
    }
    let limits = report.roofline.iter().flat_map(|roofline| &roofline.limits);
    let counts: Vec<usize> = limits.map(|limits| limits.bandwidths.len()).collect();
    match counts.iter().position(|count| *count != counts[0]) {
        Some(k) => Err(format!(
            "roofline.limits[{k}].bandwidths has {} entries: must be {}, as above",
            counts[k], counts[0]
        )),
        None => Ok(()),
    }
}

fn clean(text: &mut String, path: &str) -> Result<(), String> {
    text.retain(|c| !c.is_control());
    let length = text.chars().count();
    if length <= LONGEST_TEXT {
        return Ok(());
    }
    Err(format!("{path} has a text of {length} characters: must be at most {LONGEST_TEXT}"))
}

/// Whether a path, whatever the numbers in it, ends with these fields.
fn is_at(path: &str, end: &str) -> bool {
    let digits = |c: char| c.is_ascii_digit();
    let parts = path.split('[').map(|part| part.trim_start_matches(digits));
    let general = parts.collect::<Vec<_>>().join("[");
    general.strip_suffix(end).is_some_and(|start| start.is_empty() || start.ends_with('.'))
}

/// Checks a number against the first range that has the end of its path.
fn within(path: &str, value: f64) -> Result<(), String> {
    let found = RANGES.into_iter().find(|range| range.0.split(' ').any(|end| is_at(path, end)));
    let Some((_, low, high, unit)) = found else {
        return Ok(());
    };
    let from_zero = low == 0.0;
    let low = if from_zero { LEAST } else { low };
    if (low..=high).contains(&value) || (from_zero && value == 0.0) {
        return Ok(());
    }
    let zero = if from_zero { "0, or " } else { "" };
    let [value, low, high] = [value, low, high].map(in_words);
    Err(format!("{path} = {value}: must be {zero}from {low} to {high}{unit}"))
}

/// Whole numbers without decimals, and none with hundreds of digits.
fn in_words(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1.0e9 {
        format!("{value}")
    } else {
        format!("{value:?}")
    }
}
