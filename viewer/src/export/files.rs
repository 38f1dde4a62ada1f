use std::path::Path;

use flockwork::internal::file;

use crate::error::Error;
use crate::raster::palette::Pixel;

/// Checks a path before a run, so that a bad path fails early. An existing file is left untouched.
pub(crate) fn check_writable(path: &Path) -> Result<(), Error> {
    file::check_replaceable(path).map_err(|error| Error::write(path, &error))
}

/// Names a file after its scene and step. Adds a number if the folder already has a picture
/// or snapshot of that name.
pub(crate) fn unused_name(scene: &str, step: u64, folder: &Path) -> String {
    let name = format!("flockwork-{scene}-{step}");
    let is_free = |name: &String| {
        let ends = [".png", ".snapshot"];
        ends.iter().all(|end| !folder.join(format!("{name}{end}")).exists())
    };
    let numbered = (2..).map(|k: u64| format!("{name}-{k}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    names.find(is_free).unwrap_or_default()
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_is_reported() {
        let picture = "no/such/folder/picture.png";
        let said = write_png(picture.as_ref(), 1, &[[0; 4]]).unwrap_err().to_string();
        assert!(said.contains(&format!("cannot write {picture}")), "{said}");
    }

    #[test]
    fn existing_files_are_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let free = || unused_name("hide", 7, folder.path());
        let make = |name: &str| std::fs::write(folder.path().join(name), "").unwrap();
        assert_eq!(free(), "flockwork-hide-7");
        make("flockwork-hide-7.png");
        assert_eq!(free(), "flockwork-hide-7-2");
        make("flockwork-hide-7-2.snapshot");
        assert_eq!(free(), "flockwork-hide-7-3");
    }
}
