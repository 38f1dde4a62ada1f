//! Trails as lines on the screen, drawn in bands of rows, one thread per band.

use rayon::prelude::*;

use super::camera::Camera;
use super::color_by::ColorBy;
use super::trails::Segment;
use super::view::View;
use crate::raster::canvas::Canvas;
use crate::raster::palette::{Palette, REPETITION, unweighted};
use crate::raster::shapes::{Rasterizer, Tint, length};

/// Opacity at the newest end.
const OPACITY: f32 = 0.6;
const THICKNESS: f32 = 1.3;
/// How much is cut off either end of a line, in pixels: what a round cap covers.
const CUT: f32 = 0.5;
/// The color of trails if colors do not show headings.
const NEUTRAL: [u8; 3] = [136, 148, 172];
/// Shorter segments are joined, in pixels.
const MIN_LENGTH: f32 = 3.0;
/// Rows of pixels per band.
const BAND: usize = 32;

/// A line on the screen.
struct Line {
    ends: [[f32; 2]; 2],
    tint: Tint,
}

/// Draws a view's trails once per periodic image.
pub(crate) fn draw(
    view: &View,
    camera: &Camera,
    images: &[[f32; 2]],
    color_by: ColorBy,
    palette: &Palette,
    canvas: &mut Canvas<'_>,
) {
    if view.trails.is_empty() {
        return;
    }
    let lines = lines(&view.trails, camera, color_by, palette);
    let width = canvas.width;
    let mut bands: Vec<Vec<Line>> = Vec::new();
    bands.resize_with(canvas.height().div_ceil(BAND), Vec::new);
    for image in images {
        let shift = [image[0] * camera.zoom, -image[1] * camera.zoom];
        let opacity = if *image == [0.0, 0.0] { 1.0 } else { REPETITION };
        for line in &lines {
            let ends = line.ends.map(|[x, y]| [x + shift[0], y + shift[1]]);
            let [[left, right], [top, bottom]] = [0, 1].map(|k| {
                let (a, b) = (ends[0][k], ends[1][k]);
                [a.min(b) - THICKNESS, a.max(b) + THICKNESS]
            });
            // False for NaN as well.
            if !(right >= 0.0 && left < camera.size[0] && bottom >= 0.0) {
                continue;
            }
            // Casting saturates.
            let end = (bottom as usize / BAND + 1).min(bands.len());
            for band in &mut bands[(top as usize / BAND).min(end)..end] {
                band.push(Line { ends, tint: line.tint.faint(opacity) });
            }
        }
    }
    let rows = canvas.pixels.par_chunks_mut(width * BAND).zip(&bands).enumerate();
    rows.for_each(|(k, (pixels, lines))| {
        let mut rasterizer = Rasterizer::new(width, k * BAND, pixels);
        lines.iter().for_each(|line| rasterizer.line(line.ends, THICKNESS, line.tint));
    });
}

/// The lines of the trails in the world itself.
fn lines(
    mut segments: &[Segment],
    camera: &Camera,
    color_by: ColorBy,
    palette: &Palette,
) -> Vec<Line> {
    let mut lines = Vec::new();
    while let Some(first) = segments.first() {
        let (ends, joined) = join(segments, camera);
        segments = &segments[joined..];
        let span = [ends[0][0] - ends[1][0], ends[0][1] - ends[1][1]];
        let length = (length(span.map(f64::from)) as f32).max(f32::MIN_POSITIVE);
        let [along, down] = span.map(|component| component / length);
        let color = match color_by {
            ColorBy::Heading => {
                unweighted(palette.heading(along, -down)).map(|channel| channel as u8)
            }
            _ => NEUTRAL,
        };
        // Overlapping round caps would look like beads.
        let cut = CUT.min(length / 4.0);
        let [to, from] = ends;
        let ends = [
            [to[0] - along * cut, to[1] - down * cut],
            [from[0] + along * cut, from[1] + down * cut],
        ];
        lines.push(Line { ends, tint: Tint::new(color).faint(OPACITY * first.freshness) });
    }
    lines
}

/// The line that the first segments make on the screen, and how many of them it joins: enough of
/// one trail to be visible.
fn join(segments: &[Segment], camera: &Camera) -> ([[f32; 2]; 2], usize) {
    let from = camera.to_screen(segments[0].ends[0]);
    let mut joined = 0;
    loop {
        let end = segments[joined].ends[1];
        let to = camera.to_screen(end);
        joined += 1;
        let long = (from[0] - to[0]).abs() + (from[1] - to[1]).abs() >= MIN_LENGTH;
        let goes_on = segments.get(joined).is_some_and(|next| next.ends[0] == end);
        if long || !goes_on {
            return ([from, to], joined);
        }
    }
}
