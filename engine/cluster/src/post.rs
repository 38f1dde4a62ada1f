//! A rank's messages: what its slab sends, and what others sent it.

use std::time::{Duration, Instant};

use flockwork::slab::{Outbox, Received};

use crate::transport::{Incoming, Lost, Outgoing, Transport};

/// Passes messages on; all memory is used again, so that steps allocate nothing.
#[derive(Debug)]
pub(crate) struct Post<'t, T> {
    pub(crate) transport: &'t mut T,
    /// The latest message from each rank.
    pub(crate) inbox: Vec<Vec<u8>>,
    /// The ranks of which messages are expected, ascending, and the number of pieces of each.
    expected: Vec<(usize, usize)>,
    /// Time spent in exchanges, computing in them not counted.
    pub(crate) spent: Duration,
    /// Memory for the next messages.
    outbox: Outbox<'static>,
    outgoing: Vec<Outgoing<'static>>,
    incoming: Vec<Incoming<'static>>,
}

impl<'t, T: Transport> Post<'t, T> {
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

    /// An empty outbox.
    pub(crate) fn outbox<'a>(&mut self) -> Outbox<'a> {
        std::mem::take(&mut self.outbox).emptied()
    }

    /// Expects messages of one piece from these ranks.
    pub(crate) fn expect(&mut self, from: impl IntoIterator<Item = usize>) {
        self.expect_pieces(from.into_iter().map(|rank| (rank, 1)));
    }

    /// Expects messages from these ranks, which ascend, of that many pieces.
    pub(crate) fn expect_pieces(&mut self, from: impl IntoIterator<Item = (usize, usize)>) {
        self.expected.clear();
        self.expected.extend(from);
    }

    /// What the ranks sent that were expected to.
    pub(crate) fn received(&self) -> impl Iterator<Item = Received<'_>> + Clone {
        self.expected.iter().map(|&(from, _)| Received { from, bytes: &self.inbox[from] })
    }

    /// Sends messages and receives those that are expected.
    pub(crate) fn pass_on(&mut self, out: Outbox<'_>) -> Result<(), Lost> {
        self.pass_on_while(out, &mut || false)
    }

    /// [`Self::pass_on`], which computes stretches meanwhile.
    pub(crate) fn pass_on_while(
        &mut self,
        out: Outbox<'_>,
        stretch: &mut dyn FnMut() -> bool,
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
            let more = stretch();
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

/// An empty vector in the memory of one whose items have become useless: collecting reuses it, as
/// the new items are as large.
fn emptied<A, B>(mut items: Vec<A>) -> Vec<B> {
    items.clear();
    items.into_iter().map(|_| unreachable!("it is empty")).collect()
}
