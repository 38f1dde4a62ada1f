//! Reads and edits raw snapshot bytes, and computes the checksum that an edited body needs.

use std::sync::OnceLock;

use flockwork::behaviors::Hide;
use flockwork::slab::Slab;
use flockwork::{Behavior, Error, Scene, Simulation, Snapshot, Target, World};

/// Byte offsets in the header.
pub(crate) const VERSION: usize = 8;
pub(crate) const CHECKSUM: usize = 20;
pub(crate) const BODY: usize = 28;

/// Lists of a body in order: name, and entry size in bytes. The step number, which is not a list,
/// follows the first two lists.
pub(crate) const LISTS: [(&str, usize); 18] = [
    ("scene", 1),
    ("size", 4),
    ("generations", 4),
    ("free", 4),
    ("index", 4),
    ("species", 1),
    ("target", 4),
    ("x", 4),
    ("y", 4),
    ("vx", 4),
    ("vy", 4),
    ("hx", 4),
    ("hy", 4),
    ("wander_x", 4),
    ("wander_y", 4),
    ("waypoint", 4),
    ("alert", 4),
    ("headings", 4),
];

/// End of a body without per-agent limits: seven empty lists and a list of two numbers.
pub(crate) const NO_LIMITS: [u8; 72] = {
    let mut bytes = [0; 72];
    bytes[7 * 8] = 2;
    bytes
};

/// Offset of a list's first entry in the body, and the number of entries.
pub(crate) fn list(body: &[u8], wanted: &str) -> (usize, usize) {
    let mut at = 0;
    for (name, size) in LISTS {
        at += if name == "generations" { 8 } else { 0 };
        let count = u64::from_le_bytes(body[at..at + 8].try_into().unwrap()) as usize;
        if name == wanted {
            return (at + 8, count);
        }
        at += 8 + count * size;
    }
    panic!("no list is called {wanted}");
}

/// The engine's checksum, reimplemented independently.
pub(crate) fn checksum(body: &[u8]) -> u64 {
    const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |hash: u64, word: u64| {
        let hash = (hash ^ word).wrapping_mul(SPREAD);
        hash ^ (hash >> 29)
    };
    let mut padded = body.to_vec();
    padded.resize((body.len() / 8 + 1) * 8, 0);
    let words = padded.chunks(8).map(|word| u64::from_le_bytes(word.try_into().unwrap()));
    mix(words.fold(SPREAD, mix), body.len() as u64)
}

/// Adds a matching header to the body of a snapshot.
pub(crate) fn sealed(body: &[u8]) -> Vec<u8> {
    static HEADER: OnceLock<Vec<u8>> = OnceLock::new();
    let header = || empty().snapshot().to_bytes();
    with_header(HEADER.get_or_init(header), body)
}

pub(crate) fn sealed_part(body: &[u8]) -> Vec<u8> {
    static HEADER: OnceLock<Vec<u8>> = OnceLock::new();
    let header = || Slab::from_snapshot(&empty().snapshot(), 0, 1).unwrap().part().to_bytes();
    with_header(HEADER.get_or_init(header), body)
}

fn empty() -> Simulation {
    Scene::new(World::torus(1.0, 1.0)).build().unwrap()
}

/// Copies magic and version from a file and computes the rest of the header for the body.
fn with_header(of: &[u8], body: &[u8]) -> Vec<u8> {
    let mut file = of[..VERSION + 4].to_vec();
    file.extend((body.len() as u64).to_le_bytes());
    file.extend(checksum(body).to_le_bytes());
    file.extend(body);
    file
}

/// A numeric column in slot order; empty if the scene does not need it.
pub(crate) fn column(snapshot: &Snapshot, name: &str) -> Vec<f32> {
    let bytes = snapshot.to_bytes();
    let (at, count) = list(&bytes[BODY..], name);
    let (chunks, _) = bytes[BODY + at..].as_chunks();
    chunks[..count].iter().map(|&chunk| f32::from_le_bytes(chunk)).collect()
}

/// Applies `change` to the name and value of every numeric entry.
pub(crate) fn with_columns(
    snapshot: &Snapshot,
    mut change: impl FnMut(&str, f32) -> f32,
) -> Snapshot {
    let mut body = snapshot.to_bytes().split_off(BODY);
    let further = further_columns(&body);
    let columns = LISTS[7..17].iter().map(|(name, _)| (*name, list(&body, name)));
    for (name, (at, count)) in columns.chain(further).collect::<Vec<_>>() {
        let (chunks, _) = body[at..].as_chunks_mut();
        for chunk in &mut chunks[..count] {
            *chunk = change(name, f32::from_le_bytes(*chunk)).to_le_bytes();
        }
    }
    Snapshot::from_bytes(&sealed(&body)).unwrap()
}

fn scene_of(body: &[u8]) -> Scene {
    let (at, length) = list(body, "scene");
    let text = std::str::from_utf8(&body[at..at + length]).unwrap();
    Scene::parse(text, "a snapshot").unwrap()
}

/// Columns that only some scenes have: name, offset in the body, and number of entries.
pub(crate) fn further_columns(body: &[u8]) -> Vec<(&'static str, (usize, usize))> {
    let has = |name| list(body, name).1 > 0;
    let scene = scene_of(body);
    let is_deep = scene.world.depth.is_some() || scene.world.dimensions == Some(3);
    let keeps_place = |behavior: &Behavior| match behavior {
        Behavior::Hide(Hide { memory, hunter, .. }) => {
            memory.is_some() && matches!(hunter, Target::Nearest { .. })
        }
        _ => false,
    };
    let keeps_place = scene.species.iter().flat_map(|species| &species.behaviors).any(keeps_place);
    let listed = [
        ("hunter_x", keeps_place),
        ("hunter_y", keeps_place),
        ("z", is_deep),
        ("vz", is_deep && has("vx")),
        ("hz", is_deep),
        ("wander_z", is_deep && has("wander_x")),
        ("hunter_z", is_deep && keeps_place),
    ];
    let (first, count) = list(body, "alert");
    let mut at = first + count * 4;
    let mut columns = Vec::new();
    for (name, _) in listed.into_iter().filter(|(_, is_listed)| *is_listed) {
        let count = u64::from_le_bytes(body[at..at + 8].try_into().unwrap()) as usize;
        columns.push((name, (at + 8, count)));
        at += 8 + count * 4;
    }
    columns
}

pub(crate) fn with_tick(snapshot: &Snapshot, tick: u64) -> Vec<u8> {
    let mut body = snapshot.to_bytes().split_off(BODY);
    let (first, count) = list(&body, "size");
    let at = first + count * 4;
    assert_eq!(body[at..at + 8], snapshot.tick().to_le_bytes());
    body[at..at + 8].copy_from_slice(&tick.to_le_bytes());
    sealed(&body)
}

/// Replaces the scene with another scene that has the same number of agents.
pub(crate) fn with_scene(
    snapshot: &Snapshot,
    change: impl FnOnce(&mut Scene),
) -> Result<Snapshot, Error> {
    let body = snapshot.to_bytes().split_off(BODY);
    let (at, length) = list(&body, "scene");
    let mut scene = scene_of(&body);
    change(&mut scene);
    let text = scene.to_toml();
    let mut changed = (text.len() as u64).to_le_bytes().to_vec();
    changed.extend(text.as_bytes());
    changed.extend(&body[at + length..]);
    Snapshot::from_bytes(&sealed(&changed))
}
