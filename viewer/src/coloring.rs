//! The color of each agent.

use clap::ValueEnum;
use rayon::prelude::*;
use wide::f32x4;

use crate::density::Density;
use crate::palette::{Color, Palette};
use crate::view::{PART, View};
use crate::visible::Visible;

/// What the color of an agent shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorBy {
    /// Where it heads: a hue for each direction
    #[default]
    Heading,
    /// How fast it is, as a share of its species' largest max speed
    Speed,
    /// How much of its max force its combined behaviors use
    Force,
    /// How many agents are near it, beside the crowd's mean
    Density,
    /// What it is
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

    /// The one after it, around and around.
    pub(crate) fn next(self) -> Self {
        let present = Self::ALL.iter().position(|mode| *mode == self).unwrap_or(0);
        Self::ALL[(present + 1) % Self::ALL.len()]
    }
}

/// Agents colored at a time by one thread.
const CHUNK: usize = 4_096;

/// The colors of the agents in a picture: red, green, blue and 1, which is what each adds to a
/// sum of weighted colors and of weights.
pub(crate) struct Colors {
    colors: Vec<f32x4>,
    /// Where those of each part of the crowd begin; of parts that are not in the picture there
    /// are none.
    first: Vec<usize>,
}

impl Colors {
    pub(crate) fn new(
        view: &View,
        visible: &[Visible],
        color_by: ColorBy,
        palette: &Palette,
    ) -> Self {
        let mut seen = vec![false; view.parts.len()];
        visible.iter().for_each(|visible| seen[visible.part] = true);
        let seen: Vec<usize> = (0..view.parts.len()).filter(|&part| seen[part]).collect();
        let mut first = vec![0; view.parts.len()];
        seen.iter().enumerate().for_each(|(before, &part)| first[part] = before * PART);

        let agents = seen.iter().map(|&part| view.parts[part].slots.len()).sum();
        let all = |color: &(dyn Fn(usize) -> Color + Sync)| {
            let one = |k: usize| {
                // Only the last part has fewer agents than the others.
                let [red, green, blue] = color(seen[k / PART] * PART + k % PART);
                f32x4::new([red, green, blue, 1.0])
            };
            (0..agents).into_par_iter().with_min_len(CHUNK).map(one).collect()
        };
        let colors = match color_by {
            ColorBy::Heading => all(&|slot| palette.heading(view.hx[slot], view.hy[slot])),
            // The view was taken for another coloring if it has no shares.
            ColorBy::Speed | ColorBy::Force => {
                all(&|slot| palette.share(view.share.get(slot).copied().unwrap_or_default()))
            }
            ColorBy::Density => {
                let density = Density::of(view);
                all(&|slot| palette.share(density.at(view.x[slot], view.y[slot])))
            }
            ColorBy::Species => all(&|slot| palette.species(view.kind(slot))),
        };
        Self { colors, first }
    }

    /// Those of the agents of a part, in their order.
    pub(crate) fn of(&self, visible: &Visible) -> &[f32x4] {
        &self.colors[self.first[visible.part]..][..visible.slots.len()]
    }
}
