//! The stage that steers and moves every agent.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::batch::Candidates;
use crate::cpu::Instructions;
use crate::crowd::Crowd;
use crate::crowd::columns::MotionSlices;
use crate::custom::compiled::Compiled;
use crate::kernels;
use crate::math::scalar::Scalar;
use crate::math::width::{with_lanes, with_one_lane};
use crate::parallel::Workers;
use crate::reference::{self, agent::Agent};
use crate::simulation::method::Method;

/// What debug builds find in slots that no batch has written: a NaN that no operation gives.
const UNWRITTEN: f32 = f32::from_bits(0x7FC0_DEAD);

/// Writes the next state of the agents in `slots`; false if one left the coordinate range.
pub(super) fn advance(
    crowd: &Crowd<'_>,
    workers: &Workers,
    (method, instructions): (Method, Instructions),
    slots: Range<usize>,
    next: MotionSlices<'_>,
) -> bool {
    let unsound = AtomicBool::new(false);
    let advance = match method {
        Method::Kernels(width) => {
            with_lanes!((instructions, width), L => advance_batches::<L>)
        }
        Method::Reference => with_one_lane!(instructions, S => advance_agents::<S>),
    };
    let work = |range: Range<usize>, out: MotionSlices<'_>| {
        if !advance(crowd, slots.start + range.start..slots.start + range.end, out) {
            unsound.store(true, Relaxed);
        }
    };
    workers.for_crowd(crowd.len()).split(slots.len(), next, &work);
    !unsound.into_inner()
}

/// Steers and moves the agents in `range`, a few batches at a time; false if one left the
/// coordinate range.
fn advance_batches<L: Compiled>(
    crowd: &Crowd<'_>,
    range: Range<usize>,
    mut out: MotionSlices<'_>,
) -> bool {
    crowd.prefetch(&range);
    if cfg!(debug_assertions) {
        out.x.fill(UNWRITTEN);
    }
    let start = range.start;
    let mut sound = true;
    kernels::combine::for_each_force::<L>(
        crowd,
        range,
        #[inline(always)]
        |batch, force| {
            let moved = kernels::locomotion::advance(batch, force);
            sound &= moved.is_sound(batch.members, crowd.limit) && batch.columns_are_finite();
            moved.store(batch, &mut out, batch.first - start);
        },
    );
    debug_assert!(
        out.x.iter().all(|x| x.to_bits() != UNWRITTEN.to_bits()),
        "every slot is written"
    );
    sound
}

/// The same with the scalar reference port, one agent at a time.
fn advance_agents<S: Scalar + Compiled>(
    crowd: &Crowd<'_>,
    range: Range<usize>,
    mut out: MotionSlices<'_>,
) -> bool {
    let mut candidates = Candidates::default();
    let mut sound = true;
    S::compiled(
        #[inline(always)]
        || {
            for slot in range.clone() {
                let mut agent = Agent::<S>::new(crowd, slot, &mut candidates);
                let force = reference::combine::force(&mut agent);
                let moved = reference::locomotion::advance(&agent, force);
                sound &= moved.is_sound(crowd.limit) && agent.columns_are_finite();
                moved.store(&mut out, slot - range.start);
                if crowd.has_columns {
                    for (next, column) in agent.own.iter().zip(&mut out.own) {
                        column[slot - range.start] = next.get();
                    }
                }
            }
        },
    );
    sound
}
