//! Invalid parts are refused with the reason. No part makes the engine panic or allocate memory
//! that its bytes do not justify.

use std::sync::OnceLock;

use flockwork::slab::Slab;
use flockwork::{Error, ErrorKind, Scene, Snapshot, SnapshotPart, Spawn, Species, World};

use super::slabs::Slabs;
use crate::common::agents::ids;
use crate::common::scenes::variety;
use crate::common::snapshots::{BODY, sealed_part};

/// A part that contains a whole crowd, with own targets, removed agents and a reused index.
fn small() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let (_, mut scene) = variety(8).into_iter().find(|(name, _)| *name == "chase").unwrap();
        scene.heading_samples = Some(3);
        scene.non_penetration = 1;
        let mut crowd = scene.build().unwrap();
        crowd.run(3).unwrap();
        for id in ids(&crowd).into_iter().step_by(3) {
            crowd.remove(id).unwrap();
        }
        let name = scene.species[0].name.clone();
        crowd.spawn(&name, [20.0, 10.0], [1.0, 0.0]).unwrap();
        let last = crowd.agents().id(crowd.len() - 1);
        crowd.set_own_target(last, [30.0, -40.0]).unwrap();
        crowd.change_species(&[last], &name).unwrap();
        Slab::from_snapshot(&crowd.snapshot(), 0, 1).unwrap().part().to_bytes()
    })
}

/// Offsets of the lists of indices in the body, after their lengths.
struct Places {
    given: usize,
    repeated: usize,
    free: usize,
    index: usize,
    target: usize,
}

fn number(body: &[u8], at: usize) -> usize {
    u64::from_le_bytes(body[at..at + 8].try_into().unwrap()) as usize
}

fn places(body: &[u8]) -> Places {
    let after = |at: usize, size: usize| at + number(body, at - 8) * size + 8;
    // Skips part number, part count, agent count, scene, world size and step number.
    let size = after(4 * 8, 1);
    let given = after(size, 4);
    let repeated = given + 8 + 8;
    let free = after(repeated, 4);
    let index = after(free, 4);
    let species = after(index, 4);
    Places { given, repeated, free, index, target: after(species, 1) }
}

/// Returns true if the bytes are refused. Otherwise, steps their crowd in slabs; a step may fail.
fn refused_or_runs(bytes: &[u8]) -> bool {
    let readable = |error: &Error| {
        assert!(matches!(error.kind(), ErrorKind::Snapshot { .. }), "{error:?}");
        assert!(error.to_string().len() < 2_000, "{error}");
    };
    match SnapshotPart::from_bytes(bytes) {
        Err(error) => {
            readable(&error);
            true
        }
        Ok(part) => {
            assert_eq!(part.to_bytes(), bytes);
            let parts = [part];
            let joined = Snapshot::join(&parts).map_err(|error| readable(&error));
            if let Ok(mut slabs) = Slabs::resume(&parts, 2) {
                for _ in 0..2 {
                    let _ = slabs.step(|_| None);
                }
                let name = slabs.slabs[0].scene().species[0].name.clone();
                let ids = slabs
                    .spawn_many(&name, &Spawn::at(&[[1.0; 2]; 2]).headings(&[[1.0, 0.0]; 2]))
                    .unwrap();
                slabs.remove_many(&ids).unwrap();
                let _ = slabs.step(|_| None);
            }
            if let Ok(joined) = &joined {
                let _ = joined.build().unwrap().run(2);
            }
            joined.is_err()
        }
    }
}

#[test]
fn every_changed_byte_of_a_part_with_a_matching_checksum_is_refused_or_runs() {
    let mut body = small()[BODY..].to_vec();
    assert_eq!(sealed_part(&body), small());
    assert!(!refused_or_runs(small()));
    let mut refused = 0;
    for at in 0..body.len() {
        for flip in [0x01, 0x80, 0xFF] {
            body[at] ^= flip;
            refused += usize::from(refused_or_runs(&sealed_part(&body)));
            body[at] ^= flip;
        }
    }
    assert!(refused > body.len(), "{refused} of {}", 3 * body.len());
}

#[test]
fn every_truncated_part_is_refused() {
    let bytes = small();
    for length in 0..bytes.len() {
        assert!(SnapshotPart::from_bytes(&bytes[..length]).is_err());
        if length >= BODY {
            assert!(SnapshotPart::from_bytes(&sealed_part(&bytes[BODY..length])).is_err());
        }
    }
}

#[test]
fn a_part_with_impossible_indices_is_refused_by_name() {
    let body = &small()[BODY..];
    let Places { given, repeated, free, index, target } = places(body);
    let all = number(body, given);
    let word = |at: usize| u32::from_le_bytes(body[at..at + 4].try_into().unwrap());
    let beyond = format!("must be below {all}");
    let cases = [
        (index, all as u32, &beyond[..]),
        (index, u32::MAX, &beyond),
        (target, all as u32, &beyond),
        (free, all as u32, &beyond),
        (free, u32::MAX, &beyond),
        (index, word(index + 4), "appears twice"),
        (free, word(index), "appears twice"),
        (free, word(free + 4), "appears twice"),
        (repeated, u32::MAX, "must be [index, generation]"),
        (repeated + 8, word(repeated), "must be [index, generation]"),
        (repeated + 4, 0, "must be [index, generation]"),
        (given, all as u32 + 1, "indices are free, not"),
        (given, all as u32 - 1, "were assigned"),
        (given, 1, "1 indices"),
        (16, 1, "1 agents"),
    ];
    for (at, value, expected) in cases {
        let mut body = body.to_vec();
        body[at..at + 4].copy_from_slice(&value.to_le_bytes());
        let text = SnapshotPart::from_bytes(&sealed_part(&body)).unwrap_err().to_string();
        assert!(text.contains(expected), "{value} at {at}: {text}");
    }
}

/// Joining allocates some bytes for every index that was given out.
#[test]
fn a_part_that_claims_billions_of_indices_is_refused() {
    let scene = Scene::new(World::torus(50.0, 50.0)).species(Species::new("a", 3));
    let bytes = Slab::new(&scene, 0, 1).unwrap().part().to_bytes();
    let body = &bytes[BODY..];
    let at = places(body).given;
    // A part may claim a crowd of 4,000,000,000 agents, since other parts could contain them, but
    // it cannot be joined alone.
    for (of, expected) in [(3, "indices are free"), (4_000_000_000_u64, "not 4000000000")] {
        let mut body = body.to_vec();
        body[16..24].copy_from_slice(&of.to_le_bytes());
        body[at..at + 8].copy_from_slice(&4_000_000_000_u64.to_le_bytes());
        let part = SnapshotPart::from_bytes(&sealed_part(&body));
        let error = part.and_then(|part| Snapshot::join(&[part])).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn parts_that_know_of_other_removed_agents_are_not_joined() {
    let scene = Scene::new(World::torus(50.0, 50.0)).species(Species::new("a", 8));
    let parts = |removed: usize| {
        let mut crowd = scene.build().unwrap();
        crowd.remove(ids(&crowd)[removed]).unwrap();
        let snapshot = crowd.snapshot();
        [0, 1].map(|number| Slab::from_snapshot(&snapshot, number, 2).unwrap().part())
    };
    let ([one, _], [_, other]) = (parts(0), parts(5));
    let error = Snapshot::join(&[one, other]).unwrap_err().to_string();
    assert!(error.contains("belongs to another state"), "{error}");
}

#[test]
fn an_impossible_number_of_a_slab_is_refused() {
    let scene = Scene::new(World::torus(99.0, 99.0)).species(Species::new("a", 20));
    let snapshot = scene.build().unwrap().snapshot();
    let part = Slab::new(&scene, 0, 1).unwrap().part();
    for (number, slabs, expected) in [
        (2, 2, "number = 2: must be below 2"),
        (usize::MAX, 2, "number = 18446744073709551615: must be below 2"),
        (0, 0, "slabs = 0: must be from 1 to 1048576"),
        (0, usize::MAX, "slabs = 18446744073709551615: must be from 1 to 1048576"),
    ] {
        for refused in [
            Slab::new(&scene, number, slabs).map(drop),
            Slab::from_snapshot(&snapshot, number, slabs).map(drop),
            Slab::resume([(&part, 0..20)], number, slabs).map(drop),
            Slab::share(20, number, slabs).map(drop),
        ] {
            let error = refused.unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
