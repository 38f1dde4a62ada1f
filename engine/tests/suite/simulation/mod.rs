mod any_sequence;
mod changes;
mod running;
mod state_hash;
mod targets;
