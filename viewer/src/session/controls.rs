//! Everything of a session that can be set, as plain values: the window edits a copy of them,
//! and the session applies what differs.

use flockwork::{FieldValue, Partition, Scene, Simulation, Species, Value};

use crate::picture::color_by::ColorBy;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Controls {
    /// The how many-th scene of the session they are for; others are out of date.
    pub(crate) opening: u32,
    pub(crate) paused: bool,
    /// Simulated seconds per second.
    pub(crate) time_scale: f32,
    pub(crate) threads: usize,
    pub(crate) partition: Partition,
    /// Steps in a simulated second: 1 / dt.
    pub(crate) steps_per_second: f32,
    /// How often per step overlapping agents are pushed apart.
    pub(crate) non_penetration: u32,
    /// How many headings a smoothed one is the mean of.
    pub(crate) heading_samples: Option<u32>,
    /// Whether obstacles stand.
    pub(crate) obstacles: bool,
    /// Whether walls stand.
    pub(crate) walls: bool,
    pub(crate) species: Vec<Edited>,
    pub(crate) color_by: ColorBy,
    /// How far back trails reach, in simulated seconds; 0 for none.
    pub(crate) trails: f32,
}

/// Trails that are switched on by a key; simulated seconds.
const USUAL_TRAILS: f32 = 2.0;

/// A species with switches for its behaviors.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Edited {
    pub(crate) species: Species,
    pub(crate) enabled: Vec<bool>,
}

impl Edited {
    pub(crate) fn of(species: &Species) -> Self {
        Self { species: species.clone(), enabled: vec![true; species.behaviors.len()] }
    }

    /// Takes over the book's values of what it has.
    pub(crate) fn take_book_values(&mut self) {
        self.species = self.species.clone().with_book_values();
    }

    /// The species with what is switched on.
    pub(crate) fn effective(&self) -> Species {
        let switched = self.species.behaviors.iter().zip(&self.enabled);
        let behaviors = switched.filter(|(_, on)| **on).map(|(behavior, _)| behavior.clone());
        Species { behaviors: behaviors.collect(), ..self.species.clone() }
    }
}

impl Controls {
    /// What a running simulation is set to.
    pub(crate) fn of(simulation: &Simulation) -> Self {
        let scene = simulation.scene();
        Self {
            opening: 0,
            paused: false,
            time_scale: 1.0,
            threads: simulation.threads(),
            partition: simulation.partition(),
            steps_per_second: scene.steps_per_second,
            non_penetration: scene.non_penetration,
            heading_samples: scene.heading_samples,
            obstacles: true,
            walls: true,
            species: scene.species.iter().map(Edited::of).collect(),
            color_by: ColorBy::default(),
            trails: 0.0,
        }
    }

    pub(crate) fn toggle_partition(&mut self) {
        self.partition = match self.partition {
            Partition::Cells => Partition::AllPairs,
            Partition::AllPairs => Partition::Cells,
        };
    }

    /// Switches smoothed headings on and off.
    pub(crate) fn toggle_smoothing(&mut self, original: &Scene) {
        self.heading_samples = match self.heading_samples {
            Some(_) => None,
            None => Some(original.heading_samples.unwrap_or(10)),
        };
    }

    pub(crate) fn toggle_trails(&mut self) {
        self.trails = if self.trails > 0.0 { 0.0 } else { USUAL_TRAILS };
    }

    /// Takes obstacles and walls away, or puts them back.
    pub(crate) fn toggle_scenery(&mut self) {
        let any = self.obstacles || self.walls;
        (self.obstacles, self.walls) = (!any, !any);
    }

    /// Pushes overlapping agents apart, as often as the scene does, or not.
    pub(crate) fn toggle_non_penetration(&mut self, original: &Scene) {
        self.non_penetration =
            if self.non_penetration == 0 { original.non_penetration.max(1) } else { 0 };
    }

    /// Multiplies the weight of a behavior in the first species that has it switched on. What it
    /// cannot do it says.
    pub(crate) fn scale_weight(&mut self, behavior: &str, factor: f32) -> Result<(), String> {
        for Edited { species, enabled } in &mut self.species {
            let switched = species.behaviors.iter_mut().zip(enabled).filter(|(_, on)| **on);
            for (known, _) in switched {
                // In flock_rules each of its parts has a weight, called like the behavior.
                let weight = if known.name() == behavior { "weight" } else { behavior };
                let mut fields = known.fields().into_iter();
                let Some(field) = fields.find(|field| field.name == weight) else { continue };
                let FieldValue::Number(weight) = field.value else { continue };
                let scaled = (*weight * factor).clamp(field.min, field.max);
                if scaled == *weight {
                    return Err(format!("the weight of {behavior} stays at {scaled}"));
                }
                *weight = scaled;
                return Ok(());
            }
        }
        Err(format!("nobody here has {behavior}"))
    }

    /// Multiplies the first species' maximum force.
    pub(crate) fn scale_force(&mut self, factor: f32) -> Result<(), String> {
        let first = self.species.first_mut().ok_or("nobody is there")?;
        scale(&mut first.species.max_force, factor, [0.0, 1.0e9], "force")
    }

    /// Multiplies the first species' maximum speed.
    pub(crate) fn scale_speed(&mut self, factor: f32) -> Result<(), String> {
        let first = self.species.first_mut().ok_or("nobody is there")?;
        scale(&mut first.species.max_speed, factor, [1.0e-3, 1.0e5], "speed")
    }
}

/// Multiplies a value within its range.
fn scale(value: &mut Value, factor: f32, [min, max]: [f32; 2], name: &str) -> Result<(), String> {
    let scaled = value.scaled(factor, min, max);
    if scaled == *value {
        return Err(format!("the maximum {name} stays as it is: allowed from {min} to {max}"));
    }
    *value = scaled;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn controls(scene: &str) -> Controls {
        Controls::of(&Scene::named(scene).unwrap().build().unwrap())
    }

    #[test]
    fn what_is_switched_off_is_not_in_effect_and_not_lost() {
        let mut flock = controls("flock").species.remove(0);
        assert_eq!(flock.effective(), flock.species);
        flock.enabled[0] = false;
        assert_eq!(flock.effective().behaviors, flock.species.behaviors[1..]);
    }

    #[test]
    fn the_book_s_keys_scale_what_they_name() {
        let mut flock = controls("flock");
        let cohesion = |controls: &Controls| controls.species[0].species.behaviors[2].weight();
        let before = cohesion(&flock);
        flock.scale_weight("cohesion", 2.0).unwrap();
        assert_eq!(cohesion(&flock), 2.0 * before);
        flock.scale_weight("cohesion", f32::MAX).unwrap();
        assert_eq!(cohesion(&flock), 1.0e6, "the largest there is");
        let unchanged = flock.clone();
        let said = flock.scale_weight("cohesion", 2.0).unwrap_err();
        assert!(said.contains("cohesion stays at 1000000"), "{said}");
        assert_eq!(flock.scale_weight("hide", 2.0).unwrap_err(), "nobody here has hide");
        assert_eq!(flock, unchanged);
        flock.scale_speed(2.0).unwrap();
        flock.scale_force(0.5).unwrap();
        assert_ne!(flock.species[0].species.max_speed, unchanged.species[0].species.max_speed);
        assert_ne!(flock.species[0].species.max_force, unchanged.species[0].species.max_force);
    }

    #[test]
    fn the_book_s_keys_scale_what_is_switched_on_also_in_flock_rules() {
        let mut rules = controls("flock-rules");
        let before = rules.clone();
        for part in ["separation", "alignment", "cohesion"] {
            rules.scale_weight(part, 1.1).unwrap();
        }
        assert_ne!(rules, before);
        let mut flock = controls("flock");
        flock.species[0].enabled.fill(false);
        assert!(flock.scale_weight("cohesion", 1.1).is_err());
    }

    #[test]
    fn non_penetration_comes_back_as_the_scene_has_it() {
        let mut scene = Scene::named("flock").unwrap();
        scene.non_penetration = 20;
        let mut controls = Controls::of(&scene.build().unwrap());
        controls.toggle_non_penetration(&scene);
        assert_eq!(controls.non_penetration, 0);
        controls.toggle_non_penetration(&scene);
        assert_eq!(controls.non_penetration, 20);
    }
}
