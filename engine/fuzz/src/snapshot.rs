use flockwork::{ErrorKind, Snapshot};

use crate::seal::sealed;
use crate::variants::Variants;
use crate::{alarm, assert_readable};

/// Adds a matching header and checksum to the body.
pub fn snapshot(body: &[u8]) {
    alarm::register();
    match Snapshot::from_bytes(&sealed(body)) {
        Err(error) => {
            assert!(matches!(error.kind(), ErrorKind::Snapshot { .. }), "{error:?}");
            assert_readable(&error);
        }
        Ok(snapshot) => {
            let bytes = snapshot.to_bytes();
            let again = Snapshot::from_bytes(&bytes).expect("what was written is read");
            assert_eq!(again.to_bytes(), bytes);
            let simulation = snapshot.build().expect("there is enough memory");
            let mut variants = Variants::of(&simulation);
            variants.step();
            variants.step();
            variants.assert_can_be_saved();
        }
    }
}
