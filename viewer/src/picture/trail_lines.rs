//! Trails as lines on the screen, drawn in bands of rows, each by one thread.

use rayon::prelude::*;

use super::camera::Camera;
use super::color_by::ColorBy;
use super::trails::Piece;
use super::view::View;
use crate::raster::canvas::Canvas;
use crate::raster::palette::{Palette, REPETITION};
use crate::raster::shapes::{Ink, Tint, length};

/// Where it is newest.
const OPACITY: f32 = 0.6;
const THICKNESS: f32 = 1.3;
/// How much shorter than its way a piece is at either end, in pixels: what a round end covers.
const CUT: f32 = 0.5;
/// Where colors do not show headings.
const NEUTRAL: [u8; 3] = [136, 148, 172];
/// Shorter pieces are joined, in pixels.
const SHORTEST: f32 = 3.0;
/// Rows of pixels per band.
const BAND: usize = 32;

/// A line on the screen.
struct Stroke {
    ends: [[f32; 2]; 2],
    tint: Tint,
}

/// Draws a view's trails wherever the world's origin is repeated.
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
    let strokes = strokes(&view.trails, camera, color_by, palette);
    let width = canvas.width;
    let mut bands: Vec<Vec<Stroke>> = Vec::new();
    bands.resize_with(canvas.height().div_ceil(BAND), Vec::new);
    for image in images {
        let shift = [image[0] * camera.zoom, -image[1] * camera.zoom];
        let opacity = if *image == [0.0, 0.0] { 1.0 } else { REPETITION };
        for stroke in &strokes {
            let ends = stroke.ends.map(|[x, y]| [x + shift[0], y + shift[1]]);
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
                band.push(Stroke { ends, tint: stroke.tint.faint(opacity) });
            }
        }
    }
    let rows = canvas.pixels.par_chunks_mut(width * BAND).zip(&bands).enumerate();
    rows.for_each(|(k, (pixels, strokes))| {
        let mut ink = Ink::new(width, k * BAND, pixels);
        strokes.iter().for_each(|stroke| ink.line(stroke.ends, THICKNESS, stroke.tint));
    });
}

/// The trails' lines with the world's origin where the camera has it.
fn strokes(
    mut pieces: &[Piece],
    camera: &Camera,
    color_by: ColorBy,
    palette: &Palette,
) -> Vec<Stroke> {
    let mut strokes = Vec::new();
    while let Some(first) = pieces.first() {
        let (ends, joined) = join(pieces, camera);
        pieces = &pieces[joined..];
        let way = [ends[0][0] - ends[1][0], ends[0][1] - ends[1][1]];
        let length = (length(way.map(f64::from)) as f32).max(f32::MIN_POSITIVE);
        let [along, down] = way.map(|part| part / length);
        let color = match color_by {
            ColorBy::Heading => palette.heading(along, -down).map(|channel| channel as u8),
            _ => NEUTRAL,
        };
        // Round ends that overlap would make beads.
        let cut = CUT.min(length / 4.0);
        let [to, from] = ends;
        let ends = [
            [to[0] - along * cut, to[1] - down * cut],
            [from[0] + along * cut, from[1] + down * cut],
        ];
        strokes.push(Stroke { ends, tint: Tint::new(color).faint(OPACITY * first.freshness) });
    }
    strokes
}

/// The line that the first pieces make on the screen, and how many those are: as many of one
/// trail as it takes to be seen.
fn join(pieces: &[Piece], camera: &Camera) -> ([[f32; 2]; 2], usize) {
    let from = camera.to_screen(pieces[0].ends[0]);
    let mut joined = 0;
    loop {
        let end = pieces[joined].ends[1];
        let to = camera.to_screen(end);
        joined += 1;
        let long = (from[0] - to[0]).abs() + (from[1] - to[1]).abs() >= SHORTEST;
        let goes_on = pieces.get(joined).is_some_and(|next| next.ends[0] == end);
        if long || !goes_on {
            return ([from, to], joined);
        }
    }
}
