use std::hint::black_box;

use super::*;
use crate::cpu::{Instructions, Level};
use crate::math::lanes::dispatch::{with_each_lanes, with_vectors};

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
    // Operations may yield different NaNs, so all NaNs count as equal.
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
                ("fma", lane(va.mul_add(vb, L::splat(0.3)), k), Lanes::mul_add(a, b, 0.3)),
                ("keep", lane(va.lt(vb).keep(vb), k), if a < b { b } else { 0.0 }),
                ("select", lane(va.le(vb).select(va, vb), k), if a <= b { a } else { b }),
            ];
            for (name, got, want) in pairs {
                assert_eq!(bits(got), bits(want), "{name}({a:e}, {b:e}) at width {}", L::WIDTH);
            }
            assert_eq!(va.minus_zero().any(), a == 0.0 && a.is_sign_negative(), "{a:e}");
            assert_eq!(va.eq(vb).any(), a == b);
            assert_eq!(va.gt(vb).any(), a > b);
            assert_eq!(va.ge(vb).any(), a >= b);
        }
    }
}

#[test]
fn lane_operations_match_scalar_at_every_width() {
    with_each_lanes!(L => operations_match_scalar::<L>());
}

#[test]
fn levels_say_how_many_lanes_their_vectors_have() {
    for level in Level::available() {
        let instructions = Instructions::new(level).unwrap();
        assert_eq!(with_vectors!(instructions, L => L::WIDTH), level.lanes(), "{level}");
    }
}

#[test]
fn load_store_and_masks_keep_lane_order() {
    with_each_lanes!(L => lanes_keep_their_order::<L>());
}

fn lanes_keep_their_order<L: Lanes>() {
    let loaded = L::load(&CASES);
    for (k, &case) in CASES.iter().enumerate().take(L::WIDTH) {
        assert_eq!(bits(lane(loaded, k)), bits(case));
    }
    let mut some = [0.0; MAX_WIDTH];
    loaded.store(&mut some[..L::WIDTH - 1]);
    assert_eq!(some.map(bits)[..L::WIDTH - 1], CASES.map(bits)[..L::WIDTH - 1]);
    assert_eq!(some[L::WIDTH - 1], 0.0, "a short slice takes only its lanes");
    for count in 0..=L::WIDTH {
        assert_eq!(Mask::<L>::first(count).0.sign_mask(), (1_u32 << count) - 1);
    }
    let mut kinds = [7; 2 * MAX_WIDTH];
    kinds[..6].copy_from_slice(&[3, 0, 3, 255, 3, 3]);
    let equal = |at: usize, kind| Mask::<L>::equal(&kinds[at..], kind).0.sign_mask() & 0xF;
    let all = (1 << L::WIDTH) - 1;
    let expected = [5, 8, 2, 0].map(|lanes| lanes & all);
    assert_eq!([equal(0, 3), equal(0, 255), equal(2, 255), equal(2, 0)], expected);
    let odd = Mask::<L>::from_fn(|k| k % 2 == 1);
    assert_eq!((!odd).0.sign_mask(), 0x5555 & all);
    assert!((odd & !odd).none());
    assert!((odd | !odd).all() && !odd.all());
    let mut written = [-1.0; MAX_WIDTH];
    odd.store(L::from_fn(|lane| lane as f32), &mut written);
    for (k, &value) in written.iter().enumerate() {
        assert_eq!(value, if k < L::WIDTH && k % 2 == 1 { k as f32 } else { -1.0 });
    }
    let columns = L::from_rows(|lane| [0, 1, 2, 3].map(|k| (10 * lane + k) as f32));
    for (k, column) in columns.into_iter().enumerate() {
        for at in 0..L::WIDTH {
            assert_eq!(lane(column, at), (10 * at + k) as f32);
        }
    }
    let mut short = [-1.0; MAX_WIDTH];
    (odd & Mask::first(L::WIDTH - 1)).store(loaded, &mut short[..L::WIDTH - 1]);
    for (k, (&value, case)) in short.iter().zip(CASES).enumerate() {
        let written = k < L::WIDTH - 1 && k % 2 == 1;
        assert_eq!(bits(value), bits(if written { case } else { -1.0 }));
    }
}

#[test]
fn weights_add_all_or_nothing_at_every_width() {
    with_each_lanes!(L => weights_add_all_or_nothing::<L>());
}

fn weights_add_all_or_nothing<L: Lanes>() {
    let weight = L::from_fn(|k| (k % 2) as f32);
    for (sum, value) in CASES.into_iter().flat_map(|sum| CASES.map(|value| (sum, value))) {
        if !value.is_finite() || sum.to_bits() == (-0.0_f32).to_bits() {
            continue;
        }
        let sums = L::splat(black_box(sum)).add_weighted(weight, L::splat(black_box(value)));
        for k in 0..L::WIDTH {
            let expected = if k % 2 == 1 { sum + value } else { sum };
            assert_eq!(bits(lane(sums, k)), bits(expected), "{sum} and {value} in lane {k}");
        }
    }
}

#[test]
fn integers_match_scalar_at_every_width() {
    with_each_lanes!(L => integers_match_scalar::<L>());
}

fn integers_match_scalar<L: Lanes>() {
    let bits_of = |bits: L::Bits, k: usize| {
        let mut out = [0; MAX_WIDTH];
        L::store_bits(bits, &mut out[..L::WIDTH]);
        out[k]
    };
    let k = L::WIDTH - 1;
    for a in CASES.into_iter().chain([2_147_483_648.0, -2_147_483_648.0, 2.147_483_5e9, 0.75]) {
        let lanes = L::splat(black_box(a));
        assert_eq!(bits_of(lanes.trunc_int(), k), a as i32 as u32, "{a:e}");
        if a.abs() < 2.0e9 {
            assert_eq!(bits_of(lanes.round_int(), k), a.round_ties_even() as i32 as u32, "{a:e}");
        }
    }
    for a in [0, 1, 7, 0x7FFF_FFFF, 0x8000_0000, 0xDEAD_BEEF, u32::MAX] {
        let a = black_box(a);
        let lanes = L::Bits::splat(a);
        assert_eq!(bits(lane(L::from_bits(lanes), k)), bits(f32::from_bits(a)));
        assert_eq!(bits_of(L::from_bits(lanes).to_bits(), k), a);
        assert_eq!(bits_of(lanes.shl(5), k), a << 5);
        assert_eq!(bits_of(lanes.shr(9), k), a >> 9);
        assert_eq!(bits_of(lanes.rotate_left(13), k), a.rotate_left(13));
        for b in [0, 3, 0x8000_0001, 0x7FFF_FFFE, 0x1234_5678] {
            let other = L::Bits::splat(black_box(b));
            let signed = |value: u32| value as i32;
            assert_eq!(bits_of(lanes.wrapping_add(other), k), a.wrapping_add(b));
            assert_eq!(bits_of(lanes.wrapping_sub(other), k), a.wrapping_sub(b));
            assert_eq!(bits_of(lanes.wrapping_mul(other), k), a.wrapping_mul(b));
            assert_eq!(bits_of(lanes & other, k), a & b);
            assert_eq!(bits_of(lanes | other, k), a | b);
            assert_eq!(bits_of(lanes ^ other, k), a ^ b);
            assert_eq!(signed(bits_of(lanes.signed_min(other), k)), signed(a).min(signed(b)));
            assert_eq!(signed(bits_of(lanes.signed_max(other), k)), signed(a).max(signed(b)));
        }
    }
}
