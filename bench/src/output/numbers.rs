//! Numbers for people.

/// Three significant digits, all of large numbers.
pub(crate) fn digits(value: f64) -> String {
    match value {
        v if v >= 999.5 => grouped(v.round() as usize),
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

/// 1,234,567.
pub(crate) fn grouped(value: usize) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
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
    }
}
