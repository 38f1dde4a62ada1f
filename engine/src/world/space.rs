use crate::error::{Error, within};
use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;
use crate::world::{COORDINATE_LIMIT, Topology, World};

/// Minimum and maximum height of a grid cell, in multiples of the view distance.
pub(crate) const MIN_CELL_HEIGHT: f32 = 0.25;
pub(crate) const MAX_CELL_HEIGHT: f32 = 16.0;

impl World {
    pub(crate) fn resolve(&self, agents: usize, view_distance: f32) -> Result<Space, Error> {
        let (width, height) = match (self.width, self.height, self.mean_neighbors) {
            (Some(width), Some(height), None) => (width, height),
            (None, None, Some(mean)) => {
                within("world.mean_neighbors", mean, 1.0e-3, 1.0e6, "")?;
                let view = f64::from(view_distance);
                let area =
                    agents.max(1) as f64 * std::f64::consts::PI * view * view / f64::from(mean);
                (area.sqrt() as f32, area.sqrt() as f32)
            }
            _ => {
                let allowed = "either width and height, or mean_neighbors";
                return Err(Error::refused("world", self.written_size(), allowed));
            }
        };
        Space::check_size(width, height)?;
        Ok(Space::new(self.topology, width, height))
    }

    pub(crate) fn has_size(&self) -> bool {
        [self.width, self.height, self.mean_neighbors].iter().any(Option::is_some)
    }

    pub(crate) fn written_size(&self) -> String {
        let sizes = [
            ("width", self.width),
            ("height", self.height),
            ("mean_neighbors", self.mean_neighbors),
        ];
        let given = sizes.iter().filter_map(|(name, size)| Some(format!("{name} = {}", (*size)?)));
        let given = given.collect::<Vec<_>>();
        if given.is_empty() { "{}".into() } else { format!("{{ {} }}", given.join(", ")) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Space {
    pub(crate) topology: Topology,
    pub(crate) size: Vec2<f32>,
    pub(crate) inverse_size: Vec2<f32>,
}

impl Space {
    pub(crate) fn new(topology: Topology, width: f32, height: f32) -> Self {
        Self {
            topology,
            size: Vec2::new(width, height),
            inverse_size: Vec2::new(1.0 / width, 1.0 / height),
        }
    }

    pub(crate) fn smaller_side(&self) -> f32 {
        if self.size.x < self.size.y { self.size.x } else { self.size.y }
    }

    pub(crate) fn is_torus(&self) -> bool {
        self.topology == Topology::Torus
    }

    pub(crate) fn is_wrapped(&self, point: Vec2<f32>) -> bool {
        let Vec2 { x: width, y: height } = self.size;
        !self.is_torus() || (0.0..width).contains(&point.x) && (0.0..height).contains(&point.y)
    }

    /// Accepts the right and top edges of a torus, which coincide with the left and bottom edges.
    pub(crate) fn check_position(&self, field: &str, at: [f32; 2]) -> Result<(), Error> {
        let [low, high] = self.bounds().unwrap_or([[0.0; 2], self.size.into()]);
        let [x, y] = at;
        if x >= low[0] && x <= high[0] && y >= low[1] && y <= high[1] {
            // Fast path: formatting field names for errors would be slower than moving the agents.
            return Ok(());
        }
        within(&format!("{field}.x"), x, low[0], high[0], "world units")?;
        within(&format!("{field}.y"), y, low[1], high[1], "world units")
    }

    /// Corners of the area that agents cannot leave, or `None` on a torus.
    pub(crate) fn bounds(&self) -> Option<[[f32; 2]; 2]> {
        match self.topology {
            Topology::Torus => None,
            Topology::Bounded => Some([[0.0; 2], self.size.into()]),
            Topology::Open => Some([[-COORDINATE_LIMIT; 2], [COORDINATE_LIMIT; 2]]),
        }
    }

    pub(crate) fn check_size(width: f32, height: f32) -> Result<(), Error> {
        within("world.width", width, 1.0e-3, COORDINATE_LIMIT, "world units")?;
        within("world.height", height, 1.0e-3, COORDINATE_LIMIT, "world units")
    }

    /// On a torus, shifts `from` by whole world sizes before subtracting. A sweep over cells across
    /// the seam does the same, so its offsets round identically.
    #[inline(always)]
    pub(crate) fn displacement<L: Lanes>(&self, from: Vec2<L>, to: Vec2<L>) -> Vec2<L> {
        if self.is_torus() { to - self.nearest_image(from, to) } else { to - from }
    }

    #[inline(always)]
    pub(crate) fn shortest<L: Lanes>(&self, offset: Vec2<L>) -> Vec2<L> {
        if self.is_torus() { self.add_wraps(offset, offset, -1.0) } else { offset }
    }

    /// Given the offsets to two points, returns the offset to the midpoint of the shortest line
    /// between the points.
    #[inline(always)]
    pub(crate) fn midway<L: Lanes>(&self, to_a: Vec2<L>, to_b: Vec2<L>) -> Vec2<L> {
        let middle = (to_a + to_b) * L::splat(0.5);
        if !self.is_torus() {
            return middle;
        }
        // If the line between the points is shorter across the seam, the midpoint is half a
        // world size away from the mean of the offsets.
        self.shortest(self.add_wraps(middle, to_b - to_a, -0.5))
    }

    #[inline(always)]
    pub(crate) fn nearest_image<L: Lanes>(&self, from: Vec2<L>, to: Vec2<L>) -> Vec2<L> {
        self.add_wraps(from, to - from, 1.0)
    }

    #[inline(always)]
    pub(crate) fn nearest_image_x<L: Lanes>(&self, from: L, to: L) -> L {
        add_wraps_along(from, to - from, L::splat(self.inverse_size.x), L::splat(self.size.x))
    }

    /// Adds `share` times `offset` to `vector`, with `offset` rounded to the nearest world size.
    #[inline(always)]
    fn add_wraps<L: Lanes>(&self, vector: Vec2<L>, offset: Vec2<L>, share: f32) -> Vec2<L> {
        let turn = Vec2::<L>::splat(self.size * share);
        let inverse_size = Vec2::<L>::splat(self.inverse_size);
        Vec2::new(
            add_wraps_along(vector.x, offset.x, inverse_size.x, turn.x),
            add_wraps_along(vector.y, offset.y, inverse_size.y, turn.y),
        )
    }
}

#[inline(always)]
pub(crate) fn add_wraps_along<L: Lanes>(value: L, offset: L, inverse_size: L, turn: L) -> L {
    (offset * inverse_size).round_ties_even().mul_add(turn, value)
}

/// Wraps or stops an agent that is at most one world size beyond the edge of the world.
#[inline(always)]
pub(crate) fn at_edge<L: Lanes>(
    space: &Space,
    position: Vec2<L>,
    velocity: Vec2<L>,
) -> (Vec2<L>, Vec2<L>) {
    let size = Vec2::<L>::splat(space.size);
    match space.topology {
        Topology::Open => (position, velocity),
        Topology::Torus => {
            (Vec2::new(wrapped(position.x, size.x), wrapped(position.y, size.y)), velocity)
        }
        Topology::Bounded => {
            let (x, vx) = stopped(position.x, velocity.x, size.x);
            let (y, vy) = stopped(position.y, velocity.y, size.y);
            (Vec2::new(x, y), Vec2::new(vx, vy))
        }
    }
}

/// Wraps a position into a torus, or clamps it to the bounds of any other world. [`without_wraps`]
/// states how far outside a torus the position may lie.
#[inline(always)]
pub(crate) fn inside<L: Lanes>(space: &Space, position: Vec2<L>) -> Vec2<L> {
    let size = space.size;
    match space.topology {
        Topology::Torus => {
            Vec2::new(without_wraps(position.x, size.x), without_wraps(position.y, size.y))
        }
        Topology::Bounded => at_edge(space, position, Vec2::zero()).0,
        Topology::Open => Vec2::new(
            position.x.clamp(-COORDINATE_LIMIT, COORDINATE_LIMIT),
            position.y.clamp(-COORDINATE_LIMIT, COORDINATE_LIMIT),
        ),
    }
}

/// Wraps a point at any distance into the torus; in other worlds, returns the point unchanged.
/// Rounds each coordinate at most once, but is too slow to call for every agent.
pub(crate) fn exactly_inside(space: &Space, point: [f32; 2]) -> [f32; 2] {
    if space.is_wrapped(point.into()) {
        return point;
    }
    [remainder(point[0], space.size.x), remainder(point[1], space.size.y)]
}

/// Wraps any coordinate into [0, size), rounding at most once.
pub(crate) fn remainder(x: f32, size: f32) -> f32 {
    wrapped(x.rem_euclid(size), size)
}

/// Wraps a coordinate into [0, size). The coordinate must be within a few million times `size`
/// of that range.
#[inline(always)]
fn without_wraps<L: Lanes>(x: L, size: f32) -> L {
    let size = L::splat(size);
    wrapped((x / size).floor().mul_add(-size, x), size)
}

/// Wraps a coordinate into [0, size). The coordinate must lie within one size of that range.
#[inline(always)]
pub(crate) fn wrapped<L: Lanes>(x: L, size: L) -> L {
    let x = x.lt(L::zero()).select(x + size, x);
    let x = x.ge(size).select(x - size, x);
    // A tiny negative coordinate plus `size` rounds up to `size`, which is the same point as 0.
    x.ge(size).select(L::zero(), x)
}

/// Clamps `x` to [0, size]. If `x` was outside, sets the velocity `v` along the same axis to 0.
#[inline(always)]
fn stopped<L: Lanes>(x: L, v: L, size: L) -> (L, L) {
    let (below, above) = (x.lt(L::zero()), x.gt(size));
    let inside = below.select(L::zero(), above.select(size, x));
    (inside, (!(below | above)).keep(v))
}
