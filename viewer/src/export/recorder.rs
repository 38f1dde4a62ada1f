//! Recordings of the window: what the canvas shows, without the panel.
//!
//! A recording is a GIF, encoded on its own thread. It has a picture for
//! every 50 ms of real time: a picture that stays longer is repeated. If pictures arrive faster
//! than they can be encoded, some are dropped, the next one fills their time, and the final message
//! says so.

use std::path::PathBuf;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::gif::Gif;
use crate::error::Error;
use crate::raster::palette::Pixel;

/// Time between two pictures of a recording.
const INTERVAL: Duration = Duration::from_millis(50);
/// Maximum number of pictures that wait to be encoded.
const MAX_QUEUED: usize = 16;

/// A recording in progress.
pub(crate) struct Recorder {
    path: PathBuf,
    pub(crate) size: (u32, u32),
    /// Takes pictures, and how many times each appears. Closed when the recording stops.
    pictures: Option<SyncSender<(Vec<Pixel>, u32)>>,
    encoder: JoinHandle<Result<u32, Error>>,
    /// The end of the time recorded so far.
    until: Option<Instant>,
    dropped: u32,
}

impl Recorder {
    pub(crate) fn start(path: PathBuf, size: (u32, u32)) -> Result<Self, Error> {
        let mut gif = Gif::create(&path, size, INTERVAL.as_secs_f32())?;
        let (pictures, incoming) = sync_channel::<(Vec<Pixel>, u32)>(MAX_QUEUED);
        let encoder = thread::spawn(move || {
            let mut written = 0;
            for (pixels, times) in incoming {
                for _ in 0..times {
                    gif.write(&pixels)?;
                    written += 1;
                }
            }
            gif.finish()?;
            Ok(written)
        });
        Ok(Self { path, size, pictures: Some(pictures), encoder, until: None, dropped: 0 })
    }

    /// Whether it is time for a picture.
    pub(crate) fn is_due(&self) -> bool {
        self.until.is_none_or(|until| until.elapsed() >= INTERVAL)
    }

    /// Adds as many copies of a picture as are due, if any. A picture of another size stops the
    /// recording.
    pub(crate) fn add(&mut self, size: (u32, u32), pixels: Vec<Pixel>) {
        if size != self.size {
            self.stop();
        }
        let now = Instant::now();
        let until = self.until.unwrap_or(now - INTERVAL);
        let times = (now - until).as_millis() as u32 / INTERVAL.as_millis() as u32;
        let Some(pictures) = self.pictures.as_ref().filter(|_| times > 0) else { return };
        match pictures.try_send((pixels, times)) {
            Ok(()) => self.until = Some(until + INTERVAL * times),
            Err(TrySendError::Full(_)) => self.dropped += 1,
            // The encoder has failed; `finish` reports why.
            Err(TrySendError::Disconnected(_)) => self.stop(),
        }
    }

    /// Accepts no more pictures.
    pub(crate) fn stop(&mut self) {
        self.pictures = None;
    }

    /// Whether everything is written, or writing has failed.
    pub(crate) fn is_done(&self) -> bool {
        self.encoder.is_finished()
    }

    /// Waits for the last picture and returns a message about the result.
    pub(crate) fn finish(mut self) -> String {
        self.stop();
        let dropped = match self.dropped {
            0 => String::new(),
            dropped => format!("; {dropped} came too fast and were replaced by the next"),
        };
        match self.encoder.join() {
            Ok(Ok(0)) => "the recording ended before its first picture".into(),
            Ok(Ok(written)) => {
                format!("wrote {}: {written} pictures{dropped}", self.path.display())
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => "the recording cannot be written: the encoder failed".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::files::write_png;

    /// Records three pictures and one of another size; returns the final message.
    fn recording(path: PathBuf) -> String {
        let mut recording = Recorder::start(path, (16, 16)).unwrap();
        for shade in 0..3 {
            recording.add((16, 16), vec![[shade * 80, 0, 0, 255]; 256]);
            recording.until = None;
        }
        recording.add((32, 16), vec![[0; 4]; 512]);
        assert!(recording.pictures.is_none(), "a picture of another size ends the recording");
        recording.finish()
    }

    #[test]
    fn a_recording_has_the_pictures_that_were_added() {
        let folder = tempfile::tempdir().unwrap();
        let said = recording(folder.path().join("recording.gif"));
        assert!(said.contains("recording.gif: 3 pictures"), "{said}");
        assert!(std::fs::read(folder.path().join("recording.gif")).unwrap().starts_with(b"GIF89a"));
    }

    #[test]
    fn a_recording_lasts_as_long_as_it_took() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("recording.gif");
        let mut recording = Recorder::start(path, (16, 16)).unwrap();
        let picture = || vec![[0, 0, 0, 255]; 256];
        recording.add((16, 16), picture());
        // A picture 174 ms after the last one fills the time of three; the remainder is kept.
        let late = Instant::now() - Duration::from_millis(174);
        recording.until = Some(late);
        recording.add((16, 16), picture());
        assert_eq!(recording.until, Some(late + INTERVAL * 3));
        recording.until = Some(Instant::now());
        recording.add((16, 16), picture());
        let said = recording.finish();
        assert!(said.contains(": 4 pictures"), "{said}");
    }

    #[test]
    fn write_errors_are_reported() {
        let nowhere = "no/such/folder/recording.gif".into();
        assert!(Recorder::start(nowhere, (16, 16)).is_err());
        let picture = "no/such/folder/picture.png";
        let said = write_png(picture.as_ref(), 1, &[[0; 4]]).unwrap_err().to_string();
        assert!(said.contains(&format!("cannot write {picture}")), "{said}");
    }
}
