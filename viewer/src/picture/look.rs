//! How a crowd is drawn, as users choose it.

use clap::ValueEnum;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Look {
    /// What the agents' colors show. The view must be captured for the same mode.
    pub(crate) color_by: ColorBy,
    /// Length of trails in simulated seconds; 0 for none.
    pub(crate) trails: f32,
    /// Pixels of the display per pixel of the marks.
    pub(crate) scale: f32,
}

impl Default for Look {
    fn default() -> Self {
        Self { color_by: ColorBy::default(), trails: 0.0, scale: 1.0 }
    }
}

/// What an agent's color shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorBy {
    /// Where it is heading: a hue for each direction.
    #[default]
    Heading,
    /// How fast it is, as a share of its species' largest max speed.
    Speed,
    /// Its species.
    Species,
}

impl ColorBy {
    pub(crate) const ALL: [(&str, Self); 3] =
        [("heading", Self::Heading), ("speed", Self::Speed), ("species", Self::Species)];
}
