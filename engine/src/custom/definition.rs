//! Custom behaviors as definitions, like those of the engine's own.

use std::any::{Any, TypeId};

use crate::behaviors::Behavior;
use crate::behaviors::custom::{self, Custom, Definition};
use crate::behaviors::fields::{Field, FieldValue, FieldValueMut};
use crate::behaviors::parameters::Parameters;
use crate::custom::behavior::CustomBehavior;
use crate::custom::compiled::Kernels;
use crate::error::Error;
use crate::panics;

/// Lets scene files and snapshots name a behavior. Scenes built in code do not need it.
///
/// # Errors
/// If the name is that of another behavior, or cannot be a name.
pub fn register<T: CustomBehavior>() -> Result<(), Error> {
    panics::print_the_first_only();
    custom::check_name(T::NAME, Behavior::NAMES)?;
    custom::register(T::NAME, TypeId::of::<T>(), |deserializer| {
        erased_serde::deserialize::<T>(deserializer).map(|read| Box::new(read) as _)
    })
}

impl<T: CustomBehavior> From<T> for Behavior {
    fn from(parameters: T) -> Self {
        panics::print_the_first_only();
        Self::Custom(Custom(Box::new(parameters)))
    }
}

impl<T: CustomBehavior> Parameters for T {
    fn fields(&self) -> Vec<Field<FieldValue<'_>>> {
        CustomBehavior::fields(self)
    }

    fn fields_mut(&mut self) -> Vec<Field<FieldValueMut<'_>>> {
        CustomBehavior::fields_mut(self)
    }

    fn obstacle_range(&self) -> f32 {
        CustomBehavior::obstacle_range(self)
    }

    fn wall_range(&self) -> f32 {
        CustomBehavior::wall_range(self)
    }

    fn columns(&self) -> Vec<&str> {
        CustomBehavior::columns(self)
    }
}

impl<T: CustomBehavior> Definition for T {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn weight(&self) -> f32 {
        CustomBehavior::weight(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn is_equal(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }

    fn cloned(&self) -> Box<dyn Definition> {
        Box::new(self.clone())
    }

    fn with_defaults(&self) -> Box<dyn Definition> {
        Box::new(T::default())
    }

    fn as_serialize(&self) -> &dyn erased_serde::Serialize {
        self
    }

    fn compiled(&self) -> &'static dyn Any {
        const { &Kernels::of::<T>() }
    }
}
