//! Records each behavior's shapes and force for an explanation.

use crate::batch::Batch;
use crate::batch::trace::{Contribution, Feature, Mark, Shape};
use crate::math::force::Force;
use crate::math::lanes::{Lanes, Mask};
use crate::math::vec3::Vec3;

impl<L: Lanes> Batch<'_, L> {
    /// Records a point to draw in an explanation, if the explained agent is among `lanes`.
    #[inline(always)]
    pub fn draw_point(&mut self, feature: Feature, at: Vec3<L>, lanes: Mask<L>) {
        self.draw(feature, lanes, || Shape::Point(first(at)));
    }

    /// Records a line to draw in an explanation, if the explained agent is among `lanes`.
    #[inline(always)]
    pub fn draw_line(&mut self, feature: Feature, from: Vec3<L>, to: Vec3<L>, lanes: Mask<L>) {
        self.draw(feature, lanes, || Shape::Line([first(from), first(to)]));
    }

    /// Records a circle to draw in an explanation, if the explained agent is among `lanes`.
    #[inline(always)]
    pub fn draw_circle(&mut self, feature: Feature, center: Vec3<L>, radius: L, lanes: Mask<L>) {
        self.draw(feature, lanes, || Shape::Circle {
            center: first(center),
            radius: radius.to_array()[0],
        });
    }

    /// Records a box to draw in an explanation, if the explained agent is among `lanes`.
    /// The box extends from `base` along `ahead`, and by `aside` to each side.
    #[inline(always)]
    pub fn draw_box(
        &mut self,
        feature: Feature,
        base: Vec3<L>,
        [ahead, aside]: [Vec3<L>; 2],
        lanes: Mask<L>,
    ) {
        self.draw(feature, lanes, || {
            let end = base + ahead;
            Shape::Box([base - aside, end - aside, end + aside, base + aside].map(first))
        });
    }

    #[inline(always)]
    pub(crate) fn is_explained(&self) -> bool {
        L::WIDTH == 1 && self.scratch.trace.is_some()
    }

    #[inline(always)]
    fn draw(&mut self, feature: Feature, lanes: Mask<L>, shape: impl FnOnce() -> Shape) {
        if L::WIDTH == 1
            && let Some(trace) = &mut self.scratch.trace
            && lanes.any()
        {
            trace.marks.push(Mark { feature, shape: shape() });
        }
    }

    /// Records a behavior's force, and the part of this force that the combined force keeps:
    /// `factor` times `force.vector`.
    #[inline(always)]
    pub(crate) fn record_force(
        &mut self,
        (index, name): (usize, impl FnOnce() -> &'static str),
        force: &Force<L>,
        [weight, factor]: [L; 2],
    ) {
        if L::WIDTH == 1
            && let Some(trace) = &mut self.scratch.trace
        {
            let marks = std::mem::take(&mut trace.marks);
            let (all, kept) = (force.vector * force.factor(weight), force.vector * factor);
            let (behavior, force, kept) = (name(), first(all), first(kept));
            let contribution =
                Contribution { number: index, behavior, force, kept, marks, neighbors: None };
            trace.contributions.push(contribution);
        }
    }
}

pub(crate) fn first<L: Lanes>(vector: Vec3<L>) -> [f32; 3] {
    vector.to_arrays().map(|[first, ..]| first)
}
