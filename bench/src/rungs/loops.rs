//! The interface of a rung.

use super::order::Order;
use super::rules::{Motion, Rules};

/// The loops of a rung.
pub(crate) trait Loops {
    fn step(&mut self, rules: &Rules, order: &Order);
    /// The ids and motions of all agents, in any order.
    fn agents(&self) -> Vec<(u32, Motion)>;
}
