//! The byte format of snapshots.
//!
//! ```text
//! "FLOCKWRK", version (4 bytes), length of the body (8), checksum of the body (8)
//! body: scene as TOML, width and height of the world, step,
//!       generations, free indices,
//!       columns of traits, columns of motion and memory,
//!       latest headings,
//!       columns that the scene defines
//! ```
//!
//! What follows from scene and seed is not stored but computed again: scattered scenery, and values
//! drawn from per-agent ranges.

use std::sync::Arc;

use super::bytes::{Reader, Writer, in_snapshot, unsound};
use super::{Snapshot, check};
use crate::crowd::columns::{Motion, Traits};
use crate::crowd::history::History;
use crate::crowd::id_pool::IdPool;
use crate::crowd::store::Own;
use crate::error::Error;
use crate::math::random;
use crate::scene::Scene;
use crate::scenery::Scenery;
use crate::simulation::State;
use crate::simulation::needs::Needs;
use crate::simulation::spawn;
use crate::world::space::Space;

const MAGIC: [u8; 8] = *b"FLOCKWRK";

/// Increases whenever the same bytes would mean something else.
const VERSION: u32 = 3;

impl Snapshot {
    /// The snapshot as bytes, for [`Self::from_bytes`].
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        sealed(MAGIC, self.body())
    }

    /// A snapshot from the bytes of [`Self::to_bytes`].
    ///
    /// # Errors
    /// [`Error::Snapshot`] if the bytes are incomplete, changed, or of another version of the
    /// format.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_body(&mut opened(MAGIC, bytes)?)
    }

    fn body(&self) -> Vec<u8> {
        let mut body = Writer::default();
        self.write_definition(&mut body);
        body.words(&self.state.ids.generations());
        body.words(self.state.ids.free());
        self.write_columns(&mut body);
        body.0
    }

    pub(super) fn write_definition(&self, body: &mut Writer) {
        body.bytes(self.scene.to_toml().as_bytes());
        body.floats(&[self.space.size.x, self.space.size.y]);
        body.number(self.state.tick);
    }

    pub(super) fn write_columns(&self, body: &mut Writer) {
        let State { motion, traits, history, .. } = &self.state;
        body.words(&traits.index);
        body.bytes(&traits.species);
        body.words(&traits.target);
        let Motion { x, y, vx, vy, hx, hy, wander_x, wander_y, waypoint, alert, own } = motion;
        for column in [x, y, vx, vy, hx, hy, wander_x, wander_y, waypoint, alert] {
            body.floats(column);
        }
        body.words(bytemuck::cast_slice(&history.headings()));
        for column in &own.0 {
            body.floats(column);
        }
    }

    fn from_body(body: &mut Reader<'_>) -> Result<Self, Error> {
        let (scene, space, tick) = read_definition(body)?;
        let (generations, free) = (body.words("generations")?, body.words("free indices")?);
        let ids = IdPool::of(&generations, free);
        let (motion, traits, headings) = read_columns(body, &scene)?;
        body.end()?;
        let headings: &[i32] = bytemuck::cast_slice(&headings);
        check::all(&scene, &space, tick, (&motion, &traits), (&ids, headings))?;
        Self::of((scene, space, tick), (motion, traits, headings), ids)
    }

    /// The snapshot of a state that was checked.
    pub(super) fn of(
        (scene, space, tick): (Scene, Space, u64),
        (mut motion, mut traits, headings): (Motion, Traits, &[i32]),
        ids: IdPool,
    ) -> Result<Self, Error> {
        let columns = Needs::of(&scene).columns;
        let samples = scene.heading_samples.map_or(0, |samples| samples as usize);
        let history = History::from_headings(samples, headings.as_chunks().0);
        spawn::refit_columns(&scene, &columns, &mut motion, &mut traits);
        let scenery = Scenery::new(&scene.scenery(), &space).map_err(in_snapshot)?;
        let scenery = Arc::new(scenery);
        let state = State { motion, traits, ids, history, tick };
        Ok(Self { scene, space, scenery, state })
    }
}

/// A file that begins with `magic`, the version, and length and checksum of the body.
pub(super) fn sealed(magic: [u8; 8], body: Vec<u8>) -> Vec<u8> {
    let mut file = Vec::with_capacity(body.len() + 28);
    file.extend(magic);
    file.extend(VERSION.to_le_bytes());
    file.extend((body.len() as u64).to_le_bytes());
    file.extend(random::hash_bytes(&body).to_le_bytes());
    file.extend(body);
    file
}

/// The body of such a file, unchanged since.
pub(super) fn opened(magic: [u8; 8], bytes: &[u8]) -> Result<Reader<'_>, Error> {
    let mut header = Reader::new(bytes);
    if header.array("the first bytes") != Ok(magic) {
        let magic = String::from_utf8_lossy(&magic).into_owned();
        return Err(unsound(format!("it does not begin with {magic}")));
    }
    let version = header.array("the version").map(u32::from_le_bytes)?;
    if version != VERSION {
        return Err(unsound(format!(
            "its format is version {version}, but this flockwork reads version {VERSION}"
        )));
    }
    let length = header.number("the length")?;
    let checksum = header.number("the checksum")?;
    let body = header.rest();
    if length != body.len() as u64 {
        let found = body.len();
        return Err(unsound(format!("{length} bytes should follow the header, not {found}")));
    }
    if checksum != random::hash_bytes(body) {
        return Err(unsound("the checksum is wrong: some bytes have changed"));
    }
    Ok(Reader::new(body))
}

/// What [`Snapshot::write_definition`] writes.
pub(super) fn read_definition(body: &mut Reader<'_>) -> Result<(Scene, Space, u64), Error> {
    let text = std::str::from_utf8(body.bytes("the scene")?)
        .map_err(|error| unsound(format!("the scene is not text: {error}")))?;
    let scene = Scene::read(text, "its scene").map_err(in_snapshot)?;
    let space = match body.floats("the size of the world")?[..] {
        [width, height] => Space::new(scene.world.topology, width, height),
        _ => return Err(unsound("the size of the world should be two numbers")),
    };
    Ok((scene, space, body.number("the step")?))
}

/// What [`Snapshot::write_columns`] writes; headings as they are in the file.
pub(super) fn read_columns(
    body: &mut Reader<'_>,
    scene: &Scene,
) -> Result<(Motion, Traits, Vec<u32>), Error> {
    let traits = Traits {
        index: body.words("column index")?,
        species: body.bytes("column species")?.to_vec(),
        target: body.words("column target")?,
        ..Traits::default()
    };
    let mut motion = Motion {
        x: body.floats("column x")?,
        y: body.floats("column y")?,
        vx: body.floats("column vx")?,
        vy: body.floats("column vy")?,
        hx: body.floats("column hx")?,
        hy: body.floats("column hy")?,
        wander_x: body.floats("column wander_x")?,
        wander_y: body.floats("column wander_y")?,
        waypoint: body.floats("column waypoint")?,
        alert: body.floats("column alert")?,
        own: Own::default(),
    };
    let headings = body.words("latest headings")?;
    for name in &Needs::of(scene).columns {
        motion.own.0.push(body.floats(&format!("column {name}"))?);
    }
    Ok((motion, traits, headings))
}
