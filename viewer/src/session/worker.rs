//! Runs a session on its own thread, so that a long step never blocks the window.
//!
//! Commands go in, frames come out. There are two frames: one is shown while the other is filled.
//! Commands are applied between steps.

use std::cell::Cell;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::frame::Frame;
use super::{Session, Update};
use crate::{Error, spawn};

/// Minimum time between two frames. A higher rate would not be visible.
const MIN_FRAME_INTERVAL: Duration = Duration::from_millis(8);

enum Message {
    /// A command, and true if the command counts toward `commands_applied`.
    Command(Update, bool),
    Fill(Box<Frame>),
}

pub(crate) struct Worker {
    messages: Sender<Message>,
    frames: Receiver<Box<Frame>>,
    sent: Cell<u64>,
    thread: JoinHandle<bool>,
}

impl Worker {
    /// Starts the thread, which calls `wake` after each new frame.
    pub(crate) fn start(
        mut session: Session,
        wake: impl Fn() + Send + 'static,
    ) -> Result<(Self, Box<Frame>), Error> {
        let first = session.new_frame();
        let (messages, incoming) = channel();
        let (outgoing, frames) = channel();
        let second = session.new_frame();
        // The thread ends when the window drops its ends of the channels.
        let work = move || run(session, &incoming, &outgoing, wake);
        let thread = spawn(work)?;
        let worker = Self { messages, frames, sent: Cell::new(0), thread };
        worker.recycle(second);
        Ok((worker, first))
    }

    /// Waits until every command is applied. Returns false if saving failed or the thread panicked.
    /// A panic has already printed its message to standard error.
    pub(crate) fn finish(self) -> bool {
        drop((self.messages, self.frames));
        self.thread.join().unwrap_or(false)
    }

    pub(crate) fn send(&self, act: impl FnOnce(&mut Session) + Send + 'static) {
        self.sent.set(self.sent.get() + 1);
        // Sending fails only if the thread has panicked. The window then closes.
        let _ = self.messages.send(Message::Command(Box::new(act), true));
    }

    /// Queues a command that `is_current` ignores, e.g. dragging a point. Such commands change no
    /// control and arrive constantly: if they were counted, no frame would ever be current.
    pub(crate) fn send_continuous(&self, act: impl FnOnce(&mut Session) + Send + 'static) {
        let _ = self.messages.send(Message::Command(Box::new(act), false));
    }

    /// Returns the next frame. Fails with `Empty` if there is none, or with `Disconnected` if
    /// the thread has panicked.
    pub(crate) fn latest(&self) -> Result<Box<Frame>, TryRecvError> {
        self.frames.try_recv()
    }

    pub(crate) fn recycle(&self, frame: Box<Frame>) {
        let _ = self.messages.send(Message::Fill(frame));
    }

    /// True if the frame reflects every command sent with `send`.
    pub(crate) fn is_current(&self, frame: &Frame) -> bool {
        frame.commands_applied == self.sent.get()
    }
}

fn run(
    mut session: Session,
    messages: &Receiver<Message>,
    frames: &Sender<Box<Frame>>,
    wake: impl Fn(),
) -> bool {
    let mut free_frame = None;
    let mut applied = 0;
    let mut changed = true;
    let mut last = Instant::now();
    let mut shown = last;
    loop {
        let rest = match free_frame {
            Some(_) if changed => Some(MIN_FRAME_INTERVAL.saturating_sub(shown.elapsed())),
            _ => session.idle_time(),
        };
        let mut message = match rest {
            Some(rest) => messages.recv_timeout(rest),
            None => messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        loop {
            match message {
                Ok(Message::Command(act, counts)) => {
                    act(&mut session);
                    applied += u64::from(counts);
                    changed = true;
                }
                Ok(Message::Fill(frame)) => free_frame = Some(frame),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return session.finish(),
            }
            message = messages.recv_timeout(Duration::ZERO);
        }
        let elapsed = last.elapsed();
        last = Instant::now();
        changed |= session.advance(elapsed);
        let unstepped_time = changed && shown.elapsed() >= MIN_FRAME_INTERVAL;
        if let Some(mut frame) = free_frame.take_if(|_| unstepped_time) {
            shown = Instant::now();
            session.fill(&mut frame);
            frame.commands_applied = applied;
            // Sending fails only once the window is closed. Its last commands may still be queued.
            let _ = frames.send(frame);
            changed = false;
            wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::sync_channel;
    use std::thread;

    use super::*;

    fn next(worker: &Worker) -> Box<Frame> {
        loop {
            match worker.latest() {
                Ok(frame) => return frame,
                Err(TryRecvError::Empty) => thread::sleep(Duration::from_millis(1)),
                Err(TryRecvError::Disconnected) => panic!("the thread has ended"),
            }
        }
    }

    fn start(scene: &str) -> (Worker, Box<Frame>) {
        Worker::start(Session::named(scene), || ()).unwrap()
    }

    #[test]
    fn frames_keep_coming_while_they_are_recycled() {
        let (worker, first) = start("flock");
        assert_eq!(first.view.x.len(), first.view.y.len());
        let mut tick = first.view.step;
        for _ in 0..5 {
            let frame = next(&worker);
            assert!(frame.view.step >= tick);
            tick = frame.view.step;
            worker.recycle(frame);
        }
        assert!(tick > 0);
    }

    #[test]
    fn commands_are_applied_in_order_and_counted() {
        let (worker, _) = start("flock");
        worker.send(|session| session.step_once());
        worker.send(|session| session.restart(Some(7)));
        worker.send(|session| session.step_once());
        let frame = loop {
            let frame = next(&worker);
            if worker.is_current(&frame) {
                break frame;
            }
            worker.recycle(frame);
        };
        assert!(frame.controls.paused && frame.readings.hash.is_some());
        assert_eq!(frame.readings.seed, 7);
        worker.send_continuous(|session| session.drag_point([0.0, 1.0]));
        assert!(worker.is_current(&frame), "continuous commands are not counted");
    }

    /// Regression: quitting right after a save lost the file.
    #[test]
    fn a_save_is_complete_after_the_window_closes() {
        let folder = tempfile::tempdir().unwrap();
        let scene = flockwork::Scene::named("stress").unwrap().agents(30_000);
        let session = Session::of(scene.build().unwrap(), Vec::new());
        let (worker, _) = Worker::start(session, || ()).unwrap();
        let path = folder.path().to_owned();
        worker.send(move |session| session.save_snapshot(&path));
        assert!(worker.finish());
        let file = std::fs::read_dir(&folder).unwrap().next().expect("a file").unwrap().path();
        assert_eq!(flockwork::Snapshot::load(file).unwrap().build().unwrap().len(), 30_000);
    }

    /// Regression: the viewer's exit code was 0 although a save had failed on quitting.
    #[test]
    fn a_save_that_fails_on_quitting_is_a_failure() {
        for agents in [100, 30_000] {
            let scene = flockwork::Scene::named("stress").unwrap().agents(agents);
            let session = Session::of(scene.build().unwrap(), Vec::new());
            let (worker, _) = Worker::start(session, || ()).unwrap();
            worker.send(|session| session.save_snapshot("no/such/folder".as_ref()));
            assert!(!worker.finish(), "{agents} agents");
        }
    }

    #[test]
    fn a_long_step_does_not_block_the_window() {
        let (worker, first) = start("flock");
        let (busy, is_busy) = sync_channel(0);
        let (release, released) = sync_channel::<()>(0);
        worker.send(move |_| {
            busy.send(()).unwrap();
            released.recv().unwrap();
        });
        is_busy.recv().unwrap();
        while worker.latest().is_ok() {}
        worker.send(|session| session.step_once());
        assert!(worker.latest().is_err() && !worker.is_current(&first));
        worker.recycle(first);
        release.send(()).unwrap();
        assert!(!next(&worker).view.x.is_empty());
    }

    #[test]
    fn a_panic_of_the_thread_is_noticed() {
        let (worker, _) = start("flock");
        worker.send(|_| std::panic::resume_unwind(Box::new("on purpose")));
        let start = Instant::now();
        while !matches!(worker.latest(), Err(TryRecvError::Disconnected)) {
            assert!(start.elapsed() < Duration::from_secs(60), "it is not noticed");
            thread::sleep(Duration::from_millis(1));
        }
    }
}
