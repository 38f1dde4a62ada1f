//! What slabs send each other.

/// Messages for other slabs, with room for those of the next call: nothing is allocated per step.
#[derive(Debug, Default)]
pub struct Outbox<'a> {
    pieces: Vec<&'a [u8]>,
    /// For each message, the slab that it is for, and where its pieces end.
    ends: Vec<(usize, usize)>,
}

/// Bytes for another slab, as pieces to be joined.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// The number of the slab that it is for.
    pub to: usize,
    /// Slices that are sent as they are.
    pub pieces: &'a [&'a [u8]],
}

/// Bytes from another slab.
#[derive(Clone, Copy, Debug)]
pub struct Received<'a> {
    /// The number of the slab that sent them.
    pub from: usize,
    /// The pieces of its message, joined.
    pub bytes: &'a [u8],
}

impl<'a> Outbox<'a> {
    /// The messages.
    pub fn messages(&self) -> impl ExactSizeIterator<Item = Message<'_>> + Clone {
        self.ends.iter().enumerate().map(|(at, &(to, end))| {
            let start = if at == 0 { 0 } else { self.ends[at - 1].1 };
            Message { to, pieces: &self.pieces[start..end] }
        })
    }

    /// Adds a message.
    pub fn push(&mut self, to: usize, pieces: impl IntoIterator<Item = &'a [u8]>) {
        self.pieces.extend(pieces);
        self.ends.push((to, self.pieces.len()));
    }

    /// Empty, in the memory of this one.
    #[must_use]
    pub fn emptied<'b>(mut self) -> Outbox<'b> {
        self.pieces.clear();
        self.ends.clear();
        // Collecting reuses the memory of a vector whose items are as large.
        let pieces = self.pieces.into_iter().map(|_| &[][..]).collect();
        Outbox { pieces, ends: self.ends }
    }
}
