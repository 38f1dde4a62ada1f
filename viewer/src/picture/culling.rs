//! Which parts of a crowd a picture shows: the others cost no more than a look at their
//! rectangles, once per picture.

use std::ops::Range;

use super::camera::Camera;
use super::view::View;
use crate::raster::palette::REPETITION;

/// A part of the crowd where the world, or one of its repetitions, shows it.
pub(crate) struct Visible {
    /// Its number.
    pub(crate) part: usize,
    pub(crate) slots: Range<usize>,
    /// Where the world's origin is drawn.
    pub(crate) image: [f32; 2],
    /// The rows of pixels that its agents' centers are in.
    top: f32,
    bottom: f32,
}

impl Visible {
    /// The parts of which something is in the picture, if nothing is drawn further than `reach`
    /// pixels from an agent's center; in the crowd's order.
    pub(crate) fn of(view: &View, camera: &Camera, images: &[[f32; 2]], reach: f32) -> Vec<Self> {
        let [width, height] = camera.size;
        let parts = images.iter().flat_map(|&image| {
            view.parts.iter().enumerate().map(move |(number, part)| (image, number, part))
        });
        let seen = parts.filter_map(|(image, number, part)| {
            let [left, bottom] = place(camera, image, part.low);
            let [right, top] = place(camera, image, part.high);
            // False for NaN as well.
            let inside = right >= -reach
                && left <= width + reach
                && bottom >= -reach
                && top <= height + reach;
            let slots = part.slots.clone();
            inside.then_some(Self { part: number, slots, image, top, bottom })
        });
        seen.collect()
    }

    /// Whether something may be drawn into these rows of pixels, if nothing is further than
    /// `reach` pixels from an agent's center.
    pub(crate) fn reaches(&self, rows: &Range<f32>, reach: f32) -> bool {
        self.bottom >= rows.start - reach && self.top <= rows.end + reach
    }

    /// Where a point of the world is in the picture.
    pub(crate) fn place(&self, camera: &Camera, point: [f32; 2]) -> [f32; 2] {
        place(camera, self.image, point)
    }

    /// How bright it is beside the world itself.
    pub(crate) fn opacity(&self) -> f32 {
        if self.image == [0.0, 0.0] { 1.0 } else { REPETITION }
    }
}

fn place(camera: &Camera, image: [f32; 2], [x, y]: [f32; 2]) -> [f32; 2] {
    camera.to_screen([x + image[0], y + image[1]])
}
