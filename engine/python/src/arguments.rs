//! Arguments from Python: arrays of numbers, vectors and ids, properties by name.

use flockwork::internal::lent::Column;
use flockwork::{AgentId, Error, ErrorKind, Number, Order, Place, Simulation, Vector};
use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::memory::{as_array, id_of};

/// Numbers, and whether it was one or a list.
pub(crate) struct Many<T> {
    pub(crate) values: Vec<T>,
    pub(crate) is_one: bool,
}

impl<T: Copy> Many<T> {
    /// One for each of `count`: one alone is that of all.
    pub(crate) fn for_each(self, count: usize) -> Vec<T> {
        match self {
            Self { values, is_one: true } => vec![values[0]; count],
            Self { values, .. } => values,
        }
    }
}

/// An array of the given type in the order of rows, and the number of its dimensions, at least 1 in the
/// array itself.
fn array<'py>(value: &Bound<'py, PyAny>, kind: &str) -> PyResult<(Bound<'py, PyAny>, usize)> {
    let array = as_array(value.py())?.call1((value, kind, "C"))?;
    match array.getattr("ndim")?.extract()? {
        0 => Ok((array.call_method1("reshape", (1,))?, 0)),
        dimensions => Ok((array, dimensions)),
    }
}

/// One value or a list, of a type that numpy has.
fn list<T: Element + Copy>(value: &Bound<'_, PyAny>, kind: &str) -> PyResult<Many<T>> {
    let (array, dimensions) = array(value, kind)?;
    let buffer = PyBuffer::<T>::get(&array)?;
    if dimensions > 1 {
        let shape = buffer.shape();
        let message = format!("expected one value or a list, not an array of shape {shape:?}");
        return Err(PyValueError::new_err(message));
    }
    Ok(Many { values: buffer.to_vec(value.py())?, is_one: dimensions == 0 })
}

/// Numbers: anything that numpy makes an array of `float32` from.
pub(crate) fn numbers(value: &Bound<'_, PyAny>) -> PyResult<Many<f32>> {
    list(value, "f4")
}

/// Vectors: `[x, y]`, or an array of n × 2 numbers.
pub(crate) fn vectors(value: &Bound<'_, PyAny>) -> PyResult<Many<[f32; 2]>> {
    let buffer = PyBuffer::<f32>::get(&array(value, "f4")?.0)?;
    let is_one = match *buffer.shape() {
        [2] => true,
        // An empty list has no second dimension.
        [_, 2] | [0] => false,
        ref shape => {
            let message = format!("expected [x, y] or an array of n x 2, not of shape {shape:?}");
            return Err(PyValueError::new_err(message));
        }
    };
    let values = buffer.to_vec(value.py())?;
    Ok(Many { values: values.as_chunks().0.to_vec(), is_one })
}

/// Ids: a whole number or an array of them.
pub(crate) fn ids(value: &Bound<'_, PyAny>) -> PyResult<Many<AgentId>> {
    let array = as_array(value.py())?.call1((value,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    let is_empty = array.getattr("size")?.extract::<usize>()? == 0;
    if !(is_empty || kind == "i" || kind == "u") {
        let message = "ids are whole numbers below 2**64; `crowd.ids()[mask]` selects by a mask";
        return Err(PyTypeError::new_err(message));
    }
    let Many { values, is_one } = list::<u64>(&array.call_method1("astype", ("u8",))?, "u8")?;
    Ok(Many { values: values.into_iter().map(id_of).collect(), is_one })
}

/// What agents have.
#[derive(Clone, Copy)]
pub(crate) enum What<'a> {
    Vector(Vector),
    Number(Number<'a>),
}

const VECTORS: [(&str, Vector); 3] =
    [("position", Vector::Position), ("velocity", Vector::Velocity), ("heading", Vector::Heading)];
pub(crate) const LIMITS: [(&str, Number<'static>); 5] = [
    ("max_speed", Number::MaxSpeed),
    ("max_force", Number::MaxForce),
    ("mass", Number::Mass),
    ("radius", Number::Radius),
    ("field_of_view", Number::FieldOfView),
];

fn named<T: Copy>(list: &[(&str, T)], name: &str) -> Option<T> {
    list.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

/// A property by name: the names of the engine's own come before those of columns.
pub(crate) fn property<'a>(crowd: &Simulation, name: &'a str) -> Result<What<'a>, Error> {
    let column = || match number_of_column(crowd, name) {
        Some(_) => Ok(What::Number(Number::Column(name))),
        None => Err(unknown("property", name, properties(crowd))),
    };
    let vector = named(&VECTORS, name).map(What::Vector);
    vector.or_else(|| named(&LIMITS, name).map(What::Number)).map_or_else(column, Ok)
}

fn properties(crowd: &Simulation) -> Vec<String> {
    let own = VECTORS.iter().map(|(name, _)| *name).chain(LIMITS.iter().map(|(name, _)| *name));
    own.chain(crowd.columns()).map(str::to_owned).collect()
}

fn number_of_column(crowd: &Simulation, name: &str) -> Option<usize> {
    crowd.columns().position(|known| known == name)
}

/// A column that the scene defines.
pub(crate) fn own_column(crowd: &Simulation, name: &str) -> Result<Column, Error> {
    let number = number_of_column(crowd, name);
    let known = crowd.columns().map(str::to_owned);
    number.map(Column::Own).ok_or_else(|| unknown("column", name, known))
}

/// The refusal of a name that is none of these.
pub(crate) fn unknown(
    kind: &'static str,
    name: &str,
    known: impl IntoIterator<Item = String>,
) -> Error {
    let (name, known) = (name.to_owned(), known.into_iter().collect());
    Error::new(ErrorKind::UnknownName { at: Place::default(), kind, name, nearest: None, known })
}

/// `"id"` or `"slot"`.
pub(crate) fn order(name: &str) -> PyResult<Order> {
    match name {
        "id" => Ok(Order::Id),
        "slot" => Ok(Order::Slot),
        _ => Err(PyValueError::new_err(format!("order = {name:?}: must be \"id\" or \"slot\""))),
    }
}
