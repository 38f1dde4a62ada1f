//! Culls chunks of agents outside the picture by testing each chunk's bounding box.

use std::ops::Range;

use super::camera::Camera;
use super::view::View;

pub(crate) struct VisibleCrowd<'a> {
    pub(crate) view: &'a View,
    pub(crate) camera: &'a Camera,
    /// Chunks that overlap the picture, in crowd order.
    pub(crate) chunks: Vec<VisibleChunk>,
}

pub(crate) struct VisibleChunk {
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
        let chunks =
            cameras.iter().flat_map(|&camera| view.chunks.iter().map(move |chunk| (camera, chunk)));
        let visible = chunks.filter_map(|(camera, chunk)| {
            let [left, bottom] = camera.to_screen(chunk.low);
            let [right, top] = camera.to_screen(chunk.high);
            // False for NaN, so chunks with NaN bounds are culled.
            let inside = right >= -margin
                && left <= width + margin
                && bottom >= -margin
                && top <= height + margin;
            let slots = chunk.slots.clone();
            inside.then_some(VisibleChunk { slots, camera, top, bottom })
        });
        Self { view, camera, chunks: visible.collect() }
    }
}

impl VisibleChunk {
    pub(crate) fn overlaps_rows(&self, rows: &Range<f32>, margin: f32) -> bool {
        self.bottom >= rows.start - margin && self.top <= rows.end + margin
    }
}
