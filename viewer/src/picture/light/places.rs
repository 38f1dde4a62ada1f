//! Where the agents of a chunk fall on a grid of squares: the picture's pixels, or those of half
//! the size.
//!
//! Four agents per vector, and no branches: whether one falls inside is hard to predict.

use wide::{f32x4, i32x4};

use super::super::view::CHUNK_SIZE;

/// The number of the square of agents that fall outside.
const OUTSIDE: i32x4 = i32x4::new([-1; 4]);

/// A grid on the world.
pub(super) struct Squares {
    /// Where the world's origin falls, in squares right and down from the grid's corner.
    pub(super) origin: [f32; 2],
    /// Squares per world unit.
    pub(super) scale: f32,
    /// Agents are inside from the first square on, right and down, and before the last ones.
    pub(super) first: f32,
    pub(super) end: [f32; 2],
    /// Squares per row.
    pub(super) stride: usize,
}

/// The agents of a chunk on a grid.
pub(super) struct Places {
    /// The number of each one's square, row by row; negative outside.
    squares: [i32; CHUNK_SIZE],
    /// How far each is within its square, from 0 to 1, right and down.
    within: [[f32; CHUNK_SIZE]; 2],
}

impl Places {
    pub(super) const fn new() -> Self {
        Self { squares: [-1; CHUNK_SIZE], within: [[0.0; CHUNK_SIZE]; 2] }
    }

    /// Finds the squares of agents at `x` and `y`, at most a chunk of them.
    #[inline(always)]
    pub(super) fn find(&mut self, x: &[f32], y: &[f32], squares: &Squares) {
        let ((x, x_rest), (y, y_rest)) = (x.as_chunks::<4>(), y.as_chunks::<4>());
        for (k, (x, y)) in x.iter().zip(y).enumerate() {
            self.find_four(4 * k, f32x4::new(*x), f32x4::new(*y), squares);
        }
        if !x_rest.is_empty() {
            let mut rest = [[f32::NAN; 4]; 2];
            rest[0][..x_rest.len()].copy_from_slice(x_rest);
            rest[1][..y_rest.len()].copy_from_slice(y_rest);
            self.find_four(4 * x.len(), f32x4::new(rest[0]), f32x4::new(rest[1]), squares);
        }
    }

    #[inline(always)]
    fn find_four(&mut self, first: usize, x: f32x4, y: f32x4, squares: &Squares) {
        let &Squares { origin: [left, top], scale, first: low, end, stride } = squares;
        let (x, y) = (left + x * scale, top - y * scale);
        // False for NaN as well.
        let inside = x.simd_ge(f32x4::splat(low))
            & x.simd_lt(f32x4::splat(end[0]))
            & y.simd_ge(f32x4::splat(low))
            & y.simd_lt(f32x4::splat(end[1]));
        let whole = |along: f32x4| f32x4::from_i32x4(along.fast_trunc_int());
        let (column, row) = (whole(x), whole(y));
        // Exact: a grid has fewer squares than `f32` has whole numbers.
        let square = (row * stride as f32 + column).fast_trunc_int();
        let inside: i32x4 = bytemuck::must_cast(inside);
        let square = (square & inside) | (OUTSIDE & !inside);
        self.squares[first..][..4].copy_from_slice(square.as_array());
        self.within[0][first..][..4].copy_from_slice((x - column).as_array());
        self.within[1][first..][..4].copy_from_slice((y - row).as_array());
    }

    /// The squares of the first `count` agents, `None` outside.
    #[inline(always)]
    pub(super) fn squares(&self, count: usize) -> impl Iterator<Item = Option<usize>> {
        self.squares[..count].iter().map(|&square| usize::try_from(square).ok())
    }

    /// How far an agent is within its square, from 0 to 1, right and down.
    #[inline(always)]
    pub(super) fn within(&self, agent: usize) -> [f32; 2] {
        [self.within[0][agent], self.within[1][agent]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_found_in_their_squares_and_others_are_outside() {
        let squares =
            Squares { origin: [2.0, 10.0], scale: 0.5, first: 1.0, end: [20.0, 9.5], stride: 30 };
        let x = [0.0, 4.5, 36.5, -2.5, f32::NAN, 1.0, f32::INFINITY];
        let y = [2.0, 17.9, 18.5, 2.0, 5.0, f32::NAN, 1.0e30];
        let mut places = Places::new();
        places.find(&x, &y, &squares);
        let found: Vec<_> = places.squares(x.len()).collect();
        assert_eq!(found, [Some(9 * 30 + 2), Some(30 + 4), None, None, None, None, None]);
        assert_eq!(places.within(0), [0.0, 0.0]);
        let [right, down] = places.within(1);
        assert!((right - 0.25).abs() < 1.0e-5 && (down - 0.05).abs() < 1.0e-5);
    }
}
