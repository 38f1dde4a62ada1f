//! A complete flock built on zelll, the fastest of the compared crates, in two or three dimensions.
//! It computes steps of workload W in scalar code, from the pairs that zelll finds.
//!
//! zelll does not support a torus. Birds near some edges therefore get images beyond the opposite
//! edges, and a pair across the seam consists of a bird and an image.
//!
//! Every repeat is checked against the engine. A test compares the sums over neighbors with sums
//! over all pairs in `f64`.

use std::array;
use std::mem::swap;

use flockwork::Simulation;
use zelll::CellGrid;

use super::rules::{Rules, SOFTENING, SPENT, wrapped};
use super::vector::{Vector, nearest_offset};

/// Relative distance from the edge of the view within which rounding decides whether a bird
/// is visible.
const EDGE_TOLERANCE: f64 = 1.0e-6;
/// Maximum distance per axis between a bird and its counterpart in the engine, in view distances.
/// For large coordinates, two rounding errors per step are allowed if that is more.
const MAX_DRIFT: f32 = 1.0e-3;

pub(crate) struct ZelllFlock<const D: usize> {
    rules: Rules<D>,
    birds: Vec<Bird<D>>,
    before: Vec<Bird<D>>,
    seen: Vec<Seen<D>>,
    /// Birds and their images. An image's index is its bird's index plus the number of birds.
    points: Vec<(usize, [f32; D])>,
    /// Shifts that move birds to their images, in world sizes. Of each pair of opposite shifts,
    /// only one is listed.
    moves: Vec<[f32; D]>,
}

#[derive(Clone, Copy)]
struct Bird<const D: usize> {
    id: usize,
    at: Vector<D>,
    heading: Vector<D>,
}

#[derive(Clone, Copy, Debug)]
struct Seen<const D: usize> {
    count: u32,
    pushes: Vector<D>,
    headings: Vector<D>,
    offsets: Vector<D>,
}

impl<const D: usize> ZelllFlock<D>
where
    [f32; D]: Default,
{
    pub(crate) const ID: &str = "zelll-flock";

    /// Copies the state of a crowd. Returns `None` if the crowd is not workload W,
    /// has other dimensions, or if agents were removed.
    pub(crate) fn of(crowd: &Simulation) -> Option<Self> {
        let rules = Rules::of(crowd)?;
        let state = crowd.agents();
        let bird = |slot: usize| Bird {
            id: state.index[slot] as usize,
            at: Vector::at([state.x, state.y, state.z], slot),
            heading: Vector::at([state.hx, state.hy, state.hz], slot),
        };
        let birds: Vec<Bird<D>> = (0..crowd.len()).map(bird).collect();
        let whole = birds.iter().all(|bird| bird.id < birds.len());
        whole.then(|| Self {
            rules,
            before: birds.clone(),
            seen: vec![Seen::NOTHING; birds.len()],
            birds,
            points: Vec::new(),
            moves: moves(),
        })
    }

    pub(crate) fn step(&mut self) {
        self.sum_neighbors();
        swap(&mut self.birds, &mut self.before);
        for ((bird, before), seen) in self.birds.iter_mut().zip(&self.before).zip(&self.seen) {
            *bird = before.steered(seen, &self.rules);
        }
    }

    fn sum_neighbors(&mut self) {
        self.place_images();
        self.seen.fill(Seen::NOTHING);
        let (birds, size, count) = (&self.birds, self.rules.size, self.birds.len());
        let view_sq = self.rules.view * self.rules.view;
        // Build a new grid: rebuilding in place fails if the number of points
        // changes (zelll 0.5.0).
        let grid = CellGrid::new(self.points.iter().copied(), self.rules.view);
        for (&(i, a), &(j, b)) in grid.particle_pairs() {
            // In a small world, zelll also pairs birds with images that are not the nearest,
            // and images with each other.
            let is_nearest = (0..D).all(|axis| (a[axis] - b[axis]).abs() <= 0.5 * size.0[axis]);
            if !is_nearest || i.min(j) >= count {
                continue;
            }
            let (i, j) = (i % count, j % count);
            let offset = nearest_offset(birds[i].at, birds[j].at, size);
            let distance_sq = offset.length_sq();
            if distance_sq < view_sq {
                let push = offset * (1.0 / (distance_sq + SOFTENING));
                self.seen[i].add(push, birds[j].heading, offset);
                self.seen[j].add(-push, birds[i].heading, -offset);
            }
        }
    }

    /// Lists all positions, then images of the birds near an edge, shifted by each of `moves` that
    /// puts them just outside the opposite edge. These images are enough to find every pair across
    /// the seam once.
    fn place_images(&mut self) {
        let Rules { size: Vector(size), view, .. } = self.rules;
        self.points.clear();
        self.points.extend(self.birds.iter().map(|bird| bird.at.0).enumerate());
        for (owner, Bird { at: Vector(at), .. }) in self.birds.iter().enumerate() {
            let near = |axis: usize| [at[axis] < view, at[axis] > size[axis] - view];
            if (0..D).all(|axis| near(axis) == [false; 2]) {
                continue;
            }
            for by in &self.moves {
                let leads_from_edge = |axis: usize| match by[axis] {
                    0.0 => true,
                    by => near(axis)[usize::from(by < 0.0)],
                };
                if (0..D).all(leads_from_edge) {
                    let image = array::from_fn(|axis| at[axis] + by[axis] * size[axis]);
                    self.points.push((owner + self.birds.len(), image));
                }
            }
        }
    }
}

/// Returns the shifts to neighboring images of the world, but only those whose first nonzero
/// component is positive.
fn moves<const D: usize>() -> Vec<[f32; D]> {
    let component =
        |number: usize, axis: usize| (number / 3_usize.pow(axis as u32) % 3) as f32 - 1.0;
    let all =
        (0..3_usize.pow(D as u32)).map(|number| array::from_fn(|axis| component(number, axis)));
    let first = |by: &[f32; D]| by.iter().copied().find(|by| *by != 0.0);
    all.filter(|by| first(by).is_some_and(|by| by > 0.0)).collect()
}

impl<const D: usize> Seen<D> {
    const NOTHING: Self =
        Self { count: 0, pushes: Vector::ZERO, headings: Vector::ZERO, offsets: Vector::ZERO };

    fn add(&mut self, push: Vector<D>, heading: Vector<D>, offset: Vector<D>) {
        self.count += 1;
        self.pushes = self.pushes + push;
        self.headings = self.headings + heading;
        self.offsets = self.offsets + offset;
    }
}

impl<const D: usize> Bird<D> {
    fn steered(&self, seen: &Seen<D>, rules: &Rules<D>) -> Self {
        let &Rules { size, max_speed, max_force, mass, dt, .. } = rules;
        let mut total = Vector::ZERO;
        if seen.count > 0 {
            let [separation, alignment, cohesion] = rules.weights;
            let mean_heading = seen.headings * (1.0 / seen.count as f32);
            let toward = seen.offsets.unit() * max_speed - self.heading * max_speed;
            let forces = [
                -seen.pushes * separation,
                (mean_heading - self.heading) * alignment,
                toward.unit() * cohesion,
            ];
            for force in forces {
                let (remaining, size) = (max_force - total.length(), force.length());
                if remaining <= max_force * SPENT {
                    break;
                }
                total = total + if size > remaining { force * (remaining / size) } else { force };
            }
        }
        let heading = (self.heading * max_speed + total * (dt / mass)).unit();
        let at = (self.at + heading * (max_speed * dt)).zip(size, wrapped);
        Self { at, heading, ..*self }
    }
}

impl<const D: usize> ZelllFlock<D> {
    /// Runs the engine for `steps` steps and compares it with the flock, which has taken the same
    /// steps. Fails unless the last step's total neighbor count and all positions agree.
    pub(crate) fn verify(&self, engine: &mut Simulation, steps: u64) -> Result<(), String> {
        let refused = |error: flockwork::Error| error.to_string();
        engine.run(steps - 1).map_err(refused)?;
        let expected = (engine.neighbor_counts().mean_neighbors * engine.len() as f64).round();
        let found: f64 = self.seen.iter().map(|seen| f64::from(seen.count)).sum();
        if (found - expected).abs() > 2.0 + EDGE_TOLERANCE * expected {
            return Err(format!("sees {found} neighbors, but the engine sees {expected}"));
        }
        engine.step().map_err(refused)?;
        let state = engine.agents();
        let size = self.rules.size;
        let mut agents = vec![size; self.birds.len()];
        for (slot, &id) in state.index.iter().enumerate().take(engine.len()) {
            agents[id as usize] = Vector::at([state.x, state.y, state.z], slot);
        }
        let drift = size.map(|size| {
            (MAX_DRIFT * self.rules.view).max(2.0 * steps as f32 * (size.next_up() - size))
        });
        let strayed = |bird: &&Bird<D>| {
            let offset = nearest_offset(agents[bird.id], bird.at, size);
            offset.0.iter().zip(drift.0).any(|(along, drift)| along.abs() > drift)
        };
        match self.birds.iter().filter(strayed).count() {
            0 => Ok(()),
            count => Err(format!("places {count} birds elsewhere than the engine does")),
        }
    }
}

#[cfg(test)]
mod tests {
    use flockwork::behaviors::Wander;
    use flockwork::{Scene, World};

    use super::*;

    const CHECKED: usize = 30;
    /// Tolerance for sums over neighbors, relative to the sum of the terms' absolute values.
    const SUM: f64 = 1.0e-5;

    impl<const D: usize> ZelllFlock<D> {
        fn verify_sums(&self, k: usize) -> Result<(), String> {
            let (me, seen) = (self.before[k], self.seen[k]);
            let view_sq = f64::from(self.rules.view).powi(2);
            let mut count = [0, 0];
            let (mut sums, mut scales) = ([[0.0; D]; 3], [[0.0; D]; 3]);
            for other in self.before.iter().filter(|other| other.id != me.id) {
                let offset: [f64; D] = array::from_fn(|axis| {
                    let [from, to, size] = [me.at, other.at, self.rules.size]
                        .map(|Vector(vector)| f64::from(vector[axis]));
                    (to - from) - size * ((to - from) / size).round()
                });
                let distance_sq: f64 = offset.iter().map(|along| along * along).sum();
                if distance_sq < view_sq {
                    let push = offset.map(|along| along / distance_sq);
                    let terms = [push, other.heading.0.map(f64::from), offset];
                    let sums = sums.as_flattened_mut().iter_mut();
                    let scales = scales.as_flattened_mut();
                    for ((sum, scale), term) in sums.zip(scales).zip(terms.as_flattened()) {
                        *sum += term;
                        *scale += term.abs();
                    }
                }
                count[0] += u32::from(distance_sq < view_sq * (1.0 - EDGE_TOLERANCE));
                count[1] += u32::from(distance_sq < view_sq * (1.0 + EDGE_TOLERANCE));
            }
            let id = me.id;
            if !(count[0]..=count[1]).contains(&seen.count) {
                return Err(format!(
                    "bird {id} sees {} neighbors, but {} are there",
                    seen.count, count[0]
                ));
            }
            let found = [seen.pushes, seen.headings, seen.offsets].map(|Vector(sum)| sum);
            let expected = sums.as_flattened().iter().zip(scales.as_flattened());
            for (found, (sum, scale)) in found.as_flattened().iter().zip(expected) {
                // Near the edge of the view, rounding decides whether the sums include a neighbor.
                if count[0] == count[1] && (f64::from(*found) - sum).abs() > SUM * scale {
                    return Err(format!("bird {id} has the sum {found}, but all pairs {sum}"));
                }
            }
            Ok(())
        }
    }

    fn crowd(agents: usize, dimensions: usize, seed: u64, warm_up: u64) -> Simulation {
        let mut scene = Scene::named("stress").unwrap().seed(seed).agents(agents);
        scene.world.dimensions = Some(dimensions as u32);
        let mut crowd = scene.build().unwrap();
        crowd.run(warm_up).unwrap();
        crowd
    }

    fn verified<const D: usize>(
        flock: &mut ZelllFlock<D>,
        engine: &mut Simulation,
        steps: u64,
    ) -> Result<(), String>
    where
        [f32; D]: Default,
    {
        (0..steps).for_each(|_| flock.step());
        for k in (0..flock.before.len()).step_by(flock.before.len() / CHECKED + 1) {
            flock.verify_sums(k)?;
        }
        flock.verify(engine, steps)
    }

    fn verify_sizes<const D: usize>()
    where
        [f32; D]: Default,
    {
        for agents in [1, 2, 3, 8, 17, 32, 60, 100, 333, 2_500, 20_000] {
            for (seed, warm_up) in [(1, 3), (2, 3), (3, 300)] {
                let mut engine = crowd(agents, D, seed, if agents > 500 { 3 } else { warm_up });
                let mut flock = ZelllFlock::<D>::of(&engine).unwrap();
                let what = format!("{agents} agents, seed {seed}, {D} dimensions");
                assert_eq!(verified(&mut flock, &mut engine, 4), Ok(()), "{what}");
            }
        }
    }

    #[test]
    fn the_flock_sees_and_does_what_the_engine_does_whatever_its_size() {
        verify_sizes::<2>();
        verify_sizes::<3>();
    }

    #[test]
    fn a_flock_refuses_crowds_that_do_more_than_workload_w() {
        let mut wandering = Scene::named("stress").unwrap().agents(10);
        wandering.species[0].behaviors.push(Wander::default().into());
        let mut narrow = Scene::named("stress").unwrap().agents(10);
        narrow.species[0].field_of_view = 90.0;
        let mut thinned = crowd(10, 2, 1, 0);
        thinned.remove(thinned.agents().id(3)).unwrap();
        for crowd in [wandering.build().unwrap(), narrow.build().unwrap(), thinned] {
            assert!(ZelllFlock::<2>::of(&crowd).is_none());
        }
    }

    #[test]
    fn a_flock_refuses_a_world_of_other_dimensions() {
        assert!(ZelllFlock::<3>::of(&crowd(10, 2, 1, 0)).is_none());
        assert!(ZelllFlock::<2>::of(&crowd(10, 3, 1, 0)).is_none());
    }

    /// Regression: beyond 524,288 units, one rounding error in a coordinate counted as a wrong
    /// position.
    #[test]
    fn far_from_the_origin_a_rounding_error_is_no_wrong_place() {
        let mut scene = Scene::named("stress").unwrap().agents(100);
        scene.world = World::torus(1.0e6, 1.0e6);
        let mut engine = scene.build().unwrap();
        let mut flock = ZelllFlock::<2>::of(&engine).unwrap();
        flock.step();
        let farthest = flock.birds.iter_mut().map(|bird| &mut bird.at.0[0]);
        let x = farthest.max_by(|a, b| a.total_cmp(b)).unwrap();
        assert!(*x > 524_288.0, "{x}");
        *x = x.next_down();
        assert_eq!(flock.verify(&mut engine, 1), Ok(()));
    }

    #[test]
    fn a_flock_that_sees_or_does_something_else_is_found() {
        let wrong = |change: fn(&mut ZelllFlock<3>)| {
            let mut engine = crowd(500, 3, 1, 3);
            let mut flock = ZelllFlock::<3>::of(&engine).unwrap();
            flock.step();
            change(&mut flock);
            flock.verify_sums(0).and_then(|()| flock.verify(&mut engine, 1)).unwrap_err()
        };
        assert!(wrong(|flock| flock.seen[0].count += 1).contains("neighbors, but"));
        assert!(wrong(|flock| flock.seen[0].offsets.0[2] *= 1.001).contains("but all pairs"));
        assert!(wrong(|flock| flock.seen[1].count += 3).contains("but the engine"));
        assert!(
            wrong(|flock| flock.birds[7].at.0[2] += 1.0).starts_with("places 1 birds elsewhere")
        );
    }
}
