//! One agent as the oracle sees it.

use crate::behaviors::target::Target;
use crate::crowd::Crowd;
use crate::crowd::columns::value;
use crate::oracle::vector::{V, add, dot, length, norm, scale, sub};
use crate::species::Species;

/// Added to squared distances.
const SOFTENING: f64 = 1.0e-12;

/// One agent as the oracle sees it.
pub(crate) struct Oracle<'a> {
    pub(super) crowd: &'a Crowd<'a>,
    pub(super) species: &'a Species,
    pub(super) slot: usize,
    pub(super) wander: V,
    pub(super) waypoint: usize,
    pub(super) alert: f64,
    /// Slots of the neighbors.
    pub(super) neighbors: Vec<usize>,
    pub(super) margin: f64,
}

impl<'a> Oracle<'a> {
    pub(crate) fn new(crowd: &'a Crowd<'a>, slot: usize) -> Self {
        let species = &crowd.kinds[crowd.kind_of(slot)].species;
        let mut oracle = Self {
            crowd,
            species,
            slot,
            wander: [0.0; 2],
            waypoint: crowd.motion.waypoint.get(slot).map_or(0, |&waypoint| waypoint as usize),
            alert: crowd.motion.alert.get(slot).copied().map_or(0.0, f64::from),
            neighbors: Vec::new(),
            margin: f64::MAX,
        };
        if let (Some(&x), Some(&y)) =
            (crowd.motion.wander_x.get(slot), crowd.motion.wander_y.get(slot))
        {
            oracle.wander = [x, y].map(f64::from);
        }
        oracle.look_around();
        oracle
    }

    fn look_around(&mut self) {
        let half_view = f64::from(self.species.field_of_view / 2.0).to_radians();
        for other in (0..self.crowd.len()).filter(|&other| other != self.slot) {
            let to = self.displacement(self.position(), self.position_of(other));
            let mut view = f64::from(self.species.view_distance);
            if self.species.view_includes_radius {
                view += self.radius_of(other);
            }
            self.margin = self.margin.min((length(to) / view - 1.0).abs());
            if length(to) >= view {
                continue;
            }
            if self.species.field_of_view < 360.0 && length(to) > 0.0 {
                let cos = dot(self.heading(), norm(to));
                self.margin = self.margin.min((cos - half_view.cos()).abs());
                if cos < half_view.cos() {
                    continue;
                }
            }
            self.neighbors.push(other);
        }
    }

    pub(super) fn position_of(&self, slot: usize) -> V {
        [self.crowd.motion.x[slot], self.crowd.motion.y[slot]].map(f64::from)
    }
    pub(super) fn position(&self) -> V {
        self.position_of(self.slot)
    }
    pub(super) fn velocity_of(&self, slot: usize) -> V {
        let velocity = self.crowd.velocity(slot);
        [velocity.x, velocity.y].map(f64::from)
    }
    pub(super) fn velocity(&self) -> V {
        self.velocity_of(self.slot)
    }
    pub(super) fn heading_of(&self, slot: usize) -> V {
        [self.crowd.motion.hx[slot], self.crowd.motion.hy[slot]].map(f64::from)
    }
    pub(super) fn heading(&self) -> V {
        self.heading_of(self.slot)
    }
    pub(super) fn radius_of(&self, slot: usize) -> f64 {
        let species = &self.crowd.kinds[self.crowd.kind_of(slot)].species;
        f64::from(value::<f32>(&self.crowd.traits.radius, slot, species.radius))
    }
    pub(super) fn max_speed(&self) -> f64 {
        f64::from(value::<f32>(&self.crowd.traits.max_speed, self.slot, self.species.max_speed))
    }

    /// The displacement between two points: on the torus, the shortest.
    pub(super) fn displacement(&self, from: V, to: V) -> V {
        let mut way = sub(to, from);
        if self.crowd.space.is_torus() {
            let size = [self.crowd.space.size.x, self.crowd.space.size.y].map(f64::from);
            for axis in 0..2 {
                way[axis] -= (way[axis] / size[axis]).round() * size[axis];
            }
        }
        way
    }

    /// Notes that the result depends on which of two values is larger.
    pub(super) fn decides(&mut self, a: f64, b: f64) {
        let scale = a.abs().max(b.abs()).max(f64::MIN_POSITIVE);
        self.margin = self.margin.min((a - b).abs() / scale);
    }

    pub(super) fn way_to(&self, point: V) -> V {
        self.displacement(self.position(), point)
    }

    /// Position, velocity and heading of a target.
    pub(super) fn target(&self, target: &Target) -> Option<(V, V, V)> {
        let still = |at: [f32; 2]| (at.map(f64::from), [0.0; 2], [0.0; 2]);
        let index = match target {
            Target::Point(point) => return Some(still(*point)),
            Target::Own => self.crowd.traits.target.get(self.slot).copied()?,
            shared => {
                let known =
                    self.crowd.shared_targets.iter().find(|known| known.target == *shared)?;
                // Absent once an agent is removed.
                let pose = known.pose?;
                match known.id {
                    Some(id) => id.index,
                    None => return Some(still(pose.position.into())),
                }
            }
        };
        let slot = self.crowd.traits.index.iter().position(|other| *other == index)?;
        Some((self.position_of(slot), self.velocity_of(slot), self.heading_of(slot)))
    }

    /// Center and radius of an obstacle.
    pub(super) fn obstacle(&self, k: usize) -> (V, f64) {
        let obstacles = &self.crowd.scenery.obstacles;
        ([obstacles.x[k], obstacles.y[k]].map(f64::from), f64::from(obstacles.radius[k]))
    }

    /// Whether the agent sees what is at the end of `way`.
    pub(super) fn sees(&self, way: V) -> bool {
        let half_view = f64::from(self.species.field_of_view / 2.0).to_radians();
        length(way) < f64::from(self.species.view_distance)
            && (self.species.field_of_view >= 360.0
                || length(way) == 0.0
                || dot(self.heading(), norm(way)) >= half_view.cos())
    }

    /// The ways to the neighbors.
    pub(super) fn ways(&self) -> impl Iterator<Item = V> + '_ {
        self.neighbors
            .iter()
            .map(|&other| self.displacement(self.position(), self.position_of(other)))
    }

    pub(super) fn mean_way(&self) -> V {
        scale(self.ways().fold([0.0; 2], add), 1.0 / self.neighbors.len() as f64)
    }

    /// What separation sums up.
    pub(super) fn push(&self) -> V {
        self.ways()
            .fold([0.0; 2], |sum, way| add(sum, scale(way, -1.0 / (dot(way, way) + SOFTENING))))
    }

    pub(super) fn mean_heading(&self) -> V {
        let sum = self.neighbors.iter().fold([0.0; 2], |sum, &j| add(sum, self.heading_of(j)));
        scale(sum, 1.0 / self.neighbors.len() as f64)
    }
}
