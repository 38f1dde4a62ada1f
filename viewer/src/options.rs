use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use clap::{Parser, value_parser};
use flockwork::internal::parse_count;
use flockwork::{Partition, Point, Scene, Simulation, Snapshot};
use indicatif::{HumanCount, ProgressBar};

use crate::Error;
use crate::export::Target;
use crate::picture::camera::{Camera, ZOOM_RANGE, flat};
use crate::picture::projection::{Angle, PITCH_RANGE, YAW_RANGE};
use crate::picture::view::{ColorBy, Look, View, check_memory};

/// Shows a crowd in a window, or draws it without one (headless).
///
/// In the window, ? lists the keys and Tab hides the panel.
#[derive(Clone, Debug, Parser)]
#[command(name = "flockwork-viewer", version, max_term_width = 100, allow_negative_numbers = true)]
pub(crate) struct Options {
    /// Scene to show: a name from --list, or a .toml or .ini file
    #[arg(long, default_value = "stress")]
    scene: String,

    /// Resume from a state written by --save instead of a scene's initial state
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scene", "agents", "seed"])]
    pub(crate) resume: Option<PathBuf>,

    /// List the scenes and exit
    #[arg(long)]
    pub(crate) list: bool,

    /// Number of agents, e.g. 5000, 1M, 1e6 or 1_000_000 [default: the scene's]
    #[arg(long, value_parser = parse_agents, value_name = "N")]
    pub(crate) agents: Option<usize>,

    /// Seed of the initial state [default: the scene's]
    #[arg(long, value_name = "S")]
    pub(crate) seed: Option<u64>,

    /// Threads per step, 1 to 1024 [default: all]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,

    /// Neighbor search method; both give the same result
    #[arg(long, default_value = "cells", value_name = "cells|all-pairs")]
    #[arg(value_parser = PossibleValuesParser::new(["cells", "all-pairs"]).map(|name| {
        if name == "cells" { Partition::Cells } else { Partition::AllPairs }
    }))]
    pub(crate) partition: Partition,

    /// Picture size in pixels, 16x16 to 7680x4320
    #[arg(long, default_value = "1280x720", value_parser = size, value_name = "WxH")]
    #[arg(allow_hyphen_values = true)]
    pub(crate) size: (u32, u32),

    /// Agent property shown by color
    #[arg(long, value_enum, default_value_t, value_name = "MODE")]
    color: ColorBy,

    /// Show what these agents see and what steers them; indices start at 0
    #[arg(long, value_name = "N", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) explain: Vec<u32>,

    /// Draw the grid's cells
    #[arg(long)]
    grid: bool,

    /// Run without a display
    #[arg(long)]
    pub(crate) headless: bool,

    /// Steps to take before the first picture
    #[arg(long, default_value_t = 600, value_name = "N", requires = "headless")]
    pub(crate) steps: u64,

    /// Write the state after the last step to a file, for --resume
    #[arg(long, value_name = "FILE", requires = "headless")]
    pub(crate) save: Option<PathBuf>,

    /// Length of trails in simulated seconds, 0 to 60
    #[arg(long, default_value = "0", value_parser = within(0.0..=60.0), value_name = "SECONDS")]
    pub(crate) trails: f32,

    /// Zoom factor; 1 fits the whole world
    #[arg(long, default_value = "1", value_parser = within(ZOOM_RANGE), value_name = "Z")]
    #[arg(requires = "headless")]
    pub(crate) zoom: f32,

    /// World point at the center of the picture [default: the world's center, or with --zoom and
    /// without --trails, the first explained agent if there is one]
    #[arg(long, value_parser = point, value_name = "X,Y[,Z]", requires = "headless")]
    #[arg(allow_hyphen_values = true)]
    pub(crate) center: Option<Point>,

    /// Turns the view around a world with depth, in degrees, -360 to 360: at 0, x points to the
    /// right [default: 30]
    #[arg(long, value_parser = within(YAW_RANGE), value_name = "DEGREES")]
    pub(crate) yaw: Option<f32>,

    /// Elevation of the view of a world with depth, in degrees, -90 to 90: 0 looks from the side,
    /// and with --yaw 0, 90 looks straight down as at a flat world [default: 25]
    #[arg(long, value_parser = within(PITCH_RANGE), value_name = "DEGREES")]
    pub(crate) pitch: Option<f32>,

    /// Degrees by which the view of a world with depth turns during the pictures, -3600 to 3600
    #[arg(long, default_value = "0", value_parser = within(-3600.0..=3600.0))]
    #[arg(value_name = "DEGREES", requires = "frames", conflicts_with = "trails")]
    pub(crate) orbit: f32,

    /// Print a report as one line of JSON
    #[arg(long, requires = "headless")]
    pub(crate) json: bool,

    /// Output: a .png or .gif file, or - for raw RGBA pixels on standard output
    #[arg(long, visible_alias = "png", value_name = "FILE", requires = "headless")]
    #[arg(value_parser = PathBufValueParser::new().try_map(Target::try_from))]
    pub(crate) out: Option<Target>,

    /// Number of pictures, for a .gif file or raw pixels
    #[arg(long, default_value = "1", value_parser = value_parser!(u32).range(1..), value_name = "N")]
    #[arg(requires = "out")]
    pub(crate) frames: u32,

    /// Steps between pictures
    #[arg(long, default_value = "1", value_parser = value_parser!(u32).range(1..), value_name = "K")]
    #[arg(requires = "out")]
    pub(crate) every: u32,
}

impl Options {
    pub(crate) fn build(&self) -> Result<Simulation, flockwork::Error> {
        let mut simulation = match &self.resume {
            Some(file) => Snapshot::load(file)?.build()?,
            None => {
                check_scene_file(&self.scene)?;
                let mut scene = Scene::find(&self.scene)?;
                scene.agents = self.agents.or(scene.agents);
                scene.seed = self.seed.unwrap_or(scene.seed);
                let agents = HumanCount(scene.agents_at_start() as u64);
                let progress = ProgressBar::new_spinner();
                progress.set_message(format!("building {agents} agents (Ctrl-C to stop)"));
                // Draw the bar once: a steady tick would need a thread, and would panic if none
                // could start.
                progress.tick();
                let built = scene.build();
                progress.finish_and_clear();
                built?
            }
        };
        let (width, height) = self.size;
        check_memory(&simulation, u64::from(width) * u64::from(height))?;
        if let Some(threads) = self.threads {
            simulation.set_execution(simulation.execution().threads(threads))?;
        }
        simulation.set_execution(simulation.execution().partition(self.partition))?;
        Ok(simulation)
    }

    /// Rejects options for worlds with depth if the world is flat, and points with too many
    /// coordinates.
    pub(crate) fn check_angle(&self, simulation: &Simulation) -> Result<(), Error> {
        if simulation.world().depth.is_some() {
            return Ok(());
        }
        let center = self.center.filter(|center| center.len() == 3);
        let given = [
            self.yaw.map(|yaw| format!("--yaw {yaw}")),
            self.pitch.map(|pitch| format!("--pitch {pitch}")),
            (self.orbit != 0.0).then(|| format!("--orbit {}", self.orbit)),
            center.map(|at| format!("--center {},{},{}", at[0], at[1], at[2])),
        ];
        match given.into_iter().flatten().next() {
            Some(option) => Err(Error::Flat { option, scene: simulation.scene().name.clone() }),
            None => Ok(()),
        }
    }

    /// True if the pictures are centered on the first explained agent. Trails need a camera that
    /// stays where it is.
    pub(crate) fn follows(&self) -> bool {
        self.center.is_none() && self.zoom != 1.0 && self.trails == 0.0
    }

    /// Centers on `--center`, else on the explained agent at `followed`, else on the world.
    pub(crate) fn camera(&self, view: &View, followed: Option<[f32; 3]>) -> Camera {
        let mut camera = view.fit(self.size);
        // Without z, the center is at half the world's depth.
        let z = |at: &Point| at.get(2).copied().unwrap_or(view.projection.size()[2] / 2.0);
        let center = self.center.map(|at| [at[0], at[1], z(&at)]);
        if let Some(at) = center.or(followed) {
            camera.center = flat(view.projection.place(at));
        }
        camera.zoom_at(camera.size.map(|length| length / 2.0), self.zoom);
        camera
    }

    pub(crate) fn look(&self) -> Look {
        let Angle { yaw, pitch } = Angle::default();
        let angle = Angle { yaw: self.yaw.unwrap_or(yaw), pitch: self.pitch.unwrap_or(pitch) };
        Look { color_by: self.color, angle, trails: self.trails, grid: self.grid }
    }
}

/// Accepts built-in scene names. Rejects folders, and files that do not end in .toml or .ini.
fn check_scene_file(name: &str) -> Result<(), flockwork::Error> {
    let path = Path::new(name);
    let is = |kind: &str| path.extension().is_some_and(|end| end.eq_ignore_ascii_case(kind));
    let message = match () {
        () if Scene::names().any(|known| known == name) => return Ok(()),
        () if path.is_dir() => "a folder, not a scene file",
        () if path.is_file() && !is("toml") && !is("ini") => {
            "a scene file ends in .toml or .ini; --resume opens a saved state"
        }
        () => return Ok(()),
    };
    let (path, message) = (name.into(), message.into());
    let kind = std::io::ErrorKind::InvalidInput;
    Err(flockwork::Error::new(flockwork::ErrorKind::File { path, kind, message }))
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let parsed = text.split_once(['x', 'X']).and_then(|(width, height)| {
        Some((width.parse::<u32>().ok()?, height.parse::<u32>().ok()?))
    });
    match parsed {
        Some((w, h)) if (16..=7680).contains(&w) && (16..=4320).contains(&h) => Ok((w, h)),
        _ => Err("must be WIDTHxHEIGHT from 16x16 to 7680x4320, such as 1280x720".into()),
    }
}

pub(crate) fn parse_agents(text: &str) -> Result<usize, String> {
    let words = "must be a whole number up to 1e9, such as 5000, 1M, 1e6 or 1_000_000";
    parse_count(text).ok_or_else(|| words.into())
}

fn within(range: RangeInclusive<f32>) -> impl Fn(&str) -> Result<f32, String> + Clone {
    move |text| match text.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => Err(format!("must be a number from {} to {}", range.start(), range.end())),
    }
}

fn point(text: &str) -> Result<Point, String> {
    let numbers = text.split(',').map(|number| number.trim().parse::<f32>().ok());
    let numbers = numbers.map(|number| number.filter(|number| number.is_finite()));
    match numbers.collect::<Option<Vec<f32>>>().as_deref() {
        Some(&[x, y]) => Ok([x, y].into()),
        Some(&[x, y, z]) => Ok([x, y, z].into()),
        _ => {
            Err("must be X,Y in world units, such as 640,400, or in a world with depth X,Y,Z"
                .into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Options, ZOOM_RANGE, point, size, within};
    use clap::Parser;

    #[test]
    fn a_resumed_state_has_a_scene_of_its_own() {
        let parse = |words: &[&str]| Options::try_parse_from([&["viewer"], words].concat());
        assert_eq!(parse(&[]).unwrap().scene, "stress");
        assert!(parse(&["--resume", "file"]).is_ok());
        assert!(parse(&["--resume", "file", "--scene", "hide"]).is_err());
        assert!(parse(&["hide"]).is_err());
    }

    #[test]
    fn zoom_and_point_are_parsed_and_validated() {
        let zoom = within(ZOOM_RANGE);
        assert_eq!(zoom("2.5"), Ok(2.5));
        assert!(["", "0", "-1", "nan", "inf", "x"].into_iter().all(|text| zoom(text).is_err()));
        assert_eq!(point("640,-400.5"), Ok([640.0, -400.5].into()));
        assert_eq!(point("1, 2,3"), Ok([1.0, 2.0, 3.0].into()));
        for text in ["", "1", "1,", "1,nan", "inf,2", "1,2,", "1,2,3,4"] {
            assert!(point(text).is_err(), "{text} should be rejected");
        }
    }

    #[test]
    fn size_is_parsed_and_validated() {
        assert_eq!(size("1280x720"), Ok((1280, 720)));
        assert_eq!(size("16X16"), Ok((16, 16)));
        for text in ["", "1280", "0x0", "15x99", "7681x100", "-1x5", "axb", "1280x720x3"] {
            assert!(size(text).is_err(), "{text} should be rejected");
        }
    }
}
