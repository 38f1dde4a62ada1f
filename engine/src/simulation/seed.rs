use crate::simulation::Simulation;

impl Simulation {
    /// Replaces the seed of a running crowd, for example to run replicates from one snapshot.
    /// Values drawn at the start do not change. Agents added later still draw their initial values
    /// from the original seed, kept as the scene's [`start_seed`](crate::Scene::start_seed).
    pub fn set_seed(&mut self, seed: u64) {
        let scene = &mut self.setting.scene;
        scene.start_seed.get_or_insert(scene.seed);
        scene.seed = seed;
    }
}
