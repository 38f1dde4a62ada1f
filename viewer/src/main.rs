//! Not here yet.

fn main() {}
