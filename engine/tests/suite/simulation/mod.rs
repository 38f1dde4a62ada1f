mod any_sequence;
mod changes;
mod limits;
mod memory;
mod running;
mod state_hash;
mod targets;
