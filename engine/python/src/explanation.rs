use flockwork::inspect::{Cells, Contribution, Explanation, Feature, Mark, Shape};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::memory::Memory;

pub(crate) fn python(
    py: Python<'_>,
    axes: usize,
    explanation: Explanation,
) -> PyResult<Bound<'_, PyAny>> {
    let classes = py.import("flockwork.explanation")?;
    let point = |at: [f32; 3]| PyTuple::new(py, &at[..axes]);
    let contributions = explanation.contributions.into_iter().map(|contribution| {
        let Contribution { number, behavior, force, kept, marks, neighbors, .. } = contribution;
        let marks = marks.into_iter().map(|mark| {
            let Mark { feature, shape } = mark;
            let (shape, points, radius) = parts(shape);
            let points = points.into_iter().map(point).collect::<PyResult<Vec<_>>>()?;
            classes.getattr("Mark")?.call1((name(feature), shape, points, radius))
        });
        let marks = marks.collect::<PyResult<Vec<_>>>()?;
        let neighbors = neighbors.map(|neighbors| Memory::ids(neighbors).array(py)).transpose()?;
        let (force, kept) = (point(force)?, point(kept)?);
        classes.getattr("Contribution")?.call1((number, behavior, force, kept, marks, neighbors))
    });
    let contributions = contributions.collect::<PyResult<Vec<_>>>()?;
    let cells = explanation.cells.into_iter().map(|cells| {
        let Cells { low, size, columns, rows, .. } = cells;
        let (low, size): ((f32, f32), (f32, f32)) = (low.into(), size.into());
        classes.getattr("Cells")?.call1((low, size, columns, rows))
    });
    let neighbors = Memory::ids(explanation.neighbors).array(py)?;
    let [low, high] = explanation.query.map(point);
    classes.getattr("Explanation")?.call1((
        point(explanation.force)?,
        contributions,
        explanation.unreached,
        neighbors,
        explanation.view_distance,
        (low?, high?),
        cells.collect::<PyResult<Vec<_>>>()?,
    ))
}

fn parts(shape: Shape) -> (&'static str, Vec<[f32; 3]>, Option<f32>) {
    match shape {
        Shape::Point(point) => ("point", vec![point], None),
        Shape::Line(ends) => ("line", ends.to_vec(), None),
        Shape::Circle { center, radius } => ("circle", vec![center], Some(radius)),
        Shape::Box(corners) => ("box", corners.to_vec(), None),
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
