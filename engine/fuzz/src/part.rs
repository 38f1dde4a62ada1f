//! Fuzz target for the bytes of saved parts.

use flockwork::{Error, ErrorKind, Snapshot, SnapshotPart};

use crate::seal::sealed_part;
use crate::slabs::Slabs;
use crate::{alarm, assert_readable};

const SLABS: usize = 2;

/// Adds a matching header and checksum to the body. The part serves as every part of its crowd,
/// which is stepped both in slabs and undivided.
pub fn part(body: &[u8]) {
    alarm::register();
    let part = match SnapshotPart::from_bytes(&sealed_part(body)) {
        Err(error) => return assert_refused(&error),
        Ok(part) => part,
    };
    let bytes = part.to_bytes();
    assert_eq!(
        SnapshotPart::from_bytes(&bytes).expect("what was written is read").to_bytes(),
        bytes
    );
    let parts = [part];
    let joined = Snapshot::join(&parts);
    if let Err(error) = &joined {
        assert_refused(error);
    }
    let mut slabs = match Slabs::resume(&parts, SLABS) {
        Ok(slabs) => slabs,
        Err(_) => return assert!(joined.is_err(), "only what is no whole crowd is refused"),
    };
    for slab in &mut slabs.slabs {
        slab.set_execution(slab.execution().threads(1)).expect("one is there");
    }
    // An agent may steer by a missing agent, which only all parts together reveal.
    let Ok(joined) = joined else {
        let _ = slabs.step(|_| None);
        return;
    };
    let mut whole = joined.build().expect("there is enough memory");
    whole.set_execution(whole.execution().threads(1)).expect("one thread is there already");
    slabs.assert_are(&whole, "resumed");
    for _ in 0..2 {
        assert_eq!(slabs.step(|_| None), whole.step().map_err(|error| error.to_string()));
        slabs.assert_are(&whole, "stepped");
        slabs.assert_answers(&whole, [20.0, 10.0, 5.0], 50.0);
    }
    assert!(
        Snapshot::join(&slabs.saved()).expect("all parts").to_bytes()
            == whole.snapshot().to_bytes()
    );
}

fn assert_refused(error: &Error) {
    assert!(matches!(error.kind(), ErrorKind::Snapshot { .. }), "{error:?}");
    assert_readable(error);
}
