use crate::simulation::Simulation;

impl Simulation {
    /// Replaces the seed of a running crowd, for example to run replicates from one snapshot.
    /// Values drawn at the start do not change. Agents that are added later still draw theirs from
    /// the old seed, which becomes the scene's [`start_seed`](crate::Scene::start_seed).
    pub fn set_seed(&mut self, seed: u64) {
        let scene = &mut self.setting.scene;
        scene.start_seed.get_or_insert(scene.seed);
        scene.seed = seed;
    }
}
