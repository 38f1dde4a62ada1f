//! Keeping a state and coming back to it.

use std::sync::Arc;

use crate::columns::{Motion, Traits};
use crate::history::History;
use crate::roster::Roster;
use crate::scene::Scene;
use crate::scenery::Scenery;
use crate::simulation::Simulation;
use crate::world::Space;

/// A simulation's state at some step: parameters, agents and ids. How steps are computed
/// (method, threads, partition) is not part of it.
#[derive(Clone, Debug)]
pub struct Snapshot {
    scene: Scene,
    space: Space,
    motion: Motion,
    traits: Traits,
    roster: Roster,
    history: History,
    scenery: Arc<Scenery>,
    tick: u64,
}

impl Simulation {
    /// Keeps the present state.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            scene: self.scene.clone(),
            space: self.space,
            motion: self.motion.clone(),
            traits: self.traits.clone(),
            roster: self.roster.clone(),
            history: self.history.clone(),
            scenery: Arc::clone(&self.scenery),
            tick: self.tick,
        }
    }

    /// Returns to a kept state, of this or another simulation: what follows is bit for bit
    /// what followed it then.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        let Snapshot { scene, space, motion, traits, roster, history, scenery, tick } = snapshot;
        self.scene.clone_from(scene);
        self.space = *space;
        self.motion.clone_from(motion);
        self.traits.clone_from(traits);
        self.roster.clone_from(roster);
        self.history.clone_from(history);
        self.scenery = Arc::clone(scenery);
        self.tick = *tick;
        self.derive();
    }
}
