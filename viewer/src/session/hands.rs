//! What the audience does with its hands: pointing, leading, driving, adding, removing, building.

use flockwork::{AgentId, Behavior, Error, Obstacle, Seek, Simulation, Species, Target, Wall};

use super::Session;

/// How far ahead of a driven agent the point is that it is sent to, in world units beside its
/// radius.
const AHEAD: f32 = 60.0;
/// Which behaviors a driven agent keeps.
const REFLEXES: [&str; 2] = ["wall_avoidance", "obstacle_avoidance"];
/// Agents that one stroke of the brush adds.
const STROKE: usize = 4;
/// Obstacles smaller than this are slips of the hand; world units.
const SMALLEST_OBSTACLE: f32 = 1.0;

impl Session {
    /// Shows the reasons of the agent nearest to a place, if one is within reach of it.
    pub(crate) fn pick(&mut self, at: [f32; 2], reach: f32) {
        let agents = self.simulation.agents();
        let distance_sq = |slot: &usize| distance_sq([agents.x[*slot], agents.y[*slot]], at);
        let nearest = (0..agents.x.len()).min_by(|a, b| distance_sq(a).total_cmp(&distance_sq(b)));
        self.explained = match nearest {
            Some(slot) if distance_sq(&slot) <= reach * reach => vec![self.simulation.id_at(slot)],
            _ => Vec::new(),
        };
    }

    /// Explains an agent, or none if one is explained.
    pub(crate) fn toggle_explained(&mut self) {
        self.explained = match self.explained.is_empty() {
            true if !self.simulation.is_empty() => vec![self.simulation.id_at(0)],
            _ => Vec::new(),
        };
    }

    /// Moves the scene's first named point: the cursor, or where the dog is sent.
    pub(crate) fn lead(&mut self, to: [f32; 2]) {
        match self.simulation.scene().points.keys().next().cloned() {
            Some(name) => {
                self.does(|simulation| simulation.set_point(&name, to));
            }
            None => self.message = "nobody here steers by a point that could be moved".into(),
        }
    }

    /// Sends the dog, shark or leader into a direction; a zero vector lets go of it.
    pub(crate) fn drive(&mut self, direction: [f32; 2]) {
        if direction == [0.0, 0.0] {
            self.let_go();
            return;
        }
        let Some((kind, id)) = self.single() else {
            self.message = "nobody to drive: there is no species of a single agent".into();
            return;
        };
        let Ok(agent) = self.simulation.agent(id) else { return };
        let species = &self.simulation.scene().species[kind];
        let ahead = AHEAD + species.radius_range()[1];
        let to = [0, 1].map(|k| agent.position[k] + direction[k] * ahead);
        if let Some(point) = named_target(&self.controls.species[kind].effective()) {
            self.does(|simulation| simulation.set_point(&point, to));
            return;
        }
        let mut driven = self.controls.species[kind].effective();
        driven.behaviors.retain(|behavior| REFLEXES.contains(&behavior.name()));
        let target = Target::Point(to);
        driven.behaviors.push(Seek { weight: 200.0, target }.into());
        if self.does(|simulation| simulation.set_species(&driven)) {
            self.driven = Some(kind);
        }
    }

    /// Gives a driven agent its own will back.
    fn let_go(&mut self) {
        if let Some(kind) = self.driven.take() {
            let own = self.controls.species[kind].effective();
            self.does(|simulation| simulation.set_species(&own));
        }
    }

    /// The explained agent if it is the only one of its species, else the first such agent.
    pub(super) fn single(&self) -> Option<(usize, AgentId)> {
        let agents = self.simulation.agents();
        let kinds = self.simulation.scene().species.len();
        let only = |kind: usize| {
            let mut slots = (0..agents.x.len())
                .filter(|&slot| agents.species.get(slot).map_or(0, |&k| usize::from(k)) == kind);
            let slot = slots.next()?;
            slots.next().is_none().then(|| (kind, self.simulation.id_at(slot)))
        };
        let explained = self.explained.first().and_then(|&id| self.simulation.agent(id).ok());
        explained.and_then(|agent| only(agent.species)).or_else(|| (0..kinds).find_map(only))
    }

    /// Adds some agents of a species around a place. They head away from it.
    pub(crate) fn add(&mut self, species: &str, at: [f32; 2], radius: f32) {
        // Where a sunflower's seeds are: evenly spread, and each stroke begins another turn.
        let turn = self.simulation.len() as f32;
        let result: Result<(), Error> = (0..STROKE).try_for_each(|k| {
            let (sin, cos) = ((turn + k as f32) * 2.399_963).sin_cos();
            let far = radius * ((k as f32 + 0.5) / STROKE as f32).sqrt();
            let place = self.inside([at[0] + far * cos, at[1] + far * sin]);
            self.simulation.spawn(species, place, [cos, sin]).map(|_| ())
        });
        match result {
            Ok(()) => self.message = format!("{} agents", self.simulation.len()),
            Err(error) => self.message = error.to_string(),
        }
    }

    /// A place in the world: across the seam of a torus, or at the edge of a bounded world.
    fn inside(&self, place: [f32; 2]) -> [f32; 2] {
        let size = self.simulation.world_size();
        [0, 1].map(|k| match self.simulation.topology() {
            flockwork::Topology::Torus => place[k].rem_euclid(size[k]).min(size[k].next_down()),
            flockwork::Topology::Bounded => place[k].clamp(0.0, size[k]),
            flockwork::Topology::Open => place[k],
        })
    }

    /// Removes the agents around a place.
    pub(crate) fn erase(&mut self, at: [f32; 2], radius: f32) {
        let agents = self.simulation.agents();
        let within =
            |slot: &usize| distance_sq([agents.x[*slot], agents.y[*slot]], at) <= radius * radius;
        let slots = (0..agents.x.len()).filter(within);
        let ids: Vec<AgentId> = slots.map(|slot| self.simulation.id_at(slot)).collect();
        self.does(|simulation: &mut Simulation| {
            ids.iter().try_for_each(|&id| simulation.remove(id))
        });
        self.message = format!("{} agents", self.simulation.len());
    }

    /// Puts up an obstacle.
    pub(crate) fn add_obstacle(&mut self, center: [f32; 2], radius: f32) {
        if radius < SMALLEST_OBSTACLE {
            return;
        }
        self.scenery.obstacles.push(Obstacle { center, radius });
        self.controls.obstacles = true;
        if !self.furnish() {
            self.scenery.obstacles.pop();
        }
    }

    /// Puts up a wall that is felt from both sides.
    pub(crate) fn add_wall(&mut self, points: Vec<[f32; 2]>) {
        let wall = Wall { points, two_sided: true, ..Wall::default() };
        self.scenery.walls.push(wall);
        self.controls.walls = true;
        if !self.furnish() {
            self.scenery.walls.pop();
        }
    }

    /// Takes the last obstacle or wall away that was put up by hand.
    pub(crate) fn undo_scenery(&mut self, wall: bool) {
        let (scenery, original) = (&mut self.scenery, &self.original);
        let removed = match wall {
            true if scenery.walls.len() > original.walls.len() => scenery.walls.pop().is_some(),
            false if scenery.obstacles.len() > original.obstacles.len() => {
                scenery.obstacles.pop().is_some()
            }
            _ => false,
        };
        if removed {
            self.furnish();
        }
    }
}

fn distance_sq(a: [f32; 2], b: [f32; 2]) -> f32 {
    let (dx, dy) = (a[0] - b[0], a[1] - b[1]);
    dx * dx + dy * dy
}

/// The named point that a species steers by.
fn named_target(species: &Species) -> Option<String> {
    let mut behaviors = species.behaviors.clone();
    let mut fields = behaviors.iter_mut().flat_map(Behavior::fields);
    fields.find_map(|field| match field.value {
        flockwork::FieldValue::Target(Target::Named(name)) => Some(name.clone()),
        _ => None,
    })
}
