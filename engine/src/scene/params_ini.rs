//! The book's `params.ini` (Buckland 2004, ch. 3) as a scene: its big shoal.
//!
//! The book's own reader takes the second word of each line, in order, and ignores the first.
//! Here the keys count; a file of bare numbers is read in the book's order.

use std::collections::BTreeMap;

use crate::behaviors::alignment::Alignment;
use crate::behaviors::cohesion::Cohesion;
use crate::behaviors::evade::Evade;
use crate::behaviors::fields::FieldValueMut;
use crate::behaviors::obstacle_avoidance::ObstacleAvoidance;
use crate::behaviors::separation::Separation;
use crate::behaviors::wall_avoidance::WallAvoidance;
use crate::behaviors::wander::Wander;
use crate::crowd::shared::Value;
use crate::crowd::target::Target;
use crate::error::{Error, Place};
use crate::scene::Scene;
use crate::scenery::scatter::{Scatter, Scattered};
use crate::species::Species;
use crate::world::World;

use Sets::{Force, Length, Nothing, Shoal, Steering, Weight};

/// One entry of the file: its key, the book's value, the allowed range, and what it sets.
struct Key(&'static str, f64, Range, Sets);

/// What an entry sets.
enum Sets {
    /// Nothing: the grid chooses its own number of cells.
    Nothing,
    /// A property of the big shoal as a whole, or of its fish alone.
    Shoal(fn(&mut BigShoal, f64)),
    /// A steering property of any species.
    Steering(fn(&mut Species, f64)),
    /// The maximum force, in units of the tweaker.
    Force,
    /// The weight of a behavior, in units of the tweaker, if the species has that behavior.
    Weight(&'static str),
    /// A length among a behavior's parameters, if the species has that behavior.
    Length(&'static str, &'static str),
}

/// In the book's order, which is also the order of setting: the tweaker multiplies values after it.
const KEYS: [Key; 41] = [
    Key("NumAgents", 300.0, whole(1.0, 1.0e9), Shoal(|all, n| all.fish.agents = n as usize - 1)),
    Key("NumObstacles", 7.0, whole(0.0, 1.0e6), Shoal(|all, n| all.obstacles.count = n as u32)),
    Key(SMALLEST, 10.0, RADIUS, Shoal(|all, r| all.obstacles.size[0] = r as f32)),
    Key(LARGEST, 30.0, RADIUS, Shoal(|all, r| all.obstacles.size[1] = r as f32)),
    Key("NumCellsX", 7.0, whole(1.0, 1.0e6), Nothing),
    Key("NumCellsY", 7.0, whole(1.0, 1.0e6), Nothing),
    Key("NumSamplesForSmoothing", 10.0, whole(1.0, 100.0), Shoal(|all, n| all.samples = n as u32)),
    Key("SteeringForceTweaker", TWEAKER, real(0.0, 1.0e3, ""), Shoal(|all, f| all.tweaker = f)),
    Key(FORCE, 2.0, real(0.0, 1.0e6, ""), Force),
    Key("MaxSpeed", 150.0, SPEED, Steering(|species, v| species.max_speed = shared(v))),
    Key("VehicleMass", 1.0, MASS, Steering(|species, m| species.mass = shared(m))),
    Key("VehicleScale", 3.0, SCALE, Shoal(|all, r| all.fish.radius = shared(r))),
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
    Key("prWallAvoidance", 0.5, CHANCE, Shoal(|all, p| all.dither("wall_avoidance", p))),
    Key("prObstacleAvoidance", 0.5, CHANCE, Shoal(|all, p| all.dither("obstacle_avoidance", p))),
    Key("prSeparation", 0.2, CHANCE, Shoal(|all, p| all.dither("separation", p))),
    Key("prAlignment", 0.3, CHANCE, Shoal(|all, p| all.dither("alignment", p))),
    Key("prCohesion", 0.6, CHANCE, Shoal(|all, p| all.dither("cohesion", p))),
    Key("prWander", 0.8, CHANCE, Shoal(|all, p| all.dither("wander", p))),
    Key("prSeek", 0.8, CHANCE, Shoal(|all, p| all.dither("seek", p))),
    Key("prFlee", 0.6, CHANCE, Shoal(|all, p| all.dither("flee", p))),
    Key("prEvade", 1.0, CHANCE, Shoal(|all, p| all.dither("evade", p))),
    Key("prHide", 0.8, CHANCE, Shoal(|all, p| all.dither("hide", p))),
    Key("prArrive", 0.5, CHANCE, Shoal(|all, p| all.dither("arrive", p))),
];

/// The book's factor for all forces and weights.
const TWEAKER: f64 = 200.0;

const SMALLEST: &str = "MinObstacleRadius";
const LARGEST: &str = "MaxObstacleRadius";

/// The book's code and its file name this key differently.
const FORCE: &str = "MaxSteeringForce";
const PRINTED_FORCE: &str = "SteeringForce";

const WORLD: [f32; 2] = [1_000.0, 600.0];

const UNITS: &str = " world units";
const RADIUS: Range = real(0.0, 1.0e5, UNITS);
const MASS: Range = real(1.0e-3, 1.0e6, "");
const WEIGHT: Range = real(0.0, 1.0e3, "");
const CHANCE: Range = real(1.0e-3, 1.0, "");
const VIEW: Range = real(1.0e-3, 1.0e6, UNITS);
const LENGTH: Range = real(1.0e-3, 1.0e5, UNITS);
const SCALE: Range = real(0.0, 1.0e4, UNITS);
/// At most the shorter side of the torus per step, at 60 steps per second.
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
    /// The book's big shoal with the values of a `params.ini` (Buckland 2004, ch. 3): fish
    /// that flock and wander among scattered obstacles, wary of a shark, which is the last of the
    /// `NumAgents`. `file` names the text in errors.
    ///
    /// Each line is a key and its number (`NumAgents 300` or `NumAgents = 300`). Keys that the
    /// file omits have the book's values. Alternatively, the file has no keys, but all 41 numbers
    /// in the book's order. `//`, `#` and `;` start comments. Forces and weights are multiplied by
    /// `SteeringForceTweaker`.
    ///
    /// `NumCellsX` and `NumCellsY` must be in range but have no effect, because the grid follows
    /// from the view distance. The same goes for weights of behaviors that the shoal does not have.
    ///
    /// ```
    /// let shoal = flockwork::Scene::from_params_ini("NumAgents 1000", "params.ini")?;
    /// assert_eq!(shoal.agent_count(), 1_000);
    /// # Ok::<(), flockwork::Error>(())
    /// ```
    ///
    /// # Errors
    /// Unknown and repeated keys, and values out of range, with file and line.
    pub fn from_params_ini(text: &str, file: &str) -> Result<Self, Error> {
        let place = |line: Option<u32>| Place { file: Some(file.into()), line };
        let given = read(text).map_err(|Refused(line, error)| error.at(place(Some(line))))?;
        let mut shoal = BigShoal::new();
        for Key(name, book, _, sets) in &KEYS {
            shoal.set(sets, given.get(name).map_or(*book, |given| given.value));
        }
        check_radii(&shoal, &given).map_err(|Refused(line, error)| error.at(place(Some(line))))?;
        let scene = shoal.into_scene();
        scene.check().map_err(|error| error.at(place(None)))?;
        Ok(scene)
    }
}

impl Species {
    /// The same species with the values of the book's `params.ini` (Buckland 2004, ch. 3): its
    /// maximum speed and force, mass and view distance, and the weights and the lengths of
    /// detection boxes and feelers of its behaviors. Everything else is unchanged.
    ///
    /// Forces and weights are multiplied by the book's `SteeringForceTweaker` of 200. Cohesion can
    /// therefore use up the whole maximum force and leave nothing to behaviors after it.
    ///
    /// ```
    /// use flockwork::{Separation, Species};
    ///
    /// let weak = Species::new("fish", 10).max_force(5.0).steer(Separation { weight: 1.0 });
    /// let book = Species::new("fish", 10).max_force(400.0).steer(Separation { weight: 200.0 });
    /// assert_eq!(weak.with_book_values(), book);
    /// ```
    #[must_use]
    pub fn with_book_values(mut self) -> Self {
        KEYS.iter().for_each(|Key(_, book, _, sets)| sets.set(&mut self, *book, TWEAKER));
        self
    }
}

impl Sets {
    /// Applies an entry's value to a species.
    fn set(&self, species: &mut Species, value: f64, tweaker: f64) {
        match *self {
            Nothing | Shoal(_) => {}
            Steering(set) => set(species, value),
            Force => species.max_force = shared(value * tweaker),
            Weight(behavior) => tune(species, behavior, "weight", value * tweaker),
            Length(behavior, parameter) => tune(species, behavior, parameter, value),
        }
    }
}

fn shared(value: f64) -> Value {
    Value::Shared(value as f32)
}

fn tune(species: &mut Species, behavior: &str, parameter: &str, value: f64) {
    for behavior in species.behaviors.iter_mut().filter(|one| one.name() == behavior) {
        for field in behavior.fields_mut().into_iter().filter(|field| field.name == parameter) {
            if let FieldValueMut::Number(number) = field.value {
                *number = value as f32;
            }
        }
    }
}

/// One entry of a file.
struct Given<'a> {
    line: u32,
    text: &'a str,
    value: f64,
}

/// The line of an error, and the error.
struct Refused(u32, Error);

fn refuse(line: u32, field: &str, value: &str, allowed: String) -> Refused {
    Refused(line, Error::refused(field, value, allowed))
}

fn read(text: &str) -> Result<BTreeMap<&'static str, Given<'_>>, Refused> {
    let mut given = BTreeMap::<_, Given<'_>>::new();
    for (line, name, text) in entries(text)? {
        let name = if name == PRINTED_FORCE { FORCE } else { name };
        let key = KEYS.iter().find(|key| key.0 == name);
        let Some(Key(name, _, range, _)) = key else {
            let known = KEYS.iter().map(|key| key.0);
            return Err(Refused(line, Error::unknown("parameter", name, known)));
        };
        let Some(value) = range.read(text) else {
            return Err(refuse(line, name, text, range.describe()));
        };
        if let Some(Given { line: first, .. }) = given.get(name) {
            return Err(refuse(
                line,
                name,
                text,
                format!("given once; line {first} has it already"),
            ));
        }
        given.insert(*name, Given { line, text, value });
    }
    Ok(given)
}

/// Line, key and value of each entry.
fn entries(text: &str) -> Result<Vec<(u32, &str, &str)>, Refused> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = (1..).zip(text.lines()).map(|(line, content)| (line, without_comment(content)));
    let lines: Vec<(u32, &str)> = lines.filter(|(_, content)| !content.is_empty()).collect();
    let first = lines.first().and_then(|(_, content)| content.split_whitespace().next());
    if first.is_none_or(|word| word.parse::<f64>().is_err()) {
        return Ok(lines.into_iter().map(|(line, content)| keyed(line, content)).collect());
    }
    let numbers = lines
        .into_iter()
        .flat_map(|(line, content)| content.split_whitespace().map(move |word| (line, word)));
    let numbers: Vec<(u32, &str)> = numbers.collect();
    match numbers.last() {
        Some((line, _)) if numbers.len() != KEYS.len() => {
            let allowed = format!("{} numbers, or a key before each", KEYS.len());
            Err(refuse(*line, "numbers without keys", &numbers.len().to_string(), allowed))
        }
        _ => Ok(KEYS.iter().zip(numbers).map(|(key, (line, word))| (line, key.0, word)).collect()),
    }
}

fn without_comment(line: &str) -> &str {
    let marks = ["//", "#", ";"].into_iter().filter_map(|mark| line.find(mark));
    line[..marks.min().unwrap_or(line.len())].trim()
}

fn keyed(line: u32, content: &str) -> (u32, &str, &str) {
    // One line of the book's file reads `float prWallAvoidance 0.5`.
    let typeless =
        content.strip_prefix("float").filter(|rest| rest.starts_with(char::is_whitespace));
    let content = typeless.unwrap_or(content).trim_start();
    let split = content.split_once('=').or_else(|| content.split_once(char::is_whitespace));
    let (name, value) = split.unwrap_or((content, ""));
    (line, name.trim(), value.trim())
}

fn check_radii(shoal: &BigShoal, given: &BTreeMap<&str, Given<'_>>) -> Result<(), Refused> {
    let [smallest, largest] = shoal.obstacles.size;
    if smallest <= largest {
        return Ok(());
    }
    match (given.get(LARGEST), given.get(SMALLEST)) {
        (Some(Given { line, text, .. }), _) => {
            Err(refuse(*line, LARGEST, text, format!("at least {smallest}, the {SMALLEST}")))
        }
        (None, Some(Given { line, text, .. })) => {
            Err(refuse(*line, SMALLEST, text, format!("at most {largest}, the {LARGEST}")))
        }
        (None, None) => Ok(()),
    }
}

/// The book's big shoal while it is being set up.
struct BigShoal {
    fish: Species,
    shark: Species,
    obstacles: Scattered,
    samples: u32,
    tweaker: f64,
}

impl BigShoal {
    fn new() -> Self {
        let shark = Target::member("shark", 0);
        Self {
            fish: Species::new("fish", 0)
                .steer(WallAvoidance::default())
                .steer(ObstacleAvoidance::default())
                .steer(Evade { pursuer: shark, threat_range: Some(100.0), ..Evade::default() })
                .steer(Separation::default())
                .steer(Alignment::default())
                .steer(Cohesion::default())
                .steer(Wander::default()),
            shark: Species::new("shark", 1)
                .radius(10.0)
                .steer(WallAvoidance::default())
                .steer(ObstacleAvoidance::default())
                .steer(Wander::default()),
            obstacles: Scattered::default(),
            samples: 0,
            tweaker: 0.0,
        }
    }

    fn into_scene(self) -> Scene {
        Scene {
            name: "big-shoal".into(),
            about: "The book's big shoal: fish that flock and wander, wary of a shark.".into(),
            heading_samples: Some(self.samples),
            scatter: Some(Scatter { obstacles: Some(self.obstacles), walls: None }),
            // The shark's speed does not follow `MaxSpeed`.
            species: vec![self.fish, self.shark.max_speed(70.0)],
            ..Scene::new(World::torus(WORLD[0], WORLD[1]))
        }
    }

    fn set(&mut self, sets: &Sets, value: f64) {
        if let Shoal(set) = sets {
            set(self, value);
        }
        let tweaker = self.tweaker;
        self.both().into_iter().for_each(|species| sets.set(species, value, tweaker));
    }

    fn both(&mut self) -> [&mut Species; 2] {
        [&mut self.fish, &mut self.shark]
    }

    fn dither(&mut self, behavior: &str, probability: f64) {
        for species in self.both() {
            species.probabilities.insert(behavior.into(), probability as f32);
        }
    }
}
