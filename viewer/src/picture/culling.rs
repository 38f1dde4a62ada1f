//! Which chunks of a crowd the picture shows. The others cost one test of their bounding box per
//! picture.

use std::ops::Range;

use super::camera::Camera;
use super::view::View;

/// What a picture shows of a crowd.
pub(crate) struct Seen<'a> {
    pub(crate) view: &'a View,
    pub(crate) camera: &'a Camera,
    /// The chunks that overlap the picture, in the crowd's order.
    pub(crate) chunks: Vec<VisibleChunk>,
}

/// A chunk of the crowd in the world or in one of its periodic images.
pub(crate) struct VisibleChunk {
    /// Its index.
    pub(crate) chunk: usize,
    pub(crate) slots: Range<usize>,
    /// Where this image draws the world's origin.
    pub(crate) image: [f32; 2],
    /// The rows of pixels that contain its agents' centers.
    top: f32,
    bottom: f32,
}

impl<'a> Seen<'a> {
    /// What is seen if nothing is drawn more than `margin` pixels from an agent's center.
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
            // False for NaN as well.
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
    /// Whether it may draw into these rows of pixels, if nothing is drawn more than `margin` pixels
    /// from an agent's center.
    pub(crate) fn overlaps_rows(&self, rows: &Range<f32>, margin: f32) -> bool {
        self.bottom >= rows.start - margin && self.top <= rows.end + margin
    }

    /// Where a point of the world is in the picture.
    pub(crate) fn place(&self, camera: &Camera, point: [f32; 2]) -> [f32; 2] {
        place(camera, self.image, point)
    }
}

fn place(camera: &Camera, image: [f32; 2], [x, y]: [f32; 2]) -> [f32; 2] {
    camera.to_screen([x + image[0], y + image[1]])
}
