use crate::reference::route::barrier::Barrier;
use crate::reference::vector::V;
use crate::reference::vehicle::Vehicle;
use crate::scenery::route::task::Task;
use crate::world::Topology;

/// Column and row offsets to the neighbors of a cell.
pub(super) const SIDES: [(i64, i64); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

pub(super) struct Layout {
    pub(super) is_torus: bool,
    pub(super) origin: V,
    pub(super) cell: V,
    pub(super) columns: i64,
    pub(super) rows: i64,
}

impl Layout {
    pub(super) fn new(task: &Task, vehicle: &Vehicle<'_>, barriers: &[Barrier]) -> Self {
        let (mut low, mut high) = (V::default(), vehicle.size);
        if vehicle.topology == Topology::Open {
            let goals = task.goals.iter().flat_map(|goal| goal.corners()).map(V::from_f32);
            let goals = goals.map(|at| Barrier::axis(at, at));
            for (from, to) in goals.chain(barriers.iter().copied()).map(|barrier| barrier.bounds())
            {
                (low, high) = (low.zip(from, f64::min), high.zip(to, f64::max));
            }
            let margin = 4.0 * (f64::from(task.radius) + f64::from(task.cell));
            (low, high) = (low - V::flat(margin, margin), high + V::flat(margin, margin));
        }
        let count = |side: f64| (side / f64::from(task.cell)).ceil().max(1.0);
        let (columns, rows) = (count(high.x - low.x), count(high.y - low.y));
        Self {
            is_torus: vehicle.topology == Topology::Torus,
            origin: low,
            cell: V::flat((high.x - low.x) / columns, (high.y - low.y) / rows),
            columns: columns as i64,
            rows: rows as i64,
        }
    }

    pub(super) fn largest(&self) -> f64 {
        self.cell.x.max(self.cell.y)
    }

    /// The cell in a column and a row. Beyond the edge, a torus continues on the opposite side, and
    /// other worlds repeat the outermost cell.
    pub(super) fn index(&self, column: i64, row: i64) -> usize {
        let inside = |at: i64, count: i64| {
            if self.is_torus { at.rem_euclid(count) } else { at.clamp(0, count - 1) }
        };
        (inside(row, self.rows) * self.columns + inside(column, self.columns)) as usize
    }

    pub(super) fn column_and_row(&self, cell: usize) -> (i64, i64) {
        (cell as i64 % self.columns, cell as i64 / self.columns)
    }

    pub(super) fn center(&self, cell: usize) -> V {
        let (column, row) = self.column_and_row(cell);
        self.origin + V::flat((column as f64 + 0.5) * self.cell.x, (row as f64 + 0.5) * self.cell.y)
    }

    pub(super) fn beside(&self, cell: usize, side: usize) -> Option<usize> {
        let (column, row) = self.column_and_row(cell);
        let other = self.index(column + SIDES[side].0, row + SIDES[side].1);
        (other != cell).then_some(other)
    }
}
