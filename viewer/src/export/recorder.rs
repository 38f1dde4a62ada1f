//! Pictures and films from the window: what the canvas shows, without the panel.
//!
//! A film is a GIF or a series of PNG files. It is encoded on a thread of its own. It has a picture
//! for every 50 ms of real time: one that stays longer is repeated, and where pictures come faster
//! than they can be encoded some are left out, the next takes their time, and it is said so.

use std::path::PathBuf;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::png::write_png;
use super::series::Series;
use super::target::Target;
use crate::error::Error;
use crate::raster::palette::Pixel;

/// Between two pictures of a film.
const EVERY: Duration = Duration::from_millis(50);
/// Pictures that may wait to be encoded.
const WAITING: usize = 16;
/// How many pictures a film will have: nobody knows, but it may be more than one.
const UNKNOWN: u32 = u32::MAX;

/// Writes one picture, and says so.
pub(crate) fn take_picture(name: &str, width: u32, pixels: &[Pixel]) -> String {
    let path = PathBuf::from(format!("{name}.png"));
    match write_png(&path, width, pixels) {
        Ok(()) => format!("wrote {}", path.display()),
        Err(failure) => failure.to_string(),
    }
}

/// A picture, and how many times it is in the film.
struct Shown {
    pixels: Vec<Pixel>,
    times: u32,
}

/// A film being taken.
pub(crate) struct Recorder {
    target: Target,
    size: (u32, u32),
    /// Closed when the film ends.
    pictures: Option<SyncSender<Shown>>,
    encoder: JoinHandle<Result<u32, Error>>,
    /// Until when the film is taken.
    until: Option<Instant>,
    left_out: u32,
}

impl Recorder {
    pub(crate) fn start(target: Target, size: (u32, u32)) -> Result<Self, Error> {
        let series = Series { size, pictures: UNKNOWN, seconds: EVERY.as_secs_f32() };
        target.check(series)?;
        let kept = target.clone();
        let (pictures, incoming) = sync_channel::<Shown>(WAITING);
        let encoder = thread::spawn(move || {
            let mut film = target.open(series)?;
            let mut written = 0;
            for Shown { pixels, times } in incoming {
                for _ in 0..times {
                    // Neither form of film ends early.
                    let _ = film.write(&pixels)?;
                    written += 1;
                }
            }
            film.finish()?;
            Ok(written)
        });
        Ok(Self { target: kept, size, pictures: Some(pictures), encoder, until: None, left_out: 0 })
    }

    /// Takes a picture if it is time for one, or for several. A picture of another size ends the film.
    pub(crate) fn note(&mut self, size: (u32, u32), pixels: &[Pixel]) {
        if size != self.size {
            self.end();
        }
        let now = Instant::now();
        let until = self.until.unwrap_or(now - EVERY);
        let times = (now - until).as_millis() as u32 / EVERY.as_millis() as u32;
        let Some(pictures) = self.pictures.as_ref().filter(|_| times > 0) else { return };
        match pictures.try_send(Shown { pixels: pixels.to_vec(), times }) {
            Ok(()) => self.until = Some(until + EVERY * times),
            Err(TrySendError::Full(_)) => self.left_out += 1,
            // The encoder has failed; `result` says why.
            Err(TrySendError::Disconnected(_)) => self.end(),
        }
    }

    /// No more pictures.
    pub(crate) fn end(&mut self) {
        self.pictures = None;
    }

    /// Whether everything is written, or has failed.
    pub(crate) fn is_done(&self) -> bool {
        self.encoder.is_finished()
    }

    /// Waits for the last picture, and says what came of it.
    pub(crate) fn result(mut self) -> String {
        self.end();
        let left_out = match self.left_out {
            0 => String::new(),
            left_out => format!("; {left_out} came too fast, and others take their time"),
        };
        match self.encoder.join() {
            Ok(Ok(0)) => "the film ended before its first picture".into(),
            Ok(Ok(written)) => {
                let files = self.target.describe(written, UNKNOWN);
                format!("wrote {files}: {written} pictures{left_out}")
            }
            Ok(Err(failure)) => failure.to_string(),
            Err(_) => "the film cannot be written: the encoder failed".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes three pictures and one of another size; returns what is said of them.
    fn film(path: PathBuf) -> String {
        let mut film = Recorder::start(Target::try_from(path).unwrap(), (16, 16)).unwrap();
        for shade in 0..3 {
            film.note((16, 16), &[[shade * 80, 0, 0, 255]; 256]);
            film.until = None;
        }
        film.note((32, 16), &[[0; 4]; 512]);
        assert!(film.pictures.is_none(), "a picture of another size ends the film");
        film.result()
    }

    #[test]
    fn a_film_has_the_pictures_that_were_taken() {
        let folder = tempfile::tempdir().unwrap();
        let said = film(folder.path().join("film.gif"));
        assert!(said.contains("film.gif: 3 pictures"), "{said}");
        assert!(std::fs::read(folder.path().join("film.gif")).unwrap().starts_with(b"GIF89a"));

        let said = film(folder.path().join("film.png"));
        assert!(said.contains("film-0001.png to "), "{said}");
        assert!(said.ends_with("film-0003.png: 3 pictures"), "{said}");
        for (name, there) in [("film-0003.png", true), ("film-0004.png", false)] {
            assert_eq!(folder.path().join(name).exists(), there, "{name}");
        }
    }

    #[test]
    fn a_film_is_as_long_as_it_took() {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::Gif(folder.path().join("film.gif"));
        let mut film = Recorder::start(target, (16, 16)).unwrap();
        let picture = [[0, 0, 0, 255]; 256];
        film.note((16, 16), &picture);
        // A picture that comes 174 ms after the last takes the time of three, and its rest is
        // not lost.
        let late = Instant::now() - Duration::from_millis(174);
        film.until = Some(late);
        film.note((16, 16), &picture);
        assert_eq!(film.until, Some(late + EVERY * 3));
        film.until = Some(Instant::now());
        film.note((16, 16), &picture);
        let said = film.result();
        assert!(said.contains(": 4 pictures"), "{said}");
    }

    #[test]
    fn what_cannot_be_written_is_said() {
        let nowhere = Target::Gif("no/such/folder/film.gif".into());
        assert!(Recorder::start(nowhere, (16, 16)).is_err());
        let said = take_picture("no/such/folder/picture", 1, &[[0; 4]]);
        assert!(said.contains("cannot write no/such/folder/picture.png"), "{said}");
    }
}
