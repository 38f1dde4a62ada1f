//! Sine and cosine, bit-identical on every machine.
//!
//! The standard library calls libm, whose results differ in the last bits between platforms.
//! A plain series in `f64`, rounded once to `f32`, is fast and accurate enough for parameters
//! (e.g. a field of view, a turn per step) and for drawing.

/// Returns (sin, cos) of an angle in radians, from -2π to 2π.
///
/// Each is within 1e-7 of its exact value.
#[must_use]
pub fn sin_cos(radians: f32) -> (f32, f32) {
    // Halving the angle six times makes the series converge in a few terms.
    const HALVINGS: i32 = 6;
    let x = f64::from(radians) / f64::from(1 << HALVINGS);
    let square = x * x;
    let (mut sin, mut cos) = (0.0, 0.0);
    let mut term = 1.0;
    for k in 0..10 {
        cos += term;
        term /= f64::from(2 * k + 1);
        sin += term * x;
        term *= -square / f64::from(2 * k + 2);
    }
    for _ in 0..HALVINGS {
        (sin, cos) = (2.0 * sin * cos, cos * cos - sin * sin);
    }
    (sin as f32, cos as f32)
}

#[cfg(test)]
mod tests {
    #[test]
    fn agrees_with_the_standard_library_to_single_precision() {
        for k in -628..=628 {
            let angle = k as f32 * 0.01;
            let (sin, cos) = super::sin_cos(angle);
            assert!((f64::from(sin) - f64::from(angle).sin()).abs() < 1.0e-7, "sin {angle}");
            assert!((f64::from(cos) - f64::from(angle).cos()).abs() < 1.0e-7, "cos {angle}");
        }
    }
}
