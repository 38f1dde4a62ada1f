//! Test crowds for several ranks, and their state hashes on one host.

use flockwork::Scene;

/// Limits a scene to 1000 agents. Keeps its density, unless it has routes, whose goals do not
/// scale.
pub(crate) fn few(name: &str) -> Scene {
    let scene = Scene::named(name).unwrap();
    let agents = scene.agents_at_start().min(1000);
    let scale = (agents as f32 / scene.agents_at_start() as f32).sqrt();
    let mut scene = scene.agents(agents);
    if scale < 1.0 && scene.routes.is_empty() {
        scene.world.width = scene.world.width.map(|width| width * scale);
        scene.world.height = scene.world.height.map(|height| height * scale);
    }
    scene
}

/// Random borders, equal on all ranks and different in every step.
pub(crate) fn borders(step: u64, ranks: usize) -> impl FnOnce(u32) -> Option<Vec<u32>> {
    move |rows| {
        let mut draw = step.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let inner = (1..ranks).map(|_| {
            draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (draw >> 33) as u32 % (rows + 1)
        });
        let mut borders: Vec<u32> = inner.chain([0, rows]).collect();
        borders.sort_unstable();
        (!step.is_multiple_of(3)).then_some(borders)
    }
}

pub(crate) fn hashes_of_one_host(scene: &Scene, steps: u64) -> Vec<u64> {
    let mut whole = scene.build().unwrap();
    whole.set_execution(whole.execution().threads(1)).unwrap();
    let step = |_| {
        whole.step().unwrap();
        whole.state_hash()
    };
    (0..steps).map(step).collect()
}
