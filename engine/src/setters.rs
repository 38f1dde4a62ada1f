//! The methods with which definitions are built in code.

/// Writes one method for each field: `name(parameter: type) = value;`.
macro_rules! setters {
    ($($(#[$doc:meta])+ $field:ident($($parameter:ident: $type:ty)?) = $value:expr;)+) => {
        $($(#[$doc])+
        #[must_use]
        pub fn $field(self $(, $parameter: $type)?) -> Self {
            Self { $field: $value, ..self }
        })+
    };
}

pub(crate) use setters;
