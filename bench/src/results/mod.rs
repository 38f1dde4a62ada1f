//! What was measured, what it amounts to, and on what machine; kept in files.

pub(crate) mod files;
pub(crate) mod fit;
pub(crate) mod machine;
pub(crate) mod report;
pub(crate) mod row;
pub(crate) mod statistics;
