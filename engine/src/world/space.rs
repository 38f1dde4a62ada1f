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
        self.size.x.min(self.size.y)
    }

    pub(crate) fn diagonal(&self) -> f32 {
        self.size.length()
    }

    pub(crate) fn is_torus(&self) -> bool {
        self.topology == Topology::Torus
    }

    /// Accepts the right and top edges of a torus, which coincide with the left and bottom edges.
    pub(crate) fn check_position(&self, field: &str, at: [f32; 2]) -> Result<(), Error> {
        let [low, high] = self.bounds().unwrap_or([[0.0; 2], self.size.into()]);
        for (axis, name) in ["x", "y"].into_iter().enumerate() {
            // Formatting field names for errors would be slower than moving the agents.
            if !(low[axis]..=high[axis]).contains(&at[axis]) {
                let field = format!("{field}.{name}");
                within(&field, at[axis], low[axis], high[axis], "world units")?;
            }
        }
        Ok(())
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

    /// Wraps or stops agents that a move has taken across an edge.
    #[inline(always)]
    pub(crate) fn at_edge<L: Lanes>(
        &self,
        position: Vec2<L>,
        velocity: Vec2<L>,
    ) -> (Vec2<L>, Vec2<L>) {
        match self.topology {
            Topology::Open => (position, velocity),
            Topology::Torus => (self.wrap_once(position), velocity),
            Topology::Bounded => {
                let size = Vec2::<L>::splat(self.size);
                let (x, vx) = stopped(position.x, velocity.x, size.x);
                let (y, vy) = stopped(position.y, velocity.y, size.y);
                (Vec2::new(x, y), Vec2::new(vx, vy))
            }
        }
    }

    /// Clamps a position to [`Self::bounds`].
    #[inline(always)]
    pub(crate) fn clamped<L: Lanes>(&self, position: Vec2<L>) -> Vec2<L> {
        match self.topology {
            Topology::Torus => position,
            Topology::Bounded => self.at_edge(position, Vec2::zero()).0,
            Topology::Open => position.map(
                #[inline(always)]
                |x| x.clamp(-COORDINATE_LIMIT, COORDINATE_LIMIT),
            ),
        }
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

/// Clamps `x` to [0, size]. If `x` was outside, sets the velocity `v` along the same axis to 0.
#[inline(always)]
fn stopped<L: Lanes>(x: L, v: L, size: L) -> (L, L) {
    let (below, above) = (x.lt(L::zero()), x.gt(size));
    let inside = below.select(L::zero(), above.select(size, x));
    (inside, (!(below | above)).keep(v))
}
