//! Draws agents as triangles that point along their headings; nearer ones cover those behind them.
//!
//! The picture is split into bands of rows, one thread per band. Within a band, triangles are drawn
//! in crowd order, so the picture does not depend on the number of threads. A triangle that spans
//! several bands is set up in each, which costs less than filling it.

use super::culling::VisibleCrowd;
use super::light::exposure::AgentMark;
use super::roles::Style;
use super::view::{CHUNK_SIZE, MAX_SIZE, View};
use crate::raster::{BACKGROUND, Canvas, Color, WeightedColor, blend, unweighted};

/// Upper bound on a triangle's extent from its center, relative to the mark's radius.
const EXTENT: f32 = 2.0;
/// Width of outlines in pixels.
const OUTLINE: f32 = 1.6;
/// Inset of the white core in [`Style::Cored`], relative to the mark's radius.
const CORE: f32 = 0.3;
const WHITE: Color = [236.0, 239.0, 244.0];
/// Minimum length of a triangle that points along the line of sight, relative to its full length.
const MIN_FORESHORTENED: f32 = 0.45;

/// Maximum extent of a triangle from its center, in pixels.
pub(crate) fn extent(radius: f32) -> f32 {
    // The soft edge adds at most one pixel, whatever the triangle's size.
    EXTENT * radius + 1.0
}

pub(crate) fn draw(seen: &VisibleCrowd<'_>, marks: &[AgentMark], canvas: &mut Canvas<'_>) {
    let view = seen.view;
    let width = canvas.width as f32;
    let largest = marks.iter().map(|mark| mark.radius).fold(0.0, f32::max);
    let is_turned = view.projection.is_turned();
    let largest = extent(largest * if is_turned { MAX_SIZE } else { 1.0 });
    canvas.bands(|canvas| {
        let mut colors = [WeightedColor::ZERO; CHUNK_SIZE];
        let rows = canvas.rows().start as f32..canvas.rows().end as f32;
        let mut shown = Vec::new();
        for chunk in seen.chunks.iter().filter(|chunk| chunk.overlaps_rows(&rows, largest)) {
            view.colors(chunk.slots.clone(), &mut colors);
            for (slot, &color) in chunk.slots.clone().zip(&colors) {
                let mark = marks[view.kind(slot)];
                if mark.triangle == 0.0 {
                    continue;
                }
                let [x, y] = chunk.camera.to_screen([view.x[slot], view.y[slot]]);
                let mark = AgentMark { radius: mark.radius * view.size(slot), ..mark };
                let extent = extent(mark.radius);
                // False for NaN, so agents without a finite position are not drawn.
                let inside = x >= -extent
                    && x <= width + extent
                    && y >= rows.start - extent
                    && y <= rows.end + extent;
                if inside {
                    let paint = Paint::new(view, slot, color, mark, canvas.scale);
                    shown.push((slot, [x, y], paint));
                }
            }
        }
        if is_turned {
            shown.sort_by(|(a, ..), (b, ..)| view.z[*a].total_cmp(&view.z[*b]));
        }
        for (slot, at, paint) in shown {
            let heading = [view.hx[slot], view.hy[slot]];
            Triangle::new(at, paint.mark.radius, heading, is_turned).fill(paint, canvas);
        }
    });
}

struct Triangle {
    corners: [[f32; 2]; 3],
    /// Unit vectors from each corner to the next.
    directions: [[f32; 2]; 3],
}

impl Triangle {
    /// In a turned world, a triangle gets shorter as its heading approaches the line of sight.
    fn new([x, y]: [f32; 2], size: f32, [mut hx, mut hy]: [f32; 2], is_turned: bool) -> Self {
        let mut ahead = size;
        if is_turned {
            let length = (hx * hx + hy * hy).sqrt();
            [hx, hy] = if length > 1.0e-6 { [hx / length, hy / length] } else { [0.0, 1.0] };
            ahead = size * length.max(MIN_FORESHORTENED);
        }
        // Forward and sideways vectors in screen coordinates (y points down).
        let (forward, side) = ([hx * ahead, -hy * ahead], [hy * size, hx * size]);
        let corner =
            |f: f32, s: f32| [x + f * forward[0] + s * side[0], y + f * forward[1] + s * side[1]];
        let corners = [corner(1.7, 0.0), corner(-1.1, 0.85), corner(-1.1, -0.85)];
        let directions = [0, 1, 2].map(|k: usize| {
            let ([ax, ay], [bx, by]) = (corners[k], corners[(k + 1) % 3]);
            let (dx, dy) = (bx - ax, by - ay);
            let length = (dx * dx + dy * dy).sqrt().max(1.0e-6);
            [dx / length, dy / length]
        });
        Self { corners, directions }
    }

    /// Draws the triangle with soft edges.
    fn fill(&self, paint: Paint, canvas: &mut Canvas<'_>) {
        let (width, height) = (canvas.width, canvas.rows().len());
        let first_row = canvas.rows().start as f32;
        // Includes a pixel on each side for the soft edge. Casts saturate, so the start is clipped
        // at zero and NaN gives an empty range.
        let range = |axis: usize, first: f32, end: usize| {
            let along = self.corners.map(|corner| corner[axis] - first);
            let low = along.into_iter().fold(f32::MAX, f32::min) - 1.0;
            let high = along.into_iter().fold(f32::MIN, f32::max) + 1.0;
            low as usize..((high + 1.0) as usize).min(end)
        };
        let (columns, rows) = (range(0, 0.0, width), range(1, first_row, height));
        for row in rows {
            for column in columns.clone() {
                let inside = self.inside([column as f32 + 0.5, row as f32 + first_row + 0.5]);
                if inside > -0.5 {
                    let pixel = &mut canvas.pixels[row * width + column];
                    let (color, share) = paint.at(inside);
                    *pixel = blend(*pixel, color, share * paint.mark.triangle);
                }
            }
        }
    }

    /// Returns the distance to the nearest edge in pixels, negative outside the triangle.
    fn inside(&self, at: [f32; 2]) -> f32 {
        let distance = |k: usize| {
            let ([x, y], [dx, dy]) = (self.corners[k], self.directions[k]);
            (at[1] - y) * dx - (at[0] - x) * dy
        };
        (0..3).map(distance).fold(f32::MAX, f32::min)
    }
}

#[derive(Clone, Copy)]
struct Paint {
    color: Color,
    mark: AgentMark,
    /// Width of the outline in pixels.
    outline: f32,
}

impl Paint {
    fn new(view: &View, slot: usize, color: WeightedColor, mark: AgentMark, scale: f32) -> Self {
        let color = unweighted(color);
        let light = view.light(slot);
        // In a flat world, the light is always 1, and colors must stay exact.
        let color = [0, 1, 2].map(|k| {
            let dark = f32::from(BACKGROUND[k]);
            if light < 1.0 { dark + (color[k] - dark) * light } else { color[k] }
        });
        Self { color, mark, outline: OUTLINE * scale }
    }

    fn at(&self, inside: f32) -> (Color, f32) {
        let share = |covered: f32| (covered + 0.5).clamp(0.0, 1.0);
        let covered = share(inside);
        let mixed = |white: f32| {
            let color = self.color;
            [0, 1, 2].map(|k| color[k] + (WHITE[k] - color[k]) * white)
        };
        match self.mark.style {
            Style::Solid => (self.color, covered),
            Style::Outlined => (mixed(share(self.outline - inside)), covered),
            Style::Hollow => (self.color, covered * share(self.outline - inside)),
            Style::Cored => (mixed(share(inside - CORE * self.mark.radius)), covered),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_style_shows_its_color_and_can_be_told_from_the_others() {
        let color = [205.0, 85.0, 105.0];
        let mark = AgentMark { radius: 2.0 / CORE, triangle: 1.0, ..AgentMark::default() };
        let paint = |style| Paint { color, mark: AgentMark { style, ..mark }, outline: 1.6 };
        let at = |style| [0.5, 1.9, 4.0].map(|inside| paint(style).at(inside));
        assert!(at(Style::Solid).iter().all(|painted| *painted == (color, 1.0)));
        let [edge, _, middle] = at(Style::Outlined);
        assert_eq!((edge, middle), ((WHITE, 1.0), (color, 1.0)));
        let [edge, between, middle] = at(Style::Hollow);
        assert_eq!((edge, middle), ((color, 1.0), (color, 0.0)));
        assert!(between.1 > 0.0 && between.1 < 1.0, "a soft edge");
        let [edge, _, middle] = at(Style::Cored);
        assert_eq!((edge, middle), ((color, 1.0), (WHITE, 1.0)));
    }
}
