//! Groups: within each row of cells, the sort keeps agents of unlike species apart.
//!
//! A group is a set of species. Agents whose own radius or maximum speed far exceeds what is usual
//! in the crowd form one more group, the outliers. Each row of the grid holds the cells of one
//! group after another. A search has a reach for each group and skips groups with a reach of 0: a
//! search for the nearest shark reads no fish, and a giant is found from far away without long
//! searches for all other agents. The cheapest of all reaches sets the height of rows, so a few
//! agents that see far read many rows, and all others read three. A row stays one contiguous run of
//! slots.

use std::ops::Range;

use arrayvec::ArrayVec;

use crate::math::vec3::Vec3;

pub(crate) const MAX_GROUPS: usize = 8;

/// Minimum fraction of the crowd for which a group has columns. Small groups may grow, because
/// agents may be added or change their species. Eight small groups double the number of cells.
pub(super) const MIN_FRACTION: f64 = 0.125;

/// Distances up to which a search looks for the agents of each group, in world units; 0 for groups
/// that it does not look for.
pub(crate) type Reach = [f32; MAX_GROUPS];

/// Division of a crowd into groups, and the agents' searches. Depends on the scene, on limits set
/// per agent and on the number of agents of each species, but not on positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Plan {
    /// Distance that determines the height of rows.
    pub(crate) view: f32,
    pub(crate) group_of: Vec<u8>,
    /// Group of the agents whose radius or maximum speed exceeds their species' entry in `usual`.
    pub(crate) outliers: Option<u8>,
    /// For each species, the largest radius and maximum speed of agents that are not outliers.
    pub(crate) usual: Vec<[f32; 2]>,
    /// Number of agents of each species, rounded to a power of two.
    pub(crate) sizes: Vec<usize>,
    /// Number of agents in each group, from `sizes`.
    pub(crate) agents: ArrayVec<usize, MAX_GROUPS>,
    /// Largest bounding radius in each group.
    pub(crate) radii: [f32; MAX_GROUPS],
    /// Maximum distance that agents of each group move in a step before they are pushed apart.
    pub(crate) moves: [f32; MAX_GROUPS],
    /// How far solid scenery may lift an agent after the move and in each pass of non-penetration.
    pub(crate) max_lift: f32,
    /// Maximum displacement along y or z in a pass of non-penetration, including `max_lift`.
    pub(crate) max_push: f32,
    /// Indices of the species that are searched for in separate cells.
    pub(crate) sought: Vec<u8>,
    /// The searches that agents make, each as (the agents' group, reach).
    pub(crate) searches: Vec<(usize, Reach)>,
    /// Index in `searches` of the first group's search for agents that it may touch. The other
    /// groups' searches follow.
    pub(crate) contacts: usize,
    /// For each group, how far its agents search in a step. With non-penetration, this includes how
    /// far agents move before the last pass.
    pub(crate) needs: [Reach; MAX_GROUPS],
}

// No distance is NaN. With `Eq`, two `Arc`s of one plan are equal without a look at the plan.
impl Eq for Plan {}

impl Plan {
    /// A plan with all agents in one group, and a single search.
    pub(crate) fn of_one_group(view: f32) -> Self {
        let (agents, searches) = ([1].into_iter().collect(), vec![(0, only(0, view))]);
        Self { view, agents, searches, ..Self::default() }
    }

    pub(crate) fn group_of(&self, species: usize) -> usize {
        self.group_of.get(species).map_or(0, |&group| usize::from(group))
    }

    /// The group of the agent in `row` of these columns.
    #[inline(always)]
    pub(crate) fn group_at(&self, columns: &GroupColumns<'_>, row: usize) -> usize {
        let species = columns.species.get(row).map_or(0, |&species| usize::from(species));
        match self.outliers {
            Some(outliers) if columns.exceed(row, self.usual[species]) => usize::from(outliers),
            _ => self.group_of(species),
        }
    }

    /// How far a search must reach around agents of a group to find all agents that they touch.
    /// Since the grid was filled, all agents have moved, and then been pushed by at most the
    /// distance in `pushed` for their group. `own_moves` is 1 if the search begins at the positions
    /// from which the grid was filled, and 0 if it begins at the present positions.
    pub(crate) fn contact_reach(&self, group: usize, own_moves: f32, pushed: &Reach) -> Reach {
        std::array::from_fn(|other| {
            if other >= self.agents.len() {
                return 0.0;
            }
            let moves = own_moves * self.moves[group] + self.moves[other];
            (self.radii[group] + self.radii[other] + (moves + pushed[other])) * 1.001
        })
    }

    /// Agents of each group that are pushed farther than this in one pass are strays.
    pub(crate) fn usual_push(&self) -> Reach {
        let group = (0..self.agents.len()).max_by_key(|&group| self.agents[group]);
        let usual = group.map_or(0.0, |group| self.radii[group]);
        self.radii.map(|radius| radius.max(usual))
    }

    /// Fraction of the crowd for which a group has columns, from [`MIN_FRACTION`] to 1.
    pub(super) fn fraction(&self, group: usize) -> f64 {
        let fraction = match self.agents.iter().sum::<usize>() {
            0 => 1.0 / self.agents.len() as f64,
            all => self.agents[group] as f64 / all as f64,
        };
        fraction.max(MIN_FRACTION)
    }
}

/// The columns that decide to which group each agent belongs. `species` is empty if there is only
/// one species. The other columns are empty if no agent has a value of its own.
#[derive(Clone, Copy, Default)]
pub(crate) struct GroupColumns<'a> {
    pub(crate) species: &'a [u8],
    pub(crate) radius: &'a [f32],
    pub(crate) max_speed: &'a [f32],
}

impl GroupColumns<'_> {
    #[inline(always)]
    pub(crate) fn rows(&self, rows: Range<usize>) -> Self {
        Self {
            species: self.species.get(rows.clone()).unwrap_or_default(),
            radius: self.radius.get(rows.clone()).unwrap_or_default(),
            max_speed: self.max_speed.get(rows).unwrap_or_default(),
        }
    }

    #[inline(always)]
    fn exceed(&self, row: usize, [radius, max_speed]: [f32; 2]) -> bool {
        let exceeds =
            |column: &[f32], most: f32| column.get(row).is_some_and(|&value| value > most);
        exceeds(self.radius, radius) || exceeds(self.max_speed, max_speed)
    }
}

pub(crate) fn farthest(reach: Reach) -> f32 {
    reach.into_iter().fold(0.0, f32::max)
}

/// The farther of two reaches, for each group.
pub(crate) fn farther(one: Reach, other: Reach) -> Reach {
    std::array::from_fn(|group| one[group].max(other[group]))
}

/// The reach of a search that looks for a single group.
pub(crate) fn only(group: usize, distance: f32) -> Reach {
    std::array::from_fn(|other| if other == group { distance } else { 0.0 })
}

/// The columns of one group in every row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    /// Index of the group's first cell in a row that is not mirrored.
    pub(super) first: u32,
    pub(super) count: u32,
    pub(super) inverse_cell: Vec3<f32>,
    /// Column, row and layer of the origin. In the open world, they lie inside the table, so that
    /// searches at the edges of a crowd in its start area usually stay in one copy of the table.
    pub(super) home: Vec3<f32>,
    /// Logarithm of the number of columns in a strip of the open plane: see `Grid::folded_cell`.
    pub(super) strip_bits: u32,
}

/// A search, prepared for the cells of a grid.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Search {
    pub(crate) reach: Reach,
    pub(crate) farthest: f32,
    /// Group of the searching agents, if the search looks for this group only and if rounding the
    /// reach up to whole cells adds little.
    pub(super) whole: Option<usize>,
    /// Like `whole`, for a search that also looks for other groups. Valid only if no agents of the
    /// other groups are nearby.
    pub(super) whole_alone: Option<usize>,
    /// The reach for the searching agents' own group, in whole rows and columns.
    pub(super) cells: [i32; 2],
    /// True if the search looks for more than one group, or may do so.
    pub(crate) has_others: bool,
    /// The reach for each group, in whole rows.
    pub(super) rows: [i32; MAX_GROUPS],
}

impl Search {
    pub(crate) fn new(reach: Reach) -> Self {
        Self { reach, farthest: farthest(reach), has_others: true, ..Self::default() }
    }
}
