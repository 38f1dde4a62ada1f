//! Pixels, colors, and shapes drawn into them. Nothing here knows about crowds.

pub(crate) mod canvas;
pub(crate) mod palette;
pub(crate) mod shapes;
