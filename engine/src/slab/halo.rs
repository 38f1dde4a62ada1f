//! Ghosts: copies of other slabs' agents in the halo (the cells around a slab's own rows that its
//! agents search).
//!
//! In each step of a crowd of several groups, slabs tell each other how many rows of each group
//! they need below and above their own rows. So an agent that sees far deepens only the halo of its
//! own slab, and an agent that is seen from far away adds only cells of its own group to other
//! slabs' halos.
//!
//! A ghost's coordinates are never shifted, even across the seam of a torus, because shifted
//! coordinates would round differently than in the whole crowd. Ghosts arrive in slot order,
//! as contiguous slices of their owners' columns. Slabs send only those columns that agents
//! may read from each other.

use std::ops::Range;

use arrayvec::ArrayVec;

use crate::grid::Grid;
use crate::grid::groups::{MAX_GROUPS, Plan};
use crate::slab::borders::Borders;
use crate::slab::exchange::Outgoing;
use crate::slab::messages::{Column, ColumnMut, GhostColumns, MAX_MESSAGE_COLUMNS};

/// For each group, how many rows of that group's agents a slab needs below and above its own rows.
pub(super) type Depths = [[u32; MAX_GROUPS]; 2];

/// A range of cells with ghosts. It may span rows.
#[derive(Debug)]
pub(super) struct GhostCells {
    /// The other slab: the owner of ghosts that this slab has, or the slab that has ghosts of this
    /// slab's agents.
    pub(super) slab: usize,
    /// Indices in the whole grid.
    pub(super) cells: Range<u32>,
    /// Slots of ghosts that this slab has.
    pub(super) slots: Range<usize>,
}

/// The ghosts that this slab has, and the ghosts of its agents that other slabs have.
#[derive(Debug, Default)]
pub(super) struct Halo {
    /// Depths of all slabs' halos. After a change of borders or the scene, empty until the next
    /// step.
    pub(super) depths: Vec<Depths>,
    /// Number of rows at this slab's lower and upper border whose agents may see ghosts.
    pub(super) margins: [u32; 2],
    /// This slab's ghosts, in ascending order of cells.
    pub(super) ghosts: Vec<GhostCells>,
    /// This slab's cells that other slabs have as ghosts, in ascending order of those slabs.
    pub(super) ghosted: Vec<GhostCells>,
    /// Slabs that own this slab's ghosts, in ascending order. Each sends the ghosts once per step,
    /// and their positions before each pushing pass.
    pub(super) owners: Vec<usize>,
    pub(super) columns: GhostColumns,
}

impl Halo {
    /// Computes this slab's margins, and returns the depths that its halo needs in this step.
    pub(super) fn measure(&mut self, grid: &Grid, plan: &Plan, own_rows: &Range<u32>) -> Depths {
        let (mut depths, groups) = (Depths::default(), plan.agents.len());
        self.margins = [0; 2];
        for (group, needs) in plan.needs[..groups].iter().enumerate() {
            // With a single group, depths do not depend on where agents are, so slabs need not
            // exchange them.
            let without =
                if groups == 1 { Some([0; 2]) } else { grid.rows_without(group, own_rows) };
            let Some(without) = without else { continue };
            for (other, &distance) in needs.iter().enumerate().filter(|(_, need)| **need > 0.0) {
                let reach = grid.reach(distance);
                for (side, without) in without.into_iter().enumerate() {
                    let depth = &mut depths[side][other];
                    *depth = (*depth).max(reach.saturating_sub(without));
                    if reach > without {
                        self.margins[side] = self.margins[side].max(reach);
                    }
                }
            }
        }
        depths
    }

    /// Lists the ghosts of a slab, and the slab's agents that are ghosts on other slabs.
    pub(super) fn list(&mut self, grid: &Grid, borders: &Borders, slab: usize) {
        let Self { depths, ghosts, ghosted, owners, .. } = self;
        let (own_rows, wraps) = (borders.rows_of(slab), grid.wraps());
        let cells = |user: usize, row: u32| {
            let [below, above] = borders.distances(user, row, wraps);
            let [depths_below, depths_above] = depths[user];
            grid.cells_of_groups(row, move |group| {
                below <= depths_below[group] || above <= depths_above[group]
            })
        };
        ghosts.clear();
        let [below, above] = deepest(&depths[slab]);
        let local = borders.local_rows(slab, below.max(above), wraps);
        for row in local.filter(|row| !own_rows.contains(row)) {
            cells(slab, row).for_each(|cells| push(ghosts, borders.owner(row), cells));
        }
        ghosted.clear();
        let has_rows = |&slab: &usize| !borders.rows_of(slab).is_empty();
        for user in (0..depths.len()).filter(|&user| user != slab).filter(has_rows) {
            for row in own_rows.clone() {
                cells(user, row).for_each(|cells| push(ghosted, user, cells));
            }
        }
        owners.clear();
        owners.extend(ghosts.iter().map(|ghosts| ghosts.slab));
        owners.dedup();
    }

    pub(super) fn outgoing<'a>(
        &self,
        grid: &Grid,
        columns: &[Column<'a>],
    ) -> impl Iterator<Item = Outgoing<'a>> {
        self.ghosted.iter().flat_map(move |GhostCells { slab, cells, .. }| {
            let slots = grid.slots_of(grid.stored(cells));
            columns.iter().map(move |column| Outgoing { to: *slab, piece: column.rows(&slots) })
        })
    }

    /// Returns the owners of ghosts, and the number of pieces that each owner sends: `columns` per
    /// range of cells.
    pub(super) fn senders(&self, columns: usize) -> impl Iterator<Item = (usize, usize)> {
        self.owners.iter().map(move |&owner| {
            let ghosts = self.ghosts.iter().filter(|ghosts| ghosts.slab == owner);
            (owner, columns * ghosts.count())
        })
    }

    pub(super) fn fill<'a, 'm>(
        &self,
        received: impl Iterator<Item = (usize, &'m [u8])>,
        columns: impl IntoIterator<Item = ColumnMut<'a>>,
    ) {
        let mut columns: ArrayVec<ColumnMut<'a>, MAX_MESSAGE_COLUMNS> =
            columns.into_iter().collect();
        for (from, mut bytes) in received {
            for ghosts in self.ghosts.iter().filter(|ghosts| ghosts.slab == from) {
                for column in &mut columns {
                    let rows = column.rows(&ghosts.slots);
                    let values =
                        bytes.split_off(..rows.len()).expect("ghosts are as many as counted");
                    rows.copy_from_slice(values);
                }
            }
        }
    }
}

/// Maximum depths over all groups.
pub(super) fn deepest(depths: &Depths) -> [u32; 2] {
    depths.map(|depths| depths.into_iter().fold(0, u32::max))
}

/// Appends cells to a list in ascending order, and joins adjacent ranges.
fn push(list: &mut Vec<GhostCells>, slab: usize, cells: Range<u32>) {
    match list.last_mut() {
        Some(last) if last.slab == slab && last.cells.end == cells.start => {
            last.cells.end = cells.end;
        }
        _ => list.push(GhostCells { slab, cells, slots: 0..0 }),
    }
}
