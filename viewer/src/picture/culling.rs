//! Culling: finds the chunks of a crowd that the picture shows. Each hidden chunk costs only one
//! test of its bounding box per picture.

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
    pub(crate) chunk: usize,
    pub(crate) slots: Range<usize>,
    /// Offset of the periodic image, in world units.
    pub(crate) image: [f32; 2],
    /// Vertical range of the agents' centers, in pixels.
    top: f32,
    bottom: f32,
}

impl<'a> VisibleCrowd<'a> {
    /// Nothing may be drawn more than `margin` pixels from an agent's center.
    pub(crate) fn new(
        view: &'a View,
        camera: &'a Camera,
        images: &[[f32; 2]],
        margin: f32,
    ) -> Self {
        let [width, height] = camera.size;
        let chunks = images.iter().flat_map(|&image| {
            view.chunks.iter().enumerate().map(move |(index, chunk)| (image, index, chunk))
        });
        let visible = chunks.filter_map(|(image, index, chunk)| {
            let [left, bottom] = place(camera, image, chunk.low);
            let [right, top] = place(camera, image, chunk.high);
            // False for NaN, so chunks with NaN bounds are culled.
            let inside = right >= -margin
                && left <= width + margin
                && bottom >= -margin
                && top <= height + margin;
            let slots = chunk.slots.clone();
            inside.then_some(VisibleChunk { chunk: index, slots, image, top, bottom })
        });
        Self { view, camera, chunks: visible.collect() }
    }
}

impl VisibleChunk {
    pub(crate) fn overlaps_rows(&self, rows: &Range<f32>, margin: f32) -> bool {
        self.bottom >= rows.start - margin && self.top <= rows.end + margin
    }

    pub(crate) fn place(&self, camera: &Camera, point: [f32; 2]) -> [f32; 2] {
        place(camera, self.image, point)
    }
}

fn place(camera: &Camera, image: [f32; 2], [x, y]: [f32; 2]) -> [f32; 2] {
    camera.to_screen([x + image[0], y + image[1]])
}
