//! Textbook vector algebra in `f64`.

pub(super) type V = [f64; 2];

pub(super) fn add(a: V, b: V) -> V {
    [a[0] + b[0], a[1] + b[1]]
}
pub(super) fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1]]
}
pub(super) fn scale(a: V, k: f64) -> V {
    [a[0] * k, a[1] * k]
}
pub(super) fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}
pub(super) fn cross(a: V, b: V) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}
pub(super) fn perp(a: V) -> V {
    [-a[1], a[0]]
}
pub(super) fn length(a: V) -> f64 {
    dot(a, a).sqrt()
}
pub(super) fn norm(a: V) -> V {
    let length = length(a);
    if length > 0.0 { scale(a, 1.0 / length) } else { [0.0, 0.0] }
}
pub(super) fn truncate(a: V, max: f64) -> V {
    if length(a) > max { scale(norm(a), max) } else { a }
}

/// `heading` turned towards `desired` by at most `limit` radians.
pub(super) fn turn(heading: V, desired: V, limit: f64) -> V {
    let cross = heading[0] * desired[1] - heading[1] * desired[0];
    let angle = cross.atan2(dot(heading, desired)).clamp(-limit, limit);
    let (sin, cos) = angle.sin_cos();
    norm([heading[0] * cos - heading[1] * sin, heading[0] * sin + heading[1] * cos])
}
