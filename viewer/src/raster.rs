//! Pixels, colors, and shapes drawn into them; nothing here knows of crowds.

pub(crate) mod canvas;
pub(crate) mod palette;
pub(crate) mod shapes;
