//! Pixels, colors, and shapes. Nothing here depends on crowds.

pub(crate) mod canvas;
pub(crate) mod palette;
pub(crate) mod shapes;
