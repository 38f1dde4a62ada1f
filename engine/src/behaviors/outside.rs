//! Behaviors from other crates, known to the engine only at run time.
//!
//! A trait object cannot have generic methods. `Object` therefore has one method per lane type,
//! and each lane type calls its own method.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{LazyLock, PoisonError, RwLock, RwLockReadGuard};

use crate::batch::Batch;
use crate::behaviors::external::External;
use crate::behaviors::fields::Field;
use crate::behaviors::steer::Steer;
use crate::error::Error;
use crate::math::force::Force;
use crate::math::lanes::dispatch::for_lane_types;
use crate::math::lanes::{Lanes, compiled};
use crate::math::vec3::Vec3;

pub(crate) trait Compiled: Lanes {
    fn force(behavior: &dyn Object, batch: &mut Batch<'_, Self>) -> Force<Self>;
}

macro_rules! objects {
    ($($(#[$cfg:meta])? $function:ident: $lanes:ty,)+) => {
        pub(crate) trait Object: Steer {
            fn cloned(&self) -> Box<dyn Object>;
            fn default_fields(&self) -> Vec<Field>;
            $($(#[$cfg])? fn $function(&self, batch: &mut Batch<'_, $lanes>) -> Force<$lanes>;)+
        }

        impl<T: Steer + Clone + Default> Object for T {
            fn cloned(&self) -> Box<dyn Object> {
                Box::new(self.clone())
            }
            fn default_fields(&self) -> Vec<Field> {
                T::default().fields()
            }
            $($(#[$cfg])? fn $function(&self, batch: &mut Batch<'_, $lanes>) -> Force<$lanes> {
                computed(self, batch)
            })+
        }

        $($(#[$cfg])? impl Compiled for $lanes {
            #[inline(always)]
            fn force(behavior: &dyn Object, batch: &mut Batch<'_, Self>) -> Force<Self> {
                behavior.$function(batch)
            }
        })+
    };
}

for_lane_types!(objects);

fn computed<T: Steer, L: Lanes>(behavior: &T, batch: &mut Batch<'_, L>) -> Force<L> {
    let force = AssertUnwindSafe(|| compiled!(L: behavior.force(batch)));
    // Unwind safe: no code reads the state after a panic, because a step returns an error
    // and all other calls propagate the panic.
    catch_unwind(force).unwrap_or_else(|panic| {
        let message = panic_message(&*panic);
        resume_unwind(Box::new(format!("behavior `{}` panicked: {message}", behavior.name())))
    })
}

#[inline(always)]
fn refused_if_it_overflows<L: Lanes>(mut force: Force<L>, batch: &mut Batch<'_, L>) -> Force<L> {
    let largest = L::splat(f32::MAX);
    let scaled = force.vector * force.factor(L::splat(batch.inputs().largest_factor));
    let is_sound = force.vector.dot(force.vector).le(largest) & scaled.dot(scaled).le(largest);
    if (batch.active & !is_sound).any() {
        batch.scratch.has_wrong_force = true;
        force.vector = Vec3::select(is_sound, force.vector, force.vector * largest);
    }
    force
}

/// Returns a panic's message, or a placeholder if the payload is not a string.
pub fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}

/// A behavior defined in another crate.
pub struct Outside(pub(crate) Box<dyn Object>);

impl Outside {
    /// Computes the force. A force whose squared length overflows would later count as zero, so it
    /// is made infinite instead, and the step fails.
    pub(crate) fn force<L: Compiled>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let force = L::force(&*self.0, batch);
        compiled!(L: refused_if_it_overflows(force, batch))
    }

    /// Returns the behavior if its type is `T`.
    #[must_use]
    pub fn get<T: 'static>(&self) -> Option<&T> {
        (&*self.0 as &dyn Any).downcast_ref()
    }

    /// Returns mutable access to the behavior if its type is `T`.
    /// Changed parameters are checked when the species is set.
    pub fn get_mut<T: 'static>(&mut self) -> Option<&mut T> {
        (&mut *self.0 as &mut dyn Any).downcast_mut()
    }

    fn parameters_type(&self) -> TypeId {
        (&*self.0 as &dyn Any).type_id()
    }
}

impl Clone for Outside {
    fn clone(&self) -> Self {
        Self(self.0.cloned())
    }
}

/// Two behaviors are equal if their types and parameters are equal; other data is ignored.
impl PartialEq for Outside {
    fn eq(&self, other: &Self) -> bool {
        self.parameters_type() == other.parameters_type() && self.0.fields() == other.0.fields()
    }
}

impl fmt::Debug for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Maps behavior names to types: the engine's own [`External`], registered behaviors, and behaviors
/// of built scenes. A name keeps its type for the lifetime of the process, so that data of one type
/// is never read as another.
struct Names {
    types: BTreeMap<&'static str, TypeId>,
    registered: BTreeMap<&'static str, Outside>,
}

static NAMES: LazyLock<RwLock<Names>> = LazyLock::new(|| {
    let external = Outside(Box::new(External::default()));
    let types = BTreeMap::from([("external", external.parameters_type())]);
    RwLock::new(Names { types, registered: BTreeMap::from([("external", external)]) })
});

fn names() -> RwLockReadGuard<'static, Names> {
    NAMES.read().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn check_names<'a>(behaviors: impl Iterator<Item = &'a Outside>) -> Result<(), Error> {
    with_types_of(names().types.clone(), behaviors).map(drop)
}

/// Reserves each behavior's name for its type. If any name belongs to another type, reserves none
/// and returns an error.
pub(crate) fn claim<'a>(behaviors: impl Iterator<Item = &'a Outside>) -> Result<(), Error> {
    let mut names = NAMES.write().unwrap_or_else(PoisonError::into_inner);
    names.types = with_types_of(names.types.clone(), behaviors)?;
    Ok(())
}

fn with_types_of<'a>(
    mut types: BTreeMap<&'static str, TypeId>,
    mut behaviors: impl Iterator<Item = &'a Outside>,
) -> Result<BTreeMap<&'static str, TypeId>, Error> {
    behaviors.try_for_each(|behavior| {
        let (name, of) = (behavior.0.name(), behavior.parameters_type());
        if *types.entry(name).or_insert(of) == of {
            return Ok(());
        }
        Err(refused_name(name, "unique among behaviors"))
    })?;
    Ok(types)
}

pub(super) fn refused_name(name: &str, allowed: &str) -> Error {
    Error::refused("the name of a behavior", format!("`{name}`"), allowed)
}

pub(super) fn register(behavior: Outside) {
    let mut names = NAMES.write().unwrap_or_else(PoisonError::into_inner);
    let before = names.registered.insert(behavior.0.name(), behavior);
    // Drop the previous behavior after releasing the lock: its destructor may register a behavior.
    drop(names);
    drop(before);
}

pub(super) fn registered(name: &str) -> Option<Outside> {
    names().registered.get(name).cloned()
}

pub(super) fn registered_names() -> Vec<&'static str> {
    names().registered.keys().copied().collect()
}
