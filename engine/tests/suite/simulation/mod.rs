mod any_sequence;
mod changes;
mod limits;
mod running;
mod state_hash;
mod targets;
