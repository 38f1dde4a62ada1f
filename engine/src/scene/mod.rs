//! Scenes: the definitions that simulations start from, built in code or read from TOML.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path as FilePath;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Place};
use crate::file;
use crate::scenery::Definition;
use crate::scenery::definition::{FlowField, Obstacle, Path, Wall};
use crate::scenery::scatter::{Scatter, Scattered};
use crate::species::{MAX_AGENTS, Species};
use crate::world::World;

pub(crate) mod check;
mod embedded;
mod fit;
mod locate;
mod params_ini;
mod references;

/// The longest scene file, in bytes: ten times what a million obstacles and walls would need is
/// not a scene.
const LONGEST_FILE: u64 = 64 << 20;

/// The definition of a simulation: a world, its species, and a seed.
///
/// ```
/// use flockwork::{Alignment, Cohesion, Scene, Separation, Species, World};
///
/// let fish = Species::new("fish", 1_000)
///     .view_distance(50.0)
///     .steer(Separation { weight: 200.0 })
///     .steer(Alignment { weight: 200.0 })
///     .steer(Cohesion::default());
/// let mut shoal = Scene::new(World::torus(1_600.0, 900.0)).species(fish).seed(7).build()?;
/// shoal.run(60)?;
/// println!("{:016x}", shoal.state_hash());
/// # Ok::<(), flockwork::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scene {
    /// The scene's name, as used on command lines.
    pub name: String,
    /// One sentence on what the scene shows.
    pub about: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Steps per simulated second, from 1 to 1e5; dt is its inverse. Default 60.
    pub steps_per_second: f32,
    /// The world's size and edges.
    pub world: World,
    /// How many times per step overlapping agents are pushed apart, from 0 to 64. One pass
    /// separates isolated pairs; dense groups need more. Default 0: agents may overlap.
    pub non_penetration: u32,
    /// How many of an agent's latest headings its smoothed heading averages, from 1 to 100; the
    /// book uses 10. Default none: no smoothed headings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading_samples: Option<u32>,
    /// Height of the grid's cells, in units of the largest view distance, from 0.25 to 16, for
    /// experiments. Allows up to four cells per agent instead of two. It affects the time of a step
    /// and, through the order in which neighbors are added, the last bits of the result. Default
    /// none: one view distance, but at least the mean spacing of agents spread over the world.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell_size: Option<f32>,
    /// Named points, which behaviors can target and which can be moved while the crowd runs.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub points: BTreeMap<String, [f32; 2]>,
    /// Circles to avoid or hide behind.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub obstacles: Vec<Obstacle>,
    /// Chains of straight walls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub walls: Vec<Wall>,
    /// Waypoints to follow.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<Path>,
    /// The flow field to follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flow: Option<FlowField>,
    /// Obstacles and walls placed at random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scatter: Option<Scatter>,
    /// The species, at most 255. Agents get their ids in this order.
    pub species: Vec<Species>,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            name: "untitled".into(),
            about: String::new(),
            seed: 1,
            steps_per_second: 60.0,
            world: World::default(),
            non_penetration: 0,
            heading_samples: None,
            cell_size: None,
            points: BTreeMap::new(),
            obstacles: Vec::new(),
            walls: Vec::new(),
            paths: Vec::new(),
            flow: None,
            scatter: None,
            species: Vec::new(),
        }
    }
}

impl Scene {
    /// A scene without agents, 60 steps per second, seed 1.
    #[must_use]
    pub fn new(world: World) -> Self {
        Self { world, ..Self::default() }
    }

    /// Adds a species.
    #[must_use]
    pub fn species(mut self, species: Species) -> Self {
        self.species.push(species);
        self
    }

    /// Sets the seed.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Sets the number of steps per simulated second.
    #[must_use]
    pub fn steps_per_second(self, steps_per_second: f32) -> Self {
        Self { steps_per_second, ..self }
    }

    /// Sets the name, as used on command lines.
    #[must_use]
    pub fn name(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// Sets the sentence on what the scene shows.
    #[must_use]
    pub fn about(self, about: impl Into<String>) -> Self {
        Self { about: about.into(), ..self }
    }

    /// Sets how many times per step overlapping agents are pushed apart.
    #[must_use]
    pub fn non_penetration(self, iterations: u32) -> Self {
        Self { non_penetration: iterations, ..self }
    }

    /// Sets how many of an agent's latest headings its smoothed heading averages.
    #[must_use]
    pub fn heading_samples(self, samples: u32) -> Self {
        Self { heading_samples: Some(samples), ..self }
    }

    /// Sets the height of the grid's cells, in units of the largest view distance.
    #[must_use]
    pub fn cell_size(self, cell_size: f32) -> Self {
        Self { cell_size: Some(cell_size), ..self }
    }

    /// Adds a named point, or moves it, in world units.
    #[must_use]
    pub fn point(mut self, name: impl Into<String>, at: [f32; 2]) -> Self {
        self.points.insert(name.into(), at);
        self
    }

    /// Adds a circle to avoid or hide behind.
    #[must_use]
    pub fn obstacle(mut self, obstacle: Obstacle) -> Self {
        self.obstacles.push(obstacle);
        self
    }

    /// Adds a chain of straight walls.
    #[must_use]
    pub fn wall(mut self, wall: Wall) -> Self {
        self.walls.push(wall);
        self
    }

    /// Adds a path to follow.
    #[must_use]
    pub fn path(mut self, path: Path) -> Self {
        self.paths.push(path);
        self
    }

    /// Sets the flow field to follow.
    #[must_use]
    pub fn flow(self, flow: FlowField) -> Self {
        Self { flow: Some(flow), ..self }
    }

    /// Scatters obstacles over the world.
    #[must_use]
    pub fn scatter_obstacles(mut self, obstacles: Scattered) -> Self {
        self.scatter.get_or_insert_default().obstacles = Some(obstacles);
        self
    }

    /// Scatters straight two-sided walls over the world.
    #[must_use]
    pub fn scatter_walls(mut self, walls: Scattered) -> Self {
        self.scatter.get_or_insert_default().walls = Some(walls);
        self
    }

    /// Sets the total number of agents, by changing that of the first species.
    ///
    /// # Errors
    /// If the other species alone have more agents, or if there is no species.
    pub fn agents(mut self, agents: usize) -> Result<Self, Error> {
        let others = self.species.iter().skip(1).map(|species| species.agents);
        let others = others.fold(0, usize::saturating_add);
        match (self.species.first_mut(), agents.checked_sub(others)) {
            (Some(first), Some(rest)) => first.agents = rest,
            _ => {
                return Err(Error::refused(
                    "agents",
                    agents,
                    format!("from {others} to {MAX_AGENTS}"),
                ));
            }
        }
        Ok(self)
    }

    /// The names of the embedded scenes.
    pub fn names() -> impl ExactSizeIterator<Item = &'static str> {
        embedded::SCENES.iter().map(|(name, _)| *name)
    }

    /// An embedded scene.
    ///
    /// # Errors
    /// If there is no scene of that name; the error lists all names.
    pub fn named(name: &str) -> Result<Self, Error> {
        let known = embedded::SCENES.iter().find(|(known, _)| *known == name);
        let (_, text) = known.ok_or_else(|| Error::unknown("scene", name, Self::names()))?;
        Self::parse(text, &format!("{name}.toml"))
    }

    /// A scene from the text of a TOML file; `file` names it in errors.
    ///
    /// # Errors
    /// Syntax errors, unknown fields and values out of range, with file and line.
    pub fn parse(text: &str, file: &str) -> Result<Self, Error> {
        let scene = Self::read(text, file)?;
        match scene.check() {
            Ok(()) => Ok(scene),
            Err(error) => {
                let line = match &error {
                    Error::OutOfRange { field, .. } => locate::line_of(text, field),
                    Error::UnknownName { name, .. } => locate::line_of_name(text, name),
                    _ => None,
                };
                Err(error.at(Place { file: Some(file.into()), line }))
            }
        }
    }

    /// Like [`Self::parse`], but without the checks.
    pub(crate) fn read(text: &str, file: &str) -> Result<Self, Error> {
        toml::from_str(text).map_err(|error| locate::parse_error(&error, text, file))
    }

    /// A scene from a TOML file, or from the book's `params.ini` if the name ends in `.ini`, of at
    /// most 64 MiB.
    ///
    /// # Errors
    /// As [`Self::parse`] and [`Self::from_params_ini`], and if the file cannot be read.
    pub fn load(path: impl AsRef<FilePath>) -> Result<Self, Error> {
        let (path, file) = (path.as_ref(), path.as_ref().display().to_string());
        let refuse = |message: String| Error::File { path: file.clone(), message };
        let bytes = file::read(path, LONGEST_FILE).map_err(|error| refuse(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|error| refuse(error.to_string()))?;
        let path = file;
        if path.to_ascii_lowercase().ends_with(".ini") {
            Self::from_params_ini(&text, &path)
        } else {
            Self::parse(&text, &path)
        }
    }

    /// The embedded scene of that name, or the scene in the file of that name if it ends in
    /// `.toml` or `.ini`.
    ///
    /// # Errors
    /// As [`Self::named`] and [`Self::load`].
    pub fn find(name_or_path: &str) -> Result<Self, Error> {
        let lower = name_or_path.to_ascii_lowercase();
        if [".toml", ".ini"].iter().any(|end| lower.ends_with(end)) {
            Self::load(name_or_path)
        } else {
            Self::named(name_or_path)
        }
    }

    /// The scene as TOML; reading it back gives the same scene.
    #[must_use]
    pub fn to_toml(&self) -> String {
        toml::to_string_pretty(self).expect("a scene is plain data")
    }

    /// How many agents the scene starts with.
    #[must_use]
    pub fn agent_count(&self) -> usize {
        self.species.iter().map(|species| species.agents).fold(0, usize::saturating_add)
    }

    /// The view distance for `mean_neighbors`: that of the first species, or 50 world units without
    /// species.
    pub(crate) fn view_distance(&self) -> f32 {
        self.species.first().map_or(50.0, |species| species.view_distance)
    }

    pub(crate) fn dt(&self) -> f32 {
        1.0 / self.steps_per_second
    }

    /// The definition of the scene's static world.
    pub(crate) fn scenery(&self) -> Definition<'_> {
        Definition {
            seed: self.seed,
            agents: self.agent_count(),
            obstacles: &self.obstacles,
            walls: &self.walls,
            paths: &self.paths,
            flow: self.flow.as_ref(),
            scatter: self.scatter.as_ref(),
        }
    }

    /// The names of all columns that some species defines or some behavior names, ascending.
    pub(crate) fn column_names(&self) -> Vec<&str> {
        let defined = self.species.iter().flat_map(|species| species.columns.keys());
        let behaviors = self.species.iter().flat_map(|species| &species.behaviors);
        let named = behaviors.flat_map(|behavior| behavior.as_steer().columns());
        defined.map(String::as_str).chain(named).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The index of the first agent of a species.
    pub(crate) fn first_index(&self, kind: usize) -> u32 {
        self.species[..kind].iter().map(|species| species.agents as u32).sum()
    }

    pub(crate) fn largest_radius(&self) -> f32 {
        self.species.iter().map(|kind| kind.radius.max()).fold(0.0, f32::max)
    }

    pub(crate) fn largest_speed(&self) -> f32 {
        self.species.iter().map(|kind| kind.max_speed.max()).fold(0.0, f32::max)
    }

    /// The largest distance any agent can move in a step.
    pub(crate) fn largest_move(&self) -> f32 {
        self.largest_speed() * self.dt()
    }
}
