//! Raw pixels on standard output, for another program.

use std::io::{self, ErrorKind, Write};
use std::ops::ControlFlow::{self, Break, Continue};
use std::path::Path;

use super::series::Export;
use crate::error::Error;
use crate::raster::palette::Pixel;

pub(super) struct RawPixels;

impl Export for RawPixels {
    fn write(&mut self, pixels: &[Pixel]) -> Result<ControlFlow<()>, Error> {
        let mut out = io::stdout().lock();
        match out.write_all(bytemuck::cast_slice(pixels)).and_then(|()| out.flush()) {
            Ok(()) => Ok(Continue(())),
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Break(())),
            Err(error) => Err(Error::write(Path::new("to standard output"), &error)),
        }
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        Ok(())
    }
}
