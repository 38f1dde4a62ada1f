//! How a crowd is drawn, as users choose it.

use clap::ValueEnum;

use super::color_by::ColorBy;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Look {
    /// What the agents' colors show. The view must be captured for the same mode.
    pub(crate) color_by: ColorBy,
    pub(crate) flow_view: FlowView,
    /// Length of trails in simulated seconds; 0 for none.
    pub(crate) trails: f32,
    /// Whether agents glow.
    pub(crate) glows: bool,
    /// Whether the aims of small crowds are drawn.
    pub(crate) aims: bool,
    /// Pixels of the display per pixel of the marks.
    pub(crate) scale: f32,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            color_by: ColorBy::default(),
            flow_view: FlowView::default(),
            trails: 0.0,
            glows: true,
            aims: true,
            scale: 1.0,
        }
    }
}

/// Whether small agents are drawn as a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FlowView {
    /// If they are smaller than pixels.
    #[default]
    Auto,
    On,
    Off,
}

impl FlowView {
    pub(crate) const ALL: [(&str, Self); 3] =
        [("automatic", Self::Auto), ("on", Self::On), ("off", Self::Off)];

    /// The next one, wrapping around, and its name.
    pub(crate) fn next(self) -> (&'static str, Self) {
        let present = Self::ALL.iter().position(|(_, choice)| *choice == self).unwrap_or(0);
        Self::ALL[(present + 1) % Self::ALL.len()]
    }
}
