//! A series of pictures, and what takes them one by one.

use std::ops::ControlFlow;

use crate::error::Error;
use crate::raster::palette::Pixel;

/// A series of pictures of one size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Series {
    pub(crate) size: (u32, u32),
    pub(crate) pictures: u32,
    /// How long each is shown.
    pub(crate) seconds: f32,
}

/// Takes pictures one by one.
pub(crate) trait Export {
    /// Breaks when nobody wants any more pictures.
    fn write(&mut self, pixels: &[Pixel]) -> Result<ControlFlow<()>, Error>;

    /// After the last picture, also if there are fewer than were meant to be.
    fn finish(self: Box<Self>) -> Result<(), Error>;
}
