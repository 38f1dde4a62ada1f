//! Where pictures go: into PNG files, an animated GIF, or another program.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::ops::ControlFlow::{self, Break, Continue};
use std::path::{Path, PathBuf};

use crate::canvas::{check_writable, write_png};
use crate::error::Error;
use crate::export_gif::{self, Gif};
use crate::export_series::{Export, Series};
use crate::palette::Pixel;

/// What `--out` names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Target {
    Png(PathBuf),
    Gif(PathBuf),
    /// Standard output, for another program to read raw pixels from.
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
    /// Refuses what cannot be written, before there is anything to write.
    pub(crate) fn check(&self, series: Series) -> Result<(), Error> {
        match self {
            Self::Png(path) => check_writable(&png_name(path, 0, series.pictures)),
            Self::Gif(path) => export_gif::delay(path, series).and_then(|_| check_writable(path)),
            Self::Pipe if io::stdout().is_terminal() => Err(Error::Write {
                path: "to the terminal".into(),
                message: "raw pixels are for a file or another program".into(),
            }),
            Self::Pipe => Ok(()),
        }
    }

    pub(crate) fn open(&self, series: Series) -> Result<Box<dyn Export>, Error> {
        Ok(match self {
            Self::Png(path) => Box::new(Pngs { path: path.clone(), series, written: 0 }),
            Self::Gif(path) => Box::new(Gif::create(path, series)?),
            Self::Pipe => Box::new(Pipe),
        })
    }

    /// What has been written after some pictures of a series.
    pub(crate) fn describe(&self, written: u32, pictures: u32) -> String {
        match self {
            Self::Png(path) if pictures > 1 => {
                let name = |number| png_name(path, number, pictures).display().to_string();
                format!("{} to {}", name(0), name(written.saturating_sub(1)))
            }
            Self::Png(path) | Self::Gif(path) => path.display().to_string(),
            Self::Pipe => "standard output".into(),
        }
    }
}

/// A PNG file, or a numbered one for each picture.
struct Pngs {
    path: PathBuf,
    series: Series,
    written: u32,
}

impl Export for Pngs {
    fn write(&mut self, pixels: &[Pixel]) -> Result<ControlFlow<()>, Error> {
        let name = png_name(&self.path, self.written, self.series.pictures);
        self.written += 1;
        write_png(&name, self.series.size.0, pixels).map(Continue)
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        Ok(())
    }
}

/// The name of a picture, counted from 0: `x-0001.png` and so on if there are several.
fn png_name(path: &Path, number: u32, pictures: u32) -> PathBuf {
    if pictures == 1 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{:04}.", number + 1));
    name.push(path.extension().unwrap_or_default());
    path.with_file_name(name)
}

/// What to call a file of a scene at a step: with a number if a file of ours in the folder has that
/// name.
pub(crate) fn free_name(scene: &str, step: u64, folder: &Path) -> String {
    let name = format!("flockwork-{scene}-{step}");
    let is_free = |name: &String| {
        let ends = [".png", ".gif", "-0001.png", ".snapshot"];
        ends.iter().all(|end| !folder.join(format!("{name}{end}")).exists())
    };
    let numbered = (2..).map(|k: u64| format!("{name}-{k}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    names.find(is_free).unwrap_or_default()
}

/// Raw pixels on standard output.
struct Pipe;

impl Export for Pipe {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_says_what_is_written() {
        let target = |name: &str| Target::try_from(PathBuf::from(name));
        assert_eq!(target("a.b.png"), Ok(Target::Png("a.b.png".into())));
        assert_eq!(target("A.GIF"), Ok(Target::Gif("A.GIF".into())));
        assert_eq!(target("-"), Ok(Target::Pipe));
        for name in ["", "x", "png", ".png", "x.mp4", "x.png/y", "./-"] {
            assert!(target(name).is_err(), "{name}");
        }
    }

    #[test]
    fn several_pictures_are_numbered() {
        let name = |number, pictures| png_name(Path::new("a/b.c.png"), number, pictures);
        assert_eq!(name(0, 1), Path::new("a/b.c.png"));
        assert_eq!(name(0, 2), Path::new("a/b.c-0001.png"));
        assert_eq!(name(12_344, 20_000), Path::new("a/b.c-12345.png"));
    }

    #[test]
    fn nothing_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let free = || free_name("hide", 7, folder.path());
        let make = |name: &str| std::fs::write(folder.path().join(name), "").unwrap();
        assert_eq!(free(), "flockwork-hide-7");
        make("flockwork-hide-7.png");
        assert_eq!(free(), "flockwork-hide-7-2");
        make("flockwork-hide-7-2-0001.png");
        make("flockwork-hide-7-3.gif");
        make("flockwork-hide-7-4.snapshot");
        assert_eq!(free(), "flockwork-hide-7-5");
    }
}
