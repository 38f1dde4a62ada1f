use flockwork::internal::detach::Column;
use flockwork::internal::position;
use flockwork::{Error, Number, Simulation, Vector};

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

/// Finds a property by name. Built-in properties shadow columns of the same name.
pub(crate) fn property<'a>(crowd: &Simulation, name: &'a str) -> Result<PropertyKind<'a>, Error> {
    let vectors = VECTORS.iter().map(|(known, _)| *known);
    let numbers = NUMBERS.iter().map(|(known, _)| *known);
    let columns = columns(crowd);
    let known = vectors.chain(numbers).chain(columns.iter().copied());
    let found = position("property", name, known)?;
    Ok(match found.checked_sub(VECTORS.len()) {
        None => PropertyKind::Vector(VECTORS[found].1),
        Some(number) => PropertyKind::Number(
            NUMBERS.get(number).map_or(Number::Column(name), |&(_, number)| number),
        ),
    })
}

fn columns(crowd: &Simulation) -> Vec<&str> {
    crowd.agents().column_names().collect()
}

pub(crate) fn custom_column(crowd: &Simulation, name: &str) -> Result<Column, Error> {
    position("column", name, columns(crowd).into_iter()).map(Column::Custom)
}
