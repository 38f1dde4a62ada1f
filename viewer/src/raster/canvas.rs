//! A picture: pixels with a size.

use super::palette::Pixel;

/// Borrowed pixels, such as a window's buffer.
pub(crate) struct Canvas<'a> {
    pub(crate) width: usize,
    pub(crate) pixels: &'a mut [Pixel],
}

impl<'a> Canvas<'a> {
    /// `pixels` are row by row from the top, and a whole number of rows.
    pub(crate) fn new(width: usize, pixels: &'a mut [Pixel]) -> Self {
        Self { width: width.max(1), pixels }
    }

    pub(crate) fn height(&self) -> usize {
        self.pixels.len() / self.width
    }

    /// Forgets what the pixels' alpha said.
    pub(crate) fn make_opaque(&mut self) {
        self.pixels.iter_mut().for_each(|pixel| pixel[3] = 255);
    }

    /// Draws a rectangle's outline, one pixel wide, clipped to the picture.
    pub(crate) fn outline(&mut self, from: [f32; 2], to: [f32; 2], color: Pixel) {
        let (width, height) = (self.width as i64, self.height() as i64);
        let [left, top] = from.map(|value| value.floor() as i64);
        let [right, bottom] = to.map(|value| value.floor() as i64);
        let inside = |x: i64, y: i64| (0..width).contains(&x) && (0..height).contains(&y);
        let mut set = |x: i64, y: i64| {
            if inside(x, y) {
                self.pixels[(y * width + x) as usize] = color;
            }
        };
        for x in left.max(0)..=right.min(width - 1) {
            set(x, top);
            set(x, bottom);
        }
        for y in top.max(0)..=bottom.min(height - 1) {
            set(left, y);
            set(right, y);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::palette::BACKGROUND;

    #[test]
    fn outlines_are_clipped_to_the_picture() {
        let mut pixels = vec![BACKGROUND; 8 * 8];
        let mut canvas = Canvas::new(8, &mut pixels);
        canvas.outline([-1.0e9, 2.0], [1.0e9, 1.0e9], [255; 4]);
        canvas.outline([f32::NAN, f32::NAN], [3.0, 3.0], [255; 4]);
        assert!(pixels[2 * 8..3 * 8].iter().all(|pixel| *pixel == [255; 4]));
        assert_eq!(pixels[4 * 8 + 4], BACKGROUND);
    }
}
