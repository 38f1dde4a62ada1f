use std::hint::black_box;

use wide::{f32x4, f32x8, f32x16};

use super::*;

/// Zeros of both signs, subnormals, ordinary values, infinities and NaN.
const CASES: [f32; 16] = [
    0.0,
    -0.0,
    1.0e-40,
    -1.0e-40,
    f32::MIN_POSITIVE,
    0.1,
    -0.5,
    1.0,
    1.5,
    2.5,
    -3.75,
    1.0e20,
    -3.4e38,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

fn bits(value: f32) -> u32 {
    // Which NaN an operation yields is not part of the promise.
    if value.is_nan() { u32::MAX } else { value.to_bits() }
}

fn lane<L: Lanes>(value: L, k: usize) -> f32 {
    let mut out = [0.0; MAX_WIDTH];
    value.store(&mut out[..L::WIDTH]);
    out[k]
}

fn operations_match_scalar<L: Lanes>() {
    for a in CASES {
        for b in CASES {
            // Keeps the compiler from computing the results itself.
            let (a, b) = (black_box(a), black_box(b));
            let (va, vb) = (L::splat(a), L::splat(b));
            let k = L::WIDTH - 1;
            let pairs = [
                ("add", lane(va + vb, k), a + b),
                ("sub", lane(va - vb, k), a - b),
                ("mul", lane(va * vb, k), a * b),
                ("div", lane(va / vb, k), a / b),
                ("sqrt", lane(va.sqrt(), k), a.sqrt()),
                ("abs", lane(va.abs(), k), a.abs()),
                ("neg", lane(-va, k), -a),
                ("round", lane(va.round_ties_even(), k), a.round_ties_even()),
                ("floor", lane(va.floor(), k), a.floor()),
                ("fma", lane(va.mul_add(vb, L::splat(0.3)), k), a.mul_add(b, 0.3)),
                ("keep", lane(va.lt(vb).keep(vb), k), if a < b { b } else { 0.0 }),
                ("select", lane(va.le(vb).select(va, vb), k), if a <= b { a } else { b }),
            ];
            for (name, got, want) in pairs {
                assert_eq!(bits(got), bits(want), "{name}({a:e}, {b:e}) at width {}", L::WIDTH);
            }
            assert_eq!(va.minus_zero().any(), a == 0.0 && a.is_sign_negative(), "{a:e}");
            assert_eq!(va.gt(vb).any(), a > b);
            assert_eq!(va.ge(vb).any(), a >= b);
        }
    }
}

#[test]
fn lane_operations_match_scalar_at_every_width() {
    operations_match_scalar::<f32>();
    operations_match_scalar::<f32x4>();
    operations_match_scalar::<f32x8>();
    operations_match_scalar::<f32x16>();
}

#[test]
fn load_store_and_masks_keep_lane_order() {
    let loaded = <f32x16 as Lanes>::load(&CASES);
    for (k, &case) in CASES.iter().enumerate() {
        assert_eq!(bits(lane(loaded, k)), bits(case));
    }
    for count in 0..=8 {
        assert_eq!(Mask::<f32x8>::first(count).0.sign_mask(), (1u32 << count) - 1);
    }
    let kinds = [3, 0, 3, 255, 3, 3];
    let equal = |at: usize, kind| Mask::<f32x4>::equal(&kinds[at..], kind).0.sign_mask();
    assert_eq!([equal(0, 3), equal(0, 255), equal(2, 255), equal(2, 0)], [5, 8, 2, 0]);
    let odd = Mask::<f32x4>::from_fn(|k| k % 2 == 1);
    assert_eq!((!odd).0.sign_mask(), 0b0101);
    assert_eq!((odd | !odd).0.sign_mask(), 0b1111);
    assert!((odd & !odd).none());
    assert!((odd | !odd).every() && !odd.every());
}
