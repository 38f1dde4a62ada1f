mod answer;
pub(crate) mod app;
mod keys;
mod legend;
mod mouse;
mod panel;
mod profiler;
mod screen;
mod style;
