//! Spatial queries: agents around a point, and interpolation between positions.
//!
//! Queries use their own cells, because they may run at any time and on several threads. The first
//! query after agents move sorts all slots into these cells. This sort is faster than a step's.

use std::sync::Arc;

use crate::crowd::lookup::SpatialLookup;
use crate::error::{Error, check_count, within};
use crate::grid::Layout;
use crate::grid::groups::Plan;
use crate::id::AgentId;
use crate::math::lanes::dispatch::with_vectors;
use crate::math::lanes::{Lanes, compiled};
use crate::math::vec3::Vec3;
use crate::simulation::Simulation;
use crate::world::COORDINATE_LIMIT;
use crate::world::point::Point;
use crate::world::space::{Space, add_wraps_along};
use crate::world::wrap::wrap_once;

pub(crate) const MAX_RADIUS: f32 = 4.0 * COORDINATE_LIMIT;

impl Simulation {
    /// Returns the ids of the agents within `radius` world units of a point, in ascending order of
    /// index. `species` restricts the result to one species.
    ///
    /// # Errors
    /// A radius outside 0 to 4e7, a coordinate that is not finite, or an unknown species.
    pub fn agents_within(
        &self,
        center: impl Into<Point>,
        radius: f32,
        species: Option<&str>,
    ) -> Result<Vec<AgentId>, Error> {
        let mut found = Vec::new();
        self.agents_within_into(center, radius, species, &mut found).map(|()| found)
    }

    /// Like [`Self::agents_within`], but replaces the contents of `found`.
    ///
    /// # Errors
    /// The same errors as [`Self::agents_within`].
    pub fn agents_within_into(
        &self,
        center: impl Into<Point>,
        radius: f32,
        species: Option<&str>,
        found: &mut Vec<AgentId>,
    ) -> Result<(), Error> {
        let center = self.vector("point", center.into())?;
        within("radius", radius, 0.0, MAX_RADIUS, "world units")?;
        self.find(center, radius, species, found, |center, slot| {
            let offset = self.offset(center, slot);
            offset.dot(offset) <= radius * radius
        })
    }

    /// Returns the ids of the agents in a rectangle, edges included, in ascending order of index.
    /// `species` restricts the result to one species. `corners` are the corners with the lowest
    /// and the highest coordinates. On a torus, the rectangle may cross the seam.
    ///
    /// # Errors
    /// A width or height outside 0 to 2e7, a coordinate that is not finite, or an unknown species.
    pub fn agents_in_rectangle(
        &self,
        corners: [impl Into<Point>; 2],
        species: Option<&str>,
    ) -> Result<Vec<AgentId>, Error> {
        let mut found = Vec::new();
        self.agents_in_rectangle_into(corners, species, &mut found).map(|()| found)
    }

    /// Like [`Self::agents_in_rectangle`], but replaces the contents of `found`.
    ///
    /// # Errors
    /// The same errors as [`Self::agents_in_rectangle`].
    pub fn agents_in_rectangle_into(
        &self,
        corners: [impl Into<Point>; 2],
        species: Option<&str>,
        found: &mut Vec<AgentId>,
    ) -> Result<(), Error> {
        let [low, high] = corners.map(|corner| self.vector("corner", corner.into()));
        let (low, high) = (low?, high?);
        let size = high - low;
        within("width of the rectangle", size.x, 0.0, MAX_RADIUS / 2.0, "world units")?;
        within("height of the rectangle", size.y, 0.0, MAX_RADIUS / 2.0, "world units")?;
        within("depth of the box", size.z, 0.0, MAX_RADIUS / 2.0, "world units")?;
        let half = size * 0.5;
        let center = low + half;
        // The center is rounded.
        let radius = (half.length() + center.length() * 1.0e-6).min(MAX_RADIUS);
        let world =
            if self.setting.space.is_torus() { self.setting.space.size } else { Vec3::ZERO };
        self.find(center, radius, species, found, |_, slot| {
            let position = self.state.motion.position.at(slot);
            let [low, high, position, world] =
                [low, high, position, world].map(|vector| <[f32; 3]>::from(vector).map(f64::from));
            (0..3).all(|axis| {
                let (position, world) = (position[axis], world[axis]);
                let turns = if world > 0.0 { ((low[axis] - position) / world).ceil() } else { 0.0 };
                // Rounding may have made the quotient too small.
                [turns, turns + 1.0]
                    .iter()
                    .any(|turns| (low[axis]..=high[axis]).contains(&(position + turns * world)))
            })
        })
    }

    /// Returns the ids of the `count` agents nearest to a point, or of all agents if there are
    /// fewer. `species` restricts the result to one species. Ids are ordered by distance, and by
    /// index at equal distances.
    ///
    /// # Errors
    /// A coordinate that is not finite, or an unknown species.
    pub fn nearest_agents(
        &self,
        to: impl Into<Point>,
        count: usize,
        species: Option<&str>,
    ) -> Result<Vec<AgentId>, Error> {
        let mut found = Vec::new();
        self.nearest_agents_into(to, count, species, &mut found).map(|()| found)
    }

    /// Like [`Self::nearest_agents`], but replaces the contents of `found`.
    ///
    /// # Errors
    /// The same errors as [`Self::nearest_agents`].
    pub fn nearest_agents_into(
        &self,
        to: impl Into<Point>,
        count: usize,
        species: Option<&str>,
        found: &mut Vec<AgentId>,
    ) -> Result<(), Error> {
        let to = to.into();
        let point = self.vector("point", to)?;
        let named = species.map(|name| self.setting.scene.species_index(name)).transpose()?;
        let count = count.min(self.len());
        // In a slab, the populations may be outdated, so they only set the first search radius.
        let likely = named.map_or(self.len(), |species| self.setting.populations[species]);
        let fraction = (count.min(likely) + 1) as f32 / (likely + 1) as f32;
        let all = || match named {
            None => self.len(),
            Some(species) => {
                let species_of = |slot| self.state.attributes.species_of(slot);
                (0..self.len()).filter(|&slot| species_of(slot) == species).count()
            }
        };
        let spacing = self.setting.space.spacing(1.0 / f64::from(fraction));
        let mut radius = (spacing as f32).min(MAX_RADIUS);
        loop {
            self.agents_within_into(to, radius, species, found)?;
            if found.len() >= count || found.len() == all() {
                break;
            }
            if radius >= MAX_RADIUS {
                // Around the origin, this radius finds all agents, however far away the point is.
                self.find(Vec3::ZERO, MAX_RADIUS, species, found, |_, _| true)?;
                break;
            }
            radius = (2.0 * radius).min(MAX_RADIUS);
        }
        let point = self.setting.space.wrap_any(point);
        let by_distance = found.iter().map(|&id| {
            let offset = self.offset(point, self.slot_of(id)?);
            Ok((offset.dot(offset), id))
        });
        let mut by_distance: Vec<(f32, AgentId)> = by_distance.collect::<Result<_, Error>>()?;
        by_distance.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found.clear();
        found.extend(by_distance.iter().take(count).map(|(_, id)| *id));
        Ok(())
    }

    /// Interpolates between two position lists for the same agents. A `share` of 0 gives `from`,
    /// and 1 gives `to`, except for rounding. On a torus, positions move along the shortest path.
    ///
    /// # Errors
    /// Lists of different lengths, or a share outside 0 to 1.
    pub fn interpolate<const D: usize>(
        &self,
        from: &[[f32; D]],
        to: &[[f32; D]],
        share: f32,
    ) -> Result<Vec<[f32; D]>, Error> {
        let mut between = Vec::new();
        self.interpolate_into(from, to, share, &mut between).map(|()| between)
    }

    /// Like [`Self::interpolate`], but replaces the contents of `between`.
    ///
    /// # Errors
    /// The same errors as [`Self::interpolate`].
    pub fn interpolate_into<const D: usize>(
        &self,
        from: &[[f32; D]],
        to: &[[f32; D]],
        share: f32,
        between: &mut Vec<[f32; D]>,
    ) -> Result<(), Error> {
        self.setting.space.check_coordinates(D)?;
        check_count("positions", to.len(), from.len(), "as many as in `from`")?;
        within("share", share, 0.0, 1.0, "of the way")?;
        // Every entry is overwritten below, so there is no need to clear the list.
        between.resize(from.len(), [0.0; D]);
        let columns = (from.as_flattened(), to.as_flattened(), between.as_flattened_mut());
        let space = &self.setting.space;
        with_vectors!(self.execution.instructions, L => {
            compiled!(L: interpolate::<L, D>(space, columns, share));
        });
        Ok(())
    }

    /// Converts a point to a vector. The point must have one finite coordinate per axis.
    pub(crate) fn vector(&self, field: &str, point: Point) -> Result<Vec3<f32>, Error> {
        if let Some(wrong) = point.iter().find(|coordinate| !coordinate.is_finite()) {
            return Err(Error::refused(
                field,
                format!("{:?}", &point[..]),
                format!("finite, not {wrong}"),
            ));
        }
        point.in_world(field, self.setting.space.axes())
    }

    fn find(
        &self,
        center: Vec3<f32>,
        radius: f32,
        species: Option<&str>,
        found: &mut Vec<AgentId>,
        counts: impl Fn(Vec3<f32>, usize) -> bool,
    ) -> Result<(), Error> {
        let species = species.map(|name| self.setting.scene.species_index(name)).transpose()?;
        found.clear();
        if self.is_empty() {
            return Ok(());
        }
        let center = self.setting.space.wrap_any(center);
        let slots = self.lookup().near(&self.setting.space, center, radius);
        let is_found = |&slot: &usize| {
            species.is_none_or(|species| self.state.attributes.species_of(slot) == species)
                && counts(center, slot)
        };
        found.extend(slots.filter(is_found).map(|slot| self.id_at(slot)));
        found.sort_unstable();
        Ok(())
    }

    fn offset(&self, from: Vec3<f32>, slot: usize) -> Vec3<f32> {
        self.setting.space.displacement(from, self.state.motion.position.at(slot))
    }

    fn lookup(&self) -> &SpatialLookup {
        self.workspace.lookup.get_or_init(|| {
            let positions = self.state.motion.position.all();
            let workers = self.execution.workers.for_query(self.len());
            let computed = (&workers, self.execution.instructions);
            let plan = Arc::new(Plan::of_one_group(self.setting.plan.view));
            SpatialLookup::new(Layout { plan, ..self.layout(self.len()) }, positions, computed)
        })
    }
}

/// Lanes hold coordinates, not agents: `L::WIDTH` points fill `D` vectors of lanes.
#[inline(always)]
fn interpolate<L: Lanes, const D: usize>(
    space: &Space,
    (from, to, between): (&[f32], &[f32], &mut [f32]),
    t: f32,
) {
    let stretch = D * L::WIDTH;
    let points = from.chunks(stretch).zip(to.chunks(stretch));
    for (between, (from, to)) in between.chunks_mut(stretch).zip(points) {
        let points = from.chunks(L::WIDTH).zip(to.chunks(L::WIDTH));
        for (k, (between, (from, to))) in between.chunks_mut(L::WIDTH).zip(points).enumerate() {
            let (from, to, t) = (L::load_first(from), L::load_first(to), L::splat(t));
            if !space.is_torus() {
                (to - from).mul_add(t, from).store(between);
                continue;
            }
            let size = repeated::<L, D>(space.size, k * L::WIDTH);
            let inverse_size = repeated::<L, D>(space.inverse_size, k * L::WIDTH);
            let offset = to - add_wraps_along(from, to - from, inverse_size, size);
            wrap_once(offset.mul_add(t, from), size).store(between);
        }
    }
}

/// Fills all lanes with a vector's components, repeated in order, starting at component `first`.
#[inline(always)]
fn repeated<L: Lanes, const D: usize>(vector: Vec3<f32>, first: usize) -> L {
    let axes = <[f32; 3]>::from(vector);
    L::from_fn(
        #[inline(always)]
        |lane| axes[(first + lane) % D],
    )
}
