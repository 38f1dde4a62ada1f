//! What slabs send each other.

/// Bytes for another slab, as pieces to be joined.
#[derive(Clone, Debug)]
pub struct Message<'a> {
    /// The number of the slab that it is for.
    pub to: usize,
    /// Slices that are sent as they are.
    pub pieces: Vec<&'a [u8]>,
}

/// Bytes from another slab.
#[derive(Clone, Copy, Debug)]
pub struct Received<'a> {
    /// The number of the slab that sent them.
    pub from: usize,
    /// The pieces of its message, joined.
    pub bytes: &'a [u8],
}

/// Messages as [`Message`]s, one for each of `to`.
pub(super) fn messages<'a>(
    to: impl IntoIterator<Item = usize>,
    messages: &'a [Vec<u8>],
) -> Vec<Message<'a>> {
    to.into_iter().map(|to| Message { to, pieces: vec![&messages[to][..]] }).collect()
}
