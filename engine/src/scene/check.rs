use std::collections::BTreeMap;

use crate::behaviors::{Behavior, Field, FieldValue, FlowFollowing, outside};
use crate::crowd::columns::MAX_COLUMNS;
use crate::crowd::limits::{Limit, Overrides};
use crate::crowd::target::{self, Target};
use crate::error::{Error, position, within};
use crate::scene::species::{MAX_AGENTS, Species};
use crate::scene::start::OwnTarget;
use crate::scene::{Scene, draws};
use crate::scenery::solid;
use crate::world::Topology;
use crate::world::space::{MAX_CELL_HEIGHT, MIN_CELL_HEIGHT, Space};

/// Maximum length of an unwrapped offset on a torus, in multiples of the torus's shorter side.
/// Rounding errors of longer offsets would be too large relative to the world.
pub(crate) const MAX_OFFSET_IN_SIDES: f32 = 1.0e5;

impl Scene {
    /// Checks the scene's fields as [`Self::build`] does, without building.
    ///
    /// # Errors
    /// If a field is invalid. The error names the first such field, its value and what is allowed.
    pub fn check(&self) -> Result<(), Error> {
        let scene = self.resolved()?;
        let space = scene.checked_space()?;
        if scene.routes.is_empty() && !scene.solid {
            return Ok(());
        }
        let scenery = scene.new_scenery(&space)?;
        let solids = scene.solid.then(|| &**scenery.shapes(&space));
        draws::check_room(&scene, &space, solids)
    }

    /// Checks a scene whose numbers of agents are resolved. Does not check whether routes can reach
    /// their goals.
    pub(crate) fn checked_space(&self) -> Result<Space, Error> {
        self.check_parameters()?;
        let space = self.world.resolve(self.agents_at_start(), self.view_distance())?;
        self.check_starts(&space)?;
        self.check_scenery(&space)?;
        self.check_fit(&space, &Overrides::default())?;
        Ok(space)
    }

    pub(crate) fn check_parameters(&self) -> Result<(), Error> {
        within("steps_per_second", self.steps_per_second, 1.0, 1.0e5, "1/s")?;
        within("non_penetration", self.non_penetration as f32, 0.0, 64.0, "")?;
        if let Some(passes) = self.non_penetration_per_second {
            let (field, rate) = ("non_penetration_per_second", self.steps_per_second);
            within(field, passes, rate, 64.0 * rate, "1/s, so that a step has 1 to 64 passes")?;
            if self.non_penetration > 0 {
                let allowed = "0 or left out beside non_penetration_per_second";
                return Err(Error::refused("non_penetration", self.non_penetration, allowed));
            }
        }
        let samples = self.heading_samples.map(|samples| samples as f32);
        within("heading_samples", samples, 1.0, 100.0, "")?;
        within("cell_size", self.cell_size, MIN_CELL_HEIGHT, MAX_CELL_HEIGHT, "view distances")?;
        self.check_printable_names()?;
        for (name, point) in &self.points {
            point.check_in(&format!("points.{name}"), self.world.axes())?;
            target::check_name(name)?;
        }
        if self.species.len() > 255 {
            return Err(too_many("number of species", self.species.len(), 255));
        }
        for (k, species) in self.species.iter().enumerate() {
            species.check(&format!("species[{k}]"))?;
            self.check_references(k)?;
            if self.species[..k].iter().any(|other| other.name == species.name) {
                let field = format!("species[{k}].name");
                return Err(Error::refused(field, &species.name, "unique among species names"));
            }
        }
        outside::check_names(self.outside())?;
        self.check_columns()?;
        if self.agents_at_start() > MAX_AGENTS {
            return Err(too_many("number of agents", self.agents_at_start(), MAX_AGENTS));
        }
        Ok(())
    }

    /// Rejects control characters in names, because terminals interpret them when programs print
    /// the names.
    fn check_printable_names(&self) -> Result<(), Error> {
        let of_species = self.species.iter().map(|one| ("species", &one.name));
        let of_paths = self.paths.iter().map(|one| ("paths", &one.name));
        let of_routes = self.routes.iter().map(|one| ("routes", &one.name));
        let lists = of_species.chain(of_paths).chain(of_routes);
        let of_tables = self.points.keys().map(|name| ("points", name));
        let of_tables = of_tables.chain(self.flows.keys().map(|name| ("flows", name)));
        let mut all = [("the scene", &self.name)].into_iter().chain(lists).chain(of_tables);
        match all.find(|(_, name)| name.contains(char::is_control)) {
            Some((list, name)) => {
                let allowed = "without line breaks or other control characters";
                Err(Error::refused(format!("a name in {list}"), format!("{name:?}"), allowed))
            }
            None => Ok(()),
        }
    }

    pub(crate) fn check_starts(&self, space: &Space) -> Result<(), Error> {
        self.species.iter().enumerate().try_for_each(|(k, species)| {
            species.start.check_inside(&format!("species[{k}].start"), space)
        })
    }

    pub(crate) fn check_scenery(&self, space: &Space) -> Result<(), Error> {
        self.scenery().check()?;
        if self.solid {
            solid::check(&self.walls, self.scatter.as_ref(), space)?;
        }
        Ok(())
    }

    fn check_columns(&self) -> Result<(), Error> {
        let names = self.column_names();
        let is_name = |name: &str| !name.is_empty() && !name.contains(char::is_control);
        if let Some(name) = names.iter().find(|name| !is_name(name)) {
            let allowed = "a non-empty name without line breaks or other control characters";
            return Err(Error::refused("a name in columns", format!("{name:?}"), allowed));
        }
        if names.len() > MAX_COLUMNS {
            return Err(too_many("number of columns", names.len(), MAX_COLUMNS));
        }
        Ok(())
    }

    fn check_references(&self, species_index: usize) -> Result<(), Error> {
        let species = &self.species[species_index];
        if let Some(OwnTarget::EachOf(name) | OwnTarget::SingleFile(name)) = &species.own_target {
            let path = format!("species[{species_index}].own_target");
            self.species_index(name).map_err(|error| error.in_field(path))?;
        }
        if let Some(degrees) = species.max_climb.filter(|_| !self.world.is_deep()) {
            let field = format!("species[{species_index}].max_climb");
            return Err(Error::refused(field, degrees, "set in a world with depth only"));
        }
        for (k, behavior) in species.behaviors.iter().enumerate() {
            let path = format!("species[{species_index}].behaviors[{k}].{}", behavior.name());
            for field in behavior.fields() {
                let path = format!("{path}.{}", field.name);
                self.check_reference(&path, &field).map_err(|error| error.in_field(path))?;
            }
            let refuse = |value: &str, allowed: &str| Error::refused(path.clone(), value, allowed);
            match behavior {
                Behavior::FlowFollowing(FlowFollowing { flow: None, route: None, .. })
                    if self.flow.is_none() =>
                {
                    let allowed = "used with a route, or in a scene with a flow field: add [flow]";
                    return Err(refuse("no flow", allowed));
                }
                Behavior::FlowFollowing(FlowFollowing {
                    flow: Some(_), route: Some(_), ..
                }) => {
                    return Err(refuse("a flow field and a route", "used with one of them"));
                }
                outside if self.world.is_deep() && outside.as_steer().needs_flat_world() => {
                    return Err(refuse("a world with depth", "used in a flat world"));
                }
                Behavior::Containment(_) if self.world.topology == Topology::Torus => {
                    return Err(refuse("a torus", "used in a bounded or open world"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn check_reference(&self, path: &str, field: &Field) -> Result<(), Error> {
        match &field.value {
            FieldValue::Target(target) => self.check_target(path, target),
            FieldValue::Species(names) => {
                names.iter().try_for_each(|name| self.species_index(name).map(drop))
            }
            FieldValue::Path(name) if name.is_empty() => {
                Err(Error::refused(path, "unset", "the name of one of the scene's paths"))
            }
            FieldValue::Path(name) => {
                let names = self.paths.iter().map(|path| path.name.as_str());
                position("path", name, names).map(drop)
            }
            FieldValue::Name(Some(name)) if field.name == "route" => {
                let names = self.routes.iter().map(|route| route.name.as_str());
                position("route", name, names).map(drop)
            }
            FieldValue::Name(Some(name)) => self.check_flow(name),
            _ => Ok(()),
        }
    }

    pub(crate) fn check_flow(&self, name: &str) -> Result<(), Error> {
        check_key("flow field", name, &self.flows)
    }

    pub(crate) fn check_point(&self, name: &str) -> Result<(), Error> {
        check_key("point", name, &self.points)
    }

    fn check_target(&self, field: &str, target: &Target) -> Result<(), Error> {
        match target {
            Target::Named(name) => self.check_point(name),
            Target::Member { species, number } => {
                let agents = self.species[self.species_index(species)?].agents;
                if (*number as usize) < agents {
                    return Ok(());
                }
                let allowed = format!("below {agents}, the number of agents of `{species}`");
                Err(Error::refused(format!("{field}.number"), number, allowed))
            }
            Target::Nearest { species, .. } => self.species_index(species).map(drop),
            Target::Point(point) => point.check_axes(field, self.world.axes()),
            _ => Ok(()),
        }
    }

    pub(crate) fn species_index(&self, name: &str) -> Result<usize, Error> {
        position("species", name, self.species.iter().map(|species| species.name.as_str()))
    }

    /// Checks a speed against its range. On a torus, no step may be longer than the shorter side,
    /// because wrapping corrects at most one crossing of each seam per step.
    pub(crate) fn check_speed(&self, space: &Space, field: &str, speed: f32) -> Result<(), Error> {
        let (_, min, max, unit) = Limit::MaxSpeed.range();
        let crossing = space.smaller_side() * self.steps_per_second;
        if space.is_torus() && crossing < max {
            let unit = "units/s: at most the shorter side of the torus per step";
            return within(field, speed, min, crossing, unit);
        }
        within(field, speed, min, max, unit)
    }

    /// Checks all fields whose allowed range depends on the world's size.
    /// `overrides` contains the largest limits set for individual agents.
    pub(crate) fn check_fit(&self, space: &Space, overrides: &Overrides) -> Result<(), Error> {
        if overrides.max_speed > 0.0 {
            self.check_speed(space, "the largest max_speed override", overrides.max_speed)?;
        }
        let fastest = self.largest(Limit::MaxSpeed);
        for (k, species) in self.species.iter().enumerate() {
            self.check_speed(space, &format!("species[{k}].max_speed"), species.max_speed.max())?;
            for (index, behavior) in species.behaviors.iter().enumerate() {
                let path = format!("species[{k}].behaviors[{index}].{}", behavior.name());
                if let Behavior::Containment(containment) = behavior {
                    let unit = "world units: at most half the shorter side of the world";
                    let most = space.smaller_side() / 2.0;
                    within(&format!("{path}.margin"), containment.margin, 0.0, most, unit)?;
                }
                let max_offset = |fastest| self.max_offset(space, species, behavior, fastest);
                let (furthest, most) = (
                    max_offset(fastest.max(overrides.max_speed)),
                    MAX_OFFSET_IN_SIDES * space.smaller_side(),
                );
                if space.is_torus() && furthest > most {
                    let because = if furthest > max_offset(fastest) {
                        format!(" for the largest max_speed override, {}", overrides.max_speed)
                    } else {
                        String::new()
                    };
                    let value = format!("a reach of {furthest} world units{because}");
                    let sides =
                        format!("{MAX_OFFSET_IN_SIDES} times the shorter side of the torus");
                    return Err(Error::refused(path, value, format!("at most {most}, {sides}")));
                }
            }
        }
        Ok(())
    }

    /// Maximum length of an unwrapped offset to a point that the behavior computes, such as a
    /// predicted position or a point behind a leader or an obstacle. Target points are excluded,
    /// because they are already wrapped into the world.
    fn max_offset(
        &self,
        space: &Space,
        species: &Species,
        behavior: &Behavior,
        fastest: f32,
    ) -> f32 {
        let max_distance = space.diagonal() / 2.0;
        match behavior {
            Behavior::Evade(_) => max_distance,
            Behavior::Pursuit(pursuit) => max_distance + 2.0 * pursuit.turnaround * fastest,
            Behavior::LeaderFollowing(following) => following.distance,
            Behavior::Hide(hide) => {
                let radii = self.obstacles.iter().map(|obstacle| obstacle.radius);
                max_distance.max(hide.gap + radii.fold(0.0, f32::max))
            }
            Behavior::OffsetPursuit(pursuit) => {
                let [across, rows] = match pursuit.abreast {
                    0 => [0.0, 0.0],
                    abreast => [abreast as f32 / 2.0, species.agents as f32 / abreast as f32],
                };
                let [ahead, aside] = pursuit.offset.map(f32::abs);
                let above = pursuit.above.filter(|_| !space.is_flat()).map_or(0.0, f32::abs);
                max_distance + ahead + aside + above + pursuit.spacing * (across + rows)
            }
            _ => 0.0,
        }
    }
}

/// Checks a species without a scene.
///
/// # Errors
/// If a parameter is invalid. Names of points, paths and other species are not looked up.
pub fn check_species(species: &Species) -> Result<(), Error> {
    species.check("species")
}

/// Checks a behavior without a scene.
///
/// # Errors
/// If a parameter is invalid. Names of points, paths and species are not looked up.
pub fn check_behavior(behavior: &Behavior) -> Result<(), Error> {
    behavior.check(behavior.name())
}

fn too_many(field: &str, value: usize, limit: usize) -> Error {
    Error::refused(field, value, format!("at most {limit}"))
}

fn check_key<V>(kind: &'static str, name: &str, known: &BTreeMap<String, V>) -> Result<(), Error> {
    if known.contains_key(name) {
        return Ok(());
    }
    Err(Error::unknown(kind, name, known.keys().map(String::as_str)))
}
