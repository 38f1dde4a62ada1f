//! A series of pictures, and the trait of what writes one.

use std::ops::ControlFlow;

use crate::error::Error;
use crate::raster::palette::Pixel;

/// A series of pictures of one size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Series {
    pub(crate) size: (u32, u32),
    pub(crate) pictures: u32,
    /// How long each picture is shown.
    pub(crate) seconds: f32,
}

/// Writes pictures one by one.
pub(crate) trait Export {
    /// Breaks if the reader wants no more pictures.
    fn write(&mut self, pixels: &[Pixel]) -> Result<ControlFlow<()>, Error>;

    /// Called after the last picture, even if there are fewer than planned.
    fn finish(self: Box<Self>) -> Result<(), Error>;
}
