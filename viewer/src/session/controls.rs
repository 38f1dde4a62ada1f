//! A session's settings, as plain values. The window edits a copy, and the session applies
//! the changes.

use std::sync::Arc;

use flockwork::behaviors::{Field, FieldValue};
use flockwork::{Behavior, Execution, Partition, Scene, Simulation, Species};

use crate::picture::projection::Angle;
use crate::picture::view::Look;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Controls {
    /// Incremented with each new crowd. Controls from an earlier epoch are discarded.
    pub(crate) epoch: u32,
    pub(crate) paused: bool,
    /// Simulated seconds per real second.
    pub(crate) time_scale: f32,
    pub(crate) threads: usize,
    pub(crate) partition: Partition,
    pub(crate) edits: Edits,
    pub(crate) look: Look,
}

/// Settings that belong to the scene. Opening a scene resets them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Edits {
    pub(crate) steps_per_second: f32,
    pub(crate) non_penetration: u32,
    pub(crate) solid: bool,
    pub(crate) heading_samples: Option<u32>,
    /// Height of a grid cell, in view distances. `None` lets the engine choose.
    pub(crate) cell_size: Option<f32>,
    pub(crate) standing: Standing,
    pub(crate) species: Vec<EditedSpecies>,
}

/// True for each kind of scenery that is switched on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Standing {
    pub(crate) obstacles: bool,
    pub(crate) walls: bool,
}

impl Standing {
    pub(super) fn in_scene(self, scene: &Scene) -> Scene {
        let mut scene = scene.clone();
        let mut scatter = scene.scatter.unwrap_or_default();
        if !self.obstacles {
            (scene.obstacles, scatter.obstacles) = (Arc::default(), None);
        }
        if !self.walls {
            (scene.walls, scatter.walls) = (Arc::default(), None);
        }
        Scene { scatter: Some(scatter), ..scene }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EditedSpecies {
    pub(crate) species: Species,
    pub(crate) enabled: Vec<bool>,
}

impl EditedSpecies {
    pub(crate) fn of(species: &Species) -> Self {
        Self { species: species.clone(), enabled: vec![true; species.behaviors.len()] }
    }

    pub(crate) fn effective(&self) -> Species {
        let switched = self.species.behaviors.iter().zip(&self.enabled);
        let behaviors = switched.filter(|(_, on)| **on).map(|(behavior, _)| behavior.clone());
        Species { behaviors: behaviors.collect(), ..self.species.clone() }
    }
}

impl Edits {
    pub(super) fn of(scene: &Scene) -> Self {
        Self {
            steps_per_second: scene.steps_per_second,
            non_penetration: scene.passes(),
            solid: scene.solid,
            heading_samples: scene.heading_samples,
            cell_size: scene.cell_size,
            standing: Standing { obstacles: true, walls: true },
            species: scene.species.iter().map(EditedSpecies::of).collect(),
        }
    }
}

impl Controls {
    pub(super) fn of(simulation: &Simulation) -> Self {
        let Execution { threads, partition, .. } = simulation.execution();
        let edits = Edits::of(simulation.scene());
        Self { time_scale: 1.0, threads, partition, edits, ..Self::default() }
    }

    pub(crate) fn next_angle(&mut self) {
        let angles = [Angle::default(), Angle::STRAIGHT_DOWN, Angle { yaw: 0.0, pitch: 0.0 }];
        let present = angles.iter().position(|angle| *angle == self.look.angle);
        self.look.angle = angles[present.map_or(0, |k| (k + 1) % angles.len())];
    }

    pub(crate) fn toggle_partition(&mut self) {
        let all_pairs = self.partition == Partition::AllPairs;
        self.partition = if all_pairs { Partition::Cells } else { Partition::AllPairs };
    }
}

/// Edits a flocking rule's weight. `edit` gets the weight, its default and its range. Scenes may
/// list `flock_rules` several times, each for another rule, so this edits the first enabled
/// behavior that has the rule with a default other than 0, or else the first enabled behavior that
/// has the rule. Returns false if there is none.
pub(crate) fn edit_weight(
    all: &mut [EditedSpecies],
    original: &[Species],
    rule: &str,
    edit: impl FnOnce(&mut f32, Option<f32>, [f32; 2]),
) -> bool {
    let weight = |behavior: &Behavior| {
        weight_of(&mut behavior.fields(), behavior.name(), rule).map(|(weight, _)| *weight)
    };
    let mut found: Vec<(&mut Behavior, Option<f32>)> = Vec::new();
    for (kind, EditedSpecies { species, enabled }) in all.iter_mut().enumerate() {
        for (k, (behavior, enabled)) in species.behaviors.iter_mut().zip(enabled).enumerate() {
            let default = original.get(kind).and_then(|original| original.behaviors.get(k));
            if *enabled && weight(behavior).is_some() {
                found.push((behavior, default.and_then(weight)));
            }
        }
    }
    let acts = found.iter().position(|(_, default)| *default != Some(0.0)).unwrap_or(0);
    let Some((behavior, default)) = found.get_mut(acts) else { return false };
    let mut fields = behavior.fields();
    if let Some((weight, range)) = weight_of(&mut fields, behavior.name(), rule) {
        edit(weight, *default, range);
        behavior.set_fields(fields);
    }
    true
}

/// Finds a rule's weight and its range. `flock_rules` stores each rule's weight in a field named
/// after the rule.
fn weight_of<'a>(
    fields: &'a mut [Field],
    behavior: &str,
    rule: &str,
) -> Option<(&'a mut f32, [f32; 2])> {
    let name = if behavior == rule { "weight" } else { rule };
    match fields.iter_mut().find(|field| field.name == name) {
        Some(Field { min, max, value: FieldValue::Number(value), .. }) => {
            Some((value, [*min, *max]))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn controls(scene: &str) -> Controls {
        Controls::of(&Scene::named(scene).unwrap().build().unwrap())
    }

    #[test]
    fn switched_off_behaviors_have_no_effect_but_are_kept() {
        let mut flock = controls("flock").edits.species.remove(0);
        assert_eq!(flock.effective(), flock.species);
        flock.enabled[0] = false;
        assert_eq!(flock.effective().behaviors, flock.species.behaviors[1..]);
    }

    #[test]
    fn weights_are_found_by_behavior_or_rule_where_they_are_switched_on() {
        let mut flock = controls("flock");
        let original = Scene::named("flock").unwrap().species;
        let mut set = |behavior, to| {
            edit_weight(&mut flock.edits.species, &original, behavior, |weight, _, _| *weight = to)
        };
        assert!(set("cohesion", 7.0));
        assert!(!set("hide", 7.0));
        assert_eq!(flock.edits.species[0].species.behaviors[2].weight(), 7.0);
        flock.edits.species[0].enabled.fill(false);
        assert!(!edit_weight(&mut flock.edits.species, &original, "cohesion", |_, _, _| {}));
        let mut rules = controls("flock-rules");
        let original = Scene::named("flock-rules").unwrap().species;
        for rule in ["separation", "alignment", "cohesion"] {
            assert!(edit_weight(&mut rules.edits.species, &original, rule, |_, _, _| {}), "{rule}");
        }
    }

    /// Regression: for `boids`, whose rules are in three behaviors, the panel showed the weights 1,
    /// 0 and 0.
    #[test]
    fn a_rule_is_edited_in_the_behavior_in_which_it_acts() {
        let mut boids = controls("boids");
        let original = Scene::named("boids").unwrap().species;
        let mut weight = |rule, to: Option<f32>| {
            let mut found = (f32::NAN, None);
            edit_weight(&mut boids.edits.species, &original, rule, |weight, default, _| {
                found = (*weight, default);
                *weight = to.unwrap_or(*weight);
            });
            found
        };
        for (rule, expected) in [("separation", 1.0), ("alignment", 8.0), ("cohesion", 1.0)] {
            assert_eq!(weight(rule, Some(0.0)), (expected, Some(expected)), "{rule}");
            assert_eq!(weight(rule, None), (0.0, Some(expected)), "{rule} is found again at 0");
        }
    }
}
