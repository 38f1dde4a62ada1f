//! Heading smoothing, one agent, one heading at a time.

/// Copies a ring, with `heading` in place of entry `oldest`, and returns the sum of all
/// entries.
pub(crate) fn advance(from: &[f32], to: &mut [f32], oldest: usize, heading: [f32; 2]) -> [f32; 2] {
    let (mut even, mut odd) = ([0.0; 2], [0.0; 2]);
    for entry in 0..from.len() / 2 {
        let [x, y] = if entry == oldest { heading } else { [from[entry * 2], from[entry * 2 + 1]] };
        (to[entry * 2], to[entry * 2 + 1]) = (x, y);
        let sum = if entry % 2 == 0 { &mut even } else { &mut odd };
        (sum[0], sum[1]) = (sum[0] + x, sum[1] + y);
    }
    [even[0] + odd[0], even[1] + odd[1]]
}
