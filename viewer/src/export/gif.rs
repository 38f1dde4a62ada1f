//! An animated GIF. Each picture has its own palette and stores only what has changed.
//!
//! The file is complete after every picture, whatever ends the program.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::ControlFlow::{self, Continue};
use std::path::{Path, PathBuf};

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use super::quantizer::Quantizer;
use super::series::{Export, Series};
use crate::error::Error;
use crate::raster::palette::Pixel;

/// The palette entry for unchanged pixels.
const UNCHANGED: u8 = 0;
/// In hundredths of a second. Many viewers replace shorter delays with a long one.
const MIN_DELAY: f32 = 2.0;
/// Longer delays do not fit into the file format.
const MAX_DELAY: f32 = u16::MAX as f32;
/// The last byte of a GIF.
const TRAILER: u8 = 0x3b;

pub(crate) struct Gif {
    path: PathBuf,
    file: File,
    /// Writes into memory, from where `save` appends to the file.
    encoder: Encoder<Vec<u8>>,
    size: (u16, u16),
    /// In hundredths of a second.
    delay: u16,
    /// Empty before the first picture.
    previous: Vec<Pixel>,
}

/// How long each picture of a series is shown, in hundredths of a second.
pub(crate) fn delay(path: &Path, series: Series) -> Result<u16, Error> {
    let delay = (series.seconds * 100.0).round().max(MIN_DELAY);
    if delay > MAX_DELAY {
        let (seconds, longest) = (series.seconds, MAX_DELAY / 100.0);
        let why = format!("a picture every {seconds} s; allowed in a GIF: up to {longest} s");
        return Err(Error::write(path, &why));
    }
    Ok(delay as u16)
}

impl Gif {
    pub(crate) fn create(path: &Path, series: Series) -> Result<Self, Error> {
        let delay = delay(path, series)?;
        let file = File::create(path).map_err(|error| Error::write(path, &error))?;
        let size = (series.size.0 as u16, series.size.1 as u16);
        let encoder = Encoder::new(Vec::new(), size.0, size.1, &[]).and_then(|mut gif| {
            gif.set_repeat(Repeat::Infinite)?;
            Ok(gif)
        });
        let mut gif = Self {
            path: path.to_owned(),
            file,
            encoder: encoder.map_err(|error| Error::write(path, &error))?,
            size,
            delay,
            previous: Vec::new(),
        };
        gif.save().map_err(|error| Error::write(path, &error))?;
        Ok(gif)
    }

    /// Replaces the trailer with what was encoded since the last call, and a new trailer.
    fn save(&mut self) -> io::Result<()> {
        let encoded = self.encoder.get_mut();
        encoded.push(TRAILER);
        self.file.write_all(encoded)?;
        self.file.seek(SeekFrom::Current(-1))?;
        encoded.clear();
        Ok(())
    }
}

impl Export for Gif {
    fn write(&mut self, pixels: &[Pixel]) -> Result<ControlFlow<()>, Error> {
        let changed = |at: usize| self.previous.get(at) != Some(&pixels[at]);
        let fresh = (0..pixels.len()).filter(|&at| changed(at)).map(|at| pixels[at]);
        let colors = Quantizer::of(fresh, usize::from(u8::MAX));
        let index = |at| if changed(at) { colors.nearest(pixels[at]) + 1 } else { UNCHANGED };
        let indices: Vec<u8> = (0..pixels.len()).map(index).collect();
        let palette = [[0; 3]].iter().chain(colors.table()).flatten().copied().collect();
        let frame = Frame {
            delay: self.delay,
            dispose: DisposalMethod::Keep,
            transparent: Some(UNCHANGED),
            width: self.size.0,
            height: self.size.1,
            palette: Some(palette),
            buffer: indices.into(),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(|error| Error::write(&self.path, &error))?;
        self.save().map_err(|error| Error::write(&self.path, &error))?;
        self.previous.clear();
        self.previous.extend_from_slice(pixels);
        Ok(Continue(()))
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_complete_after_every_picture() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.gif");
        let mut gif =
            Gif::create(&path, Series { size: (4, 4), pictures: 3, seconds: 0.1 }).unwrap();
        let pictures = || {
            let mut decoder = gif::Decoder::new(File::open(&path).unwrap()).unwrap();
            std::iter::from_fn(|| decoder.read_next_frame().unwrap().map(|_| ())).count()
        };
        for k in 0..3 {
            assert_eq!(pictures(), usize::from(k));
            assert_eq!(gif.write(&[[k * 80, 0, 0, 255]; 16]).unwrap(), Continue(()));
        }
        assert_eq!(pictures(), 3);
        Box::new(gif).finish().unwrap();
        assert_eq!(pictures(), 3);
        assert_eq!(std::fs::read(&path).unwrap().last(), Some(&TRAILER));
    }
}
