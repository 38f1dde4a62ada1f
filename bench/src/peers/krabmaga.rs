//! A flock of krABMaga: boxed agents in its schedule, which find each other in its `Field2D`.

use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use flockwork::{Behavior, Simulation, Topology, Value};
use krabmaga::engine::agent::Agent;
use krabmaga::engine::fields::field::Field;
use krabmaga::engine::fields::field_2d::{
    Field2D, Location2D, toroidal_distance, toroidal_transform,
};
use krabmaga::engine::location::Real2D;
use krabmaga::engine::schedule::Schedule;
use krabmaga::engine::state::State;

use super::other_flock::OtherFlock;

#[derive(Clone, Copy)]
struct Bird {
    id: u32,
    at: Real2D,
    heading: Real2D,
}

/// The field, and what all birds have in common.
struct Sky {
    field: Field2D<Bird>,
    side: f32,
    view: f32,
    speed: f32,
    mass: f32,
    dt: f32,
    /// Of separation, alignment and cohesion.
    weights: [f32; 3],
}

struct Flock {
    schedule: Schedule,
    sky: Sky,
}

pub(super) fn flock(crowd: &Simulation) -> Option<Box<dyn OtherFlock>> {
    let scene = crowd.scene();
    let [species] = &scene.species[..] else { return None };
    let [
        Behavior::Separation(separation),
        Behavior::Alignment(alignment),
        Behavior::Cohesion(cohesion),
    ] = &species.behaviors[..]
    else {
        return None;
    };
    let (Value::Shared(speed), Value::Shared(mass)) = (species.max_speed, species.mass) else {
        return None;
    };
    let [side, height] = crowd.world_size();
    if crowd.topology() != Topology::Torus || side != height {
        return None;
    }
    let view = species.view_distance;
    let mut sky = Sky {
        // Cells as wide as the view: with its own formula fewer would miss neighbors, and more
        // would be slower.
        field: Field2D::new(side, side, view, true),
        side,
        view,
        speed,
        mass,
        dt: 1.0 / scene.steps_per_second,
        weights: [separation.weight, alignment.weight, cohesion.weight],
    };
    let mut schedule = Schedule::new();
    let state = crowd.agents();
    for slot in 0..crowd.len() {
        let bird = Bird {
            id: state.index[slot],
            at: Real2D { x: state.x[slot], y: state.y[slot] },
            heading: Real2D { x: state.hx[slot], y: state.hy[slot] },
        };
        sky.field.set_object_location(bird, bird.at);
        schedule.schedule_repeating(Box::new(bird), 0.0, 0);
    }
    // The schedule makes the field readable again before its first step, as if it were empty.
    sky.field.lazy_update();
    schedule.step = 1;
    Some(Box::new(Flock { schedule, sky }))
}

impl OtherFlock for Flock {
    fn step(&mut self) {
        self.schedule.step(&mut self.sky);
    }

    fn state(&self) -> (usize, u64) {
        let (count, sum) = (Cell::new(0), Cell::new(0_u64));
        self.sky.field.iter_objects(|_, bird| {
            let mut hasher = DefaultHasher::new();
            let numbers = [bird.at.x, bird.at.y, bird.heading.x, bird.heading.y];
            (bird.id, numbers.map(f32::to_bits)).hash(&mut hasher);
            sum.set(sum.get().wrapping_add(hasher.finish()));
            count.set(count.get() + 1);
        });
        (count.get(), sum.get())
    }
}

impl Bird {
    /// The weighted sum of the three rules.
    fn force(&self, sky: &Sky) -> Real2D {
        let (mut apart, mut headings, mut offsets) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        let mut count = 0.0;
        for other in sky.field.get_neighbors_within_distance(self.at, sky.view) {
            if other.id == self.id {
                continue;
            }
            let x = toroidal_distance(other.at.x, self.at.x, sky.side);
            let y = toroidal_distance(other.at.y, self.at.y, sky.side);
            let inverse = 1.0 / (x * x + y * y + 1.0e-12);
            apart = [apart[0] - x * inverse, apart[1] - y * inverse];
            headings = [headings[0] + other.heading.x, headings[1] + other.heading.y];
            offsets = [offsets[0] + x, offsets[1] + y];
            count += 1.0;
        }
        if count == 0.0 {
            return Real2D::default();
        }
        let [separation, alignment, cohesion] = sky.weights;
        let away = offsets[0].hypot(offsets[1]).max(1.0e-12);
        let of = |k: usize, heading: f32| {
            separation * apart[k]
                + alignment * (headings[k] / count - heading)
                + cohesion * offsets[k] / away
        };
        Real2D { x: of(0, self.heading.x), y: of(1, self.heading.y) }
    }
}

impl Agent for Bird {
    fn step(&mut self, state: &mut dyn State) {
        let sky = state.as_any_mut().downcast_mut::<Sky>().expect("the only state");
        let force = self.force(sky);
        let along = |heading: f32, force: f32| heading * sky.speed + force / sky.mass * sky.dt;
        let (x, y) = (along(self.heading.x, force.x), along(self.heading.y, force.y));
        let length = x.hypot(y);
        if length > 0.0 {
            self.heading = Real2D { x: x / length, y: y / length };
        }
        let step = sky.speed * sky.dt;
        self.at = Real2D {
            x: toroidal_transform(self.at.x + self.heading.x * step, sky.side),
            y: toroidal_transform(self.at.y + self.heading.y * step, sky.side),
        };
        sky.field.set_object_location(*self, self.at);
    }
}

impl State for Sky {
    fn init(&mut self, _: &mut Schedule) {}

    fn reset(&mut self) {}

    fn update(&mut self, _: u64) {
        self.field.lazy_update();
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn as_state(&self) -> &dyn State {
        self
    }

    fn as_state_mut(&mut self) -> &mut dyn State {
        self
    }
}

impl Location2D<Real2D> for Bird {
    fn get_location(self) -> Real2D {
        self.at
    }

    fn set_location(&mut self, at: Real2D) {
        self.at = at;
    }
}

impl PartialEq for Bird {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Bird {}

impl Hash for Bird {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl fmt::Display for Bird {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "bird {} at {}", self.id, self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crowd(agents: usize) -> Simulation {
        let scene = flockwork::Scene::named("stress").unwrap().agents(agents).unwrap();
        scene.build().unwrap()
    }

    #[test]
    fn the_other_flock_starts_as_the_engines_and_keeps_its_agents() {
        let mut flock = flock(&crowd(2_000)).expect("workload W");
        let (count, start) = flock.state();
        assert_eq!(count, 2_000);
        (0..5).for_each(|_| flock.step());
        let (count, end) = flock.state();
        assert_eq!(count, 2_000);
        assert_ne!(start, end);
    }

    #[test]
    fn the_other_flock_finds_nearly_the_neighbors_of_the_engine() {
        let mut engine = crowd(20_000);
        let expected = engine.census().mean_neighbors * 20_000.0;
        let [side, _] = engine.world_size();
        let state = engine.agents();
        let bird = |slot: usize| Bird {
            id: state.index[slot],
            at: Real2D { x: state.x[slot], y: state.y[slot] },
            heading: Real2D::default(),
        };
        let view = engine.scene().species[0].view_distance;
        let mut sky = Field2D::new(side, side, view, true);
        (0..20_000).for_each(|slot| sky.set_object_location(bird(slot), bird(slot).at));
        sky.lazy_update();
        let found: usize = (0..20_000)
            .map(|slot| sky.get_neighbors_within_distance(bird(slot).at, view).len() - 1)
            .sum();
        let share = found as f64 / expected;
        assert!((0.9..=1.0).contains(&share), "{share}");
    }
}
