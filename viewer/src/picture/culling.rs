//! Culls chunks of agents outside the picture, and colors the agents in the other chunks. A culled
//! chunk costs only a test of its bounding box.

use std::ops::Range;

use rayon::prelude::*;

use super::camera::Camera;
use super::view::{CHUNK_SIZE, ColorBy, View};
use crate::raster::{self, WeightedColor, weighted};

pub(crate) struct VisibleCrowd<'a> {
    pub(crate) view: &'a View,
    pub(crate) camera: &'a Camera,
    /// Chunks that overlap the picture, in crowd order.
    pub(crate) chunks: Vec<VisibleChunk>,
}

pub(crate) struct VisibleChunk {
    pub(crate) chunk: usize,
    pub(crate) slots: Range<usize>,
    /// Camera for the periodic image in which the chunk is visible.
    pub(crate) camera: Camera,
    /// Vertical range of the agents' centers, in pixels.
    top: f32,
    bottom: f32,
}

impl<'a> VisibleCrowd<'a> {
    /// `margin` is how far an agent's mark may extend from the agent's center, in pixels.
    pub(crate) fn new(view: &'a View, camera: &'a Camera, cameras: &[Camera], margin: f32) -> Self {
        let [width, height] = camera.size;
        let chunks = cameras.iter().flat_map(|&camera| {
            view.chunks.iter().enumerate().map(move |(index, chunk)| (camera, index, chunk))
        });
        let visible = chunks.filter_map(|(camera, index, chunk)| {
            let [left, bottom] = camera.to_screen(chunk.low);
            let [right, top] = camera.to_screen(chunk.high);
            // False for NaN, so chunks with NaN bounds are culled.
            let inside = right >= -margin
                && left <= width + margin
                && bottom >= -margin
                && top <= height + margin;
            let slots = chunk.slots.clone();
            inside.then_some(VisibleChunk { chunk: index, slots, camera, top, bottom })
        });
        Self { view, camera, chunks: visible.collect() }
    }
}

impl VisibleChunk {
    pub(crate) fn overlaps_rows(&self, rows: &Range<f32>, margin: f32) -> bool {
        self.bottom >= rows.start - margin && self.top <= rows.end + margin
    }
}

const MIN_AGENTS_PER_TASK: usize = 4_096;

pub(crate) struct AgentColors {
    colors: Vec<WeightedColor>,
    /// Index of each chunk's first color. Culled chunks have no colors, so theirs are unused.
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
            ColorBy::Heading => all(&|slot| raster::heading(view.hx[slot], view.hy[slot])),
            // `speeds` is empty if the view was captured for another coloring.
            ColorBy::Speed => {
                let share = |slot: usize| view.speeds.get(slot).copied().unwrap_or_default();
                all(&|slot| weighted(raster::share(share(slot))))
            }
            ColorBy::Species => all(&|slot| weighted(raster::species(view.kind(slot)))),
        };
        Self { colors, first }
    }

    pub(crate) fn of(&self, visible: &VisibleChunk) -> &[WeightedColor] {
        &self.colors[self.first[visible.chunk]..][..visible.slots.len()]
    }
}
