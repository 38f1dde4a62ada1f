//! Checks that a scene fits the size of its world.

use crate::behaviors::Behavior;
use crate::error::{Error, within};
use crate::scene::Scene;
use crate::species::Species;
use crate::world::space::Space;

/// How far behaviors on a torus may look, in shorter sides. From there on, rounding errors soon come
/// to whole worlds, and the shortest way is no longer found.
const FURTHEST: f32 = 1.0e5;

impl Scene {
    /// Checks everything that depends on the size of the world.
    pub(crate) fn check_fit(&self, space: &Space) -> Result<(), Error> {
        self.check_speeds(space)?;
        for (k, species) in self.species.iter().enumerate() {
            for (number, behavior) in species.behaviors.iter().enumerate() {
                let path = format!("species[{k}].behaviors[{number}].{}", behavior.name());
                if let Behavior::Containment(containment) = behavior {
                    let unit = "world units: at most half the shorter side of the world";
                    let most = space.smaller_side() / 2.0;
                    within(&format!("{path}.margin"), containment.margin, 0.0, most, unit)?;
                }
                let (reach, most) =
                    (self.reach(space, species, behavior), FURTHEST * space.smaller_side());
                if space.is_torus() && reach > most {
                    let value = format!("places up to {reach} world units away");
                    let sides = format!("{FURTHEST} times the shorter side of the torus");
                    return Err(Error::refused(path, value, format!("at most {most}, {sides}")));
                }
            }
        }
        Ok(())
    }

    /// Wrapping corrects at most one crossing of each seam per step, so on a torus no agent may move
    /// further than the shorter side in a step.
    pub(crate) fn check_speeds(&self, space: &Space) -> Result<(), Error> {
        if !space.is_torus() {
            return Ok(());
        }
        let limit = space.smaller_side() * self.steps_per_second;
        let unit = "units/s: at most the shorter side of the torus per step";
        self.species.iter().enumerate().try_for_each(|(k, species)| {
            within(&format!("species[{k}].max_speed"), species.max_speed.max(), 0.0, limit, unit)
        })
    }

    /// How far from what it is computed with a place may be that a behavior takes the shortest way
    /// to: one behind a leader or an obstacle, or where a target will be. Points are brought into the
    /// world beforehand.
    fn reach(&self, space: &Space, species: &Species, behavior: &Behavior) -> f32 {
        let furthest = space.size.length() / 2.0;
        let fastest = self.largest_speed();
        match behavior {
            Behavior::Evade(_) => furthest,
            Behavior::Pursuit(pursuit) => furthest + 2.0 * pursuit.turnaround * fastest,
            Behavior::Interpose(_) => furthest * (fastest / species.max_speed.min()).max(1.0),
            Behavior::LeaderFollowing(following) => following.distance,
            Behavior::Hide(hide) => {
                let radii = self.obstacles.iter().map(|obstacle| obstacle.radius);
                furthest.max(hide.gap + radii.fold(0.0, f32::max))
            }
            Behavior::OffsetPursuit(pursuit) => {
                let [across, ranks] = match pursuit.abreast {
                    0 => [0.0, 0.0],
                    abreast => [abreast as f32 / 2.0, species.agents as f32 / abreast as f32],
                };
                let [ahead, aside] = pursuit.offset.map(f32::abs);
                furthest + ahead + aside + pursuit.spacing * (across + ranks)
            }
            _ => 0.0,
        }
    }
}
