use flockwork::Topology;

use super::Session;
use crate::picture::explanation::find;

/// Name of the point that follows the mouse while no button is pressed.
pub(crate) const CURSOR: &str = "cursor";

impl Session {
    pub(crate) fn explain(&mut self, number: Option<u32>) {
        let numbers: Vec<u32> = number.into_iter().collect();
        self.explained = find(&self.simulation, &numbers).unwrap_or_default();
    }

    /// Grabs the named point nearest to a position, e.g. the sheepdog's target, and moves it there.
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

    pub(crate) fn drag_point(&mut self, to: [f32; 2]) {
        match self.dragged_point.clone() {
            Some(name) => self.move_point(&name, to),
            None => self.shown.message = "no agent here steers by a point that can be moved".into(),
        }
    }

    pub(crate) fn follow_cursor(&mut self, to: [f32; 2]) {
        if self.job.is_none() {
            let to = self.wrap(to);
            self.try_apply(|simulation| simulation.set_point(CURSOR, to));
        }
    }

    pub(crate) fn move_point(&mut self, name: &str, to: [f32; 2]) {
        let to = self.wrap(to);
        self.try_edit(|simulation| simulation.set_point(name, to));
    }

    /// On a torus, wraps a position in a periodic image back into the world.
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_led_across_the_seam() {
        let mut session = Session::named("seek");
        session.grab_point([1_012.0, -66.0]);
        assert_eq!(session.simulation.scene().points["crosshair"], [12.0, 534.0]);
    }

    #[test]
    fn zombies_follow_the_bare_cursor() {
        let mut session = Session::named("zombies");
        session.follow_cursor([120.0, 80.0]);
        assert_eq!(session.simulation.scene().points[CURSOR], [120.0, 80.0]);
        let before = session.simulation.agents().x.to_vec();
        session.step();
        assert_ne!(session.simulation.agents().x, before);
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
}
