//! The color of each agent.

use rayon::prelude::*;
use wide::f32x4;

use super::color_by::ColorBy;
use super::culling::Visible;
use super::density::Density;
use super::view::{PART, View};
use crate::raster::palette::{Color, Palette};

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
