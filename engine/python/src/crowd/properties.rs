use flockwork::internal::detach::Column;
use flockwork::{AgentOrder, InSpace, Spawn, Vector};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Crowd;
use crate::agents::{axes, components, ids, of_species, set, species, values, vectors};
use crate::arguments::{Argument, InOrder, argument};
use crate::error::{engine_error, flat_world};
use crate::memory::{Memory, Running, number_of};
use crate::properties::{PropertyKind, custom_column, property};
use crate::table::{Contents, Table};

const PROPERTY: &str = "\"position\", \"velocity\", \"heading\", \"own_target\", \"max_speed\", \
                        \"max_force\", \"mass\", \"radius\", \"field_of_view\", \
                        \"immovable\", \"waypoint\", or the name of a column";

impl Crowd {
    /// A component of a vector property: a view, or a copy of velocities computed from headings.
    /// Raises `FlatWorld` for the third component in a flat world.
    fn component<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        column: fn(usize) -> Column,
        axis: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = |running: &mut Running| {
            if axis >= axes(running.read()) {
                return Ok(None);
            }
            let (exported, crowd) = (running.export(column(axis)), running.read());
            if exported.length == crowd.len() {
                return Ok(Some(Memory::exported(exported)));
            }
            let mut velocities = components(crowd, Vector::Velocity, AgentOrder::Slot)?;
            Ok(Some(Memory::numbers(velocities.swap_remove(axis)).read_only()))
        };
        let found = self.with(py, found)?.map_err(engine_error)?;
        found.ok_or_else(|| flat_world(py, name))?.array(py)
    }

    fn vectors<'py>(
        &self,
        py: Python<'py>,
        vector: Vector,
        order: InOrder,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.try_read(py, |crowd| vectors(crowd, vector, None, order.0))?.array(py)
    }

    fn contents(&self, py: Python<'_>, order: InOrder) -> PyResult<Contents> {
        self.try_read(py, |crowd| Contents::of(crowd, order.0))
    }
}

#[pymethods]
impl Crowd {
    /// A view of the x coordinates of positions in world units, in slot order.
    #[getter]
    fn x<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.component(py, "x", Column::Position, 0)
    }

    /// A view of the y coordinates of positions in world units, in slot order.
    #[getter]
    fn y<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.component(py, "y", Column::Position, 1)
    }

    /// A view of the z coordinates of positions in world units, in slot order. Raises `FlatWorld`
    /// in a flat world.
    #[getter]
    fn z<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.component(py, "z", Column::Position, 2)
    }

    /// X components of velocities in units/s, in slot order:
    /// a view, or a copy if all agents move at constant speed.
    #[getter]
    fn vx<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.component(py, "vx", Column::Velocity, 0)
    }

    /// Y components of velocities in units/s, in slot order:
    /// a view, or a copy if all agents move at constant speed.
    #[getter]
    fn vy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.component(py, "vy", Column::Velocity, 1)
    }

    /// Z components of velocities in units/s, in slot order: a view, or a copy if all agents move
    /// at constant speed. Raises `FlatWorld` in a flat world.
    #[getter]
    fn vz<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.component(py, "vz", Column::Velocity, 2)
    }

    /// A view of the x components of headings, which are unit vectors, in slot order.
    #[getter]
    fn hx<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.component(py, "hx", Column::Heading, 0)
    }

    /// A view of the y components of headings, which are unit vectors, in slot order.
    #[getter]
    fn hy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.component(py, "hy", Column::Heading, 1)
    }

    /// A view of the z components of headings, which are unit vectors, in slot order. Raises
    /// `FlatWorld` in a flat world.
    #[getter]
    fn hz<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.component(py, "hz", Column::Heading, 2)
    }

    /// The names of the columns that the scene defines.
    #[getter]
    fn columns(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.read(py, |crowd| crowd.agents().column_names().map(str::to_owned).collect())
    }

    /// A view of a column that the scene defines, in slot order.
    fn column<'py>(
        &self,
        py: Python<'py>,
        name: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let name = argument("name", name).text("the name of a column")?;
        let export =
            |running: &mut Running| Ok(running.export(custom_column(running.read(), &name)?));
        Memory::exported(self.with(py, export)?.map_err(engine_error)?).array(py)
    }

    /// The ids of all agents, or of the agents of one species.
    #[pyo3(signature = (order=InOrder::ID, species=None), text_signature = "($self, order='id', species=None)")]
    fn ids<'py>(
        &self,
        py: Python<'py>,
        order: InOrder,
        species: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let species = species.map(|name| argument("species", name).species()).transpose()?;
        let ids = self.try_read(py, |crowd| match &species {
            Some(name) => of_species(crowd, order.0, name),
            None => Ok(ids(crowd, order.0)),
        })?;
        Memory::ids(ids).array(py)
    }

    /// Each agent's species, as its index in the scene's list of species.
    #[pyo3(signature = (order=InOrder::ID), text_signature = "($self, order='id')")]
    fn species<'py>(&self, py: Python<'py>, order: InOrder) -> PyResult<Bound<'py, PyAny>> {
        self.try_read(py, |crowd| species(crowd, order.0).map(Memory::bytes))?.array(py)
    }

    /// Positions in world units, as an n × 2 array; in a world with depth, n × 3.
    #[pyo3(signature = (order=InOrder::ID), text_signature = "($self, order='id')")]
    fn positions<'py>(&self, py: Python<'py>, order: InOrder) -> PyResult<Bound<'py, PyAny>> {
        self.vectors(py, Vector::Position, order)
    }

    /// Velocities in units/s, as an n × 2 array; in a world with depth, n × 3.
    #[pyo3(signature = (order=InOrder::ID), text_signature = "($self, order='id')")]
    fn velocities<'py>(&self, py: Python<'py>, order: InOrder) -> PyResult<Bound<'py, PyAny>> {
        self.vectors(py, Vector::Velocity, order)
    }

    /// Headings, as an n × 2 array of unit vectors; in a world with depth, n × 3.
    #[pyo3(signature = (order=InOrder::ID), text_signature = "($self, order='id')")]
    fn headings<'py>(&self, py: Python<'py>, order: InOrder) -> PyResult<Bound<'py, PyAny>> {
        self.vectors(py, Vector::Heading, order)
    }

    /// A property of agents: `"position"`, `"velocity"`, `"heading"`, `"own_target"` (the target's
    /// position; NaN without a target), `"max_speed"`, `"max_force"`, `"mass"`, `"radius"`,
    /// `"field_of_view"`, `"immovable"` (1 or 0), `"waypoint"` (the number of the next one on the
    /// path that an agent follows), or the name of a column. Without `ids`, returns the values of
    /// all agents in `order`. With `ids`, returns one value per id, or a single value for a single
    /// id.
    #[pyo3(
        signature = (what, ids=None, *, order=InOrder::ID),
        text_signature = "($self, what, ids=None, *, order='id')"
    )]
    fn get<'py>(
        &self,
        py: Python<'py>,
        what: &Bound<'py, PyAny>,
        ids: Option<&Bound<'py, PyAny>>,
        order: InOrder,
    ) -> PyResult<Bound<'py, PyAny>> {
        let what = argument("what", what).text(PROPERTY)?;
        let ids = ids.map(|ids| argument("ids", ids).ids()).transpose()?;
        let is_one = ids.as_ref().is_some_and(|ids| ids.is_one);
        let memory = self.try_read(py, |crowd| {
            let ids = ids.as_ref().map(|ids| &ids.values[..]);
            match property(crowd, &what)? {
                PropertyKind::Vector(vector) => vectors(crowd, vector, ids, order.0),
                PropertyKind::Number(number) => {
                    values(crowd, number, ids, order.0).map(Memory::numbers)
                }
            }
        })?;
        let array = memory.array(py)?;
        if is_one { array.get_item(0) } else { Ok(array) }
    }

    /// Sets a property of the agents with these ids. Without `ids`, the values are for all agents,
    /// in `order`. See `get` for the properties. A single value applies to every agent.
    /// Values of `"own_target"` are points. On error, no value changes.
    #[pyo3(
        signature = (what, values, ids=None, *, order=InOrder::ID),
        text_signature = "($self, what, values, ids=None, *, order='id')"
    )]
    fn set(
        &self,
        py: Python<'_>,
        what: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
        ids: Option<&Bound<'_, PyAny>>,
        order: InOrder,
    ) -> PyResult<()> {
        let what = argument("what", what).text(PROPERTY)?;
        let ids = ids.map(|ids| argument("ids", ids).ids()).transpose()?;
        let (agents, values) = ((ids, order.0), argument("values", values));
        match self.try_read(py, |crowd| property(crowd, &what))? {
            PropertyKind::Vector(vector) if self.axes(py)? == 2 => {
                let values = values.vectors()?;
                self.write(py, |crowd| set(crowd, vector, agents, values))
            }
            PropertyKind::Vector(vector) => {
                let values = values.vectors()?;
                self.write(py, |crowd| set(crowd, InSpace(vector), agents, values))
            }
            PropertyKind::Number(number) => {
                let values = values.numbers()?;
                self.write(py, |crowd| set(crowd, number, agents, values))
            }
        }
    }

    /// Adds one agent, or n agents at an n × 2 array of positions (in a world with depth, n × 3).
    /// Returns the new id or ids.
    /// Headings, velocities and columns each take one value for all agents or one value per agent.
    /// Omitted headings, speeds and columns are drawn as in the initial crowd. If velocities are
    /// given, agents face in their direction of travel. On error, no agent is added.
    #[pyo3(
        signature = (species, positions, headings=None, *, velocities=None, columns=None),
        text_signature = "($self, species, positions, headings=None, *, velocities=None, columns=None)"
    )]
    fn spawn<'py>(
        &self,
        py: Python<'py>,
        species: &Bound<'py, PyAny>,
        positions: &Bound<'py, PyAny>,
        headings: Option<&Bound<'py, PyAny>>,
        velocities: Option<&Bound<'py, PyAny>>,
        columns: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let species = argument("species", species).species()?;
        let newcomers = Newcomers {
            positions: argument("positions", positions),
            headings: headings.map(|headings| argument("headings", headings)),
            velocities: velocities.map(|velocities| argument("velocities", velocities)),
            columns: columns.map(|columns| argument("columns", columns)),
        };
        match self.axes(py)? {
            2 => self.spawn_in::<2>(py, &species, newcomers),
            _ => self.spawn_in::<3>(py, &species, newcomers),
        }
    }

    /// Removes one or more agents, given their ids. On error, no agent is removed.
    fn remove(&self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids = argument("ids", ids).ids()?.values;
        self.write(py, |crowd| crowd.remove_many(&ids))
    }

    /// Changes the species of one or more agents, given their ids. Each agent keeps its id,
    /// position, motion, columns, own target, and any limits set for it individually. Other limits
    /// are drawn from the new species' ranges. State that behaviors keep between steps is reset.
    /// On error, no agent changes.
    fn change_species(
        &self,
        py: Python<'_>,
        ids: &Bound<'_, PyAny>,
        species: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let ids = argument("ids", ids).ids()?.values;
        let species = argument("species", species).species()?;
        self.write(py, |crowd| crowd.change_species(&ids, &species))
    }

    /// A copy of the crowd as a table that polars, pandas, pyarrow and others can read.
    #[pyo3(signature = (order=InOrder::ID), text_signature = "($self, order='id')")]
    fn table(&self, py: Python<'_>, order: InOrder) -> PyResult<Table> {
        self.contents(py, order)?.table()
    }

    /// A copy of the crowd as a dictionary of arrays: the columns of `table`.
    #[pyo3(signature = (order=InOrder::ID), text_signature = "($self, order='id')")]
    fn to_dict<'py>(&self, py: Python<'py>, order: InOrder) -> PyResult<Bound<'py, PyDict>> {
        self.contents(py, order)?.arrays(py)
    }
}

/// Arguments of `spawn` that describe the new agents.
struct Newcomers<'a, 'py> {
    positions: Argument<'a, 'py>,
    headings: Option<Argument<'a, 'py>>,
    velocities: Option<Argument<'a, 'py>>,
    columns: Option<Argument<'a, 'py>>,
}

impl Crowd {
    fn spawn_in<'py, const D: usize>(
        &self,
        py: Python<'py>,
        species: &str,
        newcomers: Newcomers<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Newcomers { positions, headings, velocities, columns } = newcomers;
        let positions = positions.vectors::<D>()?;
        let count = positions.values.len();
        let vectors = |value: Option<Argument<'_, 'py>>| match value {
            Some(value) => Ok(Some(value.vectors::<D>()?.for_each(count))),
            None => PyResult::Ok(None),
        };
        let (headings, velocities) = (vectors(headings)?, vectors(velocities)?);
        let columns = columns.map(|columns| columns.columns(count));
        let columns = columns.transpose()?.unwrap_or_default();
        let spawn = Spawn {
            headings: headings.as_deref(),
            velocities: velocities.as_deref(),
            columns: columns.iter().map(|(name, values)| (&name[..], &values[..])).collect(),
            ..Spawn::at(&positions.values)
        };
        let added = self.write(py, |crowd| crowd.spawn_many(species, &spawn))?;
        match (positions.is_one, &added[..]) {
            (true, [one]) => Ok(number_of(*one).into_pyobject(py)?.into_any()),
            _ => Memory::ids(added).array(py),
        }
    }
}
