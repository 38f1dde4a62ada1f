//! Numbers of agents as people write them.

/// Reads a whole number as a command line gives it: `5000`, `1_000_000`, `1e6`, `10k`, `2.5M` or
/// `1G`, in upper or lower case. None for anything else, and beyond 9·10¹⁵, where not every whole
/// number is exact.
#[must_use]
pub fn parse_count(text: &str) -> Option<usize> {
    let plain = text.replace('_', "");
    let (digits, factor) = match plain.char_indices().last() {
        Some((end, 'k' | 'K')) => (&plain[..end], 1.0e3),
        Some((end, 'm' | 'M')) => (&plain[..end], 1.0e6),
        Some((end, 'g' | 'G')) => (&plain[..end], 1.0e9),
        _ => (plain.as_str(), 1.0),
    };
    let number = digits.parse::<f64>().ok()? * factor;
    (number.fract() == 0.0 && (0.0..=9.0e15).contains(&number)).then_some(number as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_may_have_an_exponent_separators_or_a_unit() {
        for text in ["2500000", "2.5e6", "2_500_000", "2.5M", "2.5m", "2500k", "2500K", "0.0025G"] {
            assert_eq!(parse_count(text), Some(2_500_000), "{text}");
        }
        assert_eq!(parse_count("0"), Some(0));
        for text in
            ["", "-1", "1.5", "1e99", "nan", "inf", "many", "_", "M", "1.2345k", "5X", "1é", "1e16"]
        {
            assert_eq!(parse_count(text), None, "{text}");
        }
    }
}
