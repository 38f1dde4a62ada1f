//! Numbers and columns as little-endian bytes.
//!
//! A list is its length as eight bytes, followed by its entries. The reader trusts no length before
//! it has checked that enough bytes are left.

use crate::error::{Error, Place};

/// The error for an invalid snapshot; `message` says what is wrong and where.
pub(super) fn unsound(message: impl Into<String>) -> Error {
    Error::Snapshot { at: Place::default(), message: message.into() }
}

/// The error for a snapshot whose scene is refused.
pub(super) fn in_snapshot(error: Error) -> Error {
    unsound(error.to_string())
}

#[derive(Default)]
pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    pub(super) fn number(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    pub(super) fn bytes(&mut self, values: &[u8]) {
        self.number(values.len() as u64);
        self.0.extend(values);
    }

    pub(super) fn words(&mut self, values: &[u32]) {
        self.number(values.len() as u64);
        let start = self.0.len();
        self.0.resize(start + size_of_val(values), 0);
        let (chunks, _) = self.0[start..].as_chunks_mut();
        chunks.iter_mut().zip(values).for_each(|(to, value)| *to = value.to_le_bytes());
    }

    pub(super) fn floats(&mut self, values: &[f32]) {
        self.words(bytemuck::cast_slice(values));
    }
}

/// Reads bytes from the front.
pub(super) struct Reader<'a> {
    rest: &'a [u8],
    /// The number of bytes read before `rest`.
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, at: 0 }
    }

    /// The next `count` entries of `size` bytes each; `what` names them in errors.
    fn take(&mut self, what: &str, count: u64, size: usize) -> Result<&'a [u8], Error> {
        let length = usize::try_from(count).ok().and_then(|count| count.checked_mul(size));
        let split = length.and_then(|length| self.rest.split_at_checked(length));
        let Some((taken, rest)) = split else {
            let (at, left) = (self.at, self.rest.len());
            return Err(unsound(format!(
                "byte {at}: {what} should be {count} × {size} bytes, but {left} are left"
            )));
        };
        (self.rest, self.at) = (rest, self.at + taken.len());
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], Error> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(what, 1, N)?);
        Ok(array)
    }

    pub(super) fn number(&mut self, what: &str) -> Result<u64, Error> {
        self.array(what).map(u64::from_le_bytes)
    }

    pub(super) fn bytes(&mut self, what: &str) -> Result<&'a [u8], Error> {
        let count = self.number(what)?;
        self.take(what, count, 1)
    }

    pub(super) fn words(&mut self, what: &str) -> Result<Vec<u32>, Error> {
        self.list(what, u32::from_le_bytes)
    }

    pub(super) fn floats(&mut self, what: &str) -> Result<Vec<f32>, Error> {
        self.list(what, f32::from_le_bytes)
    }

    fn list<T>(&mut self, what: &str, entry: fn([u8; 4]) -> T) -> Result<Vec<T>, Error> {
        let count = self.number(what)?;
        let (chunks, _) = self.take(what, count, 4)?.as_chunks();
        Ok(chunks.iter().map(|&chunk| entry(chunk)).collect())
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Checks that no bytes are left.
    pub(super) fn end(&self) -> Result<(), Error> {
        match self.rest.len() {
            0 => Ok(()),
            left => Err(unsound(format!("byte {}: {left} bytes too many", self.at))),
        }
    }
}
