//! Lines and circles with soft edges.
//!
//! A pixel is covered by as much as its middle is inside a shape's edge. Everything is
//! clipped before it is drawn, so that a shape costs no more than the pixels it can touch,
//! however large it is; shapes that are not finite are not drawn.

use std::ops::Range;

use super::palette::{Pixel, blend};

/// A color, and how much of what it covers it hides, from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tint {
    pub(crate) color: [u8; 3],
    pub(crate) opacity: f32,
}

impl Tint {
    pub(crate) const fn new(color: [u8; 3]) -> Self {
        Self { color, opacity: 1.0 }
    }

    /// The same, fainter by a factor.
    pub(crate) const fn faint(self, factor: f32) -> Self {
        Self { opacity: self.opacity * factor, ..self }
    }
}

/// Draws into successive rows of a picture; coordinates are pixels of the whole picture.
pub(crate) struct Ink<'a> {
    width: usize,
    first_row: usize,
    pixels: &'a mut [Pixel],
}

impl<'a> Ink<'a> {
    pub(crate) fn new(width: usize, first_row: usize, pixels: &'a mut [Pixel]) -> Self {
        Self { width, first_row, pixels }
    }

    /// The picture's rows that are drawn into.
    pub(crate) fn rows(&self) -> Range<usize> {
        self.first_row..self.first_row + self.pixels.len() / self.width
    }

    pub(crate) fn disk(&mut self, center: [f32; 2], radius: f32, tint: Tint) {
        // An inner edge that no pixel is near.
        self.round(center, [-1.0, radius], tint);
    }

    pub(crate) fn ring(&mut self, center: [f32; 2], radius: f32, thickness: f32, tint: Tint) {
        self.round(center, [radius - thickness / 2.0, radius + thickness / 2.0], tint);
    }

    /// A straight line with round ends.
    pub(crate) fn line(&mut self, ends: [[f32; 2]; 2], thickness: f32, tint: Tint) {
        let reach = f64::from(thickness) / 2.0 + 0.5;
        let Some([from, to]) = self.clip(ends, reach + 1.0) else { return };
        let way = [to[0] - from[0], to[1] - from[1]];
        let square = (way[0] * way[0] + way[1] * way[1]).max(f64::MIN_POSITIVE);
        let (top, bottom) = (from[1].min(to[1]), from[1].max(to[1]));
        for row in self.clip_rows(top - reach, bottom + reach) {
            let y = row as f64 + 0.5 - from[1];
            // The part of the line that is near this row; all of it if it is level.
            let near = [(y - reach) / way[1], (y + reach) / way[1]];
            let [first, last] = [near[0].min(near[1]), near[0].max(near[1])]
                .map(|along| from[0] + way[0] * along.clamp(0.0, 1.0));
            for column in self.clip_columns(first.min(last) - reach, first.max(last) + reach) {
                let x = column as f64 + 0.5 - from[0];
                let along = ((x * way[0] + y * way[1]) / square).clamp(0.0, 1.0);
                let distance = length([x - way[0] * along, y - way[1] * along]);
                self.cover(row, column, reach - distance, tint);
            }
        }
    }

    pub(crate) fn arrow(&mut self, [from, to]: [[f32; 2]; 2], thickness: f32, tint: Tint) {
        /// The head in directions of the shaft: behind the tip and to the side.
        const HEAD: [f32; 2] = [0.86, 0.5];
        let way = [to[0] - from[0], to[1] - from[1]];
        let length = length(way.map(f64::from)) as f32;
        let size = (3.5 * thickness).min(length * 0.4) / length.max(f32::MIN_POSITIVE);
        let [back, aside] = HEAD.map(|share| share * size);
        self.line([from, to], thickness, tint);
        for aside in [aside, -aside] {
            let x = to[0] - back * way[0] - aside * way[1];
            let y = to[1] - back * way[1] + aside * way[0];
            self.line([to, [x, y]], thickness, tint);
        }
    }

    /// Covers what is between two distances from a center.
    fn round(&mut self, center: [f32; 2], edges: [f32; 2], tint: Tint) {
        let ([center_x, center_y], [inner, outer]) = (center.map(f64::from), edges.map(f64::from));
        if ![center_x, center_y, inner, outer].into_iter().all(f64::is_finite) {
            return;
        }
        // How far to either side a circle reaches in a row that is `y` from its center.
        let half_chord = |radius: f64, y: f64| (radius * radius - y * y).max(0.0).sqrt();
        for row in self.clip_rows(center_y - outer - 0.5, center_y + outer + 0.5) {
            let y = row as f64 + 0.5 - center_y;
            let reach = half_chord(outer + 0.5, y);
            let gap = half_chord((inner - 1.5).max(0.0), y);
            let all = self.clip_columns(center_x - reach, center_x + reach);
            let hole = self.clip_columns(center_x - gap, center_x + gap);
            let hole = if gap > 1.0 { hole } else { all.end..all.end };
            for column in
                (all.start..hole.start.min(all.end)).chain(hole.end.max(all.start)..all.end)
            {
                let distance = length([column as f64 + 0.5 - center_x, y]);
                let inside = (outer - distance).min(distance - inner);
                self.cover(row, column, inside + 0.5, tint);
            }
        }
    }

    fn cover(&mut self, row: usize, column: usize, share: f64, tint: Tint) {
        if share > 0.0 {
            let pixel = &mut self.pixels[(row - self.first_row) * self.width + column];
            let share = share.min(1.0) as f32 * tint.opacity;
            *pixel = blend(*pixel, tint.color.map(f32::from), share);
        }
    }

    /// The rows here that are between two heights.
    fn clip_rows(&self, top: f64, bottom: f64) -> Range<usize> {
        let rows = self.rows();
        // Casting saturates, which also settles NaN.
        (top as usize).max(rows.start)..((bottom + 1.0) as usize).min(rows.end)
    }

    fn clip_columns(&self, left: f64, right: f64) -> Range<usize> {
        left as usize..((right + 1.0) as usize).min(self.width)
    }

    /// The part of a line that is in these rows or at most `margin` beside them.
    fn clip(&self, ends: [[f32; 2]; 2], margin: f64) -> Option<[[f64; 2]; 2]> {
        let [from, to] = ends.map(|end| end.map(f64::from));
        let rows = self.rows();
        let low = [-margin, rows.start as f64 - margin];
        let high = [self.width as f64 + margin, rows.end as f64 + margin];
        let (mut start, mut end) = (0.0_f64, 1.0_f64);
        for axis in 0..2 {
            // Infinite where the line is parallel to the edges: no bound, or none that holds.
            let way = to[axis] - from[axis];
            let bounds = [low, high].map(|edge| (edge[axis] - from[axis]) / way);
            start = start.max(bounds[0].min(bounds[1]));
            end = end.min(bounds[0].max(bounds[1]));
        }
        let at = |along: f64| [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * along);
        let finite = from.into_iter().chain(to).all(f64::is_finite);
        (finite && start <= end).then(|| [at(start), at(end)])
    }
}

/// Of a vector. Every machine agrees on it, unlike on `hypot`, which takes several times as long
/// to spare overflows that no `f32` causes.
pub(crate) fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::palette::BACKGROUND;

    const SIDE: usize = 40;
    const WHITE: Tint = Tint::new([255; 3]);

    /// What is drawn into a picture that is cut into strips of so many rows.
    fn picture(rows: usize, draw: impl Fn(&mut Ink<'_>)) -> Vec<Pixel> {
        let mut pixels = vec![BACKGROUND; SIDE * SIDE];
        for (k, strip) in pixels.chunks_mut(SIDE * rows).enumerate() {
            draw(&mut Ink::new(SIDE, k * rows, strip));
        }
        pixels
    }

    fn lit(pixels: &[Pixel], x: usize, y: usize) -> bool {
        pixels[y * SIDE + x] != BACKGROUND
    }

    #[test]
    fn a_disk_is_filled_and_a_ring_is_not() {
        let disk = picture(SIDE, |ink| ink.disk([20.0, 20.0], 10.0, WHITE));
        let ring = picture(SIDE, |ink| ink.ring([20.0, 20.0], 10.0, 1.0, WHITE));
        for (x, y) in [(10, 20), (29, 20), (20, 10), (20, 29)] {
            assert!(lit(&disk, x, y) && lit(&ring, x, y), "{x} {y}");
        }
        assert!(lit(&disk, 20, 20) && !lit(&ring, 20, 20));
        assert!(!lit(&disk, 8, 20) && !lit(&disk, 28, 28));
        let area = disk.iter().map(|pixel| (f64::from(pixel[0]) - 11.0) / 244.0).sum::<f64>();
        assert!((area - 314.16).abs() < 3.0, "{area}");
    }

    #[test]
    fn a_line_covers_what_is_near_it() {
        for ends in
            [[[5.0, 8.0], [35.0, 30.0]], [[8.0, 35.0], [9.0, 5.0]], [[3.0, 9.5], [30.0, 9.5]]]
        {
            let pixels = picture(SIDE, |ink| ink.line(ends, 2.0, WHITE));
            let [from, to] = ends;
            let length = (to[0] - from[0]).hypot(to[1] - from[1]);
            for (at, pixel) in pixels.iter().enumerate() {
                let (x, y) =
                    ((at % SIDE) as f32 + 0.5 - from[0], (at / SIDE) as f32 + 0.5 - from[1]);
                let (dx, dy) = ((to[0] - from[0]) / length, (to[1] - from[1]) / length);
                let along = (x * dx + y * dy).clamp(0.0, length);
                let distance = (x - dx * along).hypot(y - dy * along);
                assert!((distance < 1.45) <= (*pixel != BACKGROUND), "{ends:?} at {at}");
                assert!((distance > 1.55) <= (*pixel == BACKGROUND), "{ends:?} at {at}");
            }
        }
    }

    #[test]
    fn strips_make_the_same_picture() {
        let draw = |ink: &mut Ink<'_>| {
            ink.disk([12.0, 14.0], 9.0, WHITE.faint(0.5));
            ink.ring([25.0, 22.0], 11.0, 2.0, WHITE);
            ink.arrow([[2.0, 3.0], [36.0, 31.0]], 2.0, WHITE);
        };
        assert!(picture(SIDE, draw) == picture(7, draw));
    }

    #[test]
    fn huge_shapes_are_clipped() {
        let far = 1.0e12;
        let pixels = picture(SIDE, |ink| ink.line([[-far, 20.5], [far, 20.5]], 1.0, WHITE));
        assert!((0..SIDE).all(|x| lit(&pixels, x, 20) && !lit(&pixels, x, 10)));
        let pixels = picture(SIDE, |ink| ink.disk([far, 20.0], far, WHITE));
        assert!((1..SIDE).all(|x| lit(&pixels, x, 20)));
        let pixels = picture(SIDE, |ink| ink.ring([20.5, 20.0 - 1.0e7], 1.0e7, 1.0, WHITE));
        assert!((0..SIDE).all(|x| !lit(&pixels, x, 10) && !lit(&pixels, x, 30)));
    }

    #[test]
    fn any_coordinates_can_be_drawn() {
        let hostile = [f32::NAN, f32::INFINITY, f32::MIN, f32::MAX, -1.0e9, 0.0, 17.0, 1.0e-40];
        let values = || hostile.into_iter();
        let places = || values().flat_map(|x| values().map(move |y| [x, y]));
        for from in places() {
            picture(SIDE, |ink| values().for_each(|radius| ink.disk(from, radius, WHITE)));
            picture(SIDE, |ink| values().for_each(|radius| ink.ring(from, radius, 1.0, WHITE)));
            picture(SIDE, |ink| places().for_each(|to| ink.arrow([from, to], 1.0, WHITE)));
        }
        let nowhere = picture(SIDE, |ink| {
            ink.line([[f32::NAN, 3.0], [9.0, 9.0]], 1.0, WHITE);
            ink.disk([f32::INFINITY, 3.0], f32::INFINITY, WHITE);
        });
        assert!(nowhere.iter().all(|pixel| *pixel == BACKGROUND));
    }
}
