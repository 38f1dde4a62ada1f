//! A session on a thread of its own, so that a long step never holds up the window.
//!
//! Orders go in, frames come out. Two frames are on the way at most: one is shown while the
//! other is filled. Orders are carried out between steps.

use std::cell::Cell;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::Session;
use super::frame::Frame;

/// Between two frames: more pictures than that nobody sees.
const MOST_OFTEN: Duration = Duration::from_millis(8);

enum Order {
    /// Something to do with the session, and whether frames are to have heard of it.
    Do(Box<dyn FnOnce(&mut Session) + Send>, bool),
    /// A frame to fill as soon as there is something new.
    Fill(Box<Frame>),
}

pub(crate) struct Runner {
    orders: Sender<Order>,
    frames: Receiver<Box<Frame>>,
    told: Cell<u64>,
}

impl Runner {
    /// Starts the thread; `wake` is called from it whenever there is a new frame.
    pub(crate) fn start(
        mut session: Session,
        wake: impl Fn() + Send + 'static,
    ) -> (Self, Box<Frame>) {
        let first = session.frame();
        let (orders, incoming) = channel();
        let (outgoing, frames) = channel();
        let runner = Self { orders, frames, told: Cell::new(0) };
        runner.give_back(session.frame());
        // The thread ends when the window, which holds the other end, does.
        thread::spawn(move || run(session, &incoming, &outgoing, wake));
        (runner, first)
    }

    /// Has something done, soon.
    pub(crate) fn tell(&self, act: impl FnOnce(&mut Session) + Send + 'static) {
        self.told.set(self.told.get() + 1);
        // Without a listener the thread has panicked, which ends the window.
        let _ = self.orders.send(Order::Do(Box::new(act), true));
    }

    /// Has something done that goes on and on and sets nothing, such as driving: if frames had to
    /// have heard of it, none would ever know of everything.
    pub(crate) fn keep_telling(&self, act: impl FnOnce(&mut Session) + Send + 'static) {
        let _ = self.orders.send(Order::Do(Box::new(act), false));
    }

    /// A new frame, if there is one.
    pub(crate) fn latest(&self) -> Result<Option<Box<Frame>>, Stopped> {
        use std::sync::mpsc::TryRecvError;
        match self.frames.try_recv() {
            Ok(frame) => Ok(Some(frame)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(Stopped),
        }
    }

    /// Returns a frame, to be filled anew.
    pub(crate) fn give_back(&self, frame: Box<Frame>) {
        let _ = self.orders.send(Order::Fill(frame));
    }

    /// Whether a frame knows of everything that was told.
    pub(crate) fn is_heard(&self, frame: &Frame) -> bool {
        frame.heard == self.told.get()
    }
}

/// The thread is gone: it has panicked.
#[derive(Debug)]
pub(crate) struct Stopped;

fn run(
    mut session: Session,
    orders: &Receiver<Order>,
    frames: &Sender<Box<Frame>>,
    wake: impl Fn(),
) {
    let mut blank = None;
    let mut heard = 0;
    let mut news = true;
    let mut last = Instant::now();
    let mut shown = last;
    loop {
        let rest = match blank {
            Some(_) if news => Some(MOST_OFTEN.saturating_sub(shown.elapsed())),
            _ => session.rest(),
        };
        let mut order = match rest {
            Some(rest) => orders.recv_timeout(rest),
            None => orders.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        loop {
            match order {
                Ok(Order::Do(act, counts)) => {
                    act(&mut session);
                    heard += u64::from(counts);
                    news = true;
                }
                Ok(Order::Fill(frame)) => blank = Some(frame),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return,
            }
            order = orders.recv_timeout(Duration::ZERO);
        }
        let elapsed = last.elapsed();
        last = Instant::now();
        news |= session.advance(elapsed);
        let due = news && shown.elapsed() >= MOST_OFTEN;
        if let Some(mut frame) = blank.take_if(|_| due) {
            shown = Instant::now();
            session.show(&mut frame);
            frame.look = shown.elapsed();
            frame.heard = heard;
            if frames.send(frame).is_err() {
                return;
            }
            news = false;
            wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::sync_channel;

    fn next(runner: &Runner) -> Box<Frame> {
        loop {
            match runner.latest() {
                Ok(Some(frame)) => return frame,
                Ok(None) => thread::sleep(Duration::from_millis(1)),
                Err(Stopped) => panic!("the thread is gone"),
            }
        }
    }

    fn start(scene: &str) -> (Runner, Box<Frame>) {
        Runner::start(Session::named(scene), || ())
    }

    #[test]
    fn frames_come_as_long_as_they_are_given_back() {
        let (runner, first) = start("flock");
        assert_eq!(first.view.x.len(), first.readings.agents);
        let mut tick = first.readings.tick;
        for _ in 0..5 {
            let frame = next(&runner);
            assert!(frame.readings.tick >= tick);
            tick = frame.readings.tick;
            runner.give_back(frame);
        }
        assert!(tick > 0);
    }

    #[test]
    fn orders_are_carried_out_in_turn_and_heard_of() {
        let (runner, _) = start("flock");
        runner.tell(|session| session.step_once());
        runner.tell(|session| session.restart(Some(7)));
        runner.tell(|session| session.step_once());
        let frame = loop {
            let frame = next(&runner);
            if runner.is_heard(&frame) {
                break frame;
            }
            runner.give_back(frame);
        };
        assert!(frame.controls.paused && frame.readings.hash.is_some());
        assert_eq!(frame.readings.seed, 7);
        runner.keep_telling(|session| session.drive([0.0, 1.0]));
        assert!(runner.is_heard(&frame), "that need not be heard of");
    }

    #[test]
    fn a_long_step_does_not_hold_up_the_window() {
        let (runner, first) = start("flock");
        let (busy, is_busy) = sync_channel(0);
        let (release, released) = sync_channel::<()>(0);
        runner.tell(move |_| {
            busy.send(()).unwrap();
            released.recv().unwrap();
        });
        is_busy.recv().unwrap();
        while let Ok(Some(_)) = runner.latest() {}
        // The thread waits for us, and we can still tell and ask.
        runner.tell(|session| session.step_once());
        assert!(runner.latest().unwrap().is_none() && !runner.is_heard(&first));
        runner.give_back(first);
        release.send(()).unwrap();
        assert!(next(&runner).readings.agents > 0);
    }

    #[test]
    fn the_death_of_the_thread_is_noticed() {
        let (runner, _) = start("flock");
        runner.tell(|_| std::panic::resume_unwind(Box::new("on purpose")));
        let gone = || loop {
            match runner.latest() {
                Ok(_) => thread::sleep(Duration::from_millis(1)),
                Err(Stopped) => return true,
            }
        };
        assert!(gone());
    }
}
