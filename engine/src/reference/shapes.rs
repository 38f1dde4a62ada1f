use crate::reference::vector::V;

/// A wall, a triangle or an obstacle.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) outline: Outline,
    /// Unit normal of a one-sided shape, which stops only agents in front of it. `None` for other
    /// shapes.
    pub(super) front: Option<V>,
}

#[derive(Clone, Copy)]
pub(super) enum Outline {
    /// Stands upright, as high as the world.
    Wall([V; 2]),
    Triangle([V; 3]),
    Obstacle(V, f64),
}

impl Shape {
    pub(super) fn middle(&self) -> V {
        match self.outline {
            Outline::Wall([from, to]) => (from + to) * 0.5,
            Outline::Triangle([a, b, c]) => (a + b + c) * (1.0 / 3.0),
            Outline::Obstacle(center, _) => center,
        }
    }

    pub(super) fn shifted(self, by: V) -> Self {
        let outline = match self.outline {
            Outline::Wall(ends) => Outline::Wall(ends.map(|end| end + by)),
            Outline::Triangle(corners) => Outline::Triangle(corners.map(|corner| corner + by)),
            Outline::Obstacle(center, radius) => Outline::Obstacle(center + by, radius),
        };
        Self { outline, ..self }
    }

    /// Signed distance of a point in front of a one-sided shape. `None` for other shapes.
    pub(super) fn height(&self, at: V) -> Option<f64> {
        let (Outline::Wall([corner, _])
        | Outline::Triangle([corner, ..])
        | Outline::Obstacle(corner, _)) = self.outline;
        self.front.map(|normal| (at - corner).dot(normal))
    }

    /// Distance from the shape to a point, negative inside an obstacle, and the direction to the
    /// point.
    pub(super) fn clearance(&self, at: V) -> (f64, V) {
        let (away, radius) = match self.outline {
            Outline::Wall([from, to]) => {
                let away = at - nearest_on_segment(at, from, to);
                (V { z: 0.0, ..away }, 0.0)
            }
            Outline::Triangle(corners) => (at - nearest_on_triangle(at, corners), 0.0),
            Outline::Obstacle(center, radius) => (at - center, radius),
        };
        (away.length() - radius, away.normalized())
    }

    /// True if a line segment meets the shape. `negative` compares a number of a given scale with
    /// 0.
    pub(super) fn hides(&self, [from, to]: [V; 2], negative: impl Fn(f64, f64) -> bool) -> bool {
        let opposite = |a: f64, b: f64| {
            let scale = a.abs() + b.abs();
            scale > 0.0 && negative(a, scale) != negative(b, scale)
        };
        match self.outline {
            Outline::Wall([a, b]) => {
                let side = |a: V, b: V, point: V| (b - a).cross(point - a);
                opposite(side(from, to, a), side(from, to, b))
                    && opposite(side(a, b, from), side(a, b, to))
            }
            Outline::Obstacle(center, radius) => {
                let distance = (center - nearest_on_segment(center, from, to)).length();
                negative(distance - radius, radius)
            }
            Outline::Triangle(corners @ [a, b, c]) => {
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

fn nearest_on_segment(point: V, from: V, to: V) -> V {
    let along = to - from;
    // The two ends may coincide.
    let length_sq = along.dot(along).max(f64::MIN_POSITIVE);
    from + along * ((point - from).dot(along) / length_sq).clamp(0.0, 1.0)
}

fn nearest_on_triangle(at: V, [a, b, c]: [V; 3]) -> V {
    let normal = (b - a).across_both(c - a);
    let foot = at - normal * (at - a).dot(normal);
    let edges = [[a, b], [b, c], [c, a]];
    let inside = |&[from, to]: &[V; 2]| (to - from).across_both(foot - from).dot(normal) >= 0.0;
    if edges.iter().all(inside) {
        return foot;
    }
    let on_edges = edges.map(|[from, to]| nearest_on_segment(at, from, to));
    let distance = |point: &V| (at - *point).length();
    on_edges
        .into_iter()
        .min_by(|one, other| distance(one).total_cmp(&distance(other)))
        .expect("a triangle has three edges")
}
