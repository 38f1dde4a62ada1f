use flockwork::inspect::Met;
use flockwork::internal::memory;
use flockwork::{AgentId, Error, Point, Simulation};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::Crowd;
use crate::arguments::{Argument, Count, argument};
use crate::memory::{Memory, number_of};

type Array<'py> = Bound<'py, PyAny>;
/// Kind and number of the scenery that a ray meets, the point where they meet, and its distance.
type Hit<'py> = (&'static str, usize, Bound<'py, PyTuple>, f32);

fn species_of(species: Option<&Bound<'_, PyAny>>) -> PyResult<Option<String>> {
    species.map(|name| argument("species", name).species()).transpose()
}

fn origin(axes: usize) -> Point {
    if axes == 2 { [0.0; 2].into() } else { [0.0; 3].into() }
}

/// Concatenated results of many queries: query k found `ids[offsets[k]..offsets[k + 1]]`.
#[derive(Default)]
struct Lists {
    offsets: Vec<u64>,
    ids: Vec<u64>,
}

impl Lists {
    /// Without queries, asks for `any` and drops the result, so that wrong arguments are refused.
    fn of<Q: Copy>(
        queries: &[Q],
        any: Q,
        mut ask: impl FnMut(Q, &mut Vec<AgentId>) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        memory::check(8 * queries.len() as u64)?;
        let (mut lists, mut found) = (Self::default(), Vec::new());
        lists.offsets.push(0);
        if queries.is_empty() {
            ask(any, &mut found)?;
        }
        for &query in queries {
            ask(query, &mut found)?;
            let needed = lists.ids.len() + found.len();
            if needed > lists.ids.capacity() {
                memory::check(8 * 2 * needed as u64)?;
            }
            lists.ids.extend(found.iter().copied().map(number_of));
            lists.offsets.push(lists.ids.len() as u64);
        }
        Ok(lists)
    }

    fn arrays(self, py: Python<'_>) -> PyResult<(Array<'_>, Array<'_>)> {
        Ok((Memory::offsets(self.offsets).array(py)?, Memory::whole(self.ids).array(py)?))
    }
}

impl Crowd {
    fn found<'py>(
        &self,
        py: Python<'py>,
        ask: impl FnOnce(&Simulation, &mut Vec<AgentId>) -> Result<(), Error> + Send,
    ) -> PyResult<Array<'py>> {
        let mut found = Vec::new();
        self.try_read(py, |crowd| ask(crowd, &mut found))?;
        Memory::ids(found).array(py)
    }
}

#[pymethods]
impl Crowd {
    /// The ids of the agents within `radius` world units of a point.
    /// Searches all species unless one is given.
    #[pyo3(signature = (center, radius, species=None))]
    fn agents_within<'py>(
        &self,
        py: Python<'py>,
        center: &Bound<'py, PyAny>,
        radius: &Bound<'py, PyAny>,
        species: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Array<'py>> {
        let (center, radius) = (argument("center", center), argument("radius", radius));
        let center = center.point(self.axes(py)?)?;
        let (radius, species) = (radius.number()?, species_of(species)?);
        self.found(py, |crowd, found| {
            crowd.agents_within_into(center, radius, species.as_deref(), found)
        })
    }

    /// The agents within `radius` world units of each point of an n × 2 array (in a world with
    /// depth, n × 3).
    /// Returns `(offsets, ids)`: the agents near point k are `ids[offsets[k]:offsets[k + 1]]`.
    #[pyo3(signature = (centers, radius, species=None))]
    fn agents_within_each<'py>(
        &self,
        py: Python<'py>,
        centers: &Bound<'py, PyAny>,
        radius: &Bound<'py, PyAny>,
        species: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Array<'py>, Array<'py>)> {
        let axes = self.axes(py)?;
        let centers = argument("centers", centers).points(axes)?;
        let (radius, species) = (argument("radius", radius).number()?, species_of(species)?);
        let lists = self.try_read(py, |crowd| {
            Lists::of(&centers, origin(axes), |center, found| {
                crowd.agents_within_into(center, radius, species.as_deref(), found)
            })
        })?;
        lists.arrays(py)
    }

    /// The distance from each point of an n × 2 array to a route's goal, along the route, in world
    /// units. Infinite if no way leads to the goal.
    fn route_distance<'py>(
        &self,
        py: Python<'py>,
        route: &Bound<'py, PyAny>,
        points: &Bound<'py, PyAny>,
    ) -> PyResult<Array<'py>> {
        let route = argument("route", route).text("the name of one of the scene's routes")?;
        let axes = self.axes(py)?;
        let points = argument("points", points).points(axes)?;
        let distances = self.try_read(py, |crowd| {
            // Without points, an unknown route is still refused.
            crowd.route_distance(&route, origin(axes))?;
            points.iter().map(|&point| crowd.route_distance(&route, point)).collect()
        })?;
        Memory::numbers(distances).array(py)
    }

    /// The ids of the agents in a rectangle, or in a world with depth, in a box between the corners
    /// `[x, y, z]`. Searches all species unless one is given. On a torus, the rectangle may cross
    /// the seam.
    #[pyo3(signature = (low, high, species=None))]
    fn agents_in_rectangle<'py>(
        &self,
        py: Python<'py>,
        low: &Bound<'py, PyAny>,
        high: &Bound<'py, PyAny>,
        species: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Array<'py>> {
        let axes = self.axes(py)?;
        let corners = [argument("low", low).point(axes)?, argument("high", high).point(axes)?];
        let species = species_of(species)?;
        self.found(py, |crowd, found| {
            crowd.agents_in_rectangle_into(corners, species.as_deref(), found)
        })
    }

    /// The agents in each of n rectangles, given by two n × 2 arrays of corners (in a world with
    /// depth, boxes and n × 3).
    /// Returns `(offsets, ids)`: rectangle k contains the agents `ids[offsets[k]:offsets[k + 1]]`.
    #[pyo3(signature = (lows, highs, species=None))]
    fn agents_in_each_rectangle<'py>(
        &self,
        py: Python<'py>,
        lows: &Bound<'py, PyAny>,
        highs: &Bound<'py, PyAny>,
        species: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Array<'py>, Array<'py>)> {
        let axes = self.axes(py)?;
        let (lows, highs) = (argument("lows", lows).points(axes)?, argument("highs", highs));
        let highs = highs.of_len(lows.len(), axes, highs.points(axes)?)?;
        let species = species_of(species)?;
        let corners: Vec<[Point; 2]> =
            lows.into_iter().zip(highs).map(<[Point; 2]>::from).collect();
        let lists = self.try_read(py, |crowd| {
            Lists::of(&corners, [origin(axes); 2], |corners, found| {
                crowd.agents_in_rectangle_into(corners, species.as_deref(), found)
            })
        })?;
        lists.arrays(py)
    }

    /// The ids of the `count` agents nearest to a point, nearest first.
    /// Searches all species unless one is given.
    #[pyo3(signature = (to, count=Count(1), species=None), text_signature = "($self, to, count=1, species=None)")]
    fn nearest_agents<'py>(
        &self,
        py: Python<'py>,
        to: &Bound<'py, PyAny>,
        count: Count,
        species: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Array<'py>> {
        let to = argument("to", to).point(self.axes(py)?)?;
        let species = species_of(species)?;
        self.found(py, |crowd, found| {
            crowd.nearest_agents_into(to, count.0, species.as_deref(), found)
        })
    }

    /// For each point of an n × 2 array (in a world with depth, n × 3), a row with the ids of the
    /// `count` nearest agents, nearest first. All rows are shorter if fewer than `count` agents
    /// qualify.
    #[pyo3(signature = (points, count=Count(1), species=None), text_signature = "($self, points, count=1, species=None)")]
    fn nearest_agents_to_each<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        count: Count,
        species: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Array<'py>> {
        let axes = self.axes(py)?;
        let points = argument("points", points).points(axes)?;
        let species = species_of(species)?;
        let (lists, each) = self.try_read(py, |crowd| {
            let lists = Lists::of(&points, origin(axes), |point, found| {
                crowd.nearest_agents_into(point, count.0, species.as_deref(), found)
            })?;
            let each = match lists.offsets.get(1) {
                Some(&end) => end as usize,
                // Without points, the array still needs a row length, so count the agents that a
                // query finds.
                None => crowd.nearest_agents(origin(axes), count.0, species.as_deref())?.len(),
            };
            Ok((lists, each))
        })?;
        Memory::whole(lists.ids).in_rows(points.len(), each).array(py)
    }

    /// The first wall or obstacle on the straight line from `start` to `end`: `"wall"` or
    /// `"obstacle"`, its number in `walls` or `obstacles`, the point where the line meets it, and
    /// the distance from `start`. `None` if nothing is between the points. Scenery need not be
    /// solid, and walls are met from both sides. On a torus, a line that leaves the world continues
    /// on the opposite side.
    fn ray<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'py, PyAny>,
        end: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Hit<'py>>> {
        let axes = self.axes(py)?;
        let start = argument("start", start).point(axes)?;
        let end = argument("end", end).point(axes)?;
        let hit = self.try_read(py, |crowd| {
            let number_of_polygon = |wall: usize| {
                let before = crowd.scene().walls[..wall].iter();
                crowd.walls().len() + before.filter(|wall| wall.points[0].len() == 3).count()
            };
            let hit = crowd.ray(start, end)?;
            Ok(hit.map(|hit| match hit.met {
                Met::Wall(number) => ("wall", number, hit),
                Met::Polygon(wall) => ("wall", number_of_polygon(wall), hit),
                Met::Obstacle(number) => ("obstacle", number, hit),
            }))
        })?;
        hit.map(|(kind, number, hit)| {
            Ok((kind, number, PyTuple::new(py, &hit.position[..axes])?, hit.distance))
        })
        .transpose()
    }

    /// The ids of the agents that overlap a wall or an obstacle, solid or not. Agents that touch
    /// one do not overlap it, nor do agents behind a one-sided wall.
    fn agents_in_scenery<'py>(&self, py: Python<'py>) -> PyResult<Array<'py>> {
        self.found(py, |crowd, found| {
            *found = crowd.agents_in_scenery();
            Ok(())
        })
    }

    /// The displacement from `start` to `end`, in world units. On a torus, it is the shortest one.
    fn displacement<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'py, PyAny>,
        end: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let axes = self.axes(py)?;
        let start = argument("start", start).point(axes)?;
        let end = argument("end", end).point(axes)?;
        let displacement = self.read(py, |crowd| crowd.displacement(start, end))?;
        PyTuple::new(py, &displacement[..axes])
    }

    /// Interpolates between two n × 2 arrays (in a world with depth, n × 3) of the same agents'
    /// positions. `share` is 0 at `start` and 1 at `end`. On a torus, positions follow the shortest
    /// path.
    fn interpolate<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'py, PyAny>,
        end: &Bound<'py, PyAny>,
        share: &Bound<'py, PyAny>,
    ) -> PyResult<Array<'py>> {
        let (start, end) = (argument("start", start), argument("end", end));
        let share = argument("share", share);
        match self.axes(py)? {
            2 => self.between::<2>(py, start, end, share),
            _ => self.between::<3>(py, start, end, share),
        }
    }
}

impl Crowd {
    fn between<'py, const D: usize>(
        &self,
        py: Python<'py>,
        start: Argument<'_, 'py>,
        end: Argument<'_, 'py>,
        share: Argument<'_, 'py>,
    ) -> PyResult<Array<'py>> {
        let start = start.point_rows::<D>()?;
        let end = end.of_len(start.len(), D, end.point_rows()?)?;
        let share = share.number()?;
        let between = self.try_read(py, |crowd| crowd.interpolate(&start, &end, share))?;
        Memory::vectors(between).array(py)
    }
}

impl Argument<'_, '_> {
    fn of_len<T>(self, count: usize, axes: usize, points: Vec<T>) -> PyResult<Vec<T>> {
        if points.len() == count {
            return Ok(points);
        }
        let allowed = format!("an array of {count} x {axes} numbers, like the other array");
        Err(self.out_of_range(&allowed))
    }
}
