mod files;
mod limits;
mod refusals;
mod restore;
mod soak;
