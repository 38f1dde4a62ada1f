use std::cmp::Ordering;

use crate::error::{Error, within};
use crate::math::lanes::Lanes;
use crate::math::vec3::Vec3;
use crate::world::{COORDINATE_LIMIT, Topology, World};

/// Minimum and maximum height of a grid cell, in multiples of the view distance.
pub(crate) const MIN_CELL_HEIGHT: f32 = 0.25;
pub(crate) const MAX_CELL_HEIGHT: f32 = 16.0;

impl World {
    pub(crate) fn resolve(&self, agents: usize, view_distance: f32) -> Result<Space, Error> {
        let size = match (self.width, self.height, self.mean_neighbors, self.dimensions) {
            (Some(width), Some(height), None, None) => Vec3 { x: width, y: height, z: 0.0 },
            (None, None, Some(mean), dimensions) if self.depth.is_none() => {
                within("world.mean_neighbors", mean, 1.0e-3, 1.0e6, "")?;
                if let Some(dimensions) = dimensions.filter(|count| !(2..=3).contains(count)) {
                    return Err(Error::refused("world.dimensions", dimensions, "2 or 3"));
                }
                let side = side_for(f64::from(mean), dimensions, agents, f64::from(view_distance));
                Vec3 { x: side, y: side, z: if self.is_deep() { side } else { 0.0 } }
            }
            _ => {
                let allowed =
                    "either width and height (and depth), or mean_neighbors (and dimensions)";
                return Err(Error::refused("world", self.written_size(), allowed));
            }
        };
        let size = Vec3 { z: self.depth.unwrap_or(size.z), ..size };
        Space::check_size(size, self.is_deep())?;
        Ok(Space::sized(self.topology, size))
    }

    pub(crate) fn is_deep(&self) -> bool {
        self.depth.is_some() || self.dimensions == Some(3)
    }

    pub(crate) fn has_size(&self) -> bool {
        [self.width, self.height, self.depth, self.mean_neighbors].iter().any(Option::is_some)
    }

    pub(crate) fn written_size(&self) -> String {
        let sizes = [
            ("width", self.width),
            ("height", self.height),
            ("depth", self.depth),
            ("mean_neighbors", self.mean_neighbors),
            ("dimensions", self.dimensions.map(|dimensions| dimensions as f32)),
        ];
        let given = sizes.iter().filter_map(|(name, size)| Some(format!("{name} = {}", (*size)?)));
        let given = given.collect::<Vec<_>>();
        if given.is_empty() { "{}".into() } else { format!("{{ {} }}", given.join(", ")) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Space {
    pub(crate) topology: Topology,
    pub(crate) size: Vec3<f32>,
    pub(crate) inverse_size: Vec3<f32>,
}

impl Space {
    /// Creates a flat world.
    pub(crate) fn new(topology: Topology, width: f32, height: f32) -> Self {
        Self::sized(topology, Vec3::flat(width, height))
    }

    /// Creates a world, which is flat if the z of `size` is 0.
    pub(crate) fn sized(topology: Topology, size: Vec3<f32>) -> Self {
        let inverse = |size: f32| if size > 0.0 { 1.0 / size } else { 0.0 };
        Self { topology, size, inverse_size: size.map(inverse) }
    }

    pub(crate) fn smaller_side(&self) -> f32 {
        let side = self.size.x.min(self.size.y);
        if self.is_flat() { side } else { side.min(self.size.z) }
    }

    /// Largest magnitude of a y or z coordinate.
    pub(crate) fn largest_across(&self) -> f32 {
        match self.topology {
            Topology::Open => COORDINATE_LIMIT,
            Topology::Torus | Topology::Bounded => self.size.y.max(self.size.z),
        }
    }

    pub(crate) fn diagonal(&self) -> f32 {
        self.size.length()
    }

    /// Area, or volume, of the world's box.
    pub(crate) fn extent(&self) -> f64 {
        let Vec3 { x, y, z } = Vec3::<f64>::from_f32(self.size);
        if self.is_flat() { x * y } else { x * y * z }
    }

    /// Mean distance between neighbors if this many agents are spread evenly.
    pub(crate) fn spacing(&self, agents: f64) -> f64 {
        let extent_per_agent = self.extent() / agents;
        if self.is_flat() { extent_per_agent.sqrt() } else { cube_root(extent_per_agent) }
    }

    /// The vector as text, with a number for each axis.
    pub(crate) fn written(&self, vector: Vec3<f32>) -> String {
        format!("{:?}", &<[f32; 3]>::from(vector)[..self.axes()])
    }

    pub(crate) fn axes(&self) -> usize {
        if self.is_flat() { 2 } else { 3 }
    }

    /// Rejects vectors whose number of coordinates differs from the world's number of axes.
    pub(crate) fn check_coordinates(&self, count: usize) -> Result<(), Error> {
        if count == self.axes() {
            return Ok(());
        }
        Err(Error::refused("number of coordinates", count, self.axes().to_string()))
    }

    pub(crate) fn is_flat(&self) -> bool {
        self.size.z == 0.0
    }

    pub(crate) fn is_torus(&self) -> bool {
        self.topology == Topology::Torus
    }

    /// Accepts the right and top edges of a torus, which coincide with the left and bottom edges.
    pub(crate) fn check_position(&self, field: &str, at: Vec3<f32>) -> Result<(), Error> {
        let [low, high] = self.bounds().unwrap_or([[0.0; 3], self.size.into()]);
        let at = <[f32; 3]>::from(at);
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            // Format field names only for errors: formatting is slower than moving the agents.
            if !(low[axis]..=high[axis]).contains(&at[axis]) {
                let field = format!("{field}.{name}");
                within(&field, at[axis], low[axis], high[axis], "world units")?;
            }
        }
        Ok(())
    }

    /// Corners of the area that agents cannot leave, or `None` on a torus.
    pub(crate) fn bounds(&self) -> Option<[[f32; 3]; 2]> {
        match self.topology {
            Topology::Torus => None,
            Topology::Bounded => Some([[0.0; 3], self.size.into()]),
            Topology::Open => {
                let most = self.size.map(|size| if size > 0.0 { COORDINATE_LIMIT } else { 0.0 });
                Some([(-most).into(), most.into()])
            }
        }
    }

    pub(crate) fn check_size(size: Vec3<f32>, is_deep: bool) -> Result<(), Error> {
        let Vec3 { x, y, z } = size;
        let sides = [("world.width", x), ("world.height", y), ("world.depth", z)];
        let sides = sides.into_iter().take(if is_deep { 3 } else { 2 });
        for (name, side) in sides {
            within(name, side, 1.0e-3, COORDINATE_LIMIT, "world units")?;
        }
        Ok(())
    }

    /// On a torus, shifts `from` by whole world sizes before subtracting. A sweep over cells across
    /// the seam does the same, so its offsets round identically.
    #[inline(always)]
    pub(crate) fn displacement<L: Lanes>(&self, from: Vec3<L>, to: Vec3<L>) -> Vec3<L> {
        if self.is_torus() { to - self.nearest_image(from, to) } else { to - from }
    }

    #[inline(always)]
    pub(crate) fn shortest<L: Lanes>(&self, offset: Vec3<L>) -> Vec3<L> {
        if self.is_torus() { self.add_wraps(offset, offset, -1.0) } else { offset }
    }

    /// Given the offsets to two points, returns the offset to the midpoint of the shortest line
    /// between the points.
    #[inline(always)]
    pub(crate) fn midway<L: Lanes>(&self, to_a: Vec3<L>, to_b: Vec3<L>) -> Vec3<L> {
        let middle = (to_a + to_b) * L::splat(0.5);
        if !self.is_torus() {
            return middle;
        }
        // If the line between the points is shorter across the seam, the midpoint is half a
        // world size away from the mean of the offsets.
        self.shortest(self.add_wraps(middle, to_b - to_a, -0.5))
    }

    #[inline(always)]
    pub(crate) fn nearest_image<L: Lanes>(&self, from: Vec3<L>, to: Vec3<L>) -> Vec3<L> {
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
        position: Vec3<L>,
        velocity: Vec3<L>,
    ) -> (Vec3<L>, Vec3<L>) {
        match self.topology {
            Topology::Open => (position, velocity),
            Topology::Torus => (self.wrap_once(position), velocity),
            Topology::Bounded => {
                let size = Vec3::<L>::splat(self.size);
                let stopped_velocity = velocity.zip3(
                    position,
                    size,
                    #[inline(always)]
                    |v, x, size| (x.ge(L::zero()) & x.le(size)).keep(v),
                );
                let inside = position.zip(
                    size,
                    #[inline(always)]
                    |x, size| x.lt(L::zero()).select(L::zero(), x.gt(size).select(size, x)),
                );
                (inside, stopped_velocity)
            }
        }
    }

    /// Clamps a position to [`Self::bounds`].
    #[inline(always)]
    pub(crate) fn clamped<L: Lanes>(&self, position: Vec3<L>) -> Vec3<L> {
        match self.topology {
            Topology::Torus => position,
            Topology::Bounded => self.at_edge(position, Vec3::zero()).0,
            Topology::Open => position.map(
                #[inline(always)]
                |x| x.clamp(-COORDINATE_LIMIT, COORDINATE_LIMIT),
            ),
        }
    }

    /// Adds `factor` times `offset` to `vector`, with `offset` rounded to whole world sizes.
    #[inline(always)]
    fn add_wraps<L: Lanes>(&self, vector: Vec3<L>, offset: Vec3<L>, factor: f32) -> Vec3<L> {
        let turn = Vec3::<L>::splat(self.size * factor);
        let inverse_size = Vec3::<L>::splat(self.inverse_size);
        let wraps = offset.zip(
            inverse_size,
            #[inline(always)]
            |offset, inverse_size| (offset * inverse_size).round_ties_even(),
        );
        vector.zip3(
            wraps,
            turn,
            #[inline(always)]
            |value, wraps, turn| wraps.mul_add(turn, value),
        )
    }
}

#[inline(always)]
pub(crate) fn add_wraps_along<L: Lanes>(value: L, offset: L, inverse_size: L, turn: L) -> L {
    (offset * inverse_size).round_ties_even().mul_add(turn, value)
}

/// Side of the square or cube in which agents see `mean` others on average.
fn side_for(mean: f64, dimensions: Option<u32>, agents: usize, view: f64) -> f32 {
    let agents = agents.max(1) as f64;
    if dimensions != Some(3) {
        return (agents * std::f64::consts::PI * view * view / mean).sqrt() as f32;
    }
    cube_root(agents * (4.0 / 3.0 * std::f64::consts::PI) * view * view * view / mean) as f32
}

/// Cube root by Newton's method, which descends to the root from above. Uses only correctly rounded
/// operations, because the last bits of library functions differ between platforms.
pub(crate) fn cube_root(cube: f64) -> f64 {
    let mut root = cube.max(1.0);
    loop {
        let next = root - (root - cube / (root * root)) / 3.0;
        if next.partial_cmp(&root) != Some(Ordering::Less) {
            return root;
        }
        root = next;
    }
}
