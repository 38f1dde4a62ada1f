//! A picture: pixels with a size, and how it becomes a PNG.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

use crate::error::Error;
use crate::palette::Pixel;

/// Pixels in memory that someone else may own, such as a window's buffer.
pub(crate) struct Canvas<'a> {
    pub(crate) width: usize,
    pub(crate) pixels: &'a mut [Pixel],
}

impl<'a> Canvas<'a> {
    /// `pixels` row by row from the top; a whole number of rows.
    pub(crate) fn new(width: usize, pixels: &'a mut [Pixel]) -> Self {
        Self { width: width.max(1), pixels }
    }

    pub(crate) fn height(&self) -> usize {
        self.pixels.len() / self.width
    }

    /// Draws the outline of a rectangle, one pixel wide, as much of it as is in the picture.
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

/// Opens the file, to know before the work and not after it whether the picture can be
/// written. An existing picture stays until the new one is drawn.
pub(crate) fn check_writable(path: &Path) -> Result<(), Error> {
    let existed = path.exists();
    let opened = File::options().create(true).append(true).open(path);
    let checked = opened.and_then(|_| if existed { Ok(()) } else { fs::remove_file(path) });
    checked.map_err(|error| Error::write(path, &error))
}

/// Writes a PNG file.
pub(crate) fn write_png(path: &Path, width: u32, pixels: &[Pixel]) -> Result<(), Error> {
    let file = File::create(path).map_err(|error| Error::write(path, &error))?;
    let height = pixels.len() as u32 / width;
    let mut encoder = png::Encoder::new(BufWriter::new(file), width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(bytemuck::cast_slice(pixels))?;
        writer.finish()
    });
    written.map_err(|error| Error::write(path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::BACKGROUND;

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
