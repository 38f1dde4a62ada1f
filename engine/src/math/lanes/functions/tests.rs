use crate::math::lanes::dispatch::with_each_lanes;
use crate::math::lanes::{Lanes, MAX_WIDTH};

/// Largest error that the documentation of [`Lanes`] allows, in units in the last place.
const MAX_ULP: f64 = 2.0;

type Exact = fn(f64) -> f64;

const EXP: (Exact, [f32; 2]) = (f64::exp, [f32::NEG_INFINITY, f32::INFINITY]);
const LN: (Exact, [f32; 2]) = (f64::ln, [f32::NEG_INFINITY, f32::INFINITY]);
const SIN: (Exact, [f32; 2]) = (f64::sin, [-1.0e4, 1.0e4]);
const COS: (Exact, [f32; 2]) = (f64::cos, [-1.0e4, 1.0e4]);

/// Numbers of all magnitudes, evenly spread over the bit patterns, and numbers near those for which
/// the functions are hardest to compute: multiples of π/2 and of ln 2, 1, the smallest and largest
/// results, and special values.
fn inputs(step: usize) -> impl Iterator<Item = f32> {
    let neighbors =
        |x: f64| (-8..=8).map(move |k| f32::from_bits((x as f32).to_bits().wrapping_add_signed(k)));
    let angles = (1..6_400).map(|k| f64::from(k) * std::f64::consts::FRAC_PI_4);
    let exponents = (-160..130).map(|k| f64::from(k) * 0.5 * std::f64::consts::LN_2);
    let limits = [
        0.0,
        1.0,
        88.722_83,
        -87.336_54,
        -103.972_08,
        104.0,
        89.0,
        0.5_f64.sqrt(),
        2.0_f64.sqrt(),
        1.175_494_4e-38,
        1.0e-45,
        3.4e38,
        1.0e4,
        6.6e6,
        1.0e30,
        1.0e-30,
    ];
    let hard =
        angles.chain(exponents).chain(limits).flat_map(move |x| neighbors(x).chain(neighbors(-x)));
    // The numbers that are nearest to a multiple of π/2, found by trying all numbers.
    let nearest = [252.898_21, 505.796_42, 4.712_389, 1_011.592_83, 9.424_778, 2_023.185_7];
    let special = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 0.0, -0.0, f32::MAX, f32::MIN];
    let even = (0..=u32::MAX).step_by(step).map(f32::from_bits);
    even.chain(hard).chain(nearest).chain(special)
}

fn bits(value: f32) -> u32 {
    if value.is_nan() { u32::MAX } else { value.to_bits() }
}

/// Distance from `result` to `exact`, in `f32` ULPs of `exact`.
fn error_in_ulp(result: f32, exact: f64) -> f64 {
    let rounded = exact as f32;
    if rounded.is_infinite() || !exact.is_finite() {
        return if bits(result) == bits(rounded) { 0.0 } else { f64::INFINITY };
    }
    let exponent = (exact.abs().log2().floor() as i32).max(-126);
    (f64::from(result) - exact).abs() / 2.0_f64.powi(exponent - 23)
}

/// Compares a function's results with exact results, and all lane types with single numbers.
macro_rules! assert_exact {
    ($name:ident, $step:expr, $expected:expr) => {{
        let ((exact, [low, high]), mut worst) = ($expected, (0.0, 0.0_f32));
        let inputs: Vec<f32> = inputs($step).collect();
        let results: Vec<f32> = inputs.iter().map(|&x| <f32 as Lanes>::$name(x)).collect();
        for (&x, &result) in inputs.iter().zip(&results) {
            if x.is_nan() || x.is_infinite() || x >= low && x <= high {
                let error = error_in_ulp(result, exact(f64::from(x)));
                if error > worst.0 {
                    worst = (error, x);
                }
            }
        }
        with_each_lanes!(L => {
            for (inputs, results) in inputs.chunks_exact(L::WIDTH).zip(results.chunks_exact(L::WIDTH)) {
                let actual = Lanes::to_array(<L as Lanes>::$name(L::load(inputs)));
                for (lane, &expected) in results.iter().enumerate() {
                    let x = inputs[lane];
                    assert_eq!(bits(actual[lane]), bits(expected), "{}({x:e})", stringify!($name));
                }
            }
        });
        let (error, x) = worst;
        println!("{}: {error:.3} ULP at {x:e}, of {} inputs", stringify!($name), inputs.len());
        assert!(error <= MAX_ULP, "{}({x:e}) is wrong by {error} ULP", stringify!($name));
    }};
}

fn assert_all_exact(step: usize) {
    assert_exact!(exp, step, EXP);
    assert_exact!(ln, step, LN);
    assert_exact!(sin, step, SIN);
    assert_exact!(cos, step, COS);
}

#[test]
fn functions_are_exact_to_2_ulp_and_the_same_at_every_width() {
    assert_all_exact(9_973);
}

/// Takes minutes in a release build. Run it with
/// `cargo test --release -p flockwork --lib functions_of_a_third -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes, in release"]
fn functions_of_a_third_of_all_numbers_are_exact_to_2_ulp() {
    assert_all_exact(3);
}

#[test]
fn special_values_are_those_of_the_standard_library() {
    let values = [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -1.0, 1.0];
    for x in values {
        let [exp, ln] = [<f32 as Lanes>::exp(x), <f32 as Lanes>::ln(x)];
        let [sin, cos] = [<f32 as Lanes>::sin(x), <f32 as Lanes>::cos(x)];
        if x.abs() != 1.0 {
            assert_eq!([exp, sin, cos].map(bits), [x.exp(), x.sin(), x.cos()].map(bits), "{x}");
        }
        assert_eq!(bits(ln), bits(x.ln()), "{x}");
    }
}

#[test]
fn sines_of_huge_angles_are_numbers_from_minus_1_to_1() {
    for x in inputs(99_991).filter(|x| x.is_finite()) {
        for value in [<f32 as Lanes>::sin(x), <f32 as Lanes>::cos(x)] {
            assert!((-1.0..=1.0).contains(&value), "{x:e}: {value}");
        }
    }
}

#[test]
fn min_and_max_are_those_of_the_standard_library_at_every_width() {
    let values =
        [0.0, -0.0, 1.0, -2.5, 3.0e38, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1.0e-45];
    with_each_lanes!(L => {
        for (a, b) in values.into_iter().flat_map(|a| values.map(|b| (a, b))) {
            // Names the trait, because some lane types have inherent `min` and `max` functions.
            let [min, max] = [<L as Lanes>::min, <L as Lanes>::max].map(|f| f(L::splat(a), L::splat(b)));
            for (actual, expected) in [(min, a.min(b)), (max, a.max(b))] {
                let actual: [f32; MAX_WIDTH] = Lanes::to_array(actual);
                // Of two zeros with different signs, the standard library may return either.
                let expected = if a == b { b } else { expected };
                assert_eq!(bits(actual[L::WIDTH - 1]), bits(expected), "{a} and {b}");
            }
        }
    });
}
