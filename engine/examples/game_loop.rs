//! A game loop: fixed steps, drawing between the last two states, picking an agent with a click.
//! There is no window: frames of irregular length stand in for one.

use flockwork::{AgentId, Agents, Alignment, Cohesion, Scene, Separation, Simulation, Species};
use flockwork::{Wander, World};

const FRAMES: [f64; 6] = [0.007, 0.016, 0.011, 0.034, 0.021, 0.3];

/// After a longer pause, such as a dragged window, the crowd does not catch up.
const LONGEST_FRAME: f64 = 0.1;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fish = Species::new("fish", 2_000)
        .steer(Separation::default())
        .steer(Alignment::default())
        .steer(Cohesion { weight: 40.0, normalized: true })
        .steer(Wander::default());
    let mut crowd = Scene::new(World::torus(1_600.0, 900.0)).species(fish).seed(7).build()?;

    let step = 1.0 / f64::from(crowd.scene().steps_per_second);
    let (mut previous, mut drawn) = (Vec::new(), Vec::new());
    remember(&crowd, &mut previous);
    let (mut accumulator, mut followed, mut crossings) = (0.0, None, 0);
    for (frame, &frame_time) in FRAMES.iter().cycle().take(120).enumerate() {
        accumulator += f64::min(frame_time, LONGEST_FRAME);
        while accumulator >= step {
            // Input comes here, before `remember`, which must know every agent that is drawn.
            remember(&crowd, &mut previous);
            crowd.step()?;
            accumulator -= step;
        }
        place(&crowd, &previous, (accumulator / step) as f32, &mut drawn);

        if frame == 0 {
            followed = pick(&crowd, &drawn, [800.0, 450.0]);
        }
        if let Some(id) = followed.filter(|_| frame < FRAMES.len()) {
            let [x, y] = drawn[crowd.slot_of(id)?];
            println!("{id} after step {:2} drawn at ({x:.2}, {y:.2})", crowd.tick());
        }
        crossings += check(&crowd, &previous, &drawn);
    }
    println!("{} steps; {crossings} times an agent was drawn crossing the edge", crowd.tick());
    assert!(followed.is_some() && crossings > 0);
    Ok(())
}

/// Notes where every agent is, by the index of its id: the step moves agents to other slots.
fn remember(crowd: &Simulation, previous: &mut Vec<[f32; 2]>) {
    let Agents { x, y, index, .. } = crowd.agents();
    previous.resize(index.iter().max().map_or(0, |&last| last as usize + 1), [0.0; 2]);
    for (slot, &index) in index.iter().enumerate() {
        previous[index as usize] = [x[slot], y[slot]];
    }
}

/// Where to draw the agent of each slot: `share` of the way from the previous to the current state.
fn place(crowd: &Simulation, previous: &[[f32; 2]], share: f32, drawn: &mut Vec<[f32; 2]>) {
    let (Agents { x, y, index, .. }, size) = (crowd.agents(), crowd.world_size());
    drawn.clear();
    drawn.extend((0..crowd.len()).map(|slot| {
        let from = previous[index[slot] as usize];
        let way = crowd.displacement(from, [x[slot], y[slot]]);
        [0, 1].map(|axis| (from[axis] + share * way[axis]).rem_euclid(size[axis]))
    }));
}

fn distance(crowd: &Simulation, from: [f32; 2], to: [f32; 2]) -> f32 {
    let [x, y] = crowd.displacement(from, to);
    x.hypot(y)
}

/// The agent drawn nearest to a click. Its id stays valid, its slot only until the next step.
fn pick(crowd: &Simulation, drawn: &[[f32; 2]], click: [f32; 2]) -> Option<AgentId> {
    let to_click = |slot: usize| distance(crowd, drawn[slot], click);
    let nearest = (0..drawn.len()).min_by(|&a, &b| to_click(a).total_cmp(&to_click(b)));
    nearest.map(|slot| crowd.id_at(slot))
}

/// Asserts that every agent is drawn between its two states. Returns how many crossed the edge.
fn check(crowd: &Simulation, previous: &[[f32; 2]], drawn: &[[f32; 2]]) -> usize {
    let (Agents { x, y, index, .. }, size) = (crowd.agents(), crowd.world_size());
    let crossed = drawn.iter().enumerate().filter(|&(slot, &at)| {
        let (from, to) = (previous[index[slot] as usize], [x[slot], y[slot]]);
        let length = |from, to| distance(crowd, from, to);
        let detour = length(from, at) + length(at, to) - length(from, to);
        assert!(detour.abs() < 1.0e-3, "{at:?} is not between {from:?} and {to:?}");
        (to[0] - from[0]).hypot(to[1] - from[1]) > 0.5 * size[1]
    });
    crossed.count()
}
