//! Spatial lookup between steps: sorts all slots into cells to find the agents near any point.

use crate::cpu::Instructions;
use crate::crowd::sort::Sorter;
use crate::grid::groups::{GroupColumns, Search, only};
use crate::grid::{Grid, Layout, Runs};
use crate::math::axes::Axes;
use crate::math::lanes::Lanes;
use crate::math::lanes::dispatch::with_vectors;
use crate::math::vec3::Vec3;
use crate::parallel::Workers;
use crate::world::space::Space;

#[derive(Debug)]
pub(crate) struct SpatialLookup {
    grid: Grid,
    sorter: Sorter,
}

impl SpatialLookup {
    pub(crate) fn new(
        layout: Layout,
        positions: Axes<&[f32]>,
        (workers, instructions): (&Workers, Instructions),
    ) -> Self {
        let (mut grid, mut sorter) = (Grid::new(&layout.space), Sorter::default());
        grid.lay_out(layout);
        let groups = GroupColumns::default();
        with_vectors!(instructions, L => sorter.fill::<L>(workers, &mut grid, (positions, groups)));
        Self { grid, sorter }
    }

    /// Slots of all agents, in cell order.
    pub(crate) fn slots(&self) -> &[u32] {
        self.sorter.sources()
    }

    /// Finds the candidates of `positions`, which must be in cell order, within the distance that
    /// the cells are made for.
    pub(crate) fn candidates<L: Lanes>(&self, positions: Axes<&[f32]>, runs: &mut Runs) {
        self.grid.candidates::<L>(positions, Some(0), self.grid.search(0), runs);
    }

    /// Slots of all agents within `radius` of a point, and possibly some farther away. On a torus,
    /// the point must be inside the world.
    pub(crate) fn near(
        &self,
        space: &Space,
        point: Vec3<f32>,
        radius: f32,
    ) -> impl Iterator<Item = usize> {
        // Clamping never moves the point farther from any agent, so no agent is missed.
        let Vec3 { x, y, z } = space.clamped(point);
        let position = Axes([&[x][..], &[y], if space.is_flat() { &[] } else { &[z] }]);
        let mut runs = Runs::default();
        let search = Search::new(only(0, radius * 1.001));
        self.grid.candidates_anywhere::<f32>(position, Some(0), &search, &mut runs);
        let slots = move |k: u32| self.sorter.sources()[k as usize] as usize;
        runs.list.into_iter().flat_map(|run| run.start..run.end).map(slots)
    }
}
