//! The columns that a scene defines, from outside.

use crate::error::Error;
use crate::id::AgentId;
use crate::simulation::Simulation;

impl Simulation {
    /// The names of the columns that the species of the scene define, ascending.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = &str> {
        self.setting.columns.iter().map(String::as_str)
    }

    /// Each agent's value in a column, in the order of [`Self::agents`].
    ///
    /// # Errors
    /// If no species defines a column of this name.
    pub fn column(&self, name: &str) -> Result<&[f32], Error> {
        Ok(&self.state.motion.own.0[self.column_number(name)?])
    }

    /// The same, to change. A step that meets a number that is not finite is refused.
    ///
    /// # Errors
    /// If no species defines a column of this name.
    pub fn column_mut(&mut self, name: &str) -> Result<&mut [f32], Error> {
        let number = self.column_number(name)?;
        self.workspace.sorted = false;
        Ok(&mut self.state.motion.own.0[number])
    }

    /// Sets one agent's value in a column.
    ///
    /// # Errors
    /// If there is no such agent or column, or if the value is not finite.
    pub fn set_column(&mut self, name: &str, id: AgentId, value: f32) -> Result<(), Error> {
        let slot = self.slot_of(id)?;
        self.set_in_column(name, Some(slot), value)
    }

    /// Sets the value of the agent in `slot`, if any.
    pub(crate) fn set_in_column(
        &mut self,
        name: &str,
        slot: Option<usize>,
        value: f32,
    ) -> Result<(), Error> {
        if !value.is_finite() {
            return Err(Error::refused(format!("columns.{name}"), value, "a finite number"));
        }
        let column = self.column_mut(name)?;
        if let Some(slot) = slot {
            column[slot] = value;
        }
        Ok(())
    }

    fn column_number(&self, name: &str) -> Result<usize, Error> {
        let number = self.columns().position(|column| column == name);
        number.ok_or_else(|| Error::unknown("column", name, self.columns()))
    }
}
