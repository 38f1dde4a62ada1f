mod files;
mod refusals;
mod restore;
