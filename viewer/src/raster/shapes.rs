//! Anti-aliased lines and circles.
//!
//! A pixel's coverage depends on how far its center is inside the shape's edge. Shapes are clipped
//! before they are drawn, so even a huge shape costs no more than the pixels it can touch. Shapes
//! with non-finite coordinates are not drawn.

use std::ops::Range;

use super::palette::{Pixel, blend};

/// A color with an opacity from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tint {
    pub(crate) color: [u8; 3],
    pub(crate) opacity: f32,
}

impl Tint {
    pub(crate) const fn new(color: [u8; 3]) -> Self {
        Self { color, opacity: 1.0 }
    }

    pub(crate) const fn faint(self, factor: f32) -> Self {
        Self { opacity: self.opacity * factor, ..self }
    }
}

/// Draws into consecutive rows of a picture. Coordinates are pixels of the whole picture.
pub(crate) struct Rasterizer<'a> {
    width: usize,
    first_row: usize,
    pixels: &'a mut [Pixel],
    /// Display scale factor.
    pub(crate) scale: f32,
}

impl<'a> Rasterizer<'a> {
    pub(crate) fn new(width: usize, first_row: usize, pixels: &'a mut [Pixel]) -> Self {
        Self { width, first_row, pixels, scale: 1.0 }
    }

    pub(crate) fn scaled(self, scale: f32) -> Self {
        Self { scale, ..self }
    }

    pub(crate) fn rows(&self) -> Range<usize> {
        self.first_row..self.first_row + self.pixels.len() / self.width
    }

    pub(crate) fn disk(&mut self, center: [f32; 2], radius: f32, tint: Tint) {
        // A negative inner radius leaves no hole.
        self.round(center, [-1.0, radius], tint);
    }

    pub(crate) fn ring(&mut self, center: [f32; 2], radius: f32, thickness: f32, tint: Tint) {
        let thickness = thickness * self.scale;
        self.round(center, [radius - thickness / 2.0, radius + thickness / 2.0], tint);
    }

    pub(crate) fn outline(&mut self, [ax, ay]: [f32; 2], [bx, by]: [f32; 2], tint: Tint) {
        let corners = [[ax, ay], [bx, ay], [bx, by], [ax, by]];
        for k in 0..4 {
            self.line([corners[k], corners[(k + 1) % 4]], 1.0, tint);
        }
    }

    pub(crate) fn line(&mut self, ends: [[f32; 2]; 2], thickness: f32, tint: Tint) {
        let half_width = f64::from(thickness * self.scale) / 2.0 + 0.5;
        let Some([from, to]) = self.clip(ends, half_width + 1.0) else { return };
        let direction = [to[0] - from[0], to[1] - from[1]];
        let square =
            (direction[0] * direction[0] + direction[1] * direction[1]).max(f64::MIN_POSITIVE);
        let (top, bottom) = (from[1].min(to[1]), from[1].max(to[1]));
        for row in self.clip_rows(top - half_width, bottom + half_width) {
            let y = row as f64 + 0.5 - from[1];
            let near = [(y - half_width) / direction[1], (y + half_width) / direction[1]];
            let [first, last] = [near[0].min(near[1]), near[0].max(near[1])]
                .map(|along| from[0] + direction[0] * along.clamp(0.0, 1.0));
            for column in
                self.clip_columns(first.min(last) - half_width, first.max(last) + half_width)
            {
                let x = column as f64 + 0.5 - from[0];
                let along = ((x * direction[0] + y * direction[1]) / square).clamp(0.0, 1.0);
                let distance = length([x - direction[0] * along, y - direction[1] * along]);
                self.cover(row, column, half_width - distance, tint);
            }
        }
    }

    pub(crate) fn arrow(&mut self, [from, to]: [[f32; 2]; 2], thickness: f32, tint: Tint) {
        /// The arrowhead's corners, relative to its size: behind the tip and sideways.
        const HEAD: [f32; 2] = [0.86, 0.5];
        let direction = [to[0] - from[0], to[1] - from[1]];
        let length = length(direction.map(f64::from)) as f32;
        let size = (3.5 * thickness * self.scale).min(length * 0.4) / length.max(f32::MIN_POSITIVE);
        let [back, aside] = HEAD.map(|share| share * size);
        self.line([from, to], thickness, tint);
        for aside in [aside, -aside] {
            let x = to[0] - back * direction[0] - aside * direction[1];
            let y = to[1] - back * direction[1] + aside * direction[0];
            self.line([to, [x, y]], thickness, tint);
        }
    }

    fn round(&mut self, center: [f32; 2], edges: [f32; 2], tint: Tint) {
        let ([center_x, center_y], [inner, outer]) = (center.map(f64::from), edges.map(f64::from));
        if ![center_x, center_y, inner, outer].into_iter().all(f64::is_finite) {
            return;
        }
        let half_chord = |radius: f64, y: f64| (radius * radius - y * y).max(0.0).sqrt();
        for row in self.clip_rows(center_y - outer - 0.5, center_y + outer + 0.5) {
            let y = row as f64 + 0.5 - center_y;
            let half_width = half_chord(outer + 0.5, y);
            let gap = half_chord((inner - 1.5).max(0.0), y);
            let all = self.clip_columns(center_x - half_width, center_x + half_width);
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

    fn clip_rows(&self, top: f64, bottom: f64) -> Range<usize> {
        let rows = self.rows();
        // Casts saturate, which also handles NaN.
        (top as usize).max(rows.start)..((bottom + 1.0) as usize).min(rows.end)
    }

    fn clip_columns(&self, left: f64, right: f64) -> Range<usize> {
        left as usize..((right + 1.0) as usize).min(self.width)
    }

    /// Clips a line to the rasterizer's rows plus a margin in pixels on all sides.
    fn clip(&self, ends: [[f32; 2]; 2], margin: f64) -> Option<[[f64; 2]; 2]> {
        let [from, to] = ends.map(|end| end.map(f64::from));
        let rows = self.rows();
        let low = [-margin, rows.start as f64 - margin];
        let high = [self.width as f64 + margin, rows.end as f64 + margin];
        let (mut start, mut end) = (0.0_f64, 1.0_f64);
        for axis in 0..2 {
            // If the line is parallel to the edges, the bounds are infinite:
            // satisfied everywhere on the line, or nowhere.
            let direction = to[axis] - from[axis];
            let bounds = [low, high].map(|edge| (edge[axis] - from[axis]) / direction);
            start = start.max(bounds[0].min(bounds[1]));
            end = end.min(bounds[0].max(bounds[1]));
        }
        let at = |along: f64| [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * along);
        let finite = from.into_iter().chain(to).all(f64::is_finite);
        (finite && start <= end).then(|| [at(start), at(end)])
    }
}

/// Identical on every machine, unlike `hypot`. `hypot` is also several times slower, because it
/// avoids overflows that no `f32` input causes.
pub(crate) fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::palette::BACKGROUND;

    const SIDE: usize = 40;
    const WHITE: Tint = Tint::new([255; 3]);

    fn picture(rows: usize, draw: impl Fn(&mut Rasterizer<'_>)) -> Vec<Pixel> {
        let mut pixels = vec![BACKGROUND; SIDE * SIDE];
        for (k, strip) in pixels.chunks_mut(SIDE * rows).enumerate() {
            draw(&mut Rasterizer::new(SIDE, k * rows, strip));
        }
        pixels
    }

    fn lit(pixels: &[Pixel], x: usize, y: usize) -> bool {
        pixels[y * SIDE + x] != BACKGROUND
    }

    #[test]
    fn a_disk_is_filled_and_a_ring_is_hollow() {
        let disk = picture(SIDE, |rasterizer| rasterizer.disk([20.0, 20.0], 10.0, WHITE));
        let ring = picture(SIDE, |rasterizer| rasterizer.ring([20.0, 20.0], 10.0, 1.0, WHITE));
        for (x, y) in [(10, 20), (29, 20), (20, 10), (20, 29)] {
            assert!(lit(&disk, x, y) && lit(&ring, x, y), "{x} {y}");
        }
        assert!(lit(&disk, 20, 20) && !lit(&ring, 20, 20));
        assert!(!lit(&disk, 8, 20) && !lit(&disk, 28, 28));
        let area = disk.iter().map(|pixel| (f64::from(pixel[0]) - 11.0) / 244.0).sum::<f64>();
        assert!((area - 314.16).abs() < 3.0, "{area}");
    }

    #[test]
    fn a_line_covers_the_pixels_near_it() {
        for ends in
            [[[5.0, 8.0], [35.0, 30.0]], [[8.0, 35.0], [9.0, 5.0]], [[3.0, 9.5], [30.0, 9.5]]]
        {
            let pixels = picture(SIDE, |rasterizer| rasterizer.line(ends, 2.0, WHITE));
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
        let draw = |rasterizer: &mut Rasterizer<'_>| {
            rasterizer.disk([12.0, 14.0], 9.0, WHITE.faint(0.5));
            rasterizer.ring([25.0, 22.0], 11.0, 2.0, WHITE);
            rasterizer.arrow([[2.0, 3.0], [36.0, 31.0]], 2.0, WHITE);
        };
        assert!(picture(SIDE, draw) == picture(7, draw));
    }

    #[test]
    fn huge_shapes_are_clipped() {
        let far = 1.0e12;
        let pixels =
            picture(SIDE, |rasterizer| rasterizer.line([[-far, 20.5], [far, 20.5]], 1.0, WHITE));
        assert!((0..SIDE).all(|x| lit(&pixels, x, 20) && !lit(&pixels, x, 10)));
        let pixels = picture(SIDE, |rasterizer| rasterizer.disk([far, 20.0], far, WHITE));
        assert!((1..SIDE).all(|x| lit(&pixels, x, 20)));
        let pixels =
            picture(SIDE, |rasterizer| rasterizer.ring([20.5, 20.0 - 1.0e7], 1.0e7, 1.0, WHITE));
        assert!((0..SIDE).all(|x| !lit(&pixels, x, 10) && !lit(&pixels, x, 30)));
    }

    #[test]
    fn any_coordinates_can_be_drawn() {
        let hostile = [f32::NAN, f32::INFINITY, f32::MIN, f32::MAX, -1.0e9, 0.0, 17.0, 1.0e-40];
        let values = || hostile.into_iter();
        let places = || values().flat_map(|x| values().map(move |y| [x, y]));
        for from in places() {
            picture(SIDE, |rasterizer| {
                values().for_each(|radius| rasterizer.disk(from, radius, WHITE));
            });
            picture(SIDE, |rasterizer| {
                values().for_each(|radius| rasterizer.ring(from, radius, 1.0, WHITE));
            });
            picture(SIDE, |rasterizer| {
                places().for_each(|to| rasterizer.arrow([from, to], 1.0, WHITE));
            });
        }
        let nowhere = picture(SIDE, |rasterizer| {
            rasterizer.line([[f32::NAN, 3.0], [9.0, 9.0]], 1.0, WHITE);
            rasterizer.disk([f32::INFINITY, 3.0], f32::INFINITY, WHITE);
        });
        assert!(nowhere.iter().all(|pixel| *pixel == BACKGROUND));
    }
}
