//! Builds the book's Big Shoal demo from its `params.ini` file (Buckland 2004, ch. 3).
//!
//! The book's own reader takes the numbers in order and ignores the keys.
//! This reader uses the keys, but also accepts bare numbers in the book's order.

use std::collections::BTreeMap;

use crate::behaviors::{
    Alignment, Cohesion, Evade, FieldValue, ObstacleAvoidance, Separation, WallAvoidance, Wander,
};
use crate::crowd::target::Target;
use crate::error::{Error, ErrorLocation};
use crate::scene::Scene;
use crate::scene::species::Species;
use crate::scenery::scatter::Scattered;
use crate::world::World;

use Effect::{Chance, Force, Length, Nothing, Shoal, Steering, Weight};

struct Key(&'static str, f64, Range, Effect);

enum Effect {
    /// No effect of its own: cell counts are ignored,
    /// and `SteeringForceTweaker` multiplies other values.
    Nothing,
    Shoal(fn(&mut Scene, f64)),
    Steering(fn(&mut Species, f64)),
    Force,
    /// Weight of the named behavior, as a multiple of `SteeringForceTweaker`.
    Weight(&'static str),
    Length(&'static str, &'static str),
    Chance(&'static str),
}

/// Keys in the order of the book's file. A file of bare numbers must use the same order.
const KEYS: [Key; 41] = [
    Key("NumAgents", 300.0, whole(1.0, 1.0e9), Shoal(|all, n| fish(all).agents = n as usize - 1)),
    Key("NumObstacles", 7.0, whole(0.0, 1.0e6), Shoal(|all, n| obstacles(all).count = n as u32)),
    Key(SMALLEST, 10.0, RADIUS, Shoal(|all, r| obstacles(all).size[0] = r as f32)),
    Key(LARGEST, 30.0, RADIUS, Shoal(|all, r| obstacles(all).size[1] = r as f32)),
    Key("NumCellsX", 7.0, whole(1.0, 1.0e6), Nothing),
    Key("NumCellsY", 7.0, whole(1.0, 1.0e6), Nothing),
    Key("NumSamplesForSmoothing", 10.0, whole(1.0, 100.0), Shoal(smooth)),
    Key(TWEAKER, BOOK_TWEAKER, real(0.0, 1.0e3, ""), Nothing),
    Key(FORCE, 2.0, real(0.0, 1.0e6, ""), Force),
    Key("MaxSpeed", 150.0, SPEED, Steering(|species, v| species.max_speed = (v as f32).into())),
    Key("VehicleMass", 1.0, MASS, Steering(|species, m| species.mass = (m as f32).into())),
    Key("VehicleScale", 3.0, SCALE, Shoal(|all, r| fish(all).radius = (r as f32).into())),
    Key("SeparationWeight", 1.0, WEIGHT, Weight("separation")),
    Key("AlignmentWeight", 1.0, WEIGHT, Weight("alignment")),
    Key("CohesionWeight", 2.0, WEIGHT, Weight("cohesion")),
    Key("ObstacleAvoidanceWeight", 10.0, WEIGHT, Weight("obstacle_avoidance")),
    Key("WallAvoidanceWeight", 10.0, WEIGHT, Weight("wall_avoidance")),
    Key("WanderWeight", 1.0, WEIGHT, Weight("wander")),
    Key("SeekWeight", 1.0, WEIGHT, Weight("seek")),
    Key("FleeWeight", 1.0, WEIGHT, Weight("flee")),
    Key("ArriveWeight", 1.0, WEIGHT, Weight("arrive")),
    Key("PursuitWeight", 1.0, WEIGHT, Weight("pursuit")),
    Key("OffsetPursuitWeight", 1.0, WEIGHT, Weight("offset_pursuit")),
    Key("InterposeWeight", 1.0, WEIGHT, Weight("interpose")),
    Key("HideWeight", 1.0, WEIGHT, Weight("hide")),
    Key("EvadeWeight", 0.01, WEIGHT, Weight("evade")),
    Key("FollowPathWeight", 0.05, WEIGHT, Weight("path_following")),
    Key("ViewDistance", 50.0, VIEW, Steering(|species, d| species.view_distance = d as f32)),
    Key("MinDetectionBoxLength", 40.0, LENGTH, Length("obstacle_avoidance", "box_length")),
    Key("WallDetectionFeelerLength", 40.0, LENGTH, Length("wall_avoidance", "feeler_length")),
    Key("prWallAvoidance", 0.5, CHANCE, Chance("wall_avoidance")),
    Key("prObstacleAvoidance", 0.5, CHANCE, Chance("obstacle_avoidance")),
    Key("prSeparation", 0.2, CHANCE, Chance("separation")),
    Key("prAlignment", 0.3, CHANCE, Chance("alignment")),
    Key("prCohesion", 0.6, CHANCE, Chance("cohesion")),
    Key("prWander", 0.8, CHANCE, Chance("wander")),
    Key("prSeek", 0.8, CHANCE, Chance("seek")),
    Key("prFlee", 0.6, CHANCE, Chance("flee")),
    Key("prEvade", 1.0, CHANCE, Chance("evade")),
    Key("prHide", 0.8, CHANCE, Chance("hide")),
    Key("prArrive", 0.5, CHANCE, Chance("arrive")),
];

const TWEAKER: &str = "SteeringForceTweaker";
const BOOK_TWEAKER: f64 = 200.0;

const SMALLEST: &str = "MinObstacleRadius";
const LARGEST: &str = "MaxObstacleRadius";

/// The book's code and its printed file use different names for this key.
const FORCE: &str = "MaxSteeringForce";
const PRINTED_FORCE: &str = "SteeringForce";

const UNITS: &str = " world units";
const RADIUS: Range = real(0.0, 1.0e5, UNITS);
const MASS: Range = real(1.0e-3, 1.0e6, "");
const WEIGHT: Range = real(0.0, 1.0e3, "");
const CHANCE: Range = real(1.0e-3, 1.0, "");
const VIEW: Range = real(1.0e-3, 1.0e6, UNITS);
const LENGTH: Range = real(1.0e-3, 1.0e5, UNITS);
const SCALE: Range = real(0.0, 1.0e4, UNITS);
/// At the maximum speed, an agent crosses the shorter side of the torus (600 world units) in one
/// step of 1/60 s.
const SPEED: Range = real(1.0e-3, 3.6e4, " units/s");

struct Range {
    whole: bool,
    min: f64,
    max: f64,
    unit: &'static str,
}

const fn real(min: f64, max: f64, unit: &'static str) -> Range {
    Range { whole: false, min, max, unit }
}

const fn whole(min: f64, max: f64) -> Range {
    Range { whole: true, min, max, unit: "" }
}

impl Range {
    fn read(&self, text: &str) -> Option<f64> {
        let value: f64 = text.parse().ok()?;
        let inside = value >= self.min && value <= self.max;
        (inside && !(self.whole && value.fract() != 0.0)).then_some(value)
    }

    fn describe(&self) -> String {
        let Self { whole, min, max, unit } = self;
        format!("a {}number from {min} to {max}{unit}", if *whole { "whole " } else { "" })
    }
}

impl Scene {
    /// The book's Big Shoal demo, with the values of a `params.ini` (Buckland 2004, ch. 3):
    /// fish flock and wander among scattered obstacles, and evade a shark.
    /// `NumAgents` includes the shark. `file` is the file name shown in errors.
    ///
    /// Each line is a key and its number (`NumAgents 300` or `NumAgents = 300`). Missing
    /// keys take the book's values. Alternatively, a file without keys lists all 41 numbers in the
    /// book's order. `//`, `#` and `;` start comments. Forces and weights are multiplied by
    /// `SteeringForceTweaker`.
    ///
    /// `NumCellsX` and `NumCellsY` must be in range but have no effect, because the view distance
    /// determines the grid. Weights of behaviors that the demo does not use have no effect either.
    ///
    /// ```
    /// let shoal = flockwork::Scene::from_params_ini("NumAgents 1000", "params.ini")?;
    /// assert_eq!(shoal.agents_at_start(), 1_000);
    /// # Ok::<(), flockwork::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a key is unknown or repeated, or a value is out of range. Errors name the file and line.
    pub fn from_params_ini(text: &str, file: &str) -> Result<Self, Error> {
        let location = |line| ErrorLocation { file: Some(file.into()), line };
        let scene = shoal_of(text).map_err(|(line, error)| error.at(location(Some(line))))?;
        scene.check().map_err(|error| error.at(location(None)))?;
        Ok(scene)
    }
}

impl Species {
    /// Gives the species the values of the book's `params.ini` (Buckland 2004, ch. 3): maximum
    /// speed, maximum force, mass and view distance, and the weights, detection-box lengths and
    /// feeler lengths of its behaviors. Everything else is unchanged.
    ///
    /// Forces and weights are multiplied by the book's `SteeringForceTweaker` of 200.
    /// Cohesion alone can therefore use up the maximum force, leaving none for later behaviors.
    ///
    /// ```
    /// use flockwork::behaviors::Separation;
    /// use flockwork::Species;
    ///
    /// let weak = Separation { weight: 1.0, ..Separation::default() };
    /// let weak = Species::new("fish", 10).max_force(5.0).behavior(weak);
    /// let book = Species::new("fish", 10).max_force(400.0).behavior(Separation::default());
    /// assert_eq!(weak.with_book_values(), book);
    /// ```
    pub fn with_book_values(mut self) -> Self {
        KEYS.iter().for_each(|Key(_, book, _, sets)| sets.set(&mut self, *book, BOOK_TWEAKER));
        self
    }
}

impl Effect {
    fn set(&self, species: &mut Species, value: f64, tweaker: f64) {
        match *self {
            Nothing | Shoal(_) | Chance(_) => {}
            Steering(set) => set(species, value),
            Force => species.max_force = ((value * tweaker) as f32).into(),
            Weight(behavior) => tune(species, behavior, "weight", value * tweaker),
            Length(behavior, parameter) => tune(species, behavior, parameter, value),
        }
    }
}

fn tune(species: &mut Species, behavior: &str, parameter: &str, value: f64) {
    for behavior in species.behaviors.iter_mut().filter(|one| one.name() == behavior) {
        let mut fields = behavior.fields();
        for field in fields.iter_mut().filter(|field| field.name == parameter) {
            field.value = FieldValue::Number(value as f32);
        }
        behavior.set_fields(fields);
    }
}

fn big_shoal() -> Scene {
    let shark = Target::member("shark", 0);
    let fish = Species::new("fish", 299)
        .behavior(WallAvoidance::default())
        .behavior(ObstacleAvoidance::default())
        .behavior(Evade { pursuer: shark, threat_range: Some(100.0), ..Evade::default() })
        .behavior(Separation::default())
        .behavior(Alignment::default())
        .behavior(Cohesion::default())
        .behavior(Wander::default());
    let shark = Species::new("shark", 1)
        .radius(10.0)
        .behavior(WallAvoidance::default())
        .behavior(ObstacleAvoidance::default())
        .behavior(Wander::default());
    Scene::new(World::torus(1_000.0, 600.0))
        .name("big-shoal")
        .about("The book's big shoal: fish that flock and wander, wary of a shark.")
        .scatter_obstacles(Scattered::default())
        .species(fish)
        .species(shark)
}

fn fish(shoal: &mut Scene) -> &mut Species {
    &mut shoal.species[0]
}

fn obstacles(shoal: &mut Scene) -> &mut Scattered {
    shoal.scatter.get_or_insert_default().obstacles.get_or_insert_default()
}

fn smooth(shoal: &mut Scene, samples: f64) {
    shoal.heading_samples = Some(samples as u32);
}

type Located<T> = Result<T, (u32, Error)>;

fn shoal_of(text: &str) -> Located<Scene> {
    let given = read(text)?;
    let value_of = |name: &str, book| given.get(name).map_or(book, |given| given.value);
    let mut shoal = big_shoal();
    for Key(name, book, _, sets) in &KEYS {
        let value = value_of(name, *book);
        if let Shoal(set) = sets {
            set(&mut shoal, value);
        }
        for species in &mut shoal.species {
            sets.set(species, value, value_of(TWEAKER, BOOK_TWEAKER));
            if let Chance(behavior) = *sets {
                species.probabilities.insert(behavior.into(), value as f32);
            }
        }
    }
    // The shark has its own maximum speed; `MaxSpeed` does not change it.
    shoal.species[1].max_speed = 70.0.into();
    let [smallest, largest] = obstacles(&mut shoal).size;
    if smallest <= largest {
        return Ok(shoal);
    }
    let (name, allowed) = match given.contains_key(LARGEST) {
        true => (LARGEST, format!("at least {smallest}, the {SMALLEST}")),
        false => (SMALLEST, format!("at most {largest}, the {LARGEST}")),
    };
    let Given { line, text, .. } = given[name];
    Err((line, Error::refused(name, text, allowed)))
}

struct Given<'a> {
    line: u32,
    text: &'a str,
    value: f64,
}

fn read(text: &str) -> Located<BTreeMap<&'static str, Given<'_>>> {
    let mut given = BTreeMap::<_, Given<'_>>::new();
    for (line, name, text) in entries(text)? {
        let key = if name == PRINTED_FORCE { FORCE } else { name };
        let Some(Key(key, _, range, _)) = KEYS.iter().find(|known| known.0 == key) else {
            let known = KEYS.iter().map(|known| known.0).chain([PRINTED_FORCE]);
            return Err((line, Error::unknown("parameter", name, known)));
        };
        let refuse = |allowed: String| Err((line, Error::refused(name, text, allowed)));
        let Some(value) = range.read(text) else { return refuse(range.describe()) };
        if let Some(Given { line: first, .. }) = given.get(key) {
            return refuse(format!("given only once; it is already on line {first}"));
        }
        given.insert(*key, Given { line, text, value });
    }
    Ok(given)
}

fn entries(text: &str) -> Located<Vec<(u32, &str, &str)>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = (1..).zip(text.lines().map(without_comment));
    let words = lines
        .clone()
        .flat_map(|(line, content)| content.split_whitespace().map(move |word| (line, word)));
    let numbers: Vec<(u32, &str)> = words.collect();
    if numbers.first().is_none_or(|(_, word)| word.parse::<f64>().is_err()) {
        let lines = lines.filter(|(_, content)| !content.is_empty());
        return Ok(lines.map(|(line, content)| keyed(line, content)).collect());
    }
    if numbers.len() != KEYS.len() {
        let (last, _) = numbers[numbers.len() - 1];
        let allowed = format!("{} numbers, or a key before each number", KEYS.len());
        return Err((last, Error::refused("numbers without keys", numbers.len(), allowed)));
    }
    Ok(KEYS.iter().zip(numbers).map(|(key, (line, word))| (line, key.0, word)).collect())
}

fn without_comment(line: &str) -> &str {
    let marks = ["//", "#", ";"].into_iter().filter_map(|mark| line.find(mark));
    line[..marks.min().unwrap_or(line.len())].trim()
}

fn keyed(line: u32, content: &str) -> (u32, &str, &str) {
    // One key in the book's file has a C++ type in front: `float prWallAvoidance 0.5`.
    let typeless =
        content.strip_prefix("float").filter(|rest| rest.starts_with(char::is_whitespace));
    let content = typeless.unwrap_or(content).trim_start();
    let split = content.split_once('=').or_else(|| content.split_once(char::is_whitespace));
    let (name, value) = split.unwrap_or((content, ""));
    (line, name.trim(), value.trim())
}
