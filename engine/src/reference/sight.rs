use crate::reference::vector::V;

/// A shape that hides agents behind it.
#[derive(Clone, Copy)]
pub(super) enum Screen {
    /// A wall that stands upright, as high as the world.
    Wall([V; 2]),
    Obstacle(V, f64),
    Triangle([V; 3]),
}

impl Screen {
    pub(super) fn middle(&self) -> V {
        match self {
            Self::Wall([from, to]) => (*from + *to) * 0.5,
            Self::Obstacle(center, _) => *center,
            Self::Triangle([a, b, c]) => (*a + *b + *c) * (1.0 / 3.0),
        }
    }

    pub(super) fn shifted(self, by: V) -> Self {
        match self {
            Self::Wall(ends) => Self::Wall(ends.map(|end| end + by)),
            Self::Obstacle(center, radius) => Self::Obstacle(center + by, radius),
            Self::Triangle(corners) => Self::Triangle(corners.map(|corner| corner + by)),
        }
    }

    /// True if a straight line meets the screen. `negative` compares a number of this scale with 0.
    pub(super) fn hides(&self, [from, to]: [V; 2], negative: impl Fn(f64, f64) -> bool) -> bool {
        let opposite = |a: f64, b: f64| {
            let scale = a.abs() + b.abs();
            scale > 0.0 && negative(a, scale) != negative(b, scale)
        };
        match *self {
            Self::Wall([a, b]) => {
                let side = |a: V, b: V, point: V| (b - a).cross(point - a);
                opposite(side(from, to, a), side(from, to, b))
                    && opposite(side(a, b, from), side(a, b, to))
            }
            Self::Obstacle(center, radius) => {
                negative(distance_to_segment(center, from, to) - radius, radius)
            }
            Self::Triangle(corners @ [a, b, c]) => {
                if !opposite(volume([a, b, c, from]), volume([a, b, c, to])) {
                    return false;
                }
                // The line passes all three edges on the same side.
                let beside = |k: usize| volume([from, to, corners[k], corners[(k + 1) % 3]]);
                !opposite(beside(0), beside(1)) && !opposite(beside(1), beside(2))
            }
        }
    }
}

/// Six times the signed volume of a tetrahedron.
fn volume([a, b, c, d]: [V; 4]) -> f64 {
    let (u, v, w) = (b - a, c - a, d - a);
    u.dot(V { x: v.y * w.z - v.z * w.y, y: v.z * w.x - v.x * w.z, z: v.cross(w) })
}

fn distance_to_segment(point: V, from: V, to: V) -> f64 {
    let (along, offset) = (to - from, point - from);
    let length_sq = along.dot(along);
    let t = if length_sq > 0.0 { (offset.dot(along) / length_sq).clamp(0.0, 1.0) } else { 0.0 };
    (offset - along * t).length()
}
