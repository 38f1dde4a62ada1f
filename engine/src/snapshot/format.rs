//! The byte format of snapshots.
//!
//! ```text
//! "FLOCKWRK", version (4 bytes), length of the body (8), checksum of the body (8)
//! body: scene as TOML, width and height of the world,
//!       step; if its highest bit is set, then the time base as an `f64`,
//!       generations, free indices,
//!       columns of attributes, columns of motion and memory,
//!       latest headings,
//!       custom columns,
//!       overridden limits: per agent a mask, then the values, then a mask over all agents,
//!       then the largest maximum speed and radius override so far, and, if they made agents
//!       outliers, the largest that did not;
//!       own targets that are points, in crowds that ever had point targets;
//!       order of joining, if a behavior uses it and agents have joined since the start:
//!       the number of the next agent, then per agent a number of eight bytes;
//!       which agents are immovable, in crowds in which that was ever set for single agents
//! ```
//!
//! Numbers are little-endian. A list is its length as eight bytes, followed by its entries.
//! The reader checks every length against the number of remaining bytes.
//!
//! The columns for the last seen hunter exist only if a behavior uses them.
//!
//! Data that follows from the scene and its seed is recomputed, not stored:
//! scattered scenery, and values drawn from per-agent ranges.

use std::sync::Arc;

use super::Snapshot;
use super::check::{self, in_snapshot, unsound};
use crate::crowd::columns::{MOTION_COLUMNS, Motion};
use crate::crowd::history::History;
use crate::crowd::id_pool::IdPool;
use crate::crowd::limits::{Limit, Overrides};
use crate::error::{Error, ErrorKind, ErrorLocation};
use crate::math::random;
use crate::math::vec3::Vec3;
use crate::scene::Scene;
use crate::simulation::State;
use crate::simulation::first_values;
use crate::simulation::required_columns::RequiredColumns;
use crate::world::space::Space;

const MAGIC: [u8; 8] = *b"FLOCKWRK";

const HAS_BASE: u64 = 1 << 63;

/// Increment this version whenever the byte format changes.
const VERSION: u32 = 4;

/// Number of motion columns in the first version of the format.
const FIRST_COLUMNS: usize = 10;

/// Flags stored once per crowd, above the bits for overridden limits: at least one agent's
/// own target was set to a point; at least one agent changed species; agents joined a formation;
/// at least one agent became an outlier; at least one agent was made immovable or movable.
const TARGET_POINTS: u64 = 1 << 5;
const SPECIES: u64 = 1 << 6;
const JOINED: u64 = 1 << 7;
const OUTLIERS: u64 = 1 << 8;
const IMMOVABLE: u64 = 1 << 9;

/// The limits in the first version of the format, and their bits.
const FIRST_LIMITS: [Limit; 5] =
    [Limit::MaxSpeed, Limit::MaxForce, Limit::Mass, Limit::Radius, Limit::FieldOfView];
const FIRST_BITS: u64 = TARGET_POINTS - 1;

impl Snapshot {
    /// Serializes the snapshot for [`Self::from_bytes`].
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Writer::default();
        self.write_definition(&mut body);
        body.words(&self.state.ids.generations());
        body.words(self.state.ids.free());
        self.write_columns(&mut body);
        sealed(MAGIC, body.0)
    }

    /// Reads a snapshot from the bytes of [`Self::to_bytes`].
    ///
    /// # Errors
    /// [`Snapshot`](crate::ErrorKind::Snapshot) if the bytes are incomplete or corrupted;
    /// [`SnapshotVersion`](crate::ErrorKind::SnapshotVersion) if the format has another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut body = opened(MAGIC, bytes)?;
        let (scene, space, mut state) = read_definition(&mut body)?;
        let generations = body.words("generations")?;
        let (indices, generations) = (generations.len() as u32, (0..).zip(generations));
        state.ids = IdPool::with_repeated(indices, generations, body.words("free indices")?);
        let headings = read_columns(&mut body, &scene, &mut state)?;
        body.end()?;
        check::whole(&scene, &space, &state, &headings)?;
        Self::new(scene, space, state, &headings)
    }

    pub(super) fn write_definition(&self, body: &mut Writer) {
        body.bytes(self.scene.to_toml().as_bytes());
        let size = <[f32; 3]>::from(self.space.size);
        body.floats(&size[..self.space.axes()]);
        let State { tick, time_base, .. } = self.state;
        let has_base = time_base != 0.0;
        body.u64(if has_base { tick | HAS_BASE } else { tick });
        if has_base {
            body.u64(time_base.to_bits());
        }
    }

    pub(super) fn write_columns(&self, body: &mut Writer) {
        let State { motion, attributes, history, overrides, .. } = &self.state;
        body.words(&attributes.index);
        body.bytes(&attributes.species);
        body.words(&attributes.target);
        let listed = motion.columns().into_iter().zip(listed(&self.scene, overrides));
        listed.filter(|(_, is_listed)| *is_listed).for_each(|(column, _)| body.floats(column));
        body.words(bytemuck::cast_slice(&history.headings()));
        motion.custom[..self.scene.column_names().len()]
            .iter()
            .for_each(|column| body.floats(column));
        body.bytes(&attributes.overridden);
        for limit in FIRST_LIMITS {
            body.floats(if overrides.has(limit) { attributes.limit(limit) } else { &[] });
        }
        let has_joined = overrides.joined > 0;
        let has_outliers = overrides.has_outliers() != [false; 2];
        let flags = [
            (overrides.target_points, TARGET_POINTS),
            (overrides.species, SPECIES),
            (has_joined, JOINED),
            (has_outliers, OUTLIERS),
            (overrides.has(Limit::Immovable), IMMOVABLE),
        ];
        let flags = flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, bit)| bit);
        body.u64(u64::from(overrides.limits) & FIRST_BITS | flags.sum::<u64>());
        let Overrides { max_speed, radius, usual_speed, usual_radius, .. } = *overrides;
        let largest = [max_speed, radius, usual_speed, usual_radius];
        body.floats(if has_outliers { &largest } else { &largest[..2] });
        if overrides.target_points {
            let axes = self.space.axes();
            let points = attributes.target_point.all().iter().map(<[f32; 3]>::from);
            let points: Vec<f32> = points.flat_map(|point| point.into_iter().take(axes)).collect();
            body.floats(&points);
        }
        if has_joined {
            body.u64(overrides.joined);
            body.u64(attributes.joined.len() as u64);
            attributes.joined.iter().for_each(|&joined| body.u64(joined));
        }
        if overrides.has(Limit::Immovable) {
            body.floats(attributes.limit(Limit::Immovable));
        }
    }

    pub(super) fn new(
        scene: Scene,
        space: Space,
        mut state: State,
        headings: &[i32],
    ) -> Result<Self, Error> {
        let samples = scene.heading_samples.map_or(0, |samples| samples as usize);
        state.history = History::from_headings(samples, space.axes(), headings);
        let required = RequiredColumns::new(&scene, &state.overrides);
        first_values::fit_columns(&scene, &required, &required.columns, &mut state, 0, |_| 1.0);
        let scenery = Arc::new(scene.new_scenery(&space).map_err(in_snapshot)?);
        Ok(Self { scene, space, scenery, state })
    }
}

pub(super) fn sealed(magic: [u8; 8], body: Vec<u8>) -> Vec<u8> {
    let mut file = Vec::with_capacity(body.len() + 28);
    file.extend(magic);
    file.extend(VERSION.to_le_bytes());
    file.extend((body.len() as u64).to_le_bytes());
    file.extend(random::hash_bytes(&body).to_le_bytes());
    file.extend(body);
    file
}

pub(super) fn opened(magic: [u8; 8], bytes: &[u8]) -> Result<Reader<'_>, Error> {
    let mut header = Reader::new(bytes);
    if header.array("the first bytes") != Ok(magic) {
        let magic = String::from_utf8_lossy(&magic).into_owned();
        return Err(unsound(format!("it does not begin with {magic}")));
    }
    let version = header.array("the version").map(u32::from_le_bytes)?;
    if version != VERSION {
        let at = ErrorLocation::default();
        return Err(Error::new(ErrorKind::SnapshotVersion { at, version, supported: VERSION }));
    }
    let length = header.u64("the length")?;
    let checksum = header.u64("the checksum")?;
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

pub(super) fn read_definition(body: &mut Reader<'_>) -> Result<(Scene, Space, State), Error> {
    let text = std::str::from_utf8(body.bytes("the scene")?)
        .map_err(|error| unsound(format!("the scene is not text: {error}")))?;
    let scene = Scene::read(text, "its scene").map_err(in_snapshot)?;
    let space = match body.floats("the size of the world")?[..] {
        [width, height] if !scene.world.is_deep() => {
            Space::new(scene.world.topology, width, height)
        }
        [x, y, z] if scene.world.is_deep() => Space::sized(scene.world.topology, Vec3 { x, y, z }),
        _ => return Err(unsound("the size of the world should be a number for each axis")),
    };
    let step = body.u64("the step")?;
    let tick = step & !HAS_BASE;
    check::step(tick)?;
    let time_base = match step & HAS_BASE {
        0 => 0.0,
        _ => f64::from_bits(body.u64("the time base")?),
    };
    Ok((scene, space, State { tick, time_base, ..State::default() }))
}

/// True for columns that are in the file, perhaps as an empty list. Columns that were added later
/// are omitted if no behavior uses them.
fn listed(scene: &Scene, overrides: &Overrides) -> [bool; MOTION_COLUMNS] {
    let mut listed = RequiredColumns::new(scene, overrides).motion();
    listed[..FIRST_COLUMNS].fill(true);
    listed
}

pub(super) fn read_columns(
    body: &mut Reader<'_>,
    scene: &Scene,
    State { motion, attributes, overrides, .. }: &mut State,
) -> Result<Vec<i32>, Error> {
    attributes.index = body.words("column index")?;
    attributes.species = body.bytes("column species")?.to_vec();
    attributes.target = body.words("column target")?;
    let listed = Motion::NAMES.into_iter().zip(listed(scene, overrides));
    for (column, (name, is_listed)) in motion.columns_mut().into_iter().zip(listed) {
        if is_listed {
            *column = body.floats(&format!("column {name}"))?;
        }
    }
    let headings = body.list("latest headings", i32::from_le_bytes)?;
    for (name, column) in scene.column_names().into_iter().zip(&mut motion.custom) {
        *column = body.floats(&format!("column {name}"))?;
    }
    attributes.overridden = body.bytes("column overridden")?.to_vec();
    for limit in FIRST_LIMITS {
        attributes.limits[limit as usize] = body.floats(&format!("column {}", limit.range().0))?;
    }
    let bits = body.u64("the overridden limits")?;
    let is_known = bits < 2 * IMMOVABLE;
    let largest = match (bits & OUTLIERS, &body.floats("the largest limits")?[..]) {
        (0, &[max_speed, radius]) if is_known => [max_speed, radius, max_speed, radius],
        (OUTLIERS, &[max_speed, radius, usual_speed, usual_radius]) if is_known => {
            [max_speed, radius, usual_speed, usual_radius]
        }
        _ => return Err(unsound("the overridden limits are invalid")),
    };
    let [max_speed, radius, usual_speed, usual_radius] = largest;
    *overrides = Overrides {
        limits: (bits & FIRST_BITS) as u8
            | if bits & IMMOVABLE == 0 { 0 } else { Limit::Immovable.bit() },
        max_speed,
        radius,
        usual_speed,
        usual_radius,
        target_points: bits & TARGET_POINTS != 0,
        species: bits & SPECIES != 0,
        joined: 0,
    };
    if overrides.target_points {
        let points = body.floats("column target_point")?;
        let axes = scene.world.axes();
        if !points.len().is_multiple_of(axes) {
            let allowed =
                format!("column target_point must have {axes} coordinates for each agent");
            return Err(unsound(allowed));
        }
        for (axis, column) in attributes.target_point.0.iter_mut().enumerate().take(axes) {
            *column = points.iter().skip(axis).step_by(axes).copied().collect();
        }
    }
    if bits & JOINED != 0 {
        overrides.joined = body.u64("the number of the next agent")?;
        if overrides.joined == 0 {
            return Err(unsound("agents joined, but the number of the next agent is 0"));
        }
        attributes.joined = body.list("column joined", u64::from_le_bytes)?;
    }
    if overrides.has(Limit::Immovable) {
        attributes.limits[Limit::Immovable as usize] = body.floats("column immovable")?;
    }
    Ok(headings)
}

#[derive(Default)]
pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    pub(super) fn u64(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    pub(super) fn bytes(&mut self, values: &[u8]) {
        self.u64(values.len() as u64);
        self.0.extend(values);
    }

    pub(super) fn words(&mut self, values: &[u32]) {
        self.u64(values.len() as u64);
        let start = self.0.len();
        self.0.resize(start + size_of_val(values), 0);
        let (chunks, _) = self.0[start..].as_chunks_mut();
        chunks.iter_mut().zip(values).for_each(|(to, value)| *to = value.to_le_bytes());
    }

    pub(super) fn floats(&mut self, values: &[f32]) {
        self.words(bytemuck::cast_slice(values));
    }
}

pub(super) struct Reader<'a> {
    rest: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, at: 0 }
    }

    fn take(&mut self, what: &str, count: u64, size: usize) -> Result<&'a [u8], Error> {
        let length = usize::try_from(count).ok().and_then(|count| count.checked_mul(size));
        let split = length.and_then(|length| self.rest.split_at_checked(length));
        let Some((taken, rest)) = split else {
            let (at, left) = (self.at, self.rest.len());
            return Err(unsound(format!(
                "byte {at}: {what} should be {count} × {size} bytes, but {left} are left"
            )));
        };
        (self.rest, self.at) = (rest, self.at + taken.len());
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], Error> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(what, 1, N)?);
        Ok(array)
    }

    pub(super) fn u64(&mut self, what: &str) -> Result<u64, Error> {
        self.array(what).map(u64::from_le_bytes)
    }

    pub(super) fn bytes(&mut self, what: &str) -> Result<&'a [u8], Error> {
        let count = self.u64(what)?;
        self.take(what, count, 1)
    }

    pub(super) fn words(&mut self, what: &str) -> Result<Vec<u32>, Error> {
        self.list(what, u32::from_le_bytes)
    }

    pub(super) fn floats(&mut self, what: &str) -> Result<Vec<f32>, Error> {
        self.list(what, f32::from_le_bytes)
    }

    fn list<T, const N: usize>(
        &mut self,
        what: &str,
        entry: fn([u8; N]) -> T,
    ) -> Result<Vec<T>, Error> {
        let count = self.u64(what)?;
        let (chunks, _) = self.take(what, count, N)?.as_chunks();
        Ok(chunks.iter().map(|&chunk| entry(chunk)).collect())
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(super) fn end(&self) -> Result<(), Error> {
        match self.rest.len() {
            0 => Ok(()),
            left => Err(unsound(format!("byte {}: {left} bytes too many", self.at))),
        }
    }
}
