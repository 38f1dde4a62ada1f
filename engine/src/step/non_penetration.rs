//! The stage that pushes overlapping agents apart, several times if the scene asks for it.
//!
//! Agents that may overlap are found in the grid, which was filled before agents moved and were
//! pushed: the search radius grows by as much as they can have gone since.

use std::ops::Range;

use crate::crowd::{Crowd, Partition};
use crate::grid::runs::Runs;
use crate::kernels;
use crate::kernels::walk::batches;
use crate::math::lanes::Lanes;
use crate::math::width::with_lanes;
use crate::reference;
use crate::simulation::Simulation;
use crate::simulation::method::Method;
use crate::simulation::sorted::contact_distance;
use crate::world::edge;

impl Simulation {
    /// Pushes overlapping agents apart. Positions go back and forth between the two copies,
    /// whose other columns stay as they are.
    pub(super) fn push_apart(&mut self) {
        let largest = self.scene.largest_radius();
        for iteration in 0..self.scene.non_penetration {
            let pushed = self.pushed_before(iteration);
            // At first both copies are there: overlaps are searched from where both have been.
            let both_moved = contact_distance(largest, largest, 2.0 * pushed);
            let from_before = iteration == 0 && self.grid.covers(both_moved);
            let search = Search { pushed, from_before };
            let last = iteration + 1 == self.scene.non_penetration;
            self.tail.fill(&self.motion, &self.traits);
            let mut x = std::mem::take(&mut self.motion_next.x);
            let mut y = std::mem::take(&mut self.motion_next.y);
            let crowd = self.crowd(&self.motion, &self.traits);
            let push = match self.method {
                Method::Kernels(width) => with_lanes!(width, L => push_batches::<L>),
                Method::Reference => push_agents,
            };
            self.workers.for_crowd(crowd.len()).split(
                crowd.len(),
                (&mut x[..], &mut y[..]),
                &|range: Range<usize>, out| push(&crowd, range, out, search, last),
            );
            (self.motion_next.x, self.motion_next.y) = (x, y);
            std::mem::swap(&mut self.motion.x, &mut self.motion_next.x);
            std::mem::swap(&mut self.motion.y, &mut self.motion_next.y);
        }
    }
}

/// How to find overlaps in a grid that was filled before agents moved and were pushed.
#[derive(Clone, Copy)]
struct Search {
    /// How far an agent may be from where it was then.
    pushed: f32,
    /// Whether the columns that the search writes to still hold the positions of then.
    from_before: bool,
}

/// The largest radius that any of the agents in `slots` may have.
fn largest_radius(crowd: &Crowd<'_>, slots: Range<usize>) -> f32 {
    crowd.largest(slots, |kind| kind.species.radius.max())
}

/// Fills `runs` with the agents that may overlap those in `slots`, which were at `before` and of
/// which none is larger than `radius`.
fn find_overlapping(
    crowd: &Crowd<'_>,
    slots: Range<usize>,
    radius: f32,
    search: Search,
    before: (&[f32], &[f32]),
    runs: &mut Runs,
) {
    let grid = crowd.grid;
    let distance = |pushed: f32| contact_distance(radius, crowd.largest_radius, pushed);
    if crowd.partition == Partition::AllPairs {
        runs.set_all(crowd.len(), crowd.space);
    } else if search.from_before {
        grid.candidates(before.0, before.1, distance(2.0 * search.pushed), runs);
    } else {
        let (x, y) = (&crowd.motion.x[slots.clone()], &crowd.motion.y[slots]);
        grid.candidates_anywhere(x, y, distance(search.pushed), runs);
    }
}

/// Pushes the agents in `range` apart, a batch at a time; after the last iteration they go
/// back into the world.
fn push_batches<L: Lanes>(
    crowd: &Crowd<'_>,
    range: Range<usize>,
    (x, y): (&mut [f32], &mut [f32]),
    search: Search,
    last: bool,
) {
    let mut runs = Runs::default();
    for slots in batches(range.clone(), L::WIDTH) {
        let rows = slots.start - range.start..slots.end - range.start;
        let before = (&x[rows.clone()], &y[rows.clone()]);
        let radius = largest_radius(crowd, slots.clone());
        find_overlapping(crowd, slots.clone(), radius, search, before, &mut runs);
        let pushed = kernels::non_penetration::push_apart::<L>(crowd, slots, radius, &runs);
        let pushed = if last { edge::inside(crowd.space, pushed) } else { pushed };
        pushed.x.store(&mut x[rows.clone()]);
        pushed.y.store(&mut y[rows]);
    }
}

/// The scalar reference: the same one by one.
fn push_agents(
    crowd: &Crowd<'_>,
    range: Range<usize>,
    (x, y): (&mut [f32], &mut [f32]),
    search: Search,
    last: bool,
) {
    let mut runs = Runs::default();
    for (row, slot) in range.enumerate() {
        let before = (&x[row..=row], &y[row..=row]);
        let radius = largest_radius(crowd, slot..slot + 1);
        find_overlapping(crowd, slot..slot + 1, radius, search, before, &mut runs);
        let pushed = reference::non_penetration::push_apart(crowd, slot, &runs);
        let pushed = if last { edge::inside(crowd.space, pushed) } else { pushed };
        (x[row], y[row]) = (pushed.x, pushed.y);
    }
}
