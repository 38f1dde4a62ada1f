//! Checks what behaviors refer to: species, points, paths, the flow field.

use crate::behaviors::Behavior;
use crate::behaviors::fields::FieldValue;
use crate::crowd::target::Target;
use crate::error::Error;
use crate::scene::Scene;
use crate::species::start::OwnTarget;
use crate::world::topology::Topology;

impl Scene {
    /// Checks that everything a species and its behaviors refer to exists.
    pub(crate) fn check_references(&self, kind: usize) -> Result<(), Error> {
        let species = &self.species[kind];
        if let Some(OwnTarget::EachOf(name) | OwnTarget::SingleFile(name)) = &species.own_target {
            self.species_index(name)?;
        }
        for (k, behavior) in species.behaviors.iter().enumerate() {
            let path = format!("species[{kind}].behaviors[{k}].{}", behavior.name());
            for field in behavior.fields() {
                match field.value {
                    FieldValue::Target(target) => {
                        self.check_target(&format!("{path}.{}", field.name), target)?;
                    }
                    FieldValue::Path(name) => {
                        let names = || self.paths.iter().map(|path| path.name.as_str());
                        if !names().any(|known| known == name) {
                            return Err(Error::unknown("path", name, names()));
                        }
                    }
                    _ => {}
                }
            }
            let refuse = |value: &str, allowed: &str| Error::refused(path.clone(), value, allowed);
            match behavior {
                Behavior::FlowFollowing(_) if self.flow.is_none() => {
                    return Err(refuse("no flow", "in a scene with a flow field: add [flow]"));
                }
                Behavior::Containment(_) if self.world.topology == Topology::Torus => {
                    return Err(refuse("a torus", "in a bounded or open world"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn check_target(&self, field: &str, target: &Target) -> Result<(), Error> {
        match target {
            Target::Named(name) if !self.points.contains_key(name) => {
                let names = self.points.keys().map(String::as_str);
                Err(Error::unknown("point", name, names.chain(["own"])))
            }
            Target::Member { species, number } => {
                let agents = self.species[self.species_index(species)?].agents;
                if (*number as usize) < agents {
                    return Ok(());
                }
                Err(Error::refused(
                    format!("{field}.number"),
                    number,
                    format!("below {agents}, the number of agents of `{species}`"),
                ))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn species_index(&self, name: &str) -> Result<usize, Error> {
        let names = || self.species.iter().map(|species| species.name.as_str());
        let found = names().position(|known| known == name);
        found.ok_or_else(|| Error::unknown("species", name, names()))
    }
}
