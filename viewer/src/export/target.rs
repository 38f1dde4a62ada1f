use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::files::{check_writable, write_png};
use super::gif::Gif;
use crate::error::Error;
use crate::raster::palette::Pixel;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Target {
    Png(PathBuf),
    Gif(PathBuf),
    Pipe,
}

pub(crate) enum Export {
    Png(PathBuf, u32),
    Gif(Gif),
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
    /// Fails early if the target cannot be written. Each picture is shown for `seconds`.
    pub(crate) fn open(
        &self,
        size: (u32, u32),
        pictures: u32,
        seconds: f32,
    ) -> Result<Export, Error> {
        match self {
            Self::Png(path) if pictures > 1 => {
                let why =
                    format!("{pictures} pictures must go to a .gif file or to - (raw pixels)");
                Err(Error::write(path, &why))
            }
            Self::Png(path) => check_writable(path).map(|()| Export::Png(path.clone(), size.0)),
            Self::Gif(path) => Gif::create(path, size, seconds).map(Export::Gif),
            Self::Pipe if io::stdout().is_terminal() => Err(Error::Write {
                path: "to the terminal".into(),
                message: "raw pixels must go to a file or another program".into(),
            }),
            Self::Pipe => Ok(Export::Pipe),
        }
    }

    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Png(path) | Self::Gif(path) => path.display().to_string(),
            Self::Pipe => "standard output".into(),
        }
    }
}

impl Export {
    /// Writes a picture. Returns false once the reader has closed the pipe.
    pub(crate) fn write(&mut self, pixels: &[Pixel]) -> Result<bool, Error> {
        match self {
            Self::Png(path, width) => write_png(path, *width, pixels)?,
            Self::Gif(gif) => gif.write(pixels)?,
            Self::Pipe => {
                let mut out = io::stdout().lock();
                match out.write_all(bytemuck::cast_slice(pixels)).and_then(|()| out.flush()) {
                    Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(false),
                    Err(error) => {
                        return Err(Error::write(Path::new("to standard output"), &error));
                    }
                    Ok(()) => {}
                }
            }
        }
        Ok(true)
    }

    /// Call this after the last picture, even if there are fewer pictures than planned.
    pub(crate) fn finish(self) -> Result<(), Error> {
        match self {
            Self::Gif(gif) => gif.finish(),
            Self::Png(..) | Self::Pipe => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
