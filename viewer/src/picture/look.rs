//! How a crowd is drawn, as users choose it.

use clap::ValueEnum;
use flockwork::Simulation;

use crate::error::Error;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Look {
    /// What the agents' colors show. The view must be captured for the same mode.
    pub(crate) color_by: ColorBy,
    pub(crate) flow_view: FlowView,
    /// Length of trails in simulated seconds; 0 for none.
    pub(crate) trails: f32,
    /// Whether agents glow.
    pub(crate) glows: bool,
    /// Whether the aims of small crowds are drawn.
    pub(crate) aims: bool,
    /// Pixels of the display per pixel of the marks.
    pub(crate) scale: f32,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            color_by: ColorBy::default(),
            flow_view: FlowView::default(),
            trails: 0.0,
            glows: true,
            aims: true,
            scale: 1.0,
        }
    }
}

/// Whether small agents are drawn as a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FlowView {
    /// If they are smaller than pixels.
    #[default]
    Auto,
    On,
    Off,
}

impl FlowView {
    pub(crate) const ALL: [(&str, Self); 3] =
        [("automatic", Self::Auto), ("on", Self::On), ("off", Self::Off)];

    /// The next one, wrapping around, and its name.
    pub(crate) fn next(self) -> (&'static str, Self) {
        let present = Self::ALL.iter().position(|(_, choice)| *choice == self).unwrap_or(0);
        Self::ALL[(present + 1) % Self::ALL.len()]
    }
}

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
    pub(crate) const ALL: [(&str, Self); 5] = [
        ("heading", Self::Heading),
        ("speed", Self::Speed),
        ("force", Self::Force),
        ("density", Self::Density),
        ("species", Self::Species),
    ];

    /// The mode, or the column of the scene, of this name.
    pub(crate) fn find(name: &str, simulation: &Simulation) -> Result<Self, Error> {
        let columns = simulation.columns().enumerate().map(|(k, name)| (name, Self::Column(k)));
        let known: Vec<(&str, Self)> = Self::ALL.into_iter().chain(columns).collect();
        known.iter().find(|(known, _)| *known == name).map(|(_, mode)| *mode).ok_or_else(|| {
            let known: Vec<&str> = known.iter().map(|(known, _)| *known).collect();
            Error::NoColor { name: name.to_owned(), known: known.join(", ") }
        })
    }

    /// The next mode or column, of which there are `columns`, wrapping around.
    pub(crate) fn next(self, columns: usize) -> Self {
        let present = match self {
            Self::Column(column) => Self::ALL.len() + column,
            mode => Self::ALL.iter().position(|(_, other)| *other == mode).unwrap_or(0),
        };
        let next = (present + 1) % (Self::ALL.len() + columns);
        let column = || Self::Column(next.wrapping_sub(Self::ALL.len()));
        Self::ALL.get(next).map_or_else(column, |(_, mode)| *mode)
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
