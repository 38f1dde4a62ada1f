//! What a run writes down every so many steps: measures and states.

use flockwork::Simulation;

use crate::error::Error;
use crate::export::files::check_writable;
use crate::numbers::measures::Measures;
use crate::numbers::states::States;
use crate::numbers::table::{self, Row};
use crate::options::Options;

pub(super) struct Log<'a> {
    options: &'a Options,
    /// For `--csv`.
    rows: Vec<Row>,
    /// For `--states`.
    states: Option<States>,
}

impl<'a> Log<'a> {
    /// Refuses files that cannot be written.
    pub(super) fn new(options: &'a Options) -> Result<Self, Error> {
        if let Some(file) = &options.csv {
            check_writable(file)?;
        }
        if let Some(file) = &options.states {
            check_writable(file.path())?;
        }
        let states = options.states.clone().map(States::create).transpose()?;
        Ok(Self { options, rows: Vec::new(), states })
    }

    /// Call this at the start, with 0, and after every step of the run.
    pub(super) fn note(&mut self, simulation: &mut Simulation, steps: u64) -> Result<(), Error> {
        if !steps.is_multiple_of(self.options.sample.into()) {
            return Ok(());
        }
        if self.options.csv.is_some() {
            let times = simulation.stage_times();
            self.rows.push(Row { measures: Measures::of(simulation), times });
        }
        match &mut self.states {
            Some(states) => states.add(simulation),
            None => Ok(()),
        }
    }

    pub(super) fn finish(self) -> Result<(), Error> {
        if let Some(file) = &self.options.csv {
            table::write(file, &self.rows)?;
        }
        self.states.map_or(Ok(()), States::finish)
    }
}
