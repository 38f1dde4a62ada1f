//! An animated GIF. Each picture has its own palette and holds only what has changed.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow::{self, Continue};
use std::path::{Path, PathBuf};

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use crate::Failure;
use crate::canvas::failure;
use crate::export::{Export, Series};
use crate::export_colors::Colors;
use crate::palette::Pixel;

/// The palette's entry for what is as it was.
const UNCHANGED: u8 = 0;
/// Shorter delays, in hundredths of a second, are replaced by a long one in many viewers.
const SHORTEST: f32 = 2.0;

pub(crate) struct Gif {
    path: PathBuf,
    encoder: Encoder<BufWriter<File>>,
    size: (u16, u16),
    /// In hundredths of a second.
    delay: u16,
    /// Empty before the first picture.
    previous: Vec<Pixel>,
}

impl Gif {
    pub(crate) fn create(path: &Path, series: Series) -> Result<Self, Failure> {
        let file = File::create(path).map_err(|error| failure(path, &error))?;
        let size = (series.size.0 as u16, series.size.1 as u16);
        let encoder =
            Encoder::new(BufWriter::new(file), size.0, size.1, &[]).and_then(|mut gif| {
                gif.set_repeat(Repeat::Infinite)?;
                Ok(gif)
            });
        Ok(Self {
            path: path.to_owned(),
            encoder: encoder.map_err(|error| failure(path, &error))?,
            size,
            delay: (series.seconds * 100.0).round().max(SHORTEST) as u16,
            previous: Vec::new(),
        })
    }
}

impl Export for Gif {
    fn write(&mut self, pixels: &[Pixel]) -> Result<ControlFlow<()>, Failure> {
        let changed = |at: usize| self.previous.get(at) != Some(&pixels[at]);
        let fresh = (0..pixels.len()).filter(|&at| changed(at)).map(|at| pixels[at]);
        let colors = Colors::of(fresh, usize::from(u8::MAX));
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
        self.encoder.write_frame(&frame).map_err(|error| failure(&self.path, &error))?;
        self.previous.clear();
        self.previous.extend_from_slice(pixels);
        Ok(Continue(()))
    }

    fn finish(self: Box<Self>) -> Result<(), Failure> {
        let path = self.path;
        let mut file = self.encoder.into_inner().map_err(|error| failure(&path, &error))?;
        file.flush().map_err(|error| failure(&path, &error))
    }
}
