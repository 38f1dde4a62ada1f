//! Sends and receives a rank's messages. All buffers are reused, so steps allocate nothing.

use std::time::{Duration, Instant};

use flockwork::slab::{Outbox, Received};

use crate::transport::{Incoming, Lost, Outgoing, Transport};

#[derive(Debug)]
pub(crate) struct Exchange<'t, T> {
    pub(crate) transport: &'t mut T,
    pub(crate) inbox: Vec<Vec<u8>>,
    expected: Vec<(usize, usize)>,
    pub(crate) spent: Duration,
    outbox: Outbox<'static>,
    outgoing: Vec<Outgoing<'static>>,
    incoming: Vec<Incoming<'static>>,
}

impl<'t, T: Transport> Exchange<'t, T> {
    pub(crate) fn new(transport: &'t mut T) -> Self {
        Self {
            inbox: vec![Vec::new(); transport.ranks()],
            transport,
            expected: Vec::new(),
            spent: Duration::ZERO,
            outbox: Outbox::default(),
            outgoing: Vec::new(),
            incoming: Vec::new(),
        }
    }

    pub(crate) fn outbox<'a>(&mut self) -> Outbox<'a> {
        std::mem::take(&mut self.outbox).emptied()
    }

    pub(crate) fn expect(&mut self, from: impl IntoIterator<Item = usize>) {
        self.expect_pieces(from.into_iter().map(|rank| (rank, 1)));
    }

    pub(crate) fn expect_pieces(&mut self, from: impl IntoIterator<Item = (usize, usize)>) {
        self.expected.clear();
        self.expected.extend(from);
    }

    pub(crate) fn received(&self) -> impl Iterator<Item = Received<'_>> + Clone {
        self.expected.iter().map(|&(from, _)| Received { from, bytes: &self.inbox[from] })
    }

    pub(crate) fn complete(&mut self, out: Outbox<'_>) -> Result<(), Lost> {
        self.complete_while(out, &mut || false)
    }

    pub(crate) fn complete_while(
        &mut self,
        out: Outbox<'_>,
        steer_round: &mut dyn FnMut() -> bool,
    ) -> Result<(), Lost> {
        let start = Instant::now();
        let mut computed = Duration::ZERO;
        let mut outgoing = emptied(std::mem::take(&mut self.outgoing));
        let messages = out.messages().map(|message| (message.to, message.pieces));
        outgoing.extend(messages.map(|(to, pieces)| Outgoing { to, pieces }));
        let mut incoming = emptied(std::mem::take(&mut self.incoming));
        let mut expected = self.expected.iter().peekable();
        incoming.extend(self.inbox.iter_mut().enumerate().filter_map(|(from, bytes)| {
            let (_, pieces) = *expected.next_if(|(rank, _)| *rank == from)?;
            Some(Incoming { from, pieces, bytes })
        }));
        let done = self.transport.exchange(&outgoing, &mut incoming, &mut || {
            let start = Instant::now();
            let more = steer_round();
            computed += start.elapsed();
            more
        });
        self.incoming = emptied(incoming);
        self.outgoing = emptied(outgoing);
        self.outbox = out.emptied();
        self.spent += start.elapsed().saturating_sub(computed);
        done
    }
}

/// Clears the list but keeps its memory: `collect` works in place if `A` and `B` have equal sizes.
fn emptied<A, B>(mut items: Vec<A>) -> Vec<B> {
    items.clear();
    items.into_iter().map(|_| unreachable!("it is empty")).collect()
}
