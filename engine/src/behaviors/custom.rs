//! Behaviors of other crates, as definitions: what scenes, checks and sliders need to know of them.
//!
//! How they are computed is not known here, as it is not of any other definition.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{LazyLock, PoisonError, RwLock};

use crate::behaviors::external::External;
use crate::behaviors::parameters::Parameters;
use crate::error::Error;

/// The parameters of a behavior of another crate.
pub(crate) trait Definition:
    Parameters + fmt::Debug + Any + Send + Sync + UnwindSafe + RefUnwindSafe
{
    fn name(&self) -> &'static str;
    fn weight(&self) -> f32;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
    fn is_equal(&self, other: &dyn Any) -> bool;
    fn cloned(&self) -> Box<dyn Definition>;
    fn with_defaults(&self) -> Box<dyn Definition>;
    fn as_serialize(&self) -> &dyn erased_serde::Serialize;
    /// Its kernel, compiled for each lane type: only folders above know how to call it.
    fn compiled(&self) -> &'static dyn Any;
}

/// A behavior of another crate: a [`CustomBehavior`](crate::custom::CustomBehavior).
pub struct Custom(pub(crate) Box<dyn Definition>);

impl Custom {
    /// Its parameters, if they are of this type.
    #[must_use]
    pub fn get<T: 'static>(&self) -> Option<&T> {
        self.0.as_any().downcast_ref()
    }

    /// Its parameters, to change, if they are of this type. They are not checked until the species
    /// is set.
    pub fn get_mut<T: 'static>(&mut self) -> Option<&mut T> {
        self.0.as_any_mut().downcast_mut()
    }
}

impl Clone for Custom {
    fn clone(&self) -> Self {
        Self(self.0.cloned())
    }
}

impl PartialEq for Custom {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_equal(other.0.as_any())
    }
}

impl fmt::Debug for Custom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Reads the parameters of a registered behavior.
pub(crate) type Reader =
    fn(&mut dyn erased_serde::Deserializer<'_>) -> Result<Box<dyn Definition>, erased_serde::Error>;

/// What a name stands for, for as long as the process runs.
struct Known {
    of: TypeId,
    /// None unless it is registered.
    reader: Option<Reader>,
}

/// What names stand for: the engine's own [`External`], what is registered, and what scenes in code
/// use, so that no text written for one type is read as another.
static NAMES: LazyLock<RwLock<BTreeMap<&'static str, Known>>> = LazyLock::new(|| {
    let reader: Reader = |deserializer| {
        erased_serde::deserialize::<External>(deserializer).map(|read| Box::new(read) as _)
    };
    let external = Known { of: TypeId::of::<External>(), reader: Some(reader) };
    RwLock::new(BTreeMap::from([("external", external)]))
});

/// Gives a name to a type, unless it is another's.
pub(crate) fn claim(name: &'static str, of: TypeId) {
    let mut names = NAMES.write().unwrap_or_else(PoisonError::into_inner);
    names.entry(name).or_insert(Known { of, reader: None });
}

/// Checks that the name of a behavior is not that of another type.
pub(super) fn check_type(custom: &Custom) -> Result<(), Error> {
    let name = custom.0.name();
    let names = NAMES.read().unwrap_or_else(PoisonError::into_inner);
    match names.get(name) {
        Some(known) if known.of != custom.0.as_any().type_id() => Err(taken(name)),
        _ => Ok(()),
    }
}

/// Lets scene files name a behavior.
pub(crate) fn register(name: &'static str, of: TypeId, reader: Reader) -> Result<(), Error> {
    claim(name, of);
    let mut names = NAMES.write().unwrap_or_else(PoisonError::into_inner);
    match names.get_mut(name) {
        Some(known) if known.of == of => {
            known.reader = Some(reader);
            Ok(())
        }
        _ => Err(taken(name)),
    }
}

fn taken(name: &str) -> Error {
    Error::refused("the name of a behavior", name, "one that no other behavior has")
}

/// The reader of a registered behavior.
pub(crate) fn reader(name: &str) -> Option<Reader> {
    NAMES.read().unwrap_or_else(PoisonError::into_inner).get(name)?.reader
}

/// The names of all registered behaviors.
pub(crate) fn names() -> Vec<&'static str> {
    let names = NAMES.read().unwrap_or_else(PoisonError::into_inner);
    names.iter().filter(|(_, known)| known.reader.is_some()).map(|(name, _)| *name).collect()
}

/// Checks that scene files can have this name, and that it is none of those taken by the engine's
/// own behaviors.
pub(crate) fn check_name(name: &str, taken: &[&str]) -> Result<(), Error> {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let is_name = name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(is_part);
    if is_name && !taken.contains(&name) {
        return Ok(());
    }
    Err(Error::refused(
        "the name of a behavior",
        format!("`{name}`"),
        "lower-case letters, digits and underscores, and not the name of another behavior",
    ))
}
