//! The stage that pushes overlapping agents apart, as many times as the scene sets.
//!
//! Candidates come from the grid, which was filled before agents moved and were pushed. So the
//! search radius grows by the distance that they can have moved since.

use std::ops::Range;

use crate::crowd::columns::Motion;
use crate::crowd::{Crowd, Partition};
use crate::grid::runs::Runs;
use crate::kernels;
use crate::kernels::walk::batches;
use crate::math::lanes::Lanes;
use crate::math::scalar::Scalar;
use crate::math::width::{with_lanes, with_one_lane};
use crate::reference;
use crate::simulation::Simulation;
use crate::simulation::method::Method;
use crate::simulation::sorted::contact_distance;
use crate::world::edge;

/// From this many worlds away, the usual way back is no longer exact.
const MANY_WORLDS: f32 = 1.0e3;

impl Simulation {
    /// Pushes agents that overlap those in `slots` apart. Positions alternate between the two
    /// copies, whose other columns do not change.
    pub(crate) fn push_apart(&mut self, iteration: u32, slots: Range<usize>) {
        let largest = self.scene.largest_radius();
        let pushed = self.pushed_before(iteration);
        // In the first iteration the other copy still has the positions that the grid was filled
        // with. A search from there is faster, but both agents may have moved since.
        let both_moved = contact_distance(largest, largest, 2.0 * pushed);
        let from_previous = iteration == 0 && self.grid.covers(both_moved);
        let search = Search { pushed, from_previous };
        // Cells expect agents on a torus where they were. Elsewhere an edge stops each push, so
        // that the next iteration pushes on what stands there.
        let bring_back = !self.space.is_torus() || iteration + 1 == self.scene.non_penetration;
        let far = self.pushes_far();
        let bring_back = bring_back && !far;
        self.tail.fill(&self.motion, &self.traits);
        let mut x = std::mem::take(&mut self.motion_next.x);
        let mut y = std::mem::take(&mut self.motion_next.y);
        let crowd = self.crowd(&self.motion, &self.traits);
        let push = match self.method {
            Method::Kernels(width) => {
                with_lanes!((self.instructions, width), L => push_batches::<L>)
            }
            Method::Reference => with_one_lane!(self.instructions, S => push_agents::<S>),
        };
        let work = |range: Range<usize>, out: (&mut [f32], &mut [f32])| {
            let range = slots.start + range.start..slots.start + range.end;
            push(&crowd, range, out, search, bring_back);
        };
        let out = (&mut x[slots.clone()], &mut y[slots.clone()]);
        self.workers.for_crowd(crowd.len()).split(slots.len(), out, &work);
        (self.motion_next.x, self.motion_next.y) = (x, y);
        std::mem::swap(&mut self.motion.x, &mut self.motion_next.x);
        std::mem::swap(&mut self.motion.y, &mut self.motion_next.y);
        if far {
            let Motion { x, y, .. } = &mut self.motion;
            let size = self.space.size;
            x[slots.clone()].iter_mut().for_each(|x| *x = edge::remainder(*x, size.x));
            y[slots].iter_mut().for_each(|y| *y = edge::remainder(*y, size.y));
        }
    }

    /// Whether agents on a torus are so large that pushes lead many worlds away. Every search then
    /// finds the whole crowd wherever it is, and every iteration brings agents back, exactly.
    fn pushes_far(&self) -> bool {
        let furthest = self.pushed_before(self.scene.non_penetration);
        self.space.is_torus() && furthest > MANY_WORLDS * self.space.smaller_side()
    }
}

/// How to find overlaps in a grid that was filled before agents moved and were pushed.
#[derive(Clone, Copy)]
struct Search {
    /// How far an agent may have moved since then.
    pushed: f32,
    /// Whether to search from the positions of then, which are still in the output columns.
    from_previous: bool,
}

/// The largest radius that any of the agents in `slots` may have.
#[inline(always)]
fn largest_radius(crowd: &Crowd<'_>, slots: Range<usize>) -> f32 {
    crowd.largest(slots, |kind| kind.species.radius.max())
}

/// Fills `runs` with the agents that may overlap those in `slots`. These are no larger than
/// `radius`; `previous` are their positions when the grid was filled, if the search starts there.
#[inline(always)]
fn find_overlapping<L: Lanes>(
    crowd: &Crowd<'_>,
    slots: Range<usize>,
    radius: f32,
    search: Search,
    previous: (&[f32], &[f32]),
    runs: &mut Runs,
) {
    let grid = crowd.grid;
    let distance = |pushed: f32| contact_distance(radius, crowd.largest_radius, pushed);
    if crowd.partition == Partition::AllPairs {
        runs.set_all(crowd.len(), crowd.space);
    } else if search.from_previous {
        grid.candidates::<L>(previous.0, previous.1, distance(2.0 * search.pushed), runs);
    } else {
        let (x, y) = (&crowd.motion.x[slots.clone()], &crowd.motion.y[slots]);
        grid.candidates_anywhere::<L>(x, y, distance(search.pushed), runs);
    }
}

/// Pushes the agents in `range` apart, a batch at a time, and may bring them back into the world.
fn push_batches<L: Lanes>(
    crowd: &Crowd<'_>,
    range: Range<usize>,
    (x, y): (&mut [f32], &mut [f32]),
    search: Search,
    bring_back: bool,
) {
    let mut runs = Runs::default();
    L::compiled(
        #[inline(always)]
        || {
            for slots in batches(range.clone(), L::WIDTH) {
                let rows = slots.start - range.start..slots.end - range.start;
                let previous = (&x[rows.clone()], &y[rows.clone()]);
                let radius = largest_radius(crowd, slots.clone());
                find_overlapping::<L>(crowd, slots.clone(), radius, search, previous, &mut runs);
                let pushed = kernels::non_penetration::push_apart::<L>(crowd, slots, radius, &runs);
                let pushed = if bring_back { edge::inside(crowd.space, pushed) } else { pushed };
                pushed.x.store(&mut x[rows.clone()]);
                pushed.y.store(&mut y[rows]);
            }
        },
    );
}

/// The same with the scalar reference port, one agent at a time.
fn push_agents<S: Scalar>(
    crowd: &Crowd<'_>,
    range: Range<usize>,
    (x, y): (&mut [f32], &mut [f32]),
    search: Search,
    bring_back: bool,
) {
    let mut runs = Runs::default();
    S::compiled(
        #[inline(always)]
        || {
            for (row, slot) in range.enumerate() {
                let previous = (&x[row..=row], &y[row..=row]);
                let radius = largest_radius(crowd, slot..slot + 1);
                find_overlapping::<S>(crowd, slot..slot + 1, radius, search, previous, &mut runs);
                let pushed = reference::non_penetration::push_apart::<S>(crowd, slot, &runs);
                let pushed = if bring_back { edge::inside(crowd.space, pushed) } else { pushed };
                [x[row], y[row]] = pushed.into();
            }
        },
    );
}
