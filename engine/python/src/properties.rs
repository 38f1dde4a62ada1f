use flockwork::internal::detach::Column;
use flockwork::{Error, ErrorKind, ErrorLocation, Number, Simulation, Vector};

#[derive(Clone, Copy)]
pub(crate) enum PropertyKind<'a> {
    Vector(Vector),
    Number(Number<'a>),
}

const VECTORS: [(&str, Vector); 4] = [
    ("position", Vector::Position),
    ("velocity", Vector::Velocity),
    ("heading", Vector::Heading),
    ("own_target", Vector::OwnTarget),
];
pub(crate) const NUMBERS: [(&str, Number<'static>); 7] = [
    ("max_speed", Number::MaxSpeed),
    ("max_force", Number::MaxForce),
    ("mass", Number::Mass),
    ("radius", Number::Radius),
    ("field_of_view", Number::FieldOfView),
    ("immovable", Number::Immovable),
    ("waypoint", Number::Waypoint),
];

fn named<T: Copy>(list: &[(&str, T)], name: &str) -> Option<T> {
    list.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

/// Finds a property by name. Built-in properties shadow columns of the same name.
pub(crate) fn property<'a>(crowd: &Simulation, name: &'a str) -> Result<PropertyKind<'a>, Error> {
    let column = || match number_of_column(crowd, name) {
        Some(_) => Ok(PropertyKind::Number(Number::Column(name))),
        None => Err(unknown("property", name, properties(crowd))),
    };
    let vector = named(&VECTORS, name).map(PropertyKind::Vector);
    let number = named(&NUMBERS, name).map(PropertyKind::Number);
    vector.or(number).map_or_else(column, Ok)
}

fn properties(crowd: &Simulation) -> Vec<String> {
    let numbers = NUMBERS.iter().map(|(name, _)| *name);
    let own = VECTORS.iter().map(|(name, _)| *name).chain(numbers);
    own.chain(crowd.agents().column_names()).map(str::to_owned).collect()
}

fn number_of_column(crowd: &Simulation, name: &str) -> Option<usize> {
    crowd.agents().column_names().position(|known| known == name)
}

pub(crate) fn custom_column(crowd: &Simulation, name: &str) -> Result<Column, Error> {
    let number = number_of_column(crowd, name);
    let known = crowd.agents().column_names().map(str::to_owned);
    number.map(Column::Custom).ok_or_else(|| unknown("column", name, known))
}

pub(crate) fn unknown(
    kind: &'static str,
    name: &str,
    known: impl IntoIterator<Item = String>,
) -> Error {
    let (name, known) = (name.to_owned(), known.into_iter().collect());
    Error::new(ErrorKind::UnknownName {
        at: ErrorLocation::default(),
        kind,
        name,
        nearest: None,
        known,
    })
}
