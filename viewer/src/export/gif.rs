//! An animated GIF. Each frame has its own palette and stores only the pixels that changed.
//!
//! The file is complete after every frame, even if the program is killed. The first frame replaces
//! an existing file. Each later frame is first written after the GIF's trailer, where readers stop,
//! but without its first byte. That byte then overwrites the trailer, which reveals the frame.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use color_quant::NeuQuant;
use flockwork::internal::file;
use gif::{DisposalMethod, Encoder, Frame, Repeat};

use crate::Error;
use crate::raster::Pixel;

/// Palette index of unchanged pixels, which are transparent.
const UNCHANGED: u8 = 0;
/// Minimum delay, in hundredths of a second. Many viewers replace shorter delays with a long one.
const MIN_DELAY: f32 = 2.0;
const MAX_DELAY: f32 = u16::MAX as f32;
/// Sampling factor of the color quantizer, from 1 (best quality) to 30 (fastest).
const QUALITY: i32 = 3;
/// Minimum number of pixels that the quantizer samples from. Fewer changed pixels are repeated:
/// from a few pixels it learns hardly anything, and its colors stay near their initial gray ramp.
const MIN_SAMPLES: usize = 1 << 16;
const TRAILER: u8 = 0x3b;

pub(crate) struct Gif {
    path: PathBuf,
    file: Option<File>,
    /// Encodes into memory; `save` then appends the bytes to the file.
    encoder: Encoder<Vec<u8>>,
    size: (u16, u16),
    delay: u16,
    previous: Vec<Pixel>,
}

impl Gif {
    /// Leaves an existing file untouched until the first frame is written.
    pub(super) fn create(path: &Path, size: (u32, u32), seconds: f32) -> Result<Self, Error> {
        let delay = (seconds * 100.0).round().max(MIN_DELAY);
        if delay > MAX_DELAY {
            let longest = MAX_DELAY / 100.0;
            let why = format!("one picture every {seconds} s, but GIF allows at most {longest} s");
            return Err(Error::write(path, &why));
        }
        let size = (size.0 as u16, size.1 as u16);
        let encoder = Encoder::new(Vec::new(), size.0, size.1, &[])
            .and_then(|mut gif| gif.set_repeat(Repeat::Infinite).map(|()| gif));
        Ok(Self {
            path: path.to_owned(),
            file: None,
            encoder: encoder.map_err(|error| Error::write(path, &error))?,
            size,
            delay: delay as u16,
            previous: Vec::new(),
        })
    }

    fn save(&mut self) -> io::Result<()> {
        let encoded = self.encoder.get_mut();
        encoded.push(TRAILER);
        match &mut self.file {
            None => self.file = Some(file::replace(&self.path, encoded)?),
            Some(file) => append(file, encoded)?,
        }
        encoded.clear();
        Ok(())
    }

    pub(super) fn write(&mut self, pixels: &[Pixel]) -> Result<(), Error> {
        let changed = |at: usize| self.previous.get(at) != Some(&pixels[at]);
        let fresh = (0..pixels.len()).filter(|&at| changed(at)).map(|at| pixels[at]);
        let fresh: Vec<Pixel> = fresh.collect();
        let samples = fresh.iter().cycle().take(fresh.len().max(MIN_SAMPLES)).flatten().copied();
        let colors = NeuQuant::new(QUALITY, usize::from(u8::MAX), &samples.collect::<Vec<u8>>());
        let index = |at: usize| match changed(at) {
            true => colors.index_of(&pixels[at]) as u8 + 1,
            false => UNCHANGED,
        };
        let indices: Vec<u8> = (0..pixels.len()).map(index).collect();
        let palette = [[0; 3].to_vec(), colors.color_map_rgb()].concat();
        let (width, height) = self.size;
        let frame = Frame::from_palette_pixels(width, height, indices, palette, Some(UNCHANGED));
        let frame = Frame { delay: self.delay, dispose: DisposalMethod::Keep, ..frame };
        self.encoder.write_frame(&frame).map_err(|error| Error::write(&self.path, &error))?;
        self.save().map_err(|error| Error::write(&self.path, &error))?;
        pixels.clone_into(&mut self.previous);
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<(), Error> {
        let is_file = |file: &&File| file.metadata().is_ok_and(|about| about.is_file());
        let synced = self.file.as_ref().filter(is_file).map_or(Ok(()), File::sync_all);
        synced.map_err(|error| Error::write(&self.path, &error))
    }
}

/// Appends an encoded frame to a GIF. A failure leaves the GIF unchanged.
fn append(file: &mut File, picture: &[u8]) -> io::Result<()> {
    let (first, rest) = picture.split_at(1);
    let length = file.seek(SeekFrom::End(0))?;
    if let Err(error) = file.write_all(rest) {
        // A failed truncation is ignored, because bytes after the trailer are harmless.
        let _ = file.set_len(length);
        return Err(error);
    }
    file.seek(SeekFrom::Start(length.saturating_sub(1)))?;
    file.write_all(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(k: u8) -> [Pixel; 16] {
        [[k * 80, 0, 0, 255]; 16]
    }

    fn pictures(bytes: &[u8]) -> usize {
        let mut decoder = gif::Decoder::new(bytes).unwrap();
        std::iter::from_fn(|| decoder.read_next_frame().unwrap().map(|_| ())).count()
    }

    #[test]
    fn the_file_is_complete_after_every_picture() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.gif");
        std::fs::write(&path, "the previous file").unwrap();
        let mut gif = Gif::create(&path, (4, 4), 0.1).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"the previous file", "until there is a picture");
        for k in 0..3 {
            gif.write(&picture(k)).unwrap();
            assert_eq!(pictures(&std::fs::read(&path).unwrap()), usize::from(k) + 1);
        }
        gif.finish().unwrap();
        assert_eq!(std::fs::read(&path).unwrap().last(), Some(&TRAILER));
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "no temporary file is left");
    }

    /// Regression: with few changed pixels, the palette was a gray ramp.
    #[test]
    fn a_frame_with_few_changed_pixels_has_their_colors() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.gif");
        let [dark, orange, blue] = [[11, 13, 18, 255], [235, 185, 75, 255], [40, 90, 235, 255]];
        let mut pixels = [dark; 16];
        let mut gif = Gif::create(&path, (4, 4), 0.1).unwrap();
        let mut shown = [[0; 3]; 16];
        for frame in 1..=4 {
            gif.write(&pixels).unwrap();
            let mut decoder = gif::Decoder::new(File::open(&path).unwrap()).unwrap();
            let frames = std::iter::from_fn(|| decoder.read_next_frame().unwrap().cloned());
            let last = frames.take(frame).last().unwrap();
            let palette = last.palette.unwrap();
            for (shown, &index) in shown.iter_mut().zip(&*last.buffer) {
                if last.transparent != Some(index) {
                    shown.copy_from_slice(&palette[3 * usize::from(index)..][..3]);
                }
            }
            assert_eq!(shown, pixels.map(|[r, g, b, _]| [r, g, b]), "frame {frame}");
            (pixels[5], pixels[frame]) = (orange, blue);
        }
    }

    #[test]
    fn a_picture_cut_short_at_any_byte_leaves_the_ones_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.gif");
        let mut gif = Gif::create(&path, (4, 4), 0.1).unwrap();
        gif.write(&picture(0)).unwrap();
        let before = std::fs::read(&path).unwrap();
        gif.write(&picture(1)).unwrap();
        let after = std::fs::read(&path).unwrap();
        // The old trailer is overwritten last, so a process killed before that leaves it in place.
        for end in before.len()..=after.len() {
            let killed = [&before[..], &after[before.len()..end]].concat();
            assert_eq!(pictures(&killed), 1, "killed after {end} bytes");
        }
        assert_eq!(pictures(&after), 2);
    }
}
