//! What an agent's color can show.

use clap::ValueEnum;

/// What an agent's color shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorBy {
    /// Where it is heading: a hue for each direction
    #[default]
    Heading,
    /// How fast it is, as a share of its species' largest max speed
    Speed,
    /// How much of its max force its combined behaviors use
    Force,
    /// How many agents are near it, relative to the crowd's mean
    Density,
    /// Its species
    Species,
}

impl ColorBy {
    pub(crate) const ALL: [Self; 5] =
        [Self::Heading, Self::Speed, Self::Force, Self::Density, Self::Species];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Heading => "heading",
            Self::Speed => "speed",
            Self::Force => "force",
            Self::Density => "density",
            Self::Species => "species",
        }
    }

    /// The next mode, wrapping around.
    pub(crate) fn next(self) -> Self {
        let present = Self::ALL.iter().position(|mode| *mode == self).unwrap_or(0);
        Self::ALL[(present + 1) % Self::ALL.len()]
    }
}
