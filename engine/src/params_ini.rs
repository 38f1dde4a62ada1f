//! The book's `params.ini` (Buckland 2004, ch. 3) as a scene: its big shoal.
//!
//! The book's own reader takes the second word of each line, in order, and ignores the first.
//! Here names count, and numbers alone are read in the book's order.

use std::collections::BTreeMap;

use crate::error::{Error, Place};
use crate::fields::FieldValue;
use crate::kernels::alignment::Alignment;
use crate::kernels::cohesion::Cohesion;
use crate::kernels::evade::Evade;
use crate::kernels::obstacle_avoidance::ObstacleAvoidance;
use crate::kernels::separation::Separation;
use crate::kernels::wall_avoidance::WallAvoidance;
use crate::kernels::wander::Wander;
use crate::scatter::{Scatter, Scattered};
use crate::scene::Scene;
use crate::species::{Species, Value};
use crate::target::Target;
use crate::world::World;

/// One line of the file: its name, the book's value, what is allowed, and what it sets.
struct Key(&'static str, f64, Range, fn(&mut Shoal, f64));

/// In the book's order, which is also the order in which they are set: the tweaker multiplies
/// what comes after it. The weights of behaviors that the shoal does not have set nothing, nor
/// do the numbers of cells: the grid finds its own.
const KEYS: [Key; 41] = [
    Key("NumAgents", 300.0, whole(1.0, 1.0e8), |shoal, n| shoal.fish.agents = n as usize - 1),
    Key("NumObstacles", 7.0, whole(0.0, 1.0e6), |shoal, n| shoal.obstacles.count = n as u32),
    Key(SMALLEST, 10.0, real(0.0, 1.0e5, UNITS), |shoal, r| shoal.obstacles.size[0] = r as f32),
    Key(LARGEST, 30.0, real(0.0, 1.0e5, UNITS), |shoal, r| shoal.obstacles.size[1] = r as f32),
    Key("NumCellsX", 7.0, whole(1.0, 1.0e6), |_, _| ()),
    Key("NumCellsY", 7.0, whole(1.0, 1.0e6), |_, _| ()),
    Key("NumSamplesForSmoothing", 10.0, whole(1.0, 100.0), |shoal, n| shoal.samples = n as u32),
    Key("SteeringForceTweaker", 200.0, real(0.0, 1.0e3, ""), |shoal, f| shoal.tweaker = f),
    Key(FORCE, 2.0, real(0.0, 1.0e6, ""), |shoal, f| shoal.limit_force(f)),
    Key("MaxSpeed", 150.0, SPEED, |shoal, v| shoal.fish.max_speed = Value::Shared(v as f32)),
    Key("VehicleMass", 1.0, real(1.0e-3, 1.0e6, ""), |shoal, m| shoal.mass(m)),
    Key("VehicleScale", 3.0, SCALE, |shoal, r| shoal.fish.radius = Value::Shared(r as f32)),
    Key("SeparationWeight", 1.0, WEIGHT, |shoal, w| shoal.weight("separation", w)),
    Key("AlignmentWeight", 1.0, WEIGHT, |shoal, w| shoal.weight("alignment", w)),
    Key("CohesionWeight", 2.0, WEIGHT, |shoal, w| shoal.weight("cohesion", w)),
    Key("ObstacleAvoidanceWeight", 10.0, WEIGHT, |shoal, w| shoal.weight("obstacle_avoidance", w)),
    Key("WallAvoidanceWeight", 10.0, WEIGHT, |shoal, w| shoal.weight("wall_avoidance", w)),
    Key("WanderWeight", 1.0, WEIGHT, |shoal, w| shoal.weight("wander", w)),
    Key("SeekWeight", 1.0, WEIGHT, |_, _| ()),
    Key("FleeWeight", 1.0, WEIGHT, |_, _| ()),
    Key("ArriveWeight", 1.0, WEIGHT, |_, _| ()),
    Key("PursuitWeight", 1.0, WEIGHT, |_, _| ()),
    Key("OffsetPursuitWeight", 1.0, WEIGHT, |_, _| ()),
    Key("InterposeWeight", 1.0, WEIGHT, |_, _| ()),
    Key("HideWeight", 1.0, WEIGHT, |_, _| ()),
    Key("EvadeWeight", 0.01, WEIGHT, |shoal, w| shoal.weight("evade", w)),
    Key("FollowPathWeight", 0.05, WEIGHT, |_, _| ()),
    Key("ViewDistance", 50.0, real(1.0e-3, 1.0e6, UNITS), |shoal, d| shoal.see(d)),
    Key("MinDetectionBoxLength", 40.0, LENGTH, |shoal, l| shoal.detect(l)),
    Key("WallDetectionFeelerLength", 40.0, LENGTH, |shoal, l| shoal.feel(l)),
    Key("prWallAvoidance", 0.5, CHANCE, |shoal, p| shoal.dither("wall_avoidance", p)),
    Key("prObstacleAvoidance", 0.5, CHANCE, |shoal, p| shoal.dither("obstacle_avoidance", p)),
    Key("prSeparation", 0.2, CHANCE, |shoal, p| shoal.dither("separation", p)),
    Key("prAlignment", 0.3, CHANCE, |shoal, p| shoal.dither("alignment", p)),
    Key("prCohesion", 0.6, CHANCE, |shoal, p| shoal.dither("cohesion", p)),
    Key("prWander", 0.8, CHANCE, |shoal, p| shoal.dither("wander", p)),
    Key("prSeek", 0.8, CHANCE, |shoal, p| shoal.dither("seek", p)),
    Key("prFlee", 0.6, CHANCE, |shoal, p| shoal.dither("flee", p)),
    Key("prEvade", 1.0, CHANCE, |shoal, p| shoal.dither("evade", p)),
    Key("prHide", 0.8, CHANCE, |shoal, p| shoal.dither("hide", p)),
    Key("prArrive", 0.5, CHANCE, |shoal, p| shoal.dither("arrive", p)),
];

const SMALLEST: &str = "MinObstacleRadius";
const LARGEST: &str = "MaxObstacleRadius";

/// The book's file has one name for this key, and its code another.
const FORCE: &str = "MaxSteeringForce";
const PRINTED_FORCE: &str = "SteeringForce";

const WORLD: [f32; 2] = [1_000.0, 600.0];

const UNITS: &str = " world units";
const WEIGHT: Range = real(0.0, 1.0e3, "");
const CHANCE: Range = real(1.0e-3, 1.0, "");
const LENGTH: Range = real(1.0e-3, 1.0e5, UNITS);
const SCALE: Range = real(0.0, 1.0e4, UNITS);
/// At most across the smaller side of the torus in a step, of which there are 60 a second.
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
    /// The book's big shoal with the values of its `params.ini` (Buckland 2004, ch. 3): fish
    /// that flock and wander, wary of a shark, which is the last of the `NumAgents`, among
    /// scattered obstacles. `file` names the text in errors.
    ///
    /// A line is a key and its number (`NumAgents 300` or `NumAgents = 300`), and what the
    /// file leaves out has the book's value; or the file has no keys at all, but all 41
    /// numbers in the book's order. `//`, `#` and `;` start comments. Forces and weights are
    /// multiplied by `SteeringForceTweaker`.
    ///
    /// `NumCellsX` and `NumCellsY` must be sound but change nothing: the grid follows from the
    /// view distance. So do the weights of behaviors that the shoal has not.
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
        let stand = |line: Option<u32>| Place { file: Some(file.into()), line };
        let given = read(text).map_err(|Refused(line, error)| error.at(stand(Some(line))))?;
        let mut shoal = Shoal::new();
        for Key(name, book, _, set) in &KEYS {
            set(&mut shoal, given.get(name).map_or(*book, |given| given.value));
        }
        check_radii(&shoal, &given).map_err(|Refused(line, error)| error.at(stand(Some(line))))?;
        let scene = shoal.into_scene();
        scene.check().map_err(|error| error.at(stand(None)))?;
        Ok(scene)
    }
}

/// What a file says about one key.
struct Given<'a> {
    line: u32,
    text: &'a str,
    value: f64,
}

/// Why, and on which line.
struct Refused(u32, Error);

fn refuse(line: u32, field: &str, value: &str, allowed: String) -> Refused {
    let (at, field, value) = (Place::default(), field.to_owned(), value.to_owned());
    Refused(line, Error::OutOfRange { at, field, value, allowed })
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
            return Err(refuse(line, name, text, format!("given once; line {first} has it")));
        }
        given.insert(*name, Given { line, text, value });
    }
    Ok(given)
}

/// Line, name and value of each entry.
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
    let parts = content.split_once('=').or_else(|| content.split_once(char::is_whitespace));
    let (name, value) = parts.unwrap_or((content, ""));
    (line, name.trim(), value.trim())
}

fn check_radii(shoal: &Shoal, given: &BTreeMap<&str, Given<'_>>) -> Result<(), Refused> {
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
struct Shoal {
    fish: Species,
    shark: Species,
    obstacles: Scattered,
    samples: u32,
    tweaker: f64,
}

impl Shoal {
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
                .max_speed(70.0)
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
            species: vec![self.fish, self.shark],
            ..Scene::new(World::torus(WORLD[0], WORLD[1]))
        }
    }

    fn both(&mut self) -> [&mut Species; 2] {
        [&mut self.fish, &mut self.shark]
    }

    fn limit_force(&mut self, force: f64) {
        let force = Value::Shared((force * self.tweaker) as f32);
        self.both().into_iter().for_each(|species| species.max_force = force);
    }

    fn mass(&mut self, mass: f64) {
        self.both().into_iter().for_each(|species| species.mass = Value::Shared(mass as f32));
    }

    fn see(&mut self, distance: f64) {
        self.both().into_iter().for_each(|species| species.view_distance = distance as f32);
    }

    fn dither(&mut self, behavior: &str, probability: f64) {
        for species in self.both() {
            species.probabilities.insert(behavior.into(), probability as f32);
        }
    }

    fn detect(&mut self, length: f64) {
        self.tune("obstacle_avoidance", "box_length", length);
    }

    fn feel(&mut self, length: f64) {
        self.tune("wall_avoidance", "feeler_length", length);
    }

    fn weight(&mut self, behavior: &str, weight: f64) {
        self.tune(behavior, "weight", weight * self.tweaker);
    }

    fn tune(&mut self, behavior: &str, parameter: &str, value: f64) {
        let behaviors = self.both().into_iter().flat_map(|species| &mut species.behaviors);
        for behavior in behaviors.filter(|one| one.name() == behavior) {
            for field in behavior.fields().into_iter().filter(|field| field.name == parameter) {
                if let FieldValue::Number(number) = field.value {
                    *number = value as f32;
                }
            }
        }
    }
}
