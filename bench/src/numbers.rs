use std::fmt::Display;

use indicatif::HumanCount;
use serde::Serializer;

/// Formats a number with three significant digits, or with all integer digits if there are more.
pub(crate) fn digits(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    if value < 0.0 {
        return format!("-{}", digits(-value));
    }
    // Round first: 9.996 must become 10.0, not 10.00.
    let rounded: f64 = format!("{value:.2e}").parse().expect("a formatted number");
    let magnitude = rounded.log10().floor() as i32;
    match 2 - magnitude {
        decimals @ 1.. => format!("{rounded:.0$}", decimals as usize),
        0 => format!("{rounded:.0}"),
        _ => grouped(value.round() as usize),
    }
}

pub(crate) fn duration(seconds: f64) -> String {
    let units = [("s", 1.0), ("ms", 1.0e-3), ("µs", 1.0e-6), ("ns", 1.0e-9)];
    let at_least_one = |(_, unit): &(&str, f64)| seconds >= 0.9995 * unit;
    let (name, unit) = units.into_iter().find(at_least_one).unwrap_or(units[3]);
    format!("{} {name}", digits(seconds / unit))
}

pub(crate) fn grouped(value: usize) -> String {
    HumanCount(value as u64).to_string()
}

/// Formats a number for an axis: `0.001`, `2.5`, `1,000`.
pub(crate) fn plain(value: f64) -> String {
    let digits = (value * 1.0e6).round() / 1.0e6;
    if value >= 10.0 { grouped(value.round() as usize) } else { format!("{digits}") }
}

/// Formats a number of agents with three digits: `833`, `8,330`, `83.3k`, `1.20M`.
pub(crate) fn compact(value: f64) -> String {
    let rounded: f64 = format!("{value:.2e}").parse().expect("a formatted number");
    match rounded {
        1.0e6.. => digits(rounded / 1.0e6) + "M",
        1.0e4.. => digits(rounded / 1.0e3) + "k",
        _ => grouped(rounded.round() as usize),
    }
}

/// If an interval's ends differ by a larger factor, the value is unknown.
const MAX_INTERVAL_FACTOR: f64 = 100.0;

pub(crate) fn is_unknown([low, high]: [f64; 2]) -> bool {
    high > MAX_INTERVAL_FACTOR * low
}

/// Formats a value with its confidence interval, e.g. `5.00× [4.90, 5.10]`.
pub(crate) fn with_interval(
    value: f64,
    [low, high]: [f64; 2],
    unit: &str,
    format: impl Fn(f64) -> String,
) -> String {
    if is_unknown([low, high]) {
        return "unknown".into();
    }
    let [value, low, high] = [value, low, high].map(format);
    format!("{value}{unit} [{low}, {high}]")
}

pub(crate) fn in_words<S: Serializer>(value: &impl Display, out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(value)
}

pub(crate) fn count(number: usize, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_rounded() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(12_345_678), "12,345,678");
        assert_eq!(digits(2.46813), "2.47");
        assert_eq!(digits(24.6813), "24.7");
        assert_eq!(digits(246.813), "247");
        assert_eq!(digits(24_681.3), "24,681");
        let values = [7.6, 8_334.0, 83_340.0, 999_600.0, 1_204_000.0];
        assert_eq!(values.map(compact), ["8", "8,330", "83.3k", "1.00M", "1.20M"]);
        assert_eq!([plain(0.001), plain(2.5), plain(1.0e6)], ["0.001", "2.5", "1,000,000"]);
    }

    #[test]
    fn numbers_next_to_a_power_of_ten_have_three_digits_too() {
        for (value, text) in [
            (0.0, "0"),
            (0.001_234_5, "0.00123"),
            (0.02, "0.0200"),
            (0.999_6, "1.00"),
            (9.994, "9.99"),
            (9.996, "10.0"),
            (99.96, "100"),
            (999.4, "999"),
            (999.6, "1,000"),
            (1_234.5, "1,235"),
            (-1_234.5, "-1,235"),
            (-0.05, "-0.0500"),
        ] {
            assert_eq!(digits(value), text, "{value}");
        }
    }

    #[test]
    fn durations_have_the_unit_that_fits_them() {
        for (seconds, text) in [
            (2.0, "2.00 s"),
            (0.999_6, "1.00 s"),
            (0.0204, "20.4 ms"),
            (4.2e-5, "42.0 µs"),
            (3.0e-10, "0.300 ns"),
            (0.0, "0 ns"),
        ] {
            assert_eq!(duration(seconds), text);
        }
    }
}
