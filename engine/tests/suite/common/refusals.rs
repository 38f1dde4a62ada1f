use flockwork::{Error, ErrorKind, Scene};

/// Infinities, NaN, and finite numbers beyond every range.
pub(crate) const NONSENSE: [f32; 6] =
    [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1.0e38];

/// Field name and allowed range that an error reports.
pub(crate) fn field_and_allowed(error: &Error) -> (String, String) {
    match error.kind() {
        ErrorKind::OutOfRange { field, allowed, .. } => {
            assert!(!allowed.is_empty(), "{field}");
            (field.clone(), allowed.clone())
        }
        _ => panic!("refused for another reason: {error}"),
    }
}

/// Fails if a panic caused the refusal: without custom behaviors, only debug assertions panic.
pub(crate) fn assert_no_panic(step: &Result<(), Error>) {
    if let Err(error) = step {
        assert_ne!(error.code(), "panicked", "{error}");
    }
}

pub(crate) fn refused(scene: &Scene) -> (String, String) {
    match scene.build() {
        Err(error) => field_and_allowed(&error),
        Ok(_) => panic!("accepted: {scene:?}"),
    }
}
