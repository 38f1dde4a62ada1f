//! What files show of a picture: the part that the panel does not cover, without the periodic
//! images.

use super::camera::Camera;
use super::view::View;
use crate::raster::canvas::Canvas;
use crate::raster::palette::{BACKGROUND, Pixel};

/// The first `width` columns of a picture.
pub(crate) fn columns(canvas: &Canvas<'_>, width: usize) -> Vec<Pixel> {
    let rows = canvas.pixels.chunks(canvas.width);
    rows.flat_map(|row| &row[..width.min(row.len())]).copied().collect()
}

/// Removes the periodic images from a picture: along each axis along which all of the world is in it.
/// In a part of the world they are what lies around.
pub(crate) fn without_images(view: &View, camera: &Camera, canvas: &mut Canvas<'_>) {
    if !view.repeats {
        return;
    }
    let [left, top] = camera.to_screen([0.0, view.world[1]]);
    let [right, bottom] = camera.to_screen([view.world[0], 0.0]);
    let inside = |from: f32, to: f32, length: usize| {
        let whole = from >= 0.0 && to <= length as f32;
        // The frame's pixels are part of the world.
        if whole { from as usize..to as usize + 1 } else { 0..length }
    };
    let width = canvas.width;
    let (columns, rows) = (inside(left, right, width), inside(top, bottom, canvas.height()));
    let (start, end) = (columns.start, columns.end.min(width));
    for (row, pixels) in canvas.pixels.chunks_mut(width).enumerate() {
        if rows.contains(&row) {
            pixels[..start].fill(BACKGROUND);
            pixels[end..].fill(BACKGROUND);
        } else {
            pixels.fill(BACKGROUND);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_world_alone_is_kept_and_what_the_panel_covers_is_left_out() {
        let view = View { world: [10.0, 10.0], repeats: true, ..View::default() };
        let camera = Camera::new([5.0, 5.0], 2.0, [40.0, 30.0]);
        let mut all = vec![[9, 9, 9, 255]; 50 * 30];
        let mut pixels = columns(&Canvas::new(50, &mut all), 40);
        without_images(&view, &camera, &mut Canvas::new(40, &mut pixels));
        assert_eq!(pixels.len(), 40 * 30);
        for (at, pixel) in pixels.iter().enumerate() {
            let world = (10..=30).contains(&(at % 40)) && (5..=25).contains(&(at / 40));
            assert_eq!(*pixel == BACKGROUND, !world, "at {at}");
        }
        let bounded = View { repeats: false, ..view };
        let mut pixels = columns(&Canvas::new(50, &mut all), 40);
        without_images(&bounded, &camera, &mut Canvas::new(40, &mut pixels));
        assert!(pixels.iter().all(|pixel| *pixel != BACKGROUND));
    }

    #[test]
    fn in_a_part_of_the_world_what_lies_around_stays() {
        let view = View { world: [10.0, 10.0], repeats: true, ..View::default() };
        let camera = Camera::new([-2.0, 5.0], 2.0, [40.0, 30.0]);
        let mut pixels = vec![[9, 9, 9, 255]; 40 * 30];
        without_images(&view, &camera, &mut Canvas::new(40, &mut pixels));
        let shown = |y: usize| pixels[y * 40..][..40].iter().all(|pixel| *pixel != BACKGROUND);
        assert!(!shown(4) && shown(5) && shown(25) && !shown(26), "the seam is in the middle");
    }
}
