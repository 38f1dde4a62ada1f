//! Checks that a saved report is one that a measurement can have written. Everything that is made
//! of a report rests on it: figures need finite axes, tables as many columns as they have heads.

use std::collections::HashSet;
use std::fmt::Display;

use serde_json::Value;

use crate::results::report::Report;
use crate::results::row::Row;
use crate::roofline::{Limits, Roofline};

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

const TIME: Range = positive(1.0e-6, 1.0e15, " ns");
const STAGE: Range = from_zero(1.0e15, " ns");
const CLOCK: Range = positive(1.0e-3, 1.0e9, " µs");
const SECONDS: Range = from_zero(1.0e30, " s");
const WAITED: Range = from_zero(1.0e4, "");
const CORES: Range = positive(-1.0e6, 1.0e6, " cores");
const AGENTS: Range = positive(1.0, 1.0e8, " agents");
const THREADS: Range = positive(1.0, 1024.0, " threads");
const POINT: Range = positive(1.0e-6, 1.0e9, "");
const NEIGHBORS: Range = from_zero(1.0e8, " neighbors");
const PAIRS: Range = from_zero(1.0e10, " pairs");
const BYTES_PER_AGENT: Range = from_zero(1.0e9, " bytes");
const COUNT: Range = from_zero(1.0e12, "");
const EVENTS: Range = from_zero(1.0e15, "");
const LANES: Range = positive(1.0, 64.0, " lanes");
const BYTES: Range = positive(1.0, 1.0e15, " bytes");
const RATE: Range = positive(1.0, 1.0e18, " per second");

/// A report's fields by their paths, such as `rows[3].blocks[0].ns[2]`.
pub(super) fn check(report: &Report) -> Result<(), String> {
    let Report { machine, setup, load_before, load_after, stopped, roofline, rows, .. } = report;
    within("machine.cores", machine.cores as f64, &positive(1.0, 1.0e6, " cores"))?;
    within("machine.lanes", machine.lanes as f64, &LANES)?;
    for (k, cache) in machine.caches.iter().enumerate() {
        within(format!("machine.caches[{k}].bytes"), cache.bytes as f64, &BYTES)?;
    }
    let neighbors = f64::from(setup.mean_neighbors);
    within("setup.mean_neighbors", neighbors, &positive(1.0e-3, 1.0e6, ""))?;
    within("setup.step_seconds", setup.step_seconds, &positive(1.0e-3, 3600.0, " s"))?;
    within("setup.time_seconds", setup.time_seconds, &positive(1.0, 86_400.0, " s"))?;
    for (name, load) in [("load_before", load_before), ("load_after", load_after)] {
        load.map_or(Ok(()), |load| within(name, load, &CORES))?;
    }
    for (k, stopped) in stopped.iter().enumerate() {
        within(format!("stopped[{k}].n"), stopped.n as f64, &AGENTS)?;
        within(format!("stopped[{k}].predicted_seconds"), stopped.predicted_seconds, &SECONDS)?;
    }
    roofline.as_ref().map_or(Ok(()), check_roofline)?;
    check_rows(rows)
}

fn check_rows(rows: &[Row]) -> Result<(), String> {
    at_most("rows", rows.len(), MOST_ROWS)?;
    let times = rows.iter().flat_map(|row| &row.blocks).map(|block| block.ns.len()).sum();
    at_most("times in rows", times, MOST_TIMES)?;
    let mut ids = HashSet::new();
    for (k, row) in rows.iter().enumerate() {
        let path = format!("rows[{k}]");
        if !ids.insert(&row.id) {
            return Err(format!("{path}.id = {:?}: must be an id that no other row has", row.id));
        }
        check_row(&path, row)?;
    }
    Ok(())
}

fn check_row(path: &str, row: &Row) -> Result<(), String> {
    let at = |name: &str| format!("{path}.{name}");
    within(at("x"), row.x, &POINT)?;
    within(at("n"), row.n as f64, &AGENTS)?;
    within(at("threads"), row.threads as f64, &THREADS)?;
    within(at("steps_per_repeat"), row.steps_per_repeat as f64, &COUNT)?;
    within(at("crowds"), row.crowds as f64, &COUNT)?;
    within(at("steps"), row.steps as f64, &COUNT)?;
    within(at("mean_neighbors"), row.mean_neighbors, &NEIGHBORS)?;
    row.pairs_per_agent.map_or(Ok(()), |pairs| within(at("pairs_per_agent"), pairs, &PAIRS))?;
    let bytes = row.bytes_per_agent;
    bytes.map_or(Ok(()), |bytes| within(at("bytes_per_agent"), bytes, &BYTES_PER_AGENT))?;
    not_empty(at("blocks"), &row.blocks, "times")?;
    for (k, block) in row.blocks.iter().enumerate() {
        let at = |name: &str| format!("{path}.blocks[{k}].{name}");
        not_empty(at("ns"), &block.ns, "times")?;
        for (k, &ns) in block.ns.iter().enumerate() {
            within(format!("{}[{k}]", at("ns")), ns, &TIME)?;
        }
        within(at("clock_us"), block.clock_us, &CLOCK)?;
        let memory = block.memory_ns;
        memory.map_or(Ok(()), |ns| within(at("memory_ns"), ns, &TIME))?;
        block.waited.map_or(Ok(()), |share| within(at("waited"), share, &WAITED))?;
        within(at("seconds"), block.seconds, &SECONDS)?;
        let elsewhere = block.cores_elsewhere;
        elsewhere.map_or(Ok(()), |cores| within(at("cores_elsewhere"), cores, &CORES))?;
        for (name, count) in ["cycles", "instructions", "branch_misses"]
            .iter()
            .zip(block.counts.unwrap_or_default().as_array())
        {
            within(at(&format!("counts.{name}")), count, &EVENTS)?;
        }
        let names = ["sort", "steer", "non_penetration", "smooth"];
        for (name, ns) in names.iter().zip(block.stages_ns.unwrap_or_default().as_array()) {
            within(at(&format!("stages_ns.{name}")), ns, &STAGE)?;
        }
    }
    Ok(())
}

fn check_roofline(roofline: &Roofline) -> Result<(), String> {
    within("roofline.lanes", roofline.lanes as f64, &LANES)?;
    let caches = &roofline.caches;
    for (name, bytes) in [("l1", caches.l1), ("l2", caches.l2), ("l3", caches.l3)] {
        within(format!("roofline.caches.{name}"), bytes as f64, &BYTES)?;
    }
    not_empty("roofline.limits", &roofline.limits, "limits")?;
    let levels = roofline.limits[0].bandwidths.len();
    for (k, limits) in roofline.limits.iter().enumerate() {
        check_limits(&format!("roofline.limits[{k}]"), limits, levels)?;
    }
    Ok(())
}

fn check_limits(path: &str, limits: &Limits, levels: usize) -> Result<(), String> {
    within(format!("{path}.threads"), limits.threads as f64, &THREADS)?;
    let rates = &limits.rates;
    for (name, rate) in [
        ("add", rates.add),
        ("mul", rates.mul),
        ("fma", rates.fma),
        ("add_and_fma", rates.add_and_fma),
        ("div", rates.div),
        ("sqrt", rates.sqrt),
        ("broadcast", rates.broadcast),
    ] {
        within(format!("{path}.rates.{name}"), rate, &RATE)?;
    }
    not_empty(format!("{path}.bandwidths"), &limits.bandwidths, "bandwidths")?;
    let found = limits.bandwidths.len();
    if found != levels {
        return Err(format!("{path}.bandwidths has {found} entries: must be {levels}, as above"));
    }
    for (k, bandwidth) in limits.bandwidths.iter().enumerate() {
        let at = |name: &str| format!("{path}.bandwidths[{k}].{name}");
        within(at("working_set"), bandwidth.working_set as f64, &BYTES)?;
        within(at("read"), bandwidth.read, &RATE)?;
        within(at("copy"), bandwidth.copy, &RATE)?;
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

/// Removes control characters, which terminals obey, from all texts; refuses long ones, since
/// tables are as wide as the longest.
pub(super) fn clean_texts(value: &mut Value, path: &str) -> Result<(), String> {
    match value {
        Value::String(text) => clean(text, path),
        Value::Array(list) => list
            .iter_mut()
            .enumerate()
            .try_for_each(|(k, value)| clean_texts(value, &format!("{path}[{k}]"))),
        Value::Object(fields) => {
            for (mut name, mut value) in std::mem::take(fields) {
                clean(&mut name, path)?;
                let dot = if path.is_empty() { "" } else { "." };
                clean_texts(&mut value, &format!("{path}{dot}{name}"))?;
                fields.insert(name, value);
            }
            Ok(())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
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
