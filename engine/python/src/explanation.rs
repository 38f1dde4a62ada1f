use flockwork::{Cells, Contribution, Explanation, Feature, Mark, Shape};
use pyo3::prelude::*;

use crate::memory::Memory;

pub(crate) fn python(py: Python<'_>, explanation: Explanation) -> PyResult<Bound<'_, PyAny>> {
    let classes = py.import("flockwork.explanation")?;
    let contributions = explanation.contributions.into_iter().map(|contribution| {
        let Contribution { number, behavior, force, kept, marks, neighbors, .. } = contribution;
        let marks = marks.into_iter().map(|mark| {
            let Mark { feature, shape } = mark;
            let (shape, points, radius) = parts(shape);
            classes.getattr("Mark")?.call1((name(feature), shape, points, radius))
        });
        let marks = marks.collect::<PyResult<Vec<_>>>()?;
        let neighbors = neighbors.map(|neighbors| Memory::ids(neighbors).array(py)).transpose()?;
        let (force, kept) = (pair(force), pair(kept));
        classes.getattr("Contribution")?.call1((number, behavior, force, kept, marks, neighbors))
    });
    let contributions = contributions.collect::<PyResult<Vec<_>>>()?;
    let cells = explanation.cells.into_iter().map(|cells| {
        let Cells { low, size, columns, rows, .. } = cells;
        let (low, size): ((f32, f32), (f32, f32)) = (low.into(), size.into());
        classes.getattr("Cells")?.call1((low, size, columns, rows))
    });
    let neighbors = Memory::ids(explanation.neighbors).array(py)?;
    let [low, high] = explanation.query.map(pair);
    classes.getattr("Explanation")?.call1((
        pair(explanation.force),
        contributions,
        explanation.unreached,
        neighbors,
        explanation.view_distance,
        (low, high),
        cells.collect::<PyResult<Vec<_>>>()?,
    ))
}

fn pair([x, y, _]: [f32; 3]) -> (f32, f32) {
    (x, y)
}

fn parts(shape: Shape) -> (&'static str, Vec<(f32, f32)>, Option<f32>) {
    match shape {
        Shape::Point(point) => ("point", vec![pair(point)], None),
        Shape::Line(ends) => ("line", ends.map(pair).to_vec(), None),
        Shape::Circle { center, radius } => ("circle", vec![pair(center)], Some(radius)),
        Shape::Box(corners) => ("box", corners.map(pair).to_vec(), None),
    }
}

/// Converts a feature's name to snake case, e.g. `wander_circle`.
fn name(feature: Feature) -> String {
    let mut name = String::new();
    for letter in format!("{feature:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}
