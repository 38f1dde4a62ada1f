//! Behaviors of other crates, which the engine knows only while it runs.
//!
//! A generic function cannot be called through an object, but its copies for the lane types can:
//! an object has one function for each lane type, and each lane type knows its own.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{PoisonError, RwLock};

use crate::batch::Batch;
use crate::behaviors::steer::Steer;
use crate::math::force::Force;
use crate::math::lanes::Lanes;
use crate::math::width::for_lane_types;

/// Lanes that the forces of outside behaviors are compiled for.
pub(crate) trait Compiled: Lanes {
    fn force(behavior: &dyn Object, batch: &mut Batch<'_, Self>) -> Force<Self>;
}

macro_rules! objects {
    ($($function:ident: $lanes:ty,)+) => {
        /// A behavior as an object.
        pub(crate) trait Object: Steer {
            fn cloned(&self) -> Box<dyn Object>;
            fn with_defaults(&self) -> Box<dyn Object>;
            $(fn $function(&self, batch: &mut Batch<'_, $lanes>) -> Force<$lanes>;)+
        }

        impl<T: Steer + Clone + Default> Object for T {
            fn cloned(&self) -> Box<dyn Object> {
                Box::new(self.clone())
            }
            fn with_defaults(&self) -> Box<dyn Object> {
                Box::new(T::default())
            }
            $(fn $function(&self, batch: &mut Batch<'_, $lanes>) -> Force<$lanes> {
                computed(self, batch)
            })+
        }

        $(impl Compiled for $lanes {
            #[inline(always)]
            fn force(behavior: &dyn Object, batch: &mut Batch<'_, Self>) -> Force<Self> {
                behavior.$function(batch)
            }
        })+
    };
}

for_lane_types!(objects);

/// The force of a behavior, with a panic that names it.
fn computed<T: Steer, L: Lanes>(behavior: &T, batch: &mut Batch<'_, L>) -> Force<L> {
    let force = AssertUnwindSafe(|| {
        L::compiled(
            #[inline(always)]
            || behavior.force(batch),
        )
    });
    // What it leaves behind is not looked at again: the step is refused.
    catch_unwind(force).unwrap_or_else(|panic| {
        let message = message(&*panic);
        resume_unwind(Box::new(format!("behavior `{}` panicked: {message}", behavior.name())))
    })
}

/// What a panic says.
pub(crate) fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}

/// A behavior of another crate.
pub struct Outside(pub(crate) Box<dyn Object>);

impl Outside {
    /// Its parameters, if they are of this type.
    #[must_use]
    pub fn get<T: 'static>(&self) -> Option<&T> {
        (&*self.0 as &dyn Any).downcast_ref()
    }

    /// Its parameters, to change, if they are of this type. They are not checked until the species
    /// is set.
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

/// The registered behaviors by name, with default parameters.
static REGISTERED: RwLock<BTreeMap<&'static str, Outside>> = RwLock::new(BTreeMap::new());

/// Registers a behavior; false if another one has its name.
pub(super) fn register(behavior: Outside) -> bool {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    let known = registered.entry(behavior.0.name()).or_insert_with(|| behavior.clone());
    known.parameters_type() == behavior.parameters_type()
}

/// A registered behavior with its default parameters.
pub(super) fn registered(name: &str) -> Option<Outside> {
    REGISTERED.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
}

/// The names of all registered behaviors.
pub(super) fn names() -> Vec<&'static str> {
    REGISTERED.read().unwrap_or_else(PoisonError::into_inner).keys().copied().collect()
}
