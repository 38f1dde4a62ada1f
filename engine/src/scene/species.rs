use std::collections::BTreeMap;
use std::ops::Not;

use serde::{Deserialize, Serialize};

use crate::behaviors::Behavior;
use crate::crowd::columns::Memory;
use crate::crowd::limits::Limit;
use crate::error::{Error, position, within};
use crate::scene::start::{OwnTarget, Start};
use crate::scene::value::SpeciesValue;

/// Rule that combines an agent's steering forces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Combine {
    /// Weighted forces are added in priority order until the force budget (the maximum force) is
    /// spent. A force that exceeds the remaining budget is truncated, and later behaviors are not
    /// evaluated (Buckland 2004, ch. 3, "weighted truncated running sum with prioritization").
    #[default]
    Prioritized,
    /// All weighted forces are added, and the sum is truncated to the maximum force.
    WeightedSum,
    /// In priority order, each behavior is evaluated with its own probability.
    /// The first nonzero weighted force, divided by that probability and truncated to the maximum
    /// force, is the result (Buckland 2004, ch. 3, "prioritized dithering").
    Dithered,
}

/// Rule that turns a steering force into motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Locomotion {
    /// A point mass: acceleration = force / mass; the speed is clamped to the maximum speed.
    #[default]
    PointMass,
    /// The force only turns the agent, which always moves at its maximum speed.
    ConstantSpeed,
    /// A point mass driven like a car: the force is split into components along and across the
    /// heading, each with its own limits (Reynolds 1999, "Locomotion").
    CarLike {
        /// Maximum forward force, in mass · units/s², from 0 to 1e9.
        throttle: f32,
        /// Maximum braking force, in mass · units/s², from 0 to 1e9.
        brake: f32,
        /// Maximum lateral force, in mass · units/s², from 0 to 1e9.
        steering: f32,
    },
}

/// A species: the parameters of its agents, and the behaviors that steer them.
///
/// Defaults are the book's values (Buckland 2004, params.ini) unless stated otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[must_use]
pub struct Species {
    /// Name of the species in scenes and error messages.
    pub name: String,
    /// Number of agents at the start, from 0 to 1e9.
    pub agents: usize,
    /// View distance in world units, from 1e-3 to 1e6. Default 50.
    pub view_distance: f32,
    /// The full angle of the field of view in degrees, from 0 to 360. Default 360: all around.
    pub field_of_view: f32,
    /// True if a neighbor is seen once any part of its bounding circle is within view distance.
    /// If false, its center must be within view distance. Default false.
    pub view_includes_radius: bool,
    /// Maximum speed in world units per second, from 1e-3 to 1e5. Default 150.
    pub max_speed: SpeciesValue,
    /// Maximum steering force in mass · units/s², from 0 to 1e9. Default 400.
    pub max_force: SpeciesValue,
    /// Mass, from 1e-3 to 1e6. Default 1.
    pub mass: SpeciesValue,
    /// Bounding radius in world units, from 0 to 1e4. Default 3.
    pub radius: SpeciesValue,
    /// True if non-penetration never pushes these agents, and pushes others away from them by the
    /// whole overlap. Default false.
    #[serde(skip_serializing_if = "Not::not")]
    pub immovable: bool,
    /// Maximum turn rate, in radians per second, from 0 to 1e4; unlimited by default.
    pub max_turn_rate: Option<f32>,
    /// Steepest climb and descent in a world with depth, in degrees from the horizontal, from 0 to
    /// 89; unlimited by default. Below 90°, a 3D model that follows the heading and stays upright
    /// never flips.
    pub max_climb: Option<f32>,
    /// Rule that combines the behaviors' forces into one steering force.
    pub combine: Combine,
    /// Rule that turns the combined force into motion.
    pub locomotion: Locomotion,
    /// Start area, heading and speed.
    pub start: Start,
    /// Each agent's own target at the start; none by default.
    pub own_target: Option<OwnTarget>,
    /// Probability, from 1e-3 to 1, that dithering evaluates a behavior, by behavior name.
    /// Behaviors not listed use Buckland's probability; see [`Species::probability_of`].
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub probabilities: BTreeMap<String, f32>,
    /// Initial values of columns, by name, from -1e9 to 1e9; other columns start at 0.
    /// Columns are per-agent numbers that the caller and [behaviors](crate::kernel) from other
    /// crates read and write. A scene has at most 16 columns. Names must not be empty or contain
    /// control characters, such as line breaks.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, SpeciesValue>,
    /// The behaviors that steer the agents, highest priority first; at most 64.
    pub behaviors: Vec<Behavior>,
}

impl Default for Species {
    fn default() -> Self {
        Self {
            name: "agent".into(),
            agents: 0,
            view_distance: 50.0,
            field_of_view: 360.0,
            view_includes_radius: false,
            max_speed: SpeciesValue::Shared(150.0),
            max_force: SpeciesValue::Shared(400.0),
            mass: SpeciesValue::Shared(1.0),
            radius: SpeciesValue::Shared(3.0),
            immovable: false,
            max_turn_rate: None,
            max_climb: None,
            combine: Combine::default(),
            locomotion: Locomotion::default(),
            start: Start::default(),
            own_target: None,
            probabilities: BTreeMap::new(),
            columns: BTreeMap::new(),
            behaviors: Vec::new(),
        }
    }
}

impl Species {
    /// A species of `agents` agents, with default parameters and no behaviors.
    pub fn new(name: impl Into<String>, agents: usize) -> Self {
        Self { name: name.into(), agents, ..Self::default() }
    }

    setters! {
        /// Sets the view distance, in world units, from 1e-3 to 1e6.
        view_distance(view_distance: f32) = view_distance;
        /// Sets the full angle of the field of view, in degrees, from 0 to 360.
        field_of_view(degrees: f32) = degrees;
        /// Sets the maximum speed, in units/s, from 1e-3 to 1e5: one number for all agents,
        /// or a `[from, to]` range from which each agent draws its own.
        max_speed(max_speed: impl Into<SpeciesValue>) = max_speed.into();
        /// Sets the maximum steering force, in mass · units/s², from 0 to 1e9:
        /// one number for all agents, or a `[from, to]` range from which each agent draws its own.
        max_force(max_force: impl Into<SpeciesValue>) = max_force.into();
        /// Sets the mass, from 1e-3 to 1e6: one number for all agents, or a `[from, to]` range from
        /// which each agent draws its own.
        mass(mass: impl Into<SpeciesValue>) = mass.into();
        /// Sets the bounding radius, in world units, from 0 to 1e4:
        /// one number for all agents, or a `[from, to]` range from which each agent draws its own.
        radius(radius: impl Into<SpeciesValue>) = radius.into();
        /// Keeps non-penetration from pushing the agents: others make way for them.
        immovable() = true;
        /// Sets the maximum turn rate, in radians per second, from 0 to 1e4.
        max_turn_rate(radians_per_s: f32) = Some(radians_per_s);
        /// Limits climb and descent to an angle from the horizontal, from 0 to 89 degrees.
        max_climb(degrees: f32) = Some(degrees);
        /// Makes agents see a neighbor once any part of its bounding circle, not just its center,
        /// is within view distance.
        view_includes_radius() = true;
        /// Sets the rule that combines the behaviors' forces into one steering force.
        combine(combine: Combine) = combine;
        /// Sets the rule that turns the combined force into motion.
        locomotion(locomotion: Locomotion) = locomotion;
        /// Sets the start area, heading and speed.
        start(start: Start) = start;
        /// Sets each agent's own target at the start.
        own_target(own_target: OwnTarget) = Some(own_target);
    }

    /// Sets the probability, from 1e-3 to 1, that dithering evaluates the named behavior.
    pub fn probability(mut self, behavior: impl Into<String>, probability: f32) -> Self {
        self.probabilities.insert(behavior.into(), probability);
        self
    }

    /// Adds a per-agent number that the caller and behaviors from other crates read and write.
    /// `start` is one number for all agents, or a `[from, to]` range from which each agent draws
    /// its own. All numbers must be from -1e9 to 1e9.
    pub fn column(mut self, name: impl Into<String>, start: impl Into<SpeciesValue>) -> Self {
        self.columns.insert(name.into(), start.into());
        self
    }

    /// Appends a behavior; earlier behaviors have priority.
    pub fn behavior(mut self, behavior: impl Into<Behavior>) -> Self {
        self.behaviors.push(behavior.into());
        self
    }

    /// Probability that dithering evaluates the named behavior.
    /// The defaults are the book's (Buckland 2004, params.ini): wall and obstacle avoidance 0.5,
    /// separation 0.2, alignment 0.3, cohesion 0.6, wander, seek and hide 0.8,
    /// flee 0.6, arrive 0.5, evade 1. Behaviors that the book does not name default to 0.5.
    #[must_use]
    pub fn probability_of(&self, behavior: &str) -> f32 {
        self.probabilities.get(behavior).copied().unwrap_or(match behavior {
            "separation" => 0.2,
            "alignment" => 0.3,
            "cohesion" | "flee" => 0.6,
            "wander" | "seek" | "hide" => 0.8,
            "evade" => 1.0,
            _ => 0.5,
        })
    }

    pub(crate) fn limit(&self, limit: Limit) -> SpeciesValue {
        match limit {
            Limit::MaxSpeed => self.max_speed,
            Limit::MaxForce => self.max_force,
            Limit::Mass => self.mass,
            Limit::Radius => self.radius,
            Limit::FieldOfView => self.field_of_view.into(),
            Limit::Immovable => f32::from(u8::from(self.immovable)).into(),
        }
    }

    /// Smallest and largest bounding radius of the agents, in world units.
    #[must_use]
    pub fn radius_range(&self) -> [f32; 2] {
        [self.radius.min(), self.radius.max()]
    }

    pub(crate) fn check(&self, path: &str) -> Result<(), Error> {
        let field = |name: &str| format!("{path}.{name}");
        if self.agents > MAX_AGENTS {
            let allowed = format!("from 0 to {MAX_AGENTS}");
            return Err(Error::refused(field("agents"), self.agents, allowed));
        }
        within(&field("view_distance"), self.view_distance, 1.0e-3, 1.0e6, "world units")?;
        for limit in Limit::ALL {
            let (name, min, max, unit) = limit.range();
            self.limit(limit).check(&field(name), min, max, unit)?;
        }
        within(&field("max_turn_rate"), self.max_turn_rate, 0.0, 1.0e4, "rad/s")?;
        within(&field("max_climb"), self.max_climb, 0.0, 89.0, "degrees")?;
        if let Locomotion::CarLike { throttle, brake, steering } = self.locomotion {
            let field = |name: &str| field(&format!("locomotion.car_like.{name}"));
            within(&field("throttle"), throttle, 0.0, 1.0e9, "mass·units/s²")?;
            within(&field("brake"), brake, 0.0, 1.0e9, "mass·units/s²")?;
            within(&field("steering"), steering, 0.0, 1.0e9, "mass·units/s²")?;
        }
        self.start.check(&field("start"))?;
        for (name, &probability) in &self.probabilities {
            let known = Behavior::NAMES.iter().copied();
            let known = known.chain(self.behaviors.iter().map(Behavior::name));
            let known = position("behavior", name, known);
            known.map_err(|error| error.in_field(field("probabilities")))?;
            within(&field(&format!("probabilities.{name}")), probability, 1.0e-3, 1.0, "")?;
        }
        for (name, start) in &self.columns {
            start.check(&field(&format!("columns.{name}")), -1.0e9, 1.0e9, "")?;
        }
        if self.behaviors.len() > MAX_BEHAVIORS {
            let value = format!("{} behaviors", self.behaviors.len());
            let allowed = format!("at most {MAX_BEHAVIORS}");
            return Err(Error::refused(field("behaviors"), value, allowed));
        }
        for (k, behavior) in self.behaviors.iter().enumerate() {
            behavior.check(&format!("{path}.behaviors[{k}].{}", behavior.name()))?;
            self.check_memory(path, k)?;
        }
        Ok(())
    }

    /// An agent stores only one waypoint and one alert time. Rejects a second behavior that uses
    /// the waypoint, or a second one that uses the alert time.
    fn check_memory(&self, path: &str, k: usize) -> Result<(), Error> {
        let remembers = |behavior: &Behavior| behavior.as_steer().remembers();
        let this = remembers(&self.behaviors[k]);
        let mut earlier = self.behaviors[..k].iter().flat_map(remembers);
        let is_alone = |memory| [Memory::Waypoint, Memory::Alert].contains(memory);
        if !earlier.any(|memory| is_alone(memory) && this.contains(memory)) {
            return Ok(());
        }
        let name = self.behaviors[k].name();
        let allowed = format!("at most one {name} per species: agents store the state of one");
        Err(Error::refused(format!("{path}.behaviors[{k}]"), format!("a second {name}"), allowed))
    }
}

/// Maximum number of behaviors per species: each needs its own random stream, and
/// the number of streams is limited.
pub(crate) const MAX_BEHAVIORS: usize = 64;

pub(crate) const MAX_AGENTS: usize = 1_000_000_000;
