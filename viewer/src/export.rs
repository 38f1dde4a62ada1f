pub(crate) mod gif;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf, is_separator};

use flockwork::internal::file;
use gif::Gif;

use crate::raster::Pixel;
use crate::{Error, unless_reader_left};

/// Checks a path before a run, so that a bad path fails early. An existing file is left untouched.
pub(crate) fn check_writable(path: &Path) -> Result<(), Error> {
    file::check_replaceable(path).map_err(|error| Error::write(path, &error))
}

/// Names a file after its scene and step. Adds a number if the folder already has a picture
/// or snapshot with that name. A scene's name may contain `/`, which file names must not.
pub(crate) fn unused_name(scene: &str, step: u64, folder: &Path) -> String {
    let scene = scene.replace(is_separator, "-");
    let name = format!("flockwork-{scene}-{step}");
    let exists = |name: &str, end: &str| folder.join(format!("{name}{end}")).exists();
    let is_free = |name: &String| !exists(name, ".png") && !exists(name, ".snapshot");
    let numbered = (2..).map(|k: u64| format!("{name}-{k}"));
    std::iter::once(name.clone()).chain(numbered).find(is_free).unwrap_or_default()
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

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Target {
    Png(PathBuf),
    Gif(PathBuf),
    Pipe,
}

impl TryFrom<PathBuf> for Target {
    type Error = &'static str;

    fn try_from(path: PathBuf) -> Result<Self, Self::Error> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        match extension.to_str() {
            _ if path.as_os_str() == "-" => Ok(Self::Pipe),
            Some("png") => Ok(Self::Png(path)),
            Some("gif") => Ok(Self::Gif(path)),
            _ => Err("the name must end in .png or .gif, or be - for raw pixels"),
        }
    }
}

impl Target {
    /// Fails early if the target cannot be written. Returns the file of a GIF, which shows each frame
    /// for `seconds`.
    pub(crate) fn open(
        &self,
        size: (u32, u32),
        pictures: u32,
        seconds: f32,
    ) -> Result<Option<Gif>, Error> {
        match self {
            Self::Png(path) if pictures > 1 => {
                let why =
                    format!("{pictures} pictures must go to a .gif file or to - (raw pixels)");
                Err(Error::write(path, &why))
            }
            Self::Png(path) => check_writable(path).map(|()| None),
            Self::Gif(path) => {
                check_writable(path)?;
                if pictures > 1 && path.metadata().is_ok_and(|about| !about.is_file()) {
                    let why = "several pictures must go to a regular file or to - (raw pixels)";
                    return Err(Error::write(path, &why));
                }
                Gif::create(path, size, seconds).map(Some)
            }
            Self::Pipe if io::stdout().is_terminal() => {
                let why = "raw pixels must go to a file or another program";
                Err(Error::write(Path::new("to the terminal"), &why))
            }
            Self::Pipe => Ok(None),
        }
    }

    /// Writes a picture. Returns false once the reader has closed the pipe.
    pub(crate) fn write(
        &self,
        gif: &mut Option<Gif>,
        width: u32,
        pixels: &[Pixel],
    ) -> Result<bool, Error> {
        match (self, gif) {
            (_, Some(gif)) => gif.write(pixels)?,
            (Self::Png(path) | Self::Gif(path), None) => write_png(path, width, pixels)?,
            (Self::Pipe, None) => {
                let mut out = io::stdout().lock();
                let written =
                    out.write_all(bytemuck::cast_slice(pixels)).and_then(|()| out.flush());
                let complete = written.is_ok();
                unless_reader_left(written)?;
                return Ok(complete);
            }
        }
        Ok(true)
    }

    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Png(path) | Self::Gif(path) => path.display().to_string(),
            Self::Pipe => "standard output".into(),
        }
    }
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

    /// Regression: screenshots and saves of a scene with a `/` in its name always failed.
    #[test]
    fn a_slash_in_a_scenes_name_names_no_folder() {
        assert_eq!(unused_name("sea/reef", 7, Path::new("")), "flockwork-sea-reef-7");
    }

    #[test]
    fn the_file_name_selects_the_format() {
        let target = |name: &str| Target::try_from(PathBuf::from(name));
        assert_eq!(target("a.b.png"), Ok(Target::Png("a.b.png".into())));
        assert_eq!(target("A.GIF"), Ok(Target::Gif("A.GIF".into())));
        assert_eq!(target("-"), Ok(Target::Pipe));
        for name in ["", "x", "png", ".png", "x.mp4", "x.png/y", "./-"] {
            assert!(target(name).is_err(), "{name}");
        }
    }
}
