//! The stage that pushes overlapping agents apart, a few times over if the scene asks for it.
//!
//! Who may overlap is found in the grid, which was filled before agents moved and were pushed:
//! searches reach further by as much as they can have gone since.

use std::ops::Range;

use wide::{f32x4, f32x8, f32x16};

use super::furthest;
use crate::crowd::{Crowd, Partition};
use crate::grid::Runs;
use crate::kernels;
use crate::lanes::Lanes;
use crate::method::{LaneWidth, Method};
use crate::reference;
use crate::simulation::Simulation;

impl Simulation {
    /// Pushes overlapping agents apart. Positions go back and forth between the two copies,
    /// whose other columns stay as they are.
    pub(super) fn part(&mut self) {
        let largest = self.scene.largest_radius();
        for iteration in 0..self.scene.non_penetration {
            let pushed = self.pushed_before(iteration);
            // At first both copies are there: who may overlap is found from where both have been.
            let reach = parting_reach(largest, largest, 2.0 * pushed);
            let search = Search { pushed, from_before: iteration == 0 && self.grid.reaches(reach) };
            let last = iteration + 1 == self.scene.non_penetration;
            self.tail.fill(&self.motion, &self.traits);
            let mut x = std::mem::take(&mut self.motion_next.x);
            let mut y = std::mem::take(&mut self.motion_next.y);
            let crowd = self.crowd(&self.motion, &self.traits);
            let part = match self.method {
                Method::Kernels(LaneWidth::Four) => part_batches::<f32x4>,
                Method::Kernels(LaneWidth::Eight) => part_batches::<f32x8>,
                Method::Kernels(LaneWidth::Sixteen) => part_batches::<f32x16>,
                Method::Reference => part_agents,
            };
            self.workers.for_crowd(crowd.len()).split(
                crowd.len(),
                (&mut x[..], &mut y[..]),
                &|range: Range<usize>, out| part(&crowd, range, out, search, last),
            );
            (self.motion_next.x, self.motion_next.y) = (x, y);
            std::mem::swap(&mut self.motion.x, &mut self.motion_next.x);
            std::mem::swap(&mut self.motion.y, &mut self.motion_next.y);
        }
    }

    /// How far those who push somebody may be away when the grid is filled; 0 if nobody does.
    pub(super) fn parting_view(&self) -> f32 {
        let largest = self.scene.largest_radius();
        let last = self.scene.non_penetration.checked_sub(1);
        last.map_or(0.0, |last| parting_reach(largest, largest, self.pushed_before(last)))
    }

    /// How far an agent may be from where it was when the grid was filled, before an iteration
    /// counted from 0.
    fn pushed_before(&self, iteration: u32) -> f32 {
        iteration as f32 * self.scene.largest_radius() + self.scene.largest_move()
    }
}

/// How far from an agent another one may have been, when the grid was filled, that it overlaps
/// now.
fn parting_reach(radius: f32, largest_radius: f32, pushed: f32) -> f32 {
    (radius + largest_radius + pushed) * 1.001
}

/// How to find who overlaps, in a grid that was filled before agents moved and were pushed.
#[derive(Clone, Copy)]
struct Search {
    /// How far an agent may be from where it was then.
    pushed: f32,
    /// Whether that is known of those who search: it is in the columns that they write to.
    from_before: bool,
}

/// The largest radius that any of the agents in `slots` may have.
fn largest_radius(crowd: &Crowd<'_>, slots: Range<usize>) -> f32 {
    furthest(crowd, slots, |kind| kind.species.radius.max())
}

/// Fills `runs` with the agents that may overlap those in `slots`, who were `before` and of whom
/// none is larger than `radius`.
fn find_overlapping(
    crowd: &Crowd<'_>,
    slots: Range<usize>,
    radius: f32,
    search: Search,
    before: (&[f32], &[f32]),
    runs: &mut Runs,
) {
    let grid = crowd.grid;
    let reach = |pushed: f32| parting_reach(radius, crowd.largest_radius, pushed);
    if crowd.partition == Partition::AllPairs {
        runs.set_all(crowd.len(), crowd.space);
    } else if search.from_before {
        grid.candidates(before.0, before.1, reach(2.0 * search.pushed), runs);
    } else {
        let (x, y) = (&crowd.motion.x[slots.clone()], &crowd.motion.y[slots]);
        grid.candidates_anywhere(x, y, reach(search.pushed), runs);
    }
}

/// Pushes the agents in `range` apart, a batch at a time; after the last iteration they go
/// back into the world.
fn part_batches<L: Lanes>(
    crowd: &Crowd<'_>,
    range: Range<usize>,
    (x, y): (&mut [f32], &mut [f32]),
    search: Search,
    last: bool,
) {
    let mut runs = Runs::default();
    for first in range.clone().step_by(L::WIDTH) {
        let slots = first..range.end.min(first + L::WIDTH);
        let rows = first - range.start..slots.end - range.start;
        let before = (&x[rows.clone()], &y[rows.clone()]);
        let radius = largest_radius(crowd, slots.clone());
        find_overlapping(crowd, slots.clone(), radius, search, before, &mut runs);
        let parted = kernels::non_penetration::part::<L>(crowd, slots, radius, &runs);
        let parted = if last { kernels::locomotion::inside(crowd.space, parted) } else { parted };
        parted.x.store(&mut x[rows.clone()]);
        parted.y.store(&mut y[rows]);
    }
}

/// The scalar reference: the same one by one.
fn part_agents(
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
        let parted = reference::non_penetration::part(crowd, slot, &runs);
        let parted = if last { reference::locomotion::inside(crowd.space, parted) } else { parted };
        (x[row], y[row]) = (parted.x, parted.y);
    }
}
