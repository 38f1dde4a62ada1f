//! Checks that a scene can be built.

use crate::crowd::columns::MAX_COLUMNS;
use crate::crowd::target;
use crate::error::{Error, within};
use crate::scene::Scene;
use crate::species::MAX_AGENTS;
use crate::world::space::{HIGHEST_CELLS, LOWEST_CELLS};
use crate::world::topology::check_point;

pub(crate) fn check_steps_per_second(steps: f32) -> Result<(), Error> {
    within("steps_per_second", steps, 1.0, 1.0e5, "1/s")
}

pub(crate) fn check_non_penetration(iterations: u32) -> Result<(), Error> {
    within("non_penetration", iterations as f32, 0.0, 64.0, "")
}

pub(crate) fn check_heading_samples(samples: Option<u32>) -> Result<(), Error> {
    samples.map_or(Ok(()), |samples| within("heading_samples", samples as f32, 1.0, 100.0, ""))
}

fn check_cell_size(size: Option<f32>) -> Result<(), Error> {
    size.map_or(Ok(()), |size| {
        within("cell_size", size, LOWEST_CELLS, HIGHEST_CELLS, "view distances")
    })
}

impl Scene {
    /// Checks everything that [`Self::build`] checks, without building.
    ///
    /// # Errors
    /// Names the first field that is out of range, its value and its allowed range.
    pub fn check(&self) -> Result<(), Error> {
        self.check_parameters()?;
        let space = self.world.resolve(self.agent_count(), self.view_distance())?;
        self.check_fit(&space)
    }

    /// Checks everything that does not depend on the size of the world.
    pub(crate) fn check_parameters(&self) -> Result<(), Error> {
        check_steps_per_second(self.steps_per_second)?;
        check_non_penetration(self.non_penetration)?;
        check_heading_samples(self.heading_samples)?;
        check_cell_size(self.cell_size)?;
        for (name, &point) in &self.points {
            check_point(&format!("points.{name}"), point)?;
            target::check_name(name)?;
        }
        self.scenery().check()?;
        if self.species.len() > 255 {
            return Err(too_many("number of species", self.species.len(), 255));
        }
        for (k, species) in self.species.iter().enumerate() {
            species.check(&format!("species[{k}]"))?;
            self.check_references(k)?;
            if self.species[..k].iter().any(|other| other.name == species.name) {
                return Err(Error::refused(
                    format!("species[{k}].name"),
                    &species.name,
                    "a name that no other species has",
                ));
            }
        }
        self.check_columns()?;
        if self.agent_count() > MAX_AGENTS {
            return Err(too_many("number of agents", self.agent_count(), MAX_AGENTS));
        }
        Ok(())
    }

    /// Checks the columns that species define and behaviors name, all together.
    pub(crate) fn check_columns(&self) -> Result<(), Error> {
        let names = self.column_names();
        if let Some(name) = names.iter().find(|name| !is_column_name(name)) {
            let allowed = "a name, without line breaks and other control characters";
            return Err(Error::refused("columns", format!("{name:?}"), allowed));
        }
        if names.len() > MAX_COLUMNS {
            return Err(too_many("number of columns", names.len(), MAX_COLUMNS));
        }
        Ok(())
    }
}

/// Whether tables can have a column of this name.
fn is_column_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(char::is_control)
}

fn too_many(field: &str, value: usize, limit: usize) -> Error {
    Error::refused(field, value, format!("at most {limit}"))
}
