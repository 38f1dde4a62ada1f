//! A new seed for a running crowd.

use crate::simulation::Simulation;

impl Simulation {
    /// Goes on with other random numbers, such as a replicate that starts from a snapshot. What
    /// agents have drawn at the start stays as it is, and agents that are added later draw theirs
    /// by the old seed, which becomes the scene's [`start_seed`](crate::Scene::start_seed).
    pub fn set_seed(&mut self, seed: u64) {
        let scene = &mut self.setting.scene;
        scene.start_seed.get_or_insert(scene.seed);
        scene.seed = seed;
    }
}
