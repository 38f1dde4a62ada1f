use rayon::prelude::*;

use super::culling::{VisibleChunk, VisibleCrowd};
use super::look::ColorBy;
use super::view::CHUNK_SIZE;
use crate::raster::palette::{self, WeightedColor, weighted};

const MIN_AGENTS_PER_TASK: usize = 4_096;

pub(crate) struct AgentColors {
    colors: Vec<WeightedColor>,
    /// Start of each chunk's colors in `colors`. Chunks outside the picture have no colors.
    first: Vec<usize>,
}

impl AgentColors {
    pub(crate) fn new(seen: &VisibleCrowd<'_>, color_by: ColorBy) -> Self {
        let view = seen.view;
        let mut shown = vec![false; view.chunks.len()];
        seen.chunks.iter().for_each(|visible| shown[visible.chunk] = true);
        let shown: Vec<usize> = (0..view.chunks.len()).filter(|&chunk| shown[chunk]).collect();
        let mut first = vec![0; view.chunks.len()];
        shown.iter().enumerate().for_each(|(before, &chunk)| first[chunk] = before * CHUNK_SIZE);

        let agents = shown.iter().map(|&chunk| view.chunks[chunk].slots.len()).sum();
        let all = |color: &(dyn Fn(usize) -> WeightedColor + Sync)| {
            // Only the last chunk has fewer than `CHUNK_SIZE` agents.
            let one = |k: usize| color(shown[k / CHUNK_SIZE] * CHUNK_SIZE + k % CHUNK_SIZE);
            (0..agents).into_par_iter().with_min_len(MIN_AGENTS_PER_TASK).map(one).collect()
        };
        let colors = match color_by {
            ColorBy::Heading => all(&|slot| palette::heading(view.hx[slot], view.hy[slot])),
            // `speeds` is empty if the view was captured for another coloring.
            ColorBy::Speed => {
                let share = |slot: usize| view.speeds.get(slot).copied().unwrap_or_default();
                all(&|slot| weighted(palette::share(share(slot))))
            }
            ColorBy::Species => all(&|slot| weighted(palette::species(view.kind(slot)))),
        };
        Self { colors, first }
    }

    pub(crate) fn of(&self, visible: &VisibleChunk) -> &[WeightedColor] {
        &self.colors[self.first[visible.chunk]..][..visible.slots.len()]
    }
}
