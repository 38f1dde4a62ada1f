mod calm;
pub(crate) mod fit;
#[cfg(test)]
pub(crate) mod fixtures;
pub(crate) mod machine;
pub(crate) mod ratio;
pub(crate) mod report;
pub(crate) mod row;
pub(crate) mod statistics;
#[cfg(test)]
mod tests;

pub(crate) use calm::CALM_BLOCKS;
