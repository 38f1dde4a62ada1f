//! All settings of a session, as plain values: the window edits a copy, and the session applies
//! what differs.

use flockwork::{FieldValueMut, Partition, Scene, Simulation, Species, Value};

use crate::picture::color_by::ColorBy;
use crate::picture::look::{FlowView, Look};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Controls {
    /// Counts the crowds of the session. Controls with another count are out of date.
    pub(crate) epoch: u32,
    pub(crate) paused: bool,
    /// Simulated seconds per second.
    pub(crate) time_scale: f32,
    pub(crate) threads: usize,
    pub(crate) partition: Partition,
    /// Steps in a simulated second: 1 / dt.
    pub(crate) steps_per_second: f32,
    /// How many times per step overlapping agents are pushed apart.
    pub(crate) non_penetration: u32,
    /// How many headings a smoothed heading averages.
    pub(crate) heading_samples: Option<u32>,
    /// Whether obstacles are switched on.
    pub(crate) obstacles: bool,
    /// Whether walls are switched on.
    pub(crate) walls: bool,
    pub(crate) species: Vec<EditedSpecies>,
    pub(crate) color_by: ColorBy,
    /// Length of trails in simulated seconds; 0 for none.
    pub(crate) trails: f32,
    pub(crate) flow_view: FlowView,
    /// Whether the crowd runs twice, by cells and by all pairs.
    pub(crate) panes: bool,
    /// Whether agents glow.
    pub(crate) glows: bool,
    /// Whether the aims of small crowds are drawn.
    pub(crate) aims: bool,
}

/// Length of trails when a key switches them on, in simulated seconds.
const DEFAULT_TRAILS: f32 = 2.0;

/// A species with a switch for each behavior.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EditedSpecies {
    pub(crate) species: Species,
    pub(crate) enabled: Vec<bool>,
}

impl EditedSpecies {
    pub(crate) fn of(species: &Species) -> Self {
        Self { species: species.clone(), enabled: vec![true; species.behaviors.len()] }
    }

    /// Applies the book's values to what the species has.
    pub(crate) fn apply_book_values(&mut self) {
        self.species = self.species.clone().with_book_values();
    }

    /// The species with only the behaviors that are switched on.
    pub(crate) fn effective(&self) -> Species {
        let switched = self.species.behaviors.iter().zip(&self.enabled);
        let behaviors = switched.filter(|(_, on)| **on).map(|(behavior, _)| behavior.clone());
        Species { behaviors: behaviors.collect(), ..self.species.clone() }
    }
}

impl Controls {
    /// The settings of a running simulation.
    pub(crate) fn of(simulation: &Simulation) -> Self {
        let scene = simulation.scene();
        Self {
            epoch: 0,
            paused: false,
            time_scale: 1.0,
            threads: simulation.threads(),
            partition: simulation.partition(),
            steps_per_second: scene.steps_per_second,
            non_penetration: scene.non_penetration,
            heading_samples: scene.heading_samples,
            obstacles: true,
            walls: true,
            species: scene.species.iter().map(EditedSpecies::of).collect(),
            color_by: ColorBy::default(),
            trails: 0.0,
            flow_view: FlowView::default(),
            panes: false,
            glows: true,
            aims: true,
        }
    }

    /// Whether other controls edit the scene.
    pub(super) fn edits(&self, other: &Self) -> bool {
        let scene = |controls: &Self| {
            let Self { steps_per_second, non_penetration, heading_samples, .. } = *controls;
            let Self { obstacles, walls, .. } = *controls;
            (steps_per_second, non_penetration, heading_samples, obstacles, walls)
        };
        self.species != other.species || scene(self) != scene(other)
    }

    /// How to draw on a display of this scale.
    pub(crate) fn look(&self, scale: f32) -> Look {
        let Self { color_by, flow_view, trails, glows, aims, .. } = *self;
        Look { color_by, flow_view, trails, glows, aims, scale }
    }

    /// The same, with the settings of a session rather than of a crowd taken from another one.
    pub(super) fn with_session_of(self, other: &Self) -> Self {
        Self {
            paused: other.paused,
            time_scale: other.time_scale,
            threads: other.threads,
            partition: other.partition,
            color_by: other.color_by,
            trails: other.trails,
            flow_view: other.flow_view,
            panes: other.panes,
            glows: other.glows,
            aims: other.aims,
            epoch: other.epoch + 1,
            ..self
        }
    }

    pub(crate) fn toggle_partition(&mut self) {
        self.partition = match self.partition {
            Partition::Auto | Partition::Cells => Partition::AllPairs,
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
        self.trails = if self.trails > 0.0 { 0.0 } else { DEFAULT_TRAILS };
    }

    /// Removes obstacles and walls, or puts them back.
    pub(crate) fn toggle_scenery(&mut self) {
        let any = self.obstacles || self.walls;
        (self.obstacles, self.walls) = (!any, !any);
    }

    /// Switches non-penetration off, or back to the scene's iterations.
    pub(crate) fn toggle_non_penetration(&mut self, original: &Scene) {
        self.non_penetration =
            if self.non_penetration == 0 { original.non_penetration.max(1) } else { 0 };
    }

    /// The weights that a scene has.
    pub(crate) fn weights_of(scene: &Scene) -> Weights {
        Weights(scene.species.iter().map(EditedSpecies::of).collect())
    }

    /// The weight of a behavior in the first species that has it switched on.
    pub(crate) fn weight_mut(&mut self, behavior: &str) -> Option<Weight<'_>> {
        weight(&mut self.species, behavior)
    }

    /// Scales the weight of a behavior in the first species that has it switched on. Returns what it
    /// did, or why it cannot.
    pub(crate) fn scale_weight(&mut self, behavior: &str, factor: f32) -> Result<String, String> {
        let Some(Weight { species, value, min, max }) = self.weight_mut(behavior) else {
            return Err(format!("no agent here has {behavior}"));
        };
        let scaled = (*value * factor).clamp(min, max);
        if scaled == *value {
            return Err(format!("the weight of {behavior} is at its limit, {scaled}"));
        }
        *value = scaled;
        Ok(format!("{behavior} of {species}: {}", readable(scaled)))
    }

    /// Scales the first species' max force.
    pub(crate) fn scale_force(&mut self, factor: f32) -> Result<String, String> {
        let first = &mut self.species.first_mut().ok_or("there are no agents")?.species;
        scale(&first.name, &mut first.max_force, factor, [0.0, 1.0e9], "force")
    }

    /// Scales the first species' max speed.
    pub(crate) fn scale_speed(&mut self, factor: f32) -> Result<String, String> {
        let first = &mut self.species.first_mut().ok_or("there are no agents")?.species;
        scale(&first.name, &mut first.max_speed, factor, [1.0e-3, 1.0e5], "speed")
    }
}

/// The weights of a scene that runs elsewhere.
pub(crate) struct Weights(Vec<EditedSpecies>);

impl Weights {
    pub(crate) fn weight_mut(&mut self, behavior: &str) -> Option<Weight<'_>> {
        weight(&mut self.0, behavior)
    }
}

/// The weight of a behavior.
pub(crate) struct Weight<'a> {
    /// The name of the species that has it.
    pub(crate) species: &'a str,
    pub(crate) value: &'a mut f32,
    pub(crate) min: f32,
    pub(crate) max: f32,
}

fn weight<'a>(all: &'a mut [EditedSpecies], behavior: &str) -> Option<Weight<'a>> {
    for EditedSpecies { species: Species { name, behaviors, .. }, enabled } in all {
        let switched = behaviors.iter_mut().zip(enabled).filter(|(_, on)| **on);
        for (known, _) in switched {
            // Each rule in flock_rules has a weight, named after the behavior.
            let weight = if known.name() == behavior { "weight" } else { behavior };
            let mut fields = known.fields_mut().into_iter();
            let Some(field) = fields.find(|field| field.name == weight) else { continue };
            let FieldValueMut::Number(value) = field.value else { continue };
            return Some(Weight { species: name, value, min: field.min, max: field.max });
        }
    }
    None
}

/// Scales a value of a species within its range.
fn scale(
    species: &str,
    value: &mut Value,
    factor: f32,
    [min, max]: [f32; 2],
    name: &str,
) -> Result<String, String> {
    let scaled = value.scaled(factor, min, max);
    if scaled == *value {
        return Err(format!("the maximum {name} is at its limit: allowed from {min} to {max}"));
    }
    *value = scaled;
    let shown = match scaled {
        Value::Shared(value) => readable(value),
        Value::Between([low, high]) => format!("{} to {}", readable(low), readable(high)),
    };
    Ok(format!("maximum {name} of {species}: {shown}"))
}

/// A number with up to four digits.
fn readable(value: f32) -> String {
    let decimals = match value.abs() {
        1_000.0.. => 0,
        100.0.. => 1,
        10.0.. => 2,
        _ => 3,
    };
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn controls(scene: &str) -> Controls {
        Controls::of(&Scene::named(scene).unwrap().build().unwrap())
    }

    #[test]
    fn switched_off_behaviors_have_no_effect_but_are_kept() {
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
        let said = flock.scale_weight("cohesion", 2.0).unwrap();
        assert_eq!(said, format!("cohesion of fish: {}", readable(2.0 * before)));
        assert_eq!(cohesion(&flock), 2.0 * before);
        flock.scale_weight("cohesion", f32::MAX).unwrap();
        assert_eq!(cohesion(&flock), 1.0e6, "the maximum");
        let unchanged = flock.clone();
        let said = flock.scale_weight("cohesion", 2.0).unwrap_err();
        assert!(said.contains("cohesion is at its limit, 1000000"), "{said}");
        assert_eq!(flock.scale_weight("hide", 2.0).unwrap_err(), "no agent here has hide");
        assert_eq!(flock, unchanged);
        assert!(flock.scale_speed(2.0).unwrap().starts_with("maximum speed of fish: "));
        flock.scale_force(0.5).unwrap();
        assert_ne!(flock.species[0].species.max_speed, unchanged.species[0].species.max_speed);
        assert_ne!(flock.species[0].species.max_force, unchanged.species[0].species.max_force);
    }

    #[test]
    fn the_book_s_keys_also_scale_the_rules_of_flock_rules() {
        let mut rules = controls("flock-rules");
        let before = rules.clone();
        for rule in ["separation", "alignment", "cohesion"] {
            rules.scale_weight(rule, 1.1).unwrap();
        }
        assert_ne!(rules, before);
        let mut flock = controls("flock");
        flock.species[0].enabled.fill(false);
        assert!(flock.scale_weight("cohesion", 1.1).is_err());
    }

    #[test]
    fn non_penetration_returns_to_the_scene_s_value() {
        let mut scene = Scene::named("flock").unwrap();
        scene.non_penetration = 20;
        let mut controls = Controls::of(&scene.build().unwrap());
        controls.toggle_non_penetration(&scene);
        assert_eq!(controls.non_penetration, 0);
        controls.toggle_non_penetration(&scene);
        assert_eq!(controls.non_penetration, 20);
    }
}
