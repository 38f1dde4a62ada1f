//! What an agent's color can show.

use flockwork::Simulation;

use crate::error::Error;

/// What an agent's color shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ColorBy {
    /// Where it is heading: a hue for each direction.
    #[default]
    Heading,
    /// How fast it is, as a share of its species' largest max speed.
    Speed,
    /// How much of its max force its combined behaviors use.
    Force,
    /// How many agents are near it, relative to the crowd's mean.
    Density,
    /// Its species.
    Species,
    /// Its value in a column of the scene, counted from 0, between the crowd's smallest and largest.
    Column(usize),
}

impl ColorBy {
    /// Those that every scene has.
    pub(crate) const ALL: [Self; 5] =
        [Self::Heading, Self::Speed, Self::Force, Self::Density, Self::Species];

    /// The name of a mode that is not a column.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Heading => "heading",
            Self::Speed => "speed",
            Self::Force => "force",
            Self::Density => "density",
            Self::Species => "species",
            Self::Column(_) => "column",
        }
    }

    /// The mode, or the column of the scene, of this name.
    pub(crate) fn find(name: &str, simulation: &Simulation) -> Result<Self, Error> {
        let column = || simulation.columns().position(|column| column == name).map(Self::Column);
        let mode = Self::ALL.into_iter().find(|mode| mode.name() == name);
        mode.or_else(column).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).into_iter().chain(simulation.columns());
            Error::NoColor { name: name.to_owned(), known: known.collect::<Vec<_>>().join(", ") }
        })
    }

    /// The next mode or column, of which there are `columns`, wrapping around.
    pub(crate) fn next(self, columns: usize) -> Self {
        let present = match self {
            Self::Column(column) => Self::ALL.len() + column,
            mode => Self::ALL.iter().position(|other| *other == mode).unwrap_or(0),
        };
        let next = (present + 1) % (Self::ALL.len() + columns);
        Self::ALL.get(next).copied().unwrap_or_else(|| Self::Column(next - Self::ALL.len()))
    }

    /// This mode, or heading if there are not as many columns.
    pub(crate) fn within(self, columns: usize) -> Self {
        match self {
            Self::Column(column) if column >= columns => Self::default(),
            mode => mode,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_and_every_column_comes_once_in_turn() {
        let mut seen = vec![ColorBy::default()];
        while seen.len() < 8 {
            let next = seen[seen.len() - 1].next(2);
            seen.push(next);
        }
        assert_eq!(seen[5..], [ColorBy::Column(0), ColorBy::Column(1), ColorBy::Heading]);
        assert_eq!(ColorBy::Column(1).within(1), ColorBy::Heading);
    }
}
