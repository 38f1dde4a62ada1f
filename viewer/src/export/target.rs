//! Where pictures go: PNG files, an animated GIF, or another program.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use super::files::check_writable;
use super::gif::{self, Gif};
use super::png::{PngSeries, numbered};
use super::raw::RawPixels;
use super::series::{Export, Series};
use crate::error::Error;

/// The target that `--out` names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Target {
    Png(PathBuf),
    Gif(PathBuf),
    /// Raw pixels on standard output, for another program.
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
            _ => Err("the name has to end in .png or .gif, or be - for raw pixels"),
        }
    }
}

impl Target {
    /// Rejects a target that cannot be written, before there is anything to write.
    pub(crate) fn check(&self, series: Series) -> Result<(), Error> {
        match self {
            Self::Png(path) => check_writable(&numbered(path, 0, series.pictures)),
            Self::Gif(path) => gif::delay(path, series).and_then(|_| check_writable(path)),
            Self::Pipe if io::stdout().is_terminal() => Err(Error::Write {
                path: "to the terminal".into(),
                message: "raw pixels must go to a file or another program".into(),
            }),
            Self::Pipe => Ok(()),
        }
    }

    pub(crate) fn open(&self, series: Series) -> Result<Box<dyn Export>, Error> {
        Ok(match self {
            Self::Png(path) => Box::new(PngSeries::create(path, series)?),
            Self::Gif(path) => Box::new(Gif::create(path, series)?),
            Self::Pipe => Box::new(RawPixels),
        })
    }

    /// Names the files written after some pictures of a series.
    pub(crate) fn describe(&self, written: u32, pictures: u32) -> String {
        match self {
            Self::Png(path) if pictures > 1 => {
                let name = |number| numbered(path, number, pictures).display().to_string();
                format!("{} to {}", name(0), name(written.saturating_sub(1)))
            }
            Self::Png(path) | Self::Gif(path) => path.display().to_string(),
            Self::Pipe => "standard output".into(),
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
