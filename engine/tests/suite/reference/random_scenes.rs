//! Compares random scenes with the f64 reference.
//!
//! Random scenes are full of coincidences: walls that share corners, agents on targets, neighbors
//! on the edge of the view, equal velocities that dithering subtracts, weights of a million, things
//! 1e5 units away. In such cases, rounding decides what an agent does. No agent is exempt: one that
//! differs from the reference must be ill-conditioned. Either a few roundings decide a comparison
//! in the reference, or the reference itself moves the agent as far when its inputs change by a few
//! roundings.

use std::sync::Arc;

use flockwork::behaviors::FieldValue;
use flockwork::inspect::ReferenceStep;
use flockwork::{
    AgentId, Point, Scene, Simulation, Snapshot, Species, SpeciesValue, Target, Topology,
    WaypointPath,
};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use crate::common::agents::ids;
use crate::common::arbitrary::scene;
use crate::common::measures::sides;
use crate::common::snapshots::{column, with_columns, with_scene};

/// Largest change of an input, in roundings.
const ROUNDINGS: f32 = 4.0;
/// An agent may differ from the reference by this factor times the reference's farthest move.
const SENSITIVITY_FACTOR: f64 = 4.0;
/// Attempts at changing the inputs before an agent is considered well-conditioned.
const ATTEMPTS: usize = 200;

/// Distance between two states of an agent: velocity relative to its maximum speed, position,
/// heading.
type Differences = [f64; 3];

struct Scale {
    size: [f64; 3],
    torus: bool,
    dt: f64,
}

impl Scale {
    fn of(simulation: &Simulation) -> Self {
        Self {
            size: sides(simulation).map(f64::from),
            torus: simulation.world().topology == Topology::Torus,
            dt: 1.0 / f64::from(simulation.scene().steps_per_second),
        }
    }

    fn differences(&self, got: [[f64; 3]; 3], want: &ReferenceStep, speed: f64) -> Differences {
        let [velocity, position, heading] = got;
        let offset = |axis: usize| {
            let offset = position[axis] - want.position[axis];
            let turns = (offset / self.size[axis]).round();
            if self.torus && self.size[axis] > 0.0 {
                offset - turns * self.size[axis]
            } else {
                offset
            }
        };
        let off = |a: [f64; 3], b: [f64; 3]| length([0, 1, 2].map(|axis| a[axis] - b[axis]));
        // The direction of a tiny velocity is not compared.
        let moves = length(want.velocity) > 1.0e-2 * speed;
        let heading = if moves { off(heading, want.heading) } else { 0.0 };
        [off(velocity, want.velocity) / speed, length([0, 1, 2].map(offset)), heading]
    }

    /// Largest effect of rounding alone in a well-conditioned step.
    fn allowed(&self, want: &ReferenceStep, speed: f64) -> Differences {
        let rounding =
            2.0e-7 * self.size.iter().chain(&want.position).map(|x| x.abs()).sum::<f64>();
        [1.0e-4, 1.0e-4 * speed * self.dt + rounding, 1.0e-3]
    }
}

struct Off {
    scene: usize,
    before: Snapshot,
    id: AgentId,
    speed: f64,
    expected: ReferenceStep,
    differences: Differences,
    allowed: Differences,
}

struct Roundings(TestRng);

impl Roundings {
    fn share(&mut self) -> f32 {
        use proptest::prelude::Rng;
        (self.0.next_u32() >> 8) as f32 / 8_388_608.0 - 1.0
    }

    /// Changes `value` by a few roundings of a number of the given scale.
    fn at_scale(&mut self, value: f32, scale: f32) -> f32 {
        value + self.share() * ROUNDINGS * f32::EPSILON * scale
    }

    fn of(&mut self, value: &mut f32) {
        *value = self.at_scale(*value, *value);
    }

    fn of_species(&mut self, species: &mut Species, longest_path: f32) {
        for behavior in &mut species.behaviors {
            let mut fields = behavior.fields();
            for field in &mut fields {
                match &mut field.value {
                    // The parameter is added to an agent's distance along the path.
                    FieldValue::Number(value) if field.name == "ahead" => {
                        *value = self.at_scale(*value, longest_path).max(0.0);
                    }
                    FieldValue::Target(Target::Point(point)) => {
                        point.iter_mut().for_each(|part| self.of(part));
                    }
                    FieldValue::Number(value) => {
                        self.of(value);
                        *value = value.clamp(field.min, field.max);
                    }
                    _ => {}
                }
            }
            behavior.set_fields(fields);
        }
    }

    fn of_scene(&mut self, scene: &mut Scene) {
        let longest = scene.paths.iter().map(path_length).fold(0.0, f32::max);
        scene.species.iter_mut().for_each(|species| self.of_species(species, longest));
        let points = scene.points.values_mut().flat_map(|point| point.iter_mut());
        points.for_each(|part| self.of(part));
        for obstacle in Arc::make_mut(&mut scene.obstacles) {
            obstacle.center.iter_mut().for_each(|part| self.of(part));
            self.of(&mut obstacle.radius);
        }
        let walls = Arc::make_mut(&mut scene.walls).iter_mut().flat_map(|wall| &mut wall.points);
        walls.flat_map(|point| point.iter_mut()).for_each(|part| self.of(part));
        // Rounding errors of points on a leg are proportional to its length, even at its ends.
        for path in Arc::make_mut(&mut scene.paths) {
            let length = path_length(path);
            let points = path.points.iter_mut().flat_map(|point| point.iter_mut());
            points.for_each(|part| *part = self.at_scale(*part, length));
        }
    }

    fn of_snapshot(&mut self, snapshot: &Snapshot, topology: Topology, size: [f32; 3]) -> Snapshot {
        let changed = with_columns(snapshot, |name, value| match name {
            "x" | "y" | "z" => {
                let size = size[usize::from(name == "y") + 2 * usize::from(name == "z")];
                let moved = self.at_scale(value, value.abs().max(size));
                match topology {
                    Topology::Open => moved,
                    Topology::Bounded => moved.clamp(0.0, size),
                    Topology::Torus => moved.clamp(0.0, size.next_down()),
                }
            }
            "vx" | "vy" | "vz" | "wander_x" | "wander_y" | "wander_z" => {
                self.at_scale(value, value)
            }
            "hx" | "hy" | "hz" => self.at_scale(value, 1.0),
            _ => value,
        });
        with_scene(&changed, |scene| self.of_scene(scene)).unwrap()
    }
}

fn length([x, y, z]: [f64; 3]) -> f64 {
    x.hypot(y).hypot(z)
}

fn path_length(path: &WaypointPath) -> f32 {
    let leg = |leg: &[Point]| {
        let offsets = leg[0].iter().zip(&leg[1][..]).map(|(from, to)| to - from);
        offsets.map(|along| along * along).sum::<f32>().sqrt()
    };
    path.points.windows(2).map(leg).sum()
}

/// Farthest move of an agent in the reference when roundings change its inputs. Stops early once
/// the move explains the difference.
fn farthest(off: &Off) -> Differences {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut roundings = Roundings(rng);
    let mut simulation = off.before.build().unwrap();
    let scale = Scale::of(&simulation);
    let (topology, size) = (simulation.world().topology, sides(&simulation));
    let mut farthest = [0.0; 3];
    for _ in 0..ATTEMPTS {
        simulation.restore(&roundings.of_snapshot(&off.before, topology, size));
        let step = simulation.reference_step(off.id).unwrap();
        let state = [step.velocity, step.position, step.heading];
        let moved = scale.differences(state, &off.expected, off.speed);
        for k in 0..3 {
            farthest[k] = f64::max(farthest[k], moved[k]);
        }
        if is_explained(off, farthest) {
            break;
        }
    }
    farthest
}

fn is_explained(off: &Off, farthest: Differences) -> bool {
    let few_roundings = f64::from(ROUNDINGS * f32::EPSILON);
    let is_tied = off.expected.margin < few_roundings;
    is_tied
        || (0..3).all(|k| {
            off.differences[k] <= off.allowed[k]
                || off.differences[k] <= SENSITIVITY_FACTOR * farthest[k]
        })
}

#[test]
fn agents_of_random_scenes_do_what_the_reference_says() {
    let mut runner = TestRunner::deterministic();
    let (mut compared, mut off) = (0_u32, Vec::new());
    for number in 0..400 {
        let mut scene = scene().new_tree(&mut runner).unwrap().current();
        if scene.agents_at_start() > 60 {
            // With non-penetration, every reference step pushes all agents apart, which is slow.
            scene.non_penetration = 0;
        }
        let mut simulation = scene.build().unwrap();
        simulation.run(number as u64 % 7).unwrap();
        let before = simulation.snapshot();
        let scale = Scale::of(&simulation);
        let all = ids(&simulation);
        let expected: Vec<_> =
            all.iter().map(|&id| simulation.reference_step(id).unwrap()).collect();
        simulation.step().unwrap();
        for (&id, expected) in all.iter().zip(expected) {
            compared += 1;
            let state = simulation.agent(id).unwrap();
            let speed = match scene.species[state.species].max_speed {
                SpeciesValue::Shared(speed) | SpeciesValue::Between([_, speed]) => f64::from(speed),
            };
            let got = [state.velocity, state.position, state.heading];
            let got = got.map(|vector| vector.map(f64::from));
            let differences = scale.differences(got, &expected, speed);
            let allowed = scale.allowed(&expected, speed);
            if (0..3).any(|k| differences[k] > allowed[k]) {
                let before = before.clone();
                off.push(Off { scene: number, before, id, speed, expected, differences, allowed });
            }
        }
    }
    assert!(compared > 30_000, "{compared}");
    // Coincidences must be rare, since explaining many of them would take long.
    assert!(off.len() < 160, "{} of {compared} are off", off.len());
    let mut wrong = String::new();
    for off in &off {
        let farthest = farthest(off);
        if !is_explained(off, farthest) {
            let Off { scene, id, expected, differences, .. } = off;
            let crowd = off.before.build().unwrap();
            let state = crowd.agent(*id).unwrap();
            let species = &crowd.scene().species[state.species];
            wrong += &format!(
                "scene {scene}, {id:?}: off by {differences:?}, by roundings {farthest:?}; \
                 {expected:?}; {state:?} of {species:?}\n"
            );
        }
    }
    println!("{compared} compared, {} off", off.len());
    assert!(wrong.is_empty(), "well-conditioned, and yet off:\n{wrong}");
}

/// Checks that the comparison with the reference cannot explain away every difference.
#[test]
fn a_step_of_a_plain_flock_is_well_conditioned() {
    let scene = Scene::named("flock").unwrap().agents(40);
    let mut simulation = scene.build().unwrap();
    simulation.run(50).unwrap();
    let (before, scale) = (simulation.snapshot(), Scale::of(&simulation));
    assert_eq!(column(&before, "x").len(), 40);
    for id in ids(&simulation).into_iter().step_by(4) {
        let expected = simulation.reference_step(id).unwrap();
        let speed = 150.0;
        let allowed = scale.allowed(&expected, speed);
        let differences = allowed.map(|allowed| 2.0 * allowed);
        let before = before.clone();
        let off = Off { scene: 0, before, id, speed, expected, differences, allowed };
        if expected.margin > 1.0e-5 {
            assert!(!is_explained(&off, farthest(&off)), "{id:?}");
        }
    }
}
