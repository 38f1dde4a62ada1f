//! What the audience does with its hands: pointing, leading, driving, adding, removing, building.

use flockwork::{AgentId, Behavior, Obstacle, Seek, Simulation, Species, Target, Topology, Wall};

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
        let distance_sq = |slot: &usize| self.distance_sq([agents.x[*slot], agents.y[*slot]], at);
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

    /// Takes the named point nearest to a place in hand, such as the cursor or where the dog is
    /// sent, and moves it there.
    pub(crate) fn take_point(&mut self, at: [f32; 2]) {
        let points = self.simulation.scene().points.iter();
        let nearest = points.min_by(|(_, a), (_, b)| {
            self.distance_sq(**a, at).total_cmp(&self.distance_sq(**b, at))
        });
        self.in_hand = nearest.map(|(name, _)| name.clone());
        self.lead(at);
    }

    /// Moves the point in hand.
    pub(crate) fn lead(&mut self, to: [f32; 2]) {
        match self.in_hand.clone() {
            Some(name) => self.move_point(&name, to),
            None => self.message = "nobody here steers by a point that could be moved".into(),
        }
    }

    /// Moves a named point.
    pub(crate) fn move_point(&mut self, name: &str, to: [f32; 2]) {
        let to = self.across_the_seam(to);
        self.does(|simulation| simulation.set_point(name, to));
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
        let to = self.across_the_seam([0, 1].map(|k| agent.position[k] + direction[k] * ahead));
        // Who was driven before is let go of.
        if self.driven.is_some_and(|driven| driven != kind) {
            self.let_go();
        }
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
    pub(super) fn let_go(&mut self) {
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
        let places = (0..STROKE).filter_map(|k| {
            let (sin, cos) = ((turn + k as f32) * 2.399_963).sin_cos();
            let far = radius * ((k as f32 + 0.5) / STROKE as f32).sqrt();
            let place = self.inside([at[0] + far * cos, at[1] + far * sin])?;
            Some((place, [cos, sin]))
        });
        let places: Vec<_> = places.collect();
        let result: Result<(), flockwork::Error> =
            places.iter().try_for_each(|&(place, heading)| {
                self.simulation.spawn(species, place, heading).map(|_| ())
            });
        let agents = self.simulation.len();
        self.message = match (result, STROKE - places.len()) {
            (Ok(()), 0) => format!("{agents} agents"),
            (Ok(()), outside) => format!("{agents} agents; {outside} would be outside the world"),
            (Err(error), _) => error.to_string(),
        };
        self.limit_all_pairs();
    }

    /// A place in the world, across the seam of a torus; nothing outside a bounded world.
    fn inside(&self, place: [f32; 2]) -> Option<[f32; 2]> {
        let size = self.simulation.world_size();
        match self.simulation.topology() {
            Topology::Bounded => {
                (0..2).all(|k| (0.0..=size[k]).contains(&place[k])).then_some(place)
            }
            Topology::Torus | Topology::Open => Some(self.across_the_seam(place)),
        }
    }

    /// The place in a torus that is seen at a place of its repetition.
    fn across_the_seam(&self, place: [f32; 2]) -> [f32; 2] {
        let size = self.simulation.world_size();
        match self.simulation.topology() {
            Topology::Torus => [0, 1].map(|k| {
                let within = place[k].rem_euclid(size[k]);
                if within == size[k] { within.next_down() } else { within }
            }),
            Topology::Bounded | Topology::Open => place,
        }
    }

    /// The square of the distance, on a torus that of the shortest way.
    fn distance_sq(&self, a: [f32; 2], b: [f32; 2]) -> f32 {
        let size = self.simulation.world_size();
        let [dx, dy] = [0, 1].map(|k| match self.simulation.topology() {
            Topology::Torus => (a[k] - b[k]) - size[k] * ((a[k] - b[k]) / size[k]).round(),
            Topology::Bounded | Topology::Open => a[k] - b[k],
        });
        dx * dx + dy * dy
    }

    /// Removes the agents around a place.
    pub(crate) fn erase(&mut self, at: [f32; 2], radius: f32) {
        let agents = self.simulation.agents();
        let within = |slot: &usize| {
            self.distance_sq([agents.x[*slot], agents.y[*slot]], at) <= radius * radius
        };
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
        let center = self.across_the_seam(center);
        self.scenery.obstacles.push(Obstacle { center, radius });
        if self.furnish(true, self.controls.walls) {
            self.say_if_nobody_has(&["obstacle_avoidance", "look_ahead", "hide"], "obstacles");
        } else {
            self.scenery.obstacles.pop();
        }
    }

    /// Puts up a wall that is felt from both sides. Where it begins is in the world.
    pub(crate) fn add_wall(&mut self, mut points: Vec<[f32; 2]>) {
        let Some(&seen) = points.first() else { return };
        let first = self.across_the_seam(seen);
        for point in &mut points {
            *point = [0, 1].map(|k| point[k] + (first[k] - seen[k]));
        }
        let wall = Wall { points, two_sided: true, ..Wall::default() };
        self.scenery.walls.push(wall);
        if self.furnish(self.controls.obstacles, true) {
            self.say_if_nobody_has(&["wall_avoidance"], "walls");
        } else {
            self.scenery.walls.pop();
        }
    }

    /// What was built may be without effect.
    fn say_if_nobody_has(&mut self, behaviors: &[&str], what: &str) {
        let kinds = &self.simulation.scene().species;
        let mut all = kinds.iter().flat_map(|kind| &kind.behaviors);
        if !all.any(|behavior| behaviors.contains(&behavior.name())) {
            let behaviors = behaviors.join(" or ");
            self.message = format!("nobody here heeds {what}: that takes {behaviors}");
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
            self.furnish(self.controls.obstacles, self.controls.walls);
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use flockwork::{Scene, Wander, World};

    /// A torus of 100 by 100 with an agent near its left edge, and two species of one.
    fn two() -> Session {
        let kind = |name| Species::new(name, 0).steer(Wander::default());
        let scene = Scene::new(World::torus(100.0, 100.0)).species(kind("a")).species(kind("b"));
        let mut two = scene.build().unwrap();
        two.spawn("a", [2.0, 50.0], [1.0, 0.0]).unwrap();
        two.spawn("b", [50.0, 50.0], [1.0, 0.0]).unwrap();
        Session::of(two, Vec::new())
    }

    #[test]
    fn hands_reach_across_the_seam() {
        let mut session = two();
        let id = session.simulation.id_at(0);
        for at in [[98.0, 50.0], [102.0, 50.0], [2.0, -50.0], [-98.0, 150.0]] {
            session.pick([50.0, 0.0], 1.0);
            session.pick(at, 5.0);
            assert_eq!(session.explained, [id], "{at:?}");
        }
        session.erase([-1.0, 50.0], 5.0);
        assert_eq!(session.simulation.len(), 1);

        session.add_obstacle([120.0, -10.0], 5.0);
        session.add_wall(vec![[-90.0, 120.0], [-80.0, 130.0]]);
        let scene = session.simulation.scene();
        assert_eq!(scene.obstacles[0].center, [20.0, 90.0]);
        assert_eq!(scene.walls[0].points, [[10.0, 20.0], [20.0, 30.0]]);

        let mut session = Session::named("seek");
        session.take_point([1_012.0, -66.0]);
        assert_eq!(session.simulation.scene().points["cursor"], [12.0, 534.0]);
    }

    #[test]
    fn nobody_is_added_outside_a_bounded_world() {
        let mut session = Session::named("arrive");
        let agents = session.simulation.len();
        session.add("fast", [-200.0, 300.0], 10.0);
        assert_eq!(session.simulation.len(), agents);
        assert!(session.message.contains("4 would be outside"), "{}", session.message);
        session.add("fast", [500.0, 300.0], 10.0);
        assert_eq!(session.simulation.len(), agents + STROKE);
        assert!(!session.message.contains("outside"), "{}", session.message);
    }

    #[test]
    fn the_point_nearest_to_the_press_is_led_past_others() {
        let mut session = Session::named("arrive");
        let points = |session: &Session| session.simulation.scene().points.clone();
        let mut expected = points(&session);
        session.take_point([840.0, 130.0]);
        session.lead([850.0, 300.0]);
        session.lead([600.0, 470.0]);
        expected.insert("lower".into(), [600.0, 470.0]);
        assert_eq!(points(&session), expected);
    }

    #[test]
    fn who_is_no_longer_driven_has_its_own_will_back() {
        let mut session = two();
        for slot in [0, 1] {
            session.explained = vec![session.simulation.id_at(slot)];
            session.drive([1.0, 0.0]);
        }
        let species = &session.simulation.scene().species;
        assert_eq!(species[0], session.original.species[0]);
        assert_ne!(species[1], session.original.species[1]);
    }

    #[test]
    fn what_nobody_heeds_is_said() {
        let mut session = Session::named("flock");
        session.add_obstacle([50.0, 50.0], 40.0);
        assert!(session.message.contains("obstacle_avoidance"), "{}", session.message);
        session.add_wall(vec![[50.0, 50.0], [60.0, 50.0]]);
        assert!(session.message.contains("wall_avoidance"), "{}", session.message);
        let mut session = Session::named("obstacle-avoidance");
        session.add_obstacle([50.0, 50.0], 40.0);
        assert_eq!(session.message, "");
    }

    #[test]
    fn what_cannot_be_built_switches_nothing_on() {
        let mut session = Session::named("wall-avoidance");
        session.furnish(false, false);
        session.add_obstacle([f32::NAN, 50.0], 40.0);
        assert!(!session.controls.obstacles && !session.message.is_empty());
        session.add_wall(vec![[f32::NAN, 50.0], [60.0, 50.0]]);
        assert!(!session.controls.walls);
        assert_eq!(session.simulation.walls().len(), 0);
    }
}
