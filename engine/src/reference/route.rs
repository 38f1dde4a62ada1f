//! Routes, solved from the scenery by the rules of `docs/model.md`, "Routes".
//!
//! Rounding may decide whether a cell is free, whether a wall separates two cells, or which of two
//! ways is shorter. So each route is solved twice, with all comparisons biased by a tiny length:
//! toward true in one solution, toward false in the other. A cell in which the two solutions differ
//! is uncertain.
//!
//! The engine also marches in `f64`, so in certain cells, its distances equal the reference's up to
//! rounding. An update of the march adds a rounding error of at most 8 `f64` spacings and does not
//! amplify earlier errors. After n cells, the error in the distance is therefore at most 8n
//! spacings, which is below 1e-9 of a cell on routes of up to 700 cells. Directions are differences
//! of neighboring distances, with at most twice that error. The rest is due to the kernels' `f32`:
//! directions and distances are rounded once, and positions in cells by 3 spacings of the number of
//! cells.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Weak};

use crate::reference::vector::V;
use crate::reference::vehicle::Vehicle;
use crate::scenery::route::SolvedRoute;
use crate::scenery::route::task::Task;

mod barrier;
mod layout;
mod solver;

use barrier::Barrier;
use layout::Layout;
pub(super) use solver::RouteCell;
use solver::{BIAS, EXACT_CELLS, Solver};

pub(super) struct RouteField {
    layout: Layout,
    cells: Vec<RouteCell>,
}

/// The four cells around a position.
pub(super) struct Around {
    /// In this order: lower left, lower right, upper left, upper right.
    pub(super) corners: [RouteCell; 4],
    /// Position between the centers, from 0 to 1, to the right and up.
    pub(super) fractions: [f64; 2],
    /// Magnitude of the numbers from which the fractions were computed, in cells.
    pub(super) scale: f64,
}

thread_local! {
    /// The route that was solved last, kept because all vehicles of a test follow the same route.
    static SOLVED: RefCell<Option<(Weak<SolvedRoute>, Rc<RouteField>)>> =
        const { RefCell::new(None) };
}

impl RouteField {
    pub(super) fn named(name: &str, vehicle: &Vehicle<'_>) -> Option<Rc<Self>> {
        let route = vehicle.scenery.routes.iter().find(|route| route.task.name == name)?;
        let key = Arc::downgrade(route);
        let solved = SOLVED.with_borrow(|solved| {
            let same = solved.as_ref().filter(|(other, _)| other.ptr_eq(&key));
            same.map(|(_, field)| Rc::clone(field))
        });
        Some(solved.unwrap_or_else(|| {
            let field = Rc::new(Self::solve(&route.task, vehicle));
            SOLVED.set(Some((key, Rc::clone(&field))));
            field
        }))
    }

    fn solve(task: &Task, vehicle: &Vehicle<'_>) -> Self {
        let walls = vehicle.scenery.walls.iter().map(|wall| {
            let [from, to] = [wall.from, wall.to].map(V::from_f32);
            Barrier::axis(from, to)
        });
        let obstacles = vehicle.obstacles();
        let obstacles = obstacles.map(|(at, radius)| Barrier { from: at, to: at, radius });
        let mut barriers: Vec<Barrier> = walls.chain(obstacles).collect();
        let layout = Layout::new(task, vehicle, &barriers);
        let radius = f64::from(task.radius);
        let mut is_certain = true;
        if layout.is_torus {
            // The model guarantees nothing for walls that are longer than two worlds.
            is_certain = barriers.iter().all(|barrier| {
                let extent = (barrier.to - barrier.from).map(f64::abs);
                extent.all_le(vehicle.size * 2.0)
            });
            let reach = 2.0 * radius + (EXACT_CELLS + 2.0) * layout.largest();
            barriers =
                barriers.iter().flat_map(|barrier| barrier.images(vehicle.size, reach)).collect();
        }
        let solve = |sign: f64| Solver::new(&layout, task, &barriers, sign * BIAS).cells();
        let (mut cells, others) = (solve(1.0), solve(-1.0));
        for (cell, other) in cells.iter_mut().zip(others) {
            let turned = (cell.direction - other.direction).length();
            cell.is_certain = is_certain
                && turned < 1.0e-6
                && (cell.rest - other.rest).abs() <= 1.0e-6 * cell.rest;
        }
        Self { layout, cells }
    }

    pub(super) fn around(&self, at: V) -> Around {
        let Layout { origin, cell, columns, rows, .. } = self.layout;
        let along = |at: f64, origin: f64, cell: f64, count: i64| {
            let at = (at - origin) / cell - 0.5;
            let first = at.floor().clamp(-1.0, count as f64 - 1.0);
            // Clamps positions outside the field to its edge.
            (first as i64, (at - first).clamp(0.0, 1.0), at.abs() + (origin / cell).abs())
        };
        let (column, right, x) = along(at.x, origin.x, cell.x, columns);
        let (row, above, y) = along(at.y, origin.y, cell.y, rows);
        let corners = [(0, 0), (1, 0), (0, 1), (1, 1)];
        let corners = corners.map(|(x, y)| self.cells[self.layout.index(column + x, row + y)]);
        Around { corners, fractions: [right, above], scale: x.max(y) }
    }

    /// Cells with a shorter stopping distance than this are close to a goal.
    pub(super) fn close(&self) -> f64 {
        2.001 * self.layout.largest()
    }
}
