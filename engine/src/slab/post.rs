//! A slab's messages over its exchange. All buffers are reused, so steps allocate nothing. The time
//! spent communicating is measured.

use std::time::{Duration, Instant};

use crate::slab::exchange::{Exchange, Incoming, Outgoing};

#[derive(Debug, Default)]
pub(super) struct Mail {
    outgoing: Vec<Outgoing<'static>>,
    /// Only the first `awaited` messages belong to the latest exchange.
    inbox: Vec<Incoming>,
    awaited: usize,
    gathered: Vec<Vec<u8>>,
    /// Time spent communicating, excluding work that was done meanwhile.
    pub(super) spent: Duration,
}

pub(super) struct Post<'x, X> {
    pub(super) exchange: &'x mut X,
    pub(super) mail: Mail,
}

impl<X: Exchange> Post<'_, X> {
    pub(super) fn exchange<'a>(
        &mut self,
        outgoing: impl Iterator<Item = Outgoing<'a>>,
        senders: impl Iterator<Item = (usize, usize)>,
        mut meanwhile: impl FnMut() -> bool,
    ) -> Result<(), X::Lost> {
        let start = Instant::now();
        let Mail { outgoing: list, inbox, awaited, .. } = &mut self.mail;
        let mut sent = emptied(std::mem::take(list));
        sent.extend(outgoing);
        *awaited = 0;
        for (from, pieces) in senders {
            if *awaited == inbox.len() {
                inbox.push(Incoming::default());
            }
            let message = &mut inbox[*awaited];
            (message.from, message.pieces) = (from, pieces);
            *awaited += 1;
        }
        let mut computed = Duration::ZERO;
        let done = self.exchange.exchange(&sent, &mut inbox[..*awaited], &mut || {
            let start = Instant::now();
            let more = meanwhile();
            computed += start.elapsed();
            more
        });
        *list = emptied(sent);
        self.mail.spent += start.elapsed().saturating_sub(computed);
        done
    }

    /// Sends each slab in `with` its message, and receives one message from each of these slabs.
    pub(super) fn swap(
        &mut self,
        messages: &[Vec<u8>],
        with: impl Iterator<Item = usize> + Clone,
    ) -> Result<(), X::Lost> {
        let outgoing = with.clone().map(|to| Outgoing { to, piece: &messages[to] });
        self.exchange(outgoing, with.map(|from| (from, 1)), || false)
    }

    /// The messages of the latest exchange, in the order of its senders.
    pub(super) fn received(&self) -> impl Iterator<Item = (usize, &[u8])> + Clone {
        let received = &self.mail.inbox[..self.mail.awaited];
        received.iter().map(|message| (message.from, &message.bytes[..]))
    }

    pub(super) fn all_gather(&mut self, bytes: &[u8]) -> Result<&[Vec<u8>], X::Lost> {
        self.timed(|exchange, mail| exchange.all_gather(bytes, &mut mail.gathered))?;
        Ok(&self.mail.gathered)
    }

    pub(super) fn timed<R>(&mut self, talk: impl FnOnce(&mut X, &mut Mail) -> R) -> R {
        let start = Instant::now();
        let result = talk(self.exchange, &mut self.mail);
        self.mail.spent += start.elapsed();
        result
    }
}

/// Clears the list but keeps its memory: `collect` works in place, since both types have equal
/// sizes.
fn emptied<'a>(mut pieces: Vec<Outgoing<'_>>) -> Vec<Outgoing<'a>> {
    pieces.clear();
    pieces.into_iter().map(|_| unreachable!("it is empty")).collect()
}
