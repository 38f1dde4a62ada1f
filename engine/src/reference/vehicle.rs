//! The reference's vehicle: its state and its view of the world.
//!
//! No other file of the reference reads the engine's columns.

use std::cell::Cell;

use crate::behaviors::Neighborhood;
use crate::crowd::SortedCrowd;
use crate::crowd::columns::Memory;
use crate::crowd::limits::Limit;
use crate::crowd::stored_target::StoredTarget;
use crate::crowd::target::Target;
use crate::math::vec3::Vec3;
use crate::reference::random;
use crate::reference::shapes::{Outline, Shape};
use crate::reference::vector::V;
use crate::scene::species::Species;
use crate::scenery::Scenery;
use crate::world::Topology;

/// An agent or a target point, as seen by an agent. A point has zero velocity, heading and radius.
#[derive(Clone, Copy, Default)]
pub(super) struct Body {
    pub(super) position: V,
    pub(super) velocity: V,
    pub(super) heading: V,
    pub(super) radius: f64,
}

impl Body {
    fn point(at: impl Into<Vec3<f32>>) -> Self {
        Self { position: V::from_f32(at), ..Self::default() }
    }

    fn agent(crowd: &SortedCrowd<'_>, species: &[Species], slot: usize) -> Self {
        let motion = crowd.motion;
        let species = &species[crowd.species_of(slot)];
        Self {
            position: V::from_f32(motion.position.at(slot)),
            velocity: V::from_f32(crowd.velocity(slot)),
            heading: V::from_f32(motion.heading.at(slot)),
            radius: limit(crowd, species, slot, Limit::Radius),
        }
    }
}

fn limit(crowd: &SortedCrowd<'_>, species: &Species, slot: usize, limit: Limit) -> f64 {
    let own_value = crowd.attributes.limit(limit).get(slot).copied();
    f64::from(own_value.unwrap_or(species.limit(limit).max()))
}

pub(super) struct Vehicle<'a> {
    crowd: &'a SortedCrowd<'a>,
    all_species: &'a [Species],
    slot: usize,
    pub(super) species: &'a Species,
    pub(super) index: u32,
    pub(super) position: V,
    pub(super) velocity: V,
    pub(super) heading: V,
    pub(super) radius: f64,
    pub(super) max_speed: f64,
    pub(super) max_force: f64,
    pub(super) mass: f64,
    pub(super) is_immovable: bool,
    /// Full angle of the field of view, in degrees.
    field_of_view: f64,
    pub(super) weight: f64,
    /// State kept between steps: wander target in the vehicle's frame, index of the next waypoint,
    /// whether the vehicle has been on the near side of that waypoint's plane, seconds left to hide
    /// from a hunter out of sight, and last seen position of the hunter.
    pub(super) wander: V,
    pub(super) waypoint: usize,
    pub(super) approaches: bool,
    pub(super) alert: f64,
    pub(super) hunter: V,
    pub(super) margin: Cell<f64>,

    pub(super) scenery: &'a Scenery,
    pub(super) topology: Topology,
    pub(super) size: V,
    pub(super) max_prediction: f64,
    pub(super) dt: f64,
    pub(super) tick: u64,
    /// Simulated time at the start of this step, in seconds.
    pub(super) time: f64,
    pub(super) seed: u64,
}

impl<'a> Vehicle<'a> {
    pub(super) fn new(crowd: &'a SortedCrowd<'a>, all_species: &'a [Species], slot: usize) -> Self {
        let (motion, attributes) = (crowd.motion, crowd.attributes);
        let species = &all_species[crowd.species_of(slot)];
        let Body { position, velocity, heading, radius } = Body::agent(crowd, all_species, slot);
        let limit = |which| limit(crowd, species, slot, which);
        // State that no behavior in the scene uses has no column, and reads as 0.
        let remembered =
            |memory: Memory| motion.memory[memory as usize].get(slot).copied().unwrap_or(0.0);
        let [wander_x, wander_y, waypoint, alert, hunter_x, hunter_y, wander_z, hunter_z] =
            Memory::ALL.map(remembered);
        Self {
            crowd,
            all_species,
            slot,
            species,
            index: attributes.index[slot],
            position,
            velocity,
            heading,
            radius,
            max_speed: limit(Limit::MaxSpeed),
            max_force: limit(Limit::MaxForce),
            mass: limit(Limit::Mass),
            is_immovable: limit(Limit::Immovable) > 0.0,
            field_of_view: limit(Limit::FieldOfView),
            weight: 1.0,
            wander: V::from_f32([wander_x, wander_y, wander_z]),
            waypoint: waypoint as usize,
            approaches: waypoint.fract() > 0.0,
            alert: f64::from(alert),
            hunter: V::from_f32([hunter_x, hunter_y, hunter_z]),
            margin: Cell::new(f64::MAX),
            scenery: crowd.scenery,
            topology: crowd.space.topology,
            size: V::from_f32(crowd.space.size),
            max_prediction: f64::from(crowd.max_prediction),
            dt: f64::from(crowd.dt),
            tick: crowd.tick,
            time: crowd.time,
            seed: crowd.seed,
        }
    }

    pub(super) fn formation_place(&self) -> u32 {
        let (attributes, own_slot) = (self.crowd.attributes, self.slot);
        let is_ahead = |&slot: &usize| {
            attributes.species_of(slot) == attributes.species_of(own_slot)
                && attributes.joined[slot] < attributes.joined[own_slot]
        };
        (0..self.crowd.len()).filter(is_ahead).count() as u32
    }

    pub(super) fn neighbors(&self, neighborhood: &Neighborhood) -> Vec<Body> {
        let Neighborhood { distance, field_of_view, species } = neighborhood;
        let view = f64::from(distance.unwrap_or(self.species.view_distance));
        let degrees = field_of_view.map_or(self.field_of_view, f64::from);
        let counts = |slot: &usize| {
            let name = &self.all_species[self.crowd.species_of(*slot)].name;
            *slot != self.slot && (species.is_empty() || species.contains(name))
        };
        let others = (0..self.crowd.len()).filter(counts);
        let others = others.map(|slot| Body::agent(self.crowd, self.all_species, slot));
        let is_seen = |other: &Body| {
            let radius = if self.species.view_includes_radius { other.radius } else { 0.0 };
            self.sees_within(self.offset_to(other.position), view + radius, degrees)
        };
        others.filter(is_seen).collect()
    }

    pub(super) fn target(&self, target: &Target) -> Option<Body> {
        let crowd = self.crowd;
        let index = match target {
            Target::Point(point) => return Some(Body::point(*point)),
            Target::Own => match crowd.attributes.stored_target(self.slot) {
                StoredTarget::Nothing => return None,
                StoredTarget::Agent(index) => index,
                StoredTarget::Point(point) => return Some(Body::point(point)),
            },
            Target::Nearest { species, distance, field_of_view, line_of_sight } => {
                let (distance, field_of_view) = (*distance, *field_of_view);
                let species = vec![species.clone()];
                let neighborhood = Neighborhood { distance, field_of_view, species };
                let mut neighbors = self.neighbors(&neighborhood);
                neighbors.retain(|other| !line_of_sight || self.has_in_sight(other.position));
                let distance = |body: &Body| self.offset_to(body.position).length();
                return neighbors.into_iter().reduce(|nearest, other| {
                    let is_nearer = self.less(distance(&other), distance(&nearest));
                    if is_nearer { other } else { nearest }
                });
            }
            shared => {
                let shared_target = crowd
                    .shared_targets
                    .iter()
                    .find(|shared_target| shared_target.target == *shared)?;
                let pose = shared_target.pose?;
                let Some(id) = shared_target.id else { return Some(Body::point(pose.position)) };
                id.index
            }
        };
        let slot = crowd.attributes.index.iter().position(|other| *other == index)?;
        Some(Body::agent(crowd, self.all_species, slot))
    }

    pub(super) fn obstacles(&self) -> impl Iterator<Item = (V, f64)> + use<'a> {
        let obstacles = self.scenery.obstacles.iter();
        obstacles.map(|obstacle| (V::from_f32(obstacle.center), f64::from(obstacle.radius)))
    }

    /// All walls, triangles and obstacles; on a torus, their images around a point.
    pub(super) fn shapes(&self, at: V) -> impl Iterator<Item = Shape> {
        let walls = self.scenery.walls.iter().map(|wall| {
            let ends @ [from, to] = [wall.from, wall.to].map(V::from_f32);
            let front = (wall.behind > 0.0).then_some((to - from).quarter_turn().normalized());
            Shape { outline: Outline::Wall(ends), front }
        });
        let triangles = self.scenery.triangles.iter().map(|triangle| {
            let corners @ [a, b, c] = triangle.corners.map(V::from_f32);
            let front = (triangle.behind > 0.0).then_some((b - a).across_both(c - a));
            Shape { outline: Outline::Triangle(corners), front }
        });
        let obstacles = self.obstacles().map(|(center, radius)| Shape {
            outline: Outline::Obstacle(center, radius),
            front: None,
        });
        let is_torus = self.topology == Topology::Torus;
        let images: &[f64] = if is_torus { &[-2.0, -1.0, 0.0, 1.0, 2.0] } else { &[0.0] };
        let layers = if self.is_flat() { &[0.0] } else { images };
        walls.chain(triangles).chain(obstacles).flat_map(move |shape| {
            let nearest = at + self.displacement(at, shape.middle()) - shape.middle();
            let turns = images.iter().flat_map(move |&x| {
                images.iter().flat_map(move |&y| layers.iter().map(move |&z| V { x, y, z }))
            });
            turns.map(move |turns| {
                shape.shifted(nearest + turns.zip(self.size, |turns, size| turns * size))
            })
        })
    }

    /// True if no wall and no obstacle is between the vehicle and a point.
    fn has_in_sight(&self, point: V) -> bool {
        let line = [self.position, self.position + self.offset_to(point)];
        let negative = |number, scale| self.negative(number, scale);
        !self.shapes(self.position).any(|shape| shape.hides(line, negative))
    }

    pub(super) fn is_solid(&self) -> bool {
        self.scenery.solids().is_some()
    }

    /// Draws a number in [−1, 1) for each axis from a random stream, at a counter value such as the
    /// step.
    pub(super) fn random(&self, stream: u32, counter: u64) -> V {
        let drawn = random::signed_units(self.seed, stream, self.index, counter);
        if self.is_flat() { V { z: 0.0, ..drawn } } else { drawn }
    }

    pub(super) fn is_flat(&self) -> bool {
        self.size.z == 0.0
    }

    pub(super) fn displacement(&self, from: V, to: V) -> V {
        (to - from).zip(self.size, |along, size| match self.topology {
            Topology::Torus if size > 0.0 => along - (along / size).round_ties_even() * size,
            Topology::Torus | Topology::Bounded | Topology::Open => along,
        })
    }

    pub(super) fn offset_to(&self, point: V) -> V {
        self.displacement(self.position, point)
    }

    /// True if adding `step` leaves all `f32` coordinates unchanged, because each component is at
    /// most half of the gap to the adjacent number.
    pub(super) fn stays(&self, step: V) -> bool {
        let stays = |at: f64, step: f64| {
            let at = at as f32;
            let next = if step > 0.0 { at.next_up() } else { at.next_down() };
            !self.less(f64::from(next - at).abs() / 2.0, step.abs())
        };
        stays(self.position.x, step.x)
            && stays(self.position.y, step.y)
            && (self.is_flat() || stays(self.position.z, step.z))
    }

    pub(super) fn speed_share(&self) -> f64 {
        (self.velocity.length() / self.max_speed).min(1.0)
    }

    pub(super) fn sees(&self, offset: V, distance: f64) -> bool {
        self.sees_within(offset, distance, self.field_of_view)
    }

    fn sees_within(&self, offset: V, distance: f64, field_of_view: f64) -> bool {
        if !self.less(offset.length(), distance) {
            return false;
        }
        if field_of_view >= 360.0 || offset == V::default() {
            return true;
        }
        let cos = self.heading.dot(offset.normalized());
        let limit = (field_of_view / 2.0).to_radians().cos();
        self.decides(cos, limit, 1.0);
        cos >= limit
    }

    /// Returns `a < b`, and records the margin relative to the larger magnitude.
    pub(super) fn less(&self, a: f64, b: f64) -> bool {
        self.less_at(a, b, a.abs().max(b.abs()).max(f64::MIN_POSITIVE))
    }

    /// Returns `a < b`, and records the margin relative to `scale`: the magnitude of the numbers
    /// from which `a` and `b` were computed.
    pub(super) fn less_at(&self, a: f64, b: f64, scale: f64) -> bool {
        self.decides(a, b, scale);
        a < b
    }

    /// Returns `number < 0`, and records the margin: the magnitude of `number`, divided by `scale`.
    pub(super) fn negative(&self, number: f64, scale: f64) -> bool {
        self.less_at(number, 0.0, scale)
    }

    /// Records how far a heading is from the vertical, where the vector to its left jumps.
    pub(super) fn records_left(&self, heading: V) {
        if heading.z != 0.0 {
            self.decides(heading.x.hypot(heading.y), 0.0, 1.0);
        }
    }

    /// Records how far a vector is from being parallel to a heading, where the perpendicular part's
    /// direction jumps.
    pub(super) fn records_across(&self, vector: V, heading: V) {
        let (across, _) = vector.across(heading);
        if heading.z != 0.0 || vector.z != 0.0 || vector.dot(heading) < 0.0 {
            self.decides(across, 0.0, vector.length().max(f64::MIN_POSITIVE));
        }
    }

    /// Records a tie: rounding decides the comparison.
    pub(super) fn records_tie(&self) {
        self.margin.set(0.0);
    }

    /// Records a comparison's margin: the difference between `a` and `b`, divided by `scale`.
    fn decides(&self, a: f64, b: f64, scale: f64) {
        self.margin.set(self.margin.get().min((a - b).abs() / scale));
    }
}
