//! PNG files: one picture, or a numbered file for each picture of a series.

use std::ops::ControlFlow::{self, Continue};
use std::path::{Path, PathBuf};

use flockwork::internal::file;

use super::claim::Claim;
use super::series::{Export, Series};
use crate::error::Error;
use crate::raster::palette::Pixel;

/// Writes a PNG file.
pub(crate) fn write_png(path: &Path, width: u32, pixels: &[Pixel]) -> Result<(), Error> {
    let height = pixels.len() as u32 / width;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let encoded = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(bytemuck::cast_slice(pixels))?;
        writer.finish()
    });
    encoded.map_err(|error| Error::write(path, &error))?;
    let written = file::replace(path, &bytes);
    written.map(drop).map_err(|error| Error::write(path, &error))
}

/// A PNG file, or a numbered one for each picture.
pub(super) struct PngSeries {
    path: PathBuf,
    series: Series,
    written: u32,
    /// For more than one picture.
    _claim: Option<Claim>,
}

impl PngSeries {
    pub(super) fn create(path: &Path, series: Series) -> Result<Self, Error> {
        let claim = (series.pictures > 1).then(|| Claim::on(path)).transpose()?;
        Ok(Self { path: path.to_owned(), series, written: 0, _claim: claim })
    }
}

impl Export for PngSeries {
    fn write(&mut self, pixels: &[Pixel]) -> Result<ControlFlow<()>, Error> {
        let name = numbered(&self.path, self.written, self.series.pictures);
        self.written += 1;
        write_png(&name, self.series.size.0, pixels).map(Continue)
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        Ok(())
    }
}

/// The name of a picture, counted from 0: `x-0001.png` and so on if there are several.
pub(super) fn numbered(path: &Path, number: u32, pictures: u32) -> PathBuf {
    if pictures == 1 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{:04}.", number + 1));
    name.push(path.extension().unwrap_or_default());
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_pictures_are_numbered() {
        let name = |number, pictures| numbered(Path::new("a/b.c.png"), number, pictures);
        assert_eq!(name(0, 1), Path::new("a/b.c.png"));
        assert_eq!(name(0, 2), Path::new("a/b.c-0001.png"));
        assert_eq!(name(12_344, 20_000), Path::new("a/b.c-12345.png"));
    }
}
