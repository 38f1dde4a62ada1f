//! Hashing of 64-bit words, and the checksum of files.

/// An odd constant with well-spread bits (2⁶⁴ divided by the golden ratio).
pub(crate) const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Mixes one more word into a hash. For a fixed word this is a bijection.
pub(crate) fn mix(hash: u64, word: u64) -> u64 {
    let hash = (hash ^ word).wrapping_mul(SPREAD);
    hash ^ (hash >> 29)
}

/// Checksum of bytes. Every round is a bijection, so any change within one word is detected.
pub(crate) fn bytes(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let hash = words.iter().fold(SPREAD, |hash, &word| mix(hash, u64::from_le_bytes(word)));
    mix(mix(hash, u64::from_le_bytes(last)), bytes.len() as u64)
}
