//! Color quantization: the cells of a color cube are grouped into boxes. The box with the largest
//! error is split at its mean until there are as many boxes as colors.

use crate::raster::palette::Pixel;

/// Bits per channel that select a cell of the color cube.
const BITS: u32 = 6;

/// The colors that represent those of a picture.
pub(crate) struct Quantizer {
    table: Vec<[u8; 3]>,
    /// Index into the table for each cell of the cube.
    nearest: Vec<u8>,
}

/// The pixels in a cell of the cube.
#[derive(Clone, Copy, Default)]
struct Cell {
    index: usize,
    pixels: u64,
    sums: [u64; 3],
}

impl Cell {
    fn mean(&self, channel: usize) -> f64 {
        self.sums[channel] as f64 / self.pixels as f64
    }
}

impl Quantizer {
    /// At most `max_colors` colors, up to 256.
    pub(crate) fn of(pixels: impl Iterator<Item = Pixel>, max_colors: usize) -> Self {
        let boxes = split(cells(pixels), max_colors);
        let mut nearest = vec![0; 1 << (3 * BITS)];
        for (number, color_box) in boxes.iter().enumerate() {
            color_box.cells.iter().for_each(|cell| nearest[cell.index] = number as u8);
        }
        let table =
            boxes.iter().map(|color_box| color_box.mean.map(|value| value.round() as u8)).collect();
        Self { table, nearest }
    }

    pub(crate) fn table(&self) -> &[[u8; 3]] {
        &self.table
    }

    /// The index of the color that represents one of the picture's colors.
    pub(crate) fn nearest(&self, pixel: Pixel) -> u8 {
        self.nearest[cell_of(pixel)]
    }
}

fn cell_of([red, green, blue, _]: Pixel) -> usize {
    [red, green, blue].iter().fold(0, |at, channel| at << BITS | usize::from(channel >> (8 - BITS)))
}

/// The cells that contain pixels.
fn cells(pixels: impl Iterator<Item = Pixel>) -> Vec<Cell> {
    let mut cube = vec![Cell::default(); 1 << (3 * BITS)];
    for pixel in pixels {
        let cell = &mut cube[cell_of(pixel)];
        cell.pixels += 1;
        for (sum, channel) in cell.sums.iter_mut().zip(pixel) {
            *sum += u64::from(channel);
        }
    }
    cube.iter_mut().enumerate().for_each(|(index, cell)| cell.index = index);
    cube.retain(|cell| cell.pixels > 0);
    cube
}

/// Cells that are represented by their mean.
struct ColorBox {
    cells: Vec<Cell>,
    mean: [f64; 3],
    /// The channel with the largest squared error, and that error.
    worst: (usize, f64),
}

impl ColorBox {
    fn new(cells: Vec<Cell>) -> Self {
        let pixels: u64 = cells.iter().map(|cell| cell.pixels).sum();
        let mean = [0, 1, 2].map(|channel| {
            cells.iter().map(|cell| cell.sums[channel]).sum::<u64>() as f64 / pixels as f64
        });
        let error = |channel: usize| -> f64 {
            let square = |cell: &Cell| (cell.mean(channel) - mean[channel]).powi(2);
            cells.iter().map(|cell| cell.pixels as f64 * square(cell)).sum()
        };
        let errors = [0, 1, 2].map(|channel| (channel, error(channel)));
        let worst = errors.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("three channels");
        Self { cells, mean, worst }
    }
}

fn split(cells: Vec<Cell>, max_colors: usize) -> Vec<ColorBox> {
    let mut boxes = if cells.is_empty() { vec![] } else { vec![ColorBox::new(cells)] };
    while boxes.len() < max_colors {
        let errors = boxes.iter().map(|color_box| color_box.worst.1).enumerate();
        let Some((worst, _)) = errors.max_by(|a, b| a.1.total_cmp(&b.1)) else { break };
        let ColorBox { cells, mean, worst: (channel, _) } = boxes.swap_remove(worst);
        let (low, high): (Vec<Cell>, Vec<Cell>) =
            cells.into_iter().partition(|cell| cell.mean(channel) <= mean[channel]);
        if high.is_empty() {
            boxes.push(ColorBox::new(low));
            break;
        }
        boxes.extend([low, high].map(ColorBox::new));
    }
    boxes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colors_are_kept_exactly() {
        let pixels = [[11, 13, 18, 255], [11, 13, 18, 255], [200, 0, 7, 255], [0, 255, 0, 255]];
        let colors = Quantizer::of(pixels.into_iter(), 255);
        assert_eq!(colors.table().len(), 3);
        for pixel in pixels {
            assert_eq!(colors.table()[usize::from(colors.nearest(pixel))], pixel[..3]);
        }
    }

    #[test]
    fn many_colors_are_approximated() {
        let pixel = |k: u32| [(k % 256) as u8, (k / 256) as u8, 90, 255];
        let colors = Quantizer::of((0..1 << 16).map(pixel), 255);
        assert_eq!(colors.table().len(), 255);
        for pixel in (0..1 << 16).map(pixel) {
            let color = colors.table()[usize::from(colors.nearest(pixel))];
            assert!((0..3).all(|k| color[k].abs_diff(pixel[k]) <= 16), "{pixel:?} {color:?}");
        }
    }

    #[test]
    fn an_empty_picture_has_no_colors() {
        assert!(Quantizer::of([].into_iter(), 255).table().is_empty());
    }
}
