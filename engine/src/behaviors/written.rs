//! Behaviors as scene files write them: a name and a table of parameters.

use std::fmt;

use serde::de::{DeserializeSeed, EnumAccess, Error as _, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::behaviors::custom::{self, Custom, Reader};
use crate::behaviors::{Behavior, registry};

impl Serialize for Behavior {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        macro_rules! write {
            ($($(#[$doc:meta])* $name:ident: $module:ident,)+) => {
                match self {
                    $(Self::$name(parameters) => serializer.serialize_newtype_variant(
                        "Behavior", 0, stringify!($module), parameters,
                    ),)+
                    Self::Custom(custom) => serializer.serialize_newtype_variant(
                        "Behavior", 0, custom.0.name(), custom.0.as_serialize(),
                    ),
                }
            };
        }
        registry!(write)
    }
}

impl<'de> Deserialize<'de> for Behavior {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum("Behavior", Self::NAMES, Named)
    }
}

struct Named;

impl<'de> Visitor<'de> for Named {
    type Value = Behavior;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a behavior, with a table of its parameters")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, behavior: A) -> Result<Behavior, A::Error> {
        let (name, parameters): (String, _) = behavior.variant()?;
        macro_rules! read {
            ($($(#[$doc:meta])* $type:ident: $module:ident,)+) => {
                match name.as_str() {
                    $(stringify!($module) => parameters.newtype_variant().map(Behavior::$type),)+
                    other => match custom::reader(other) {
                        Some(reader) => parameters.newtype_variant_seed(Registered(reader)),
                        None => Err(A::Error::custom(unknown(other))),
                    },
                }
            };
        }
        registry!(read)
    }
}

/// In the words of serde, which the reader of scenes looks for.
fn unknown(name: &str) -> String {
    let known = Behavior::NAMES.iter().copied().chain(custom::names());
    let known: Vec<String> = known.map(|name| format!("`{name}`")).collect();
    format!("unknown variant `{name}`, expected one of {}", known.join(", "))
}

/// The parameters of a registered behavior.
struct Registered(Reader);

impl<'de> DeserializeSeed<'de> for Registered {
    type Value = Behavior;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Behavior, D::Error> {
        let read = (self.0)(&mut <dyn erased_serde::Deserializer<'_>>::erase(deserializer));
        read.map(|definition| Behavior::Custom(Custom(definition))).map_err(D::Error::custom)
    }
}
