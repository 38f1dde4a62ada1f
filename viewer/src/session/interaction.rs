//! What the user does to the crowd: pick, drag points, add, remove, build.

use flockwork::{Obstacle, Topology, Wall};

use super::Session;
use crate::picture::explanation::find;

/// Agents added by one dab of the brush.
const AGENTS_PER_DAB: usize = 4;
/// The name of the point that follows the bare mouse.
pub(crate) const CURSOR: &str = "cursor";
/// Smaller obstacles are taken for slips of the mouse; world units.
const MIN_OBSTACLE_RADIUS: f32 = 1.0;

impl Session {
    /// Explains the agent of this number, or none.
    pub(crate) fn explain(&mut self, number: Option<u32>) {
        let numbers: Vec<u32> = number.into_iter().collect();
        self.explained = find(&self.simulation, &numbers).unwrap_or_default();
    }

    /// Explains the agent nearest to the middle of what is in view, which reaches this far from it;
    /// or none, if one was explained.
    pub(crate) fn toggle_explained(&mut self, middle: [f32; 2], reach: [f32; 2]) {
        if !self.explained.is_empty() {
            return self.explained.clear();
        }
        let mut nearest = Vec::new();
        let found = self.simulation.nearest_agents(middle, 1, None, &mut nearest);
        nearest.retain(|&id| {
            let at = self.simulation.agent(id).map(|agent| agent.position);
            at.is_ok_and(|at| {
                let away = self.simulation.displacement(middle, at);
                away[0].abs() <= reach[0] && away[1].abs() <= reach[1]
            })
        });
        if found.is_err() || nearest.is_empty() {
            self.shown.message = "no agent is in view".into();
        }
        self.explained = nearest;
    }

    /// Grabs the named point nearest to a position, such as the cursor or the dog's target, and
    /// moves it there.
    pub(crate) fn grab_point(&mut self, at: [f32; 2]) {
        let away = |point: [f32; 2]| {
            let [dx, dy] = self.simulation.displacement(at, point);
            dx * dx + dy * dy
        };
        let points = self.simulation.scene().points.iter();
        let nearest = points.min_by(|(_, a), (_, b)| away(**a).total_cmp(&away(**b)));
        self.dragged_point = nearest.map(|(name, _)| name.clone());
        self.drag_point(at);
    }

    /// Moves the grabbed point.
    pub(crate) fn drag_point(&mut self, to: [f32; 2]) {
        match self.dragged_point.clone() {
            Some(name) => self.move_point(&name, to),
            None => self.shown.message = "no agent here steers by a point that can be moved".into(),
        }
    }

    /// Moves the point that follows the bare mouse; no edit that would have to be saved.
    pub(crate) fn follow_cursor(&mut self, to: [f32; 2]) {
        if self.job.is_none() {
            let to = self.wrap(to);
            self.try_apply(|simulation| simulation.set_point(CURSOR, to));
        }
    }

    /// Moves a named point.
    pub(crate) fn move_point(&mut self, name: &str, to: [f32; 2]) {
        let to = self.wrap(to);
        self.try_edit(|simulation| simulation.set_point(name, to));
    }

    /// Adds a few agents of a species around a position, heading away from it.
    pub(crate) fn add_agents(&mut self, species: &str, at: [f32; 2], radius: f32) {
        // A sunflower pattern: evenly spread, and each dab continues the rotation.
        let turn = self.simulation.len() as f32;
        let places = (0..AGENTS_PER_DAB).filter_map(|k| {
            let (sin, cos) = ((turn + k as f32) * 2.399_963).sin_cos();
            let far = radius * ((k as f32 + 0.5) / AGENTS_PER_DAB as f32).sqrt();
            let place = self.inside([at[0] + far * cos, at[1] + far * sin])?;
            Some((place, [cos, sin]))
        });
        let (places, headings): (Vec<_>, Vec<_>) = places.unzip();
        let added = self
            .try_edit(|simulation| simulation.spawn_many(species, &places, &headings).map(drop));
        if added {
            let agents = self.simulation.len();
            self.shown.message = match AGENTS_PER_DAB - places.len() {
                0 => format!("{agents} agents"),
                outside => format!("{agents} agents; {outside} would be outside the world"),
            };
        }
        self.limit_all_pairs();
    }

    /// A position in the world, wrapped on a torus; `None` outside a bounded world.
    fn inside(&self, place: [f32; 2]) -> Option<[f32; 2]> {
        let size = self.simulation.world_size();
        let is_inside = self.simulation.topology() != Topology::Bounded
            || (0..2).all(|k| (0.0..=size[k]).contains(&place[k]));
        is_inside.then(|| self.wrap(place))
    }

    /// The position within the torus that corresponds to a position in a periodic image.
    fn wrap(&self, place: [f32; 2]) -> [f32; 2] {
        if self.simulation.topology() != Topology::Torus {
            return place;
        }
        let size = self.simulation.world_size();
        [0, 1].map(|k| {
            let within = place[k].rem_euclid(size[k]);
            if within == size[k] { within.next_down() } else { within }
        })
    }

    /// Removes the agents around a position.
    pub(crate) fn remove_agents(&mut self, at: [f32; 2], radius: f32) {
        let removed = self.try_edit(|simulation| {
            let mut ids = Vec::new();
            simulation.agents_within(at, radius, None, &mut ids)?;
            simulation.remove_many(&ids)
        });
        if removed {
            self.shown.message = format!("{} agents", self.simulation.len());
        }
    }

    /// Builds an obstacle.
    pub(crate) fn add_obstacle(&mut self, center: [f32; 2], radius: f32) {
        if radius >= MIN_OBSTACLE_RADIUS && self.begin_edit() {
            let center = self.wrap(center);
            self.scenery.obstacles.push(Obstacle { center, radius });
            if self.set_scenery(true, self.controls.edits.walls) {
                self.warn_if_unused(&["obstacle_avoidance", "look_ahead", "hide"], "obstacles");
            } else {
                self.scenery.obstacles.pop();
            }
        }
    }

    /// Builds a two-sided wall. Its first point is wrapped into the world.
    pub(crate) fn add_wall(&mut self, mut points: Vec<[f32; 2]>) {
        let Some(&seen) = points.first() else { return };
        if !self.begin_edit() {
            return;
        }
        let first = self.wrap(seen);
        for point in &mut points {
            *point = [0, 1].map(|k| point[k] + (first[k] - seen[k]));
        }
        let wall = Wall { points, two_sided: true, ..Wall::default() };
        self.scenery.walls.push(wall);
        if self.set_scenery(self.controls.edits.obstacles, true) {
            self.warn_if_unused(&["wall_avoidance"], "walls");
        } else {
            self.scenery.walls.pop();
        }
    }

    /// Says so if what was built has no effect.
    fn warn_if_unused(&mut self, behaviors: &[&str], what: &str) {
        let kinds = &self.simulation.scene().species;
        let mut all = kinds.iter().flat_map(|kind| &kind.behaviors);
        if !all.any(|behavior| behaviors.contains(&behavior.name())) {
            let behaviors = behaviors.join(" or ");
            self.shown.message = format!("no agent here reacts to {what}: that takes {behaviors}");
        }
    }

    /// Removes the obstacle or wall that the user built last.
    pub(crate) fn remove_scenery(&mut self, wall: bool) {
        if !self.begin_edit() {
            return;
        }
        let (scenery, original) = (&mut self.scenery, &self.shown.original);
        if wall && scenery.walls.len() > original.walls.len() {
            scenery.walls.pop();
        }
        if !wall && scenery.obstacles.len() > original.obstacles.len() {
            scenery.obstacles.pop();
        }
        self.set_scenery(self.controls.edits.obstacles, self.controls.edits.walls);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flockwork::{Scene, Species, Wander, World};

    /// A torus of 100 by 100 with an agent near its left edge, and two species of one agent each.
    fn torus() -> Session {
        let kind = |name| Species::new(name, 0).steer(Wander::default());
        let scene = Scene::new(World::torus(100.0, 100.0)).species(kind("a")).species(kind("b"));
        let mut two = scene.build().unwrap();
        two.spawn("a", [2.0, 50.0], [1.0, 0.0]).unwrap();
        two.spawn("b", [50.0, 50.0], [1.0, 0.0]).unwrap();
        Session::of(two, Vec::new())
    }

    #[test]
    fn interaction_works_across_the_seam() {
        let mut session = torus();
        session.remove_agents([-1.0, 50.0], 5.0);
        assert_eq!(session.simulation.len(), 1);

        session.add_obstacle([120.0, -10.0], 5.0);
        session.add_wall(vec![[-90.0, 120.0], [-80.0, 130.0]]);
        let scene = session.simulation.scene();
        assert_eq!(scene.obstacles[0].center, [20.0, 90.0]);
        assert_eq!(scene.walls[0].points, [[10.0, 20.0], [20.0, 30.0]]);

        let mut session = Session::named("seek");
        session.grab_point([1_012.0, -66.0]);
        assert_eq!(session.simulation.scene().points["crosshair"], [12.0, 534.0]);
    }

    #[test]
    fn zombies_follow_the_bare_cursor() {
        let mut session = Session::named("zombies");
        session.follow_cursor([120.0, 80.0]);
        assert_eq!(session.simulation.scene().points[CURSOR], [120.0, 80.0]);
        assert!(!session.shown.unsaved, "no edit");
        let before = session.simulation.agents().x.to_vec();
        session.step();
        assert_ne!(session.simulation.agents().x, before);
    }

    #[test]
    fn no_agent_is_added_outside_a_bounded_world() {
        let mut session = Session::named("arrive");
        let agents = session.simulation.len();
        session.add_agents("fast", [-200.0, 300.0], 10.0);
        assert_eq!(session.simulation.len(), agents);
        assert!(session.shown.message.contains("4 would be outside"), "{}", session.shown.message);
        session.add_agents("fast", [500.0, 300.0], 10.0);
        assert_eq!(session.simulation.len(), agents + AGENTS_PER_DAB);
        assert!(!session.shown.message.contains("outside"), "{}", session.shown.message);
    }

    #[test]
    fn only_the_point_nearest_to_the_press_is_dragged() {
        let mut session = Session::named("arrive");
        let points = |session: &Session| session.simulation.scene().points.clone();
        let mut expected = points(&session);
        session.grab_point([840.0, 130.0]);
        session.drag_point([850.0, 300.0]);
        session.drag_point([600.0, 470.0]);
        expected.insert("lower".into(), [600.0, 470.0]);
        assert_eq!(points(&session), expected);
    }

    #[test]
    fn building_without_effect_is_reported() {
        let mut session = Session::named("flock");
        session.add_obstacle([50.0, 50.0], 40.0);
        assert!(session.shown.message.contains("obstacle_avoidance"), "{}", session.shown.message);
        session.add_wall(vec![[50.0, 50.0], [60.0, 50.0]]);
        assert!(session.shown.message.contains("wall_avoidance"), "{}", session.shown.message);
        let mut session = Session::named("obstacle-avoidance");
        session.add_obstacle([50.0, 50.0], 40.0);
        assert_eq!(session.shown.message, "");
    }

    #[test]
    fn a_refused_obstacle_or_wall_switches_nothing_on() {
        let mut session = Session::named("wall-avoidance");
        session.set_scenery(false, false);
        session.add_obstacle([f32::NAN, 50.0], 40.0);
        assert!(!session.controls.edits.obstacles && !session.shown.message.is_empty());
        session.add_wall(vec![[f32::NAN, 50.0], [60.0, 50.0]]);
        assert!(!session.controls.edits.walls);
        assert_eq!(session.simulation.walls().len(), 0);
    }
}
