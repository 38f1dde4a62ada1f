//! Behaviors of other crates, which the engine knows only while it runs.
//!
//! A generic function cannot be called through an object, but its copies for the lane types can:
//! an object has one function for each lane type, and each lane type knows its own.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{LazyLock, PoisonError, RwLock};

use crate::batch::Batch;
use crate::behaviors::external::External;
use crate::behaviors::steer::Steer;
use crate::math::force::Force;
use crate::math::lanes::dispatch::for_lane_types;
use crate::math::lanes::{Lanes, compiled};
use crate::math::vec2::Vec2;
use crate::panics;

/// Lanes that the forces of outside behaviors are compiled for.
pub(crate) trait Compiled: Lanes {
    fn force(behavior: &dyn Object, batch: &mut Batch<'_, Self>) -> Force<Self>;
}

macro_rules! objects {
    ($($(#[$cfg:meta])? $function:ident: $lanes:ty,)+) => {
        /// A behavior as an object.
        pub(crate) trait Object: Steer {
            fn cloned(&self) -> Box<dyn Object>;
            $($(#[$cfg])? fn $function(&self, batch: &mut Batch<'_, $lanes>) -> Force<$lanes>;)+
        }

        impl<T: Steer + Clone + Default> Object for T {
            fn cloned(&self) -> Box<dyn Object> {
                Box::new(self.clone())
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

/// The force of a behavior, with a panic that names it.
fn computed<T: Steer, L: Lanes>(behavior: &T, batch: &mut Batch<'_, L>) -> Force<L> {
    let force = AssertUnwindSafe(|| compiled!(L: behavior.force(batch)));
    // What it leaves behind is not looked at again: a step is refused, other calls pass the panic on.
    catch_unwind(force).unwrap_or_else(|panic| {
        let message = panics::message(&*panic);
        resume_unwind(Box::new(format!("behavior `{}` panicked: {message}", behavior.name())))
    })
}

/// A force, made infinite in the lanes in which a square of it overflows.
#[inline(always)]
fn refused_if_it_overflows<L: Lanes>(mut force: Force<L>, batch: &mut Batch<'_, L>) -> Force<L> {
    let largest = L::splat(f32::MAX);
    let scaled = force.vector * force.factor(L::splat(batch.needs().largest_factor));
    let is_sound = force.vector.dot(force.vector).le(largest) & scaled.dot(scaled).le(largest);
    if (batch.live & !is_sound).any() {
        batch.scratch.has_wrong_force = true;
        force.vector = Vec2::select(is_sound, force.vector, force.vector * largest);
    }
    force
}

/// A behavior of another crate.
pub struct Outside(pub(crate) Box<dyn Object>);

impl Outside {
    /// Its force on the agents of a batch. One so large that a square of it overflows would count as
    /// none: it is infinite, and like any that is not finite it refuses the step.
    pub(crate) fn force<L: Compiled>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let force = L::force(&*self.0, batch);
        compiled!(L: refused_if_it_overflows(force, batch))
    }

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

/// Equal if of the same type with equal parameters; any other data is ignored.
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

/// What a name stands for, for as long as the process runs.
struct Known {
    of: TypeId,
    /// With its default parameters; none unless it is registered.
    registered: Option<Outside>,
}

/// What names stand for: the engine's own [`External`], what is registered, and what scenes in code
/// use, so that no text written for one type is read as another.
static NAMES: LazyLock<RwLock<BTreeMap<&'static str, Known>>> = LazyLock::new(|| {
    let external = Outside(Box::new(External::default()));
    let known = Known { of: external.parameters_type(), registered: Some(external) };
    RwLock::new(BTreeMap::from([("external", known)]))
});

/// Gives its name to a behavior's type; false if it is another's.
pub(super) fn claim(behavior: &Outside) -> bool {
    panics::print_the_first_only();
    let mut names = NAMES.write().unwrap_or_else(PoisonError::into_inner);
    let of = behavior.parameters_type();
    names.entry(behavior.0.name()).or_insert(Known { of, registered: None }).of == of
}

/// Registers a behavior that has [claimed](claim) its name.
pub(super) fn register(behavior: Outside) {
    let name = behavior.0.name();
    let mut names = NAMES.write().unwrap_or_else(PoisonError::into_inner);
    let before = names.get_mut(name).and_then(|known| known.registered.replace(behavior));
    // It is another crate's, and may register a behavior when it is dropped.
    drop(names);
    drop(before);
}

/// A registered behavior with its default parameters.
pub(super) fn registered(name: &str) -> Option<Outside> {
    NAMES.read().unwrap_or_else(PoisonError::into_inner).get(name)?.registered.clone()
}

/// The names of all registered behaviors.
pub(super) fn names() -> Vec<&'static str> {
    let names = NAMES.read().unwrap_or_else(PoisonError::into_inner);
    names.iter().filter(|(_, known)| known.registered.is_some()).map(|(name, _)| *name).collect()
}
