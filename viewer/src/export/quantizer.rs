//! Few colors for many: the cells of a color cube are gathered into boxes, of which the one
//! that is represented worst is cut at its mean until there are as many as there may be.

use crate::raster::palette::Pixel;

/// Bits of each channel that tell cells of the color cube apart.
const BITS: u32 = 6;

/// The colors that represent those of a picture.
pub(crate) struct Colors {
    table: Vec<[u8; 3]>,
    /// Index into the table for each cell of the cube.
    nearest: Vec<u8>,
}

/// The pixels that fall into a cell of the cube.
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

impl Colors {
    /// At most `most` colors, up to 256.
    pub(crate) fn of(pixels: impl Iterator<Item = Pixel>, most: usize) -> Self {
        let boxes = cut(cells(pixels), most);
        let mut nearest = vec![0; 1 << (3 * BITS)];
        for (number, piece) in boxes.iter().enumerate() {
            piece.cells.iter().for_each(|cell| nearest[cell.index] = number as u8);
        }
        let table = boxes.iter().map(|piece| piece.mean.map(|value| value.round() as u8)).collect();
        Self { table, nearest }
    }

    pub(crate) fn table(&self) -> &[[u8; 3]] {
        &self.table
    }

    /// The index of the color that represents one of the picture's.
    pub(crate) fn nearest(&self, pixel: Pixel) -> u8 {
        self.nearest[cell_of(pixel)]
    }
}

fn cell_of([red, green, blue, _]: Pixel) -> usize {
    [red, green, blue].iter().fold(0, |at, channel| at << BITS | usize::from(channel >> (8 - BITS)))
}

/// The cells that have pixels.
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
struct Piece {
    cells: Vec<Cell>,
    mean: [f64; 3],
    /// The channel with the largest squared error, and that error.
    worst: (usize, f64),
}

impl Piece {
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

fn cut(cells: Vec<Cell>, most: usize) -> Vec<Piece> {
    let mut pieces = if cells.is_empty() { vec![] } else { vec![Piece::new(cells)] };
    while pieces.len() < most {
        let errors = pieces.iter().map(|piece| piece.worst.1).enumerate();
        let Some((worst, _)) = errors.max_by(|a, b| a.1.total_cmp(&b.1)) else { break };
        let Piece { cells, mean, worst: (channel, _) } = pieces.swap_remove(worst);
        let (low, high): (Vec<Cell>, Vec<Cell>) =
            cells.into_iter().partition(|cell| cell.mean(channel) <= mean[channel]);
        if high.is_empty() {
            pieces.push(Piece::new(low));
            break;
        }
        pieces.extend([low, high].map(Piece::new));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colors_stay_as_they_are() {
        let pixels = [[11, 13, 18, 255], [11, 13, 18, 255], [200, 0, 7, 255], [0, 255, 0, 255]];
        let colors = Colors::of(pixels.into_iter(), 255);
        assert_eq!(colors.table().len(), 3);
        for pixel in pixels {
            assert_eq!(colors.table()[usize::from(colors.nearest(pixel))], pixel[..3]);
        }
    }

    #[test]
    fn many_colors_have_one_that_is_near() {
        let pixel = |k: u32| [(k % 256) as u8, (k / 256) as u8, 90, 255];
        let colors = Colors::of((0..1 << 16).map(pixel), 255);
        assert_eq!(colors.table().len(), 255);
        for pixel in (0..1 << 16).map(pixel) {
            let color = colors.table()[usize::from(colors.nearest(pixel))];
            assert!((0..3).all(|k| color[k].abs_diff(pixel[k]) <= 16), "{pixel:?} {color:?}");
        }
    }

    #[test]
    fn nothing_needs_no_color() {
        assert!(Colors::of([].into_iter(), 255).table().is_empty());
    }
}
