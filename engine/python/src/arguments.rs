//! Converts Python arguments to Rust. Every conversion error names the argument.

use flockwork::{AgentId, AgentOrder, Point, Target};
use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyMapping};

use crate::error::invalid_argument;
use crate::memory::{as_array, id_of};

/// The values of an argument that accepts a single value or a list.
pub(crate) struct ScalarOrList<T> {
    pub(crate) values: Vec<T>,
    pub(crate) is_one: bool,
}

impl<T: Copy> ScalarOrList<T> {
    /// Broadcasts a single value to `count` entries. A list of any length is returned unchanged.
    pub(crate) fn for_each(self, count: usize) -> Vec<T> {
        match self {
            Self { values, is_one: true } => vec![values[0]; count],
            Self { values, .. } => values,
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Argument<'a, 'py> {
    name: &'a str,
    value: &'a Bound<'py, PyAny>,
}

pub(crate) fn argument<'a, 'py>(name: &'a str, value: &'a Bound<'py, PyAny>) -> Argument<'a, 'py> {
    Argument { name, value }
}

const IDS: &str = "an id or a list of ids, whole numbers below 2**64; \
                   to select by a mask, use `crowd.agents().ids()[mask]`";

impl<'py> Argument<'_, 'py> {
    fn wrong_type(self, allowed: &str) -> PyErr {
        invalid_argument("wrong_type", self.name, self.value, allowed)
    }

    pub(crate) fn out_of_range(self, allowed: &str) -> PyErr {
        invalid_argument("out_of_range", self.name, self.value, allowed)
    }

    /// Detects Python and numpy bools, which would otherwise pass as numbers.
    fn is_bool(self) -> PyResult<bool> {
        let kind = self.value.get_type().name()?;
        Ok(self.value.is_instance_of::<PyBool>() || ["bool", "bool_"].contains(&kind.to_str()?))
    }

    /// Reads an unsigned integer. `T` sets the range, which `range` describes in error messages.
    pub(crate) fn whole<T: TryFrom<u64>>(self, range: &str) -> PyResult<T> {
        let allowed = format!("a whole number {range}");
        if self.is_bool()? {
            return Err(self.wrong_type(&allowed));
        }
        match self.value.extract::<u64>().map(T::try_from) {
            Ok(Ok(number)) => Ok(number),
            Err(error) if !error.is_instance_of::<PyOverflowError>(self.value.py()) => {
                Err(self.wrong_type(&allowed))
            }
            _ => Err(self.out_of_range(&allowed)),
        }
    }

    pub(crate) fn id(self) -> PyResult<AgentId> {
        self.whole("from 0 to 2**64 - 1, the id of an agent").map(id_of)
    }

    pub(crate) fn own_target(self, axes: usize) -> PyResult<Target> {
        if self.value.len().is_ok() {
            return self.point(axes).map(Target::Point);
        }
        let point = in_axes(axes, "a point [x, y]", "a point [x, y, z]");
        let id = self.whole(&format!("from 0 to 2**64 - 1, the id of an agent, or {point}"));
        id.map(|number| Target::Agent(id_of(number)))
    }

    /// Reads an `f32`. Rejects finite numbers that would overflow to infinity.
    pub(crate) fn number(self) -> PyResult<f32> {
        if self.is_bool()? {
            return Err(self.wrong_type("a number"));
        }
        let number: f64 = self.value.extract().map_err(|_| self.wrong_type("a number"))?;
        match number as f32 {
            single if single.is_finite() || !number.is_finite() => Ok(single),
            _ => Err(self.out_of_range("a number of single precision, within ±3.4e38")),
        }
    }

    pub(crate) fn flag(self) -> PyResult<bool> {
        if self.is_bool()? { self.value.is_truthy() } else { Err(self.wrong_type("True or False")) }
    }

    pub(crate) fn text(self, what: &str) -> PyResult<String> {
        self.value.extract().map_err(|_| self.wrong_type(&format!("text, {what}")))
    }

    pub(crate) fn species(self) -> PyResult<String> {
        self.text("the name of a species")
    }

    pub(crate) fn bytes(self) -> PyResult<Vec<u8>> {
        let buffer = PyBuffer::<u8>::get(self.value);
        buffer.and_then(|bytes| bytes.to_vec(self.value.py())).map_err(|_| self.wrong_type("bytes"))
    }

    pub(crate) fn point(self, axes: usize) -> PyResult<Point> {
        let allowed = in_axes(axes, "a point [x, y]", "a point [x, y, z] in a world with depth");
        match axes {
            2 => self.one_row::<2>(allowed).map(Point::from),
            _ => self.one_row::<3>(allowed).map(Point::from),
        }
    }

    fn one_row<const D: usize>(self, allowed: &str) -> PyResult<[f32; D]> {
        match &self.rows::<D>(allowed)? {
            ScalarOrList { values, is_one: true } if is_finite(&values[0]) => Ok(values[0]),
            ScalarOrList { is_one: true, .. } => Err(self.out_of_range(FINITE)),
            _ => Err(self.wrong_type(allowed)),
        }
    }

    pub(crate) fn points(self, axes: usize) -> PyResult<Vec<Point>> {
        let points: Vec<Point> = match axes {
            2 => self.point_rows::<2>()?.into_iter().map(Point::from).collect(),
            _ => self.point_rows::<3>()?.into_iter().map(Point::from).collect(),
        };
        match points.iter().position(|point| !is_finite(point)) {
            None => Ok(points),
            Some(wrong) => {
                let name = format!("{}[{wrong}]", self.name);
                Err(argument(&name, &self.value.get_item(wrong)?).out_of_range(FINITE))
            }
        }
    }

    /// Reads a list of points with `D` coordinates.
    pub(crate) fn point_rows<const D: usize>(self) -> PyResult<Vec<[f32; D]>> {
        let allowed = in_axes(
            D,
            "points [x, y], an array of n x 2 numbers",
            "points [x, y, z] in a world with depth, an array of n x 3 numbers",
        );
        match self.rows(allowed)? {
            ScalarOrList { values, is_one: false } => Ok(values),
            _ => Err(self.wrong_type(allowed)),
        }
    }

    pub(crate) fn vectors<const D: usize>(self) -> PyResult<ScalarOrList<[f32; D]>> {
        self.rows(in_axes(
            D,
            "[x, y], or an array of n x 2 numbers",
            "[x, y, z] in a world with depth, or an array of n x 3 numbers",
        ))
    }

    fn rows<const D: usize>(self, allowed: &str) -> PyResult<ScalarOrList<[f32; D]>> {
        let (array, _) = self.array("iufb", "f4", allowed)?;
        let is_one = match array.getattr("shape")?.extract::<Vec<usize>>()?[..] {
            [numbers] if numbers == D => true,
            [_, numbers] if numbers == D => false,
            // An empty list has no second dimension.
            [0] => false,
            _ => return Err(self.wrong_type(allowed)),
        };
        let values = self.single(&array)?;
        Ok(ScalarOrList { values: values.as_chunks().0.to_vec(), is_one })
    }

    pub(crate) fn numbers(self) -> PyResult<ScalarOrList<f32>> {
        let allowed = "a number or a list of numbers";
        let (array, dimensions) = self.array("iufb", "f4", allowed)?;
        if dimensions > 1 {
            return Err(self.wrong_type(allowed));
        }
        Ok(ScalarOrList { values: self.single(&array)?, is_one: dimensions == 0 })
    }

    pub(crate) fn columns(self, count: usize) -> PyResult<Vec<(String, Vec<f32>)>> {
        let allowed = "a dictionary from names of columns to numbers or lists of numbers";
        let items = self.value.cast::<PyMapping>().map(|columns| columns.items());
        let items = items.map_err(|_| self.wrong_type(allowed))??;
        let column = |item: Bound<'py, PyAny>| {
            let (name, values): (Bound<'py, PyAny>, Bound<'py, PyAny>) = item.extract()?;
            let name = argument("columns", &name).text("the name of a column")?;
            let field = format!("columns[{name:?}]");
            let values = argument(&field, &values).numbers()?.for_each(count);
            Ok((name, values))
        };
        items.iter().map(column).collect()
    }

    fn single(self, array: &Bound<'py, PyAny>) -> PyResult<Vec<f32>> {
        let py = self.value.py();
        if let Ok(single) = PyBuffer::<f32>::get(array) {
            return single.to_vec(py);
        }
        let double = PyBuffer::<f64>::get(array)?.to_vec(py)?;
        if double.iter().any(|&number| number.is_finite() && !(number as f32).is_finite()) {
            return Err(self.out_of_range("numbers of single precision, within ±3.4e38"));
        }
        Ok(double.into_iter().map(|number| number as f32).collect())
    }

    /// Reads ids. Signed arrays are checked for negative ids before numpy casts them to unsigned.
    pub(crate) fn ids(self) -> PyResult<ScalarOrList<AgentId>> {
        let array = as_array(self.value.py())?.call1((self.value,)).ok();
        let is_of = |kind: &str| {
            let dtype = array.as_ref().and_then(|array| array.getattr("dtype").ok());
            let found = dtype.and_then(|dtype| dtype.getattr("kind").ok());
            found.is_some_and(|found| found.eq(kind).unwrap_or(false))
        };
        // numpy converts a list that mixes Python's integers with its own 64-bit unsigned ones to
        // floats.
        if is_of("f")
            && let Ok(ids) = self.value.extract::<Vec<u64>>()
        {
            return Ok(ScalarOrList {
                values: ids.into_iter().map(id_of).collect(),
                is_one: false,
            });
        }
        if is_of("i") {
            let ScalarOrList { values, .. } = self.list::<i64>("i", "i8", IDS)?;
            if let Some(negative) = values.iter().find(|&&id| id < 0) {
                let id = negative.into_pyobject(self.value.py())?.into_any();
                return Err(argument(self.name, &id).out_of_range("0 or larger"));
            }
        }
        let ScalarOrList { values, is_one } = self.list::<u64>("iu", "u8", IDS)?;
        Ok(ScalarOrList { values: values.into_iter().map(id_of).collect(), is_one })
    }

    fn list<T: Element + Copy>(
        self,
        kinds: &str,
        kind: &str,
        allowed: &str,
    ) -> PyResult<ScalarOrList<T>> {
        let (array, dimensions) = self.array(kinds, kind, allowed)?;
        if dimensions > 1 {
            return Err(self.wrong_type(allowed));
        }
        let values = PyBuffer::<T>::get(&array)?.to_vec(self.value.py())?;
        Ok(ScalarOrList { values, is_one: dimensions == 0 })
    }

    /// Converts anything that numpy accepts to an aligned, C-contiguous array of dtype `kind`.
    /// Rejects arrays whose dtype kind is not in `kinds`, unless they are empty.
    ///
    /// Returns the array and the argument's number of dimensions,
    /// which is 0 for a scalar even though the returned array is one-dimensional.
    fn array(self, kinds: &str, kind: &str, allowed: &str) -> PyResult<(Bound<'py, PyAny>, usize)> {
        static REQUIRE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let py = self.value.py();
        // numpy rejects some values, e.g. lists whose rows differ in length.
        let found = as_array(py)?.call1((self.value,)).map_err(|_| self.wrong_type(allowed))?;
        let found_kind: String = found.getattr("dtype")?.getattr("kind")?.extract()?;
        let is_empty = found.getattr("size")?.extract::<usize>()? == 0;
        if !is_empty && !kinds.contains(&found_kind) {
            return Err(self.wrong_type(allowed));
        }
        let kind = match (kind, found.getattr("dtype")?.getattr("itemsize")?.extract()?) {
            ("f4", 4) if found_kind == "f" => "f4",
            // Convert to `f64` first, so that the range check sees numbers that are too large
            // for `f32`.
            ("f4", _) => "f8",
            _ => kind,
        };
        let require = REQUIRE.import(py, "numpy", "require")?;
        let array = require.call1((found, kind, ["C", "A", "E"]))?;
        match array.getattr("ndim")?.extract()? {
            0 => Ok((array.call_method1("reshape", (1,))?, 0)),
            dimensions => Ok((array, dimensions)),
        }
    }
}

const FINITE: &str = "finite coordinates";

fn is_finite(point: &[f32]) -> bool {
    point.iter().all(|coordinate| coordinate.is_finite())
}

fn in_axes(axes: usize, flat: &'static str, deep: &'static str) -> &'static str {
    if axes == 2 { flat } else { deep }
}

macro_rules! with_default {
    ($($(#[$doc:meta])+ $type:ident($inner:ty): $name:literal, |$argument:ident| $read:expr;)+) => {
        $($(#[$doc])+
        #[derive(Clone, Copy)]
        pub(crate) struct $type(pub(crate) $inner);

        impl<'py> FromPyObject<'_, 'py> for $type {
            type Error = PyErr;

            fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
                let $argument = argument($name, &value);
                $read.map(Self)
            }
        })+
    };
}

with_default! {
    /// Order of agents in an array: by slot or by id.
    InOrder(AgentOrder): "order", |argument| argument.order();
    /// Number of steps per call to `Crowd.step`.
    Steps(u64): "n", |argument| argument.whole("from 0 to 2**64 - 1");
    /// Number of agents to find.
    Count(usize): "count", |argument| argument.whole("from 0 to 2**64 - 1");
}

impl InOrder {
    pub(crate) const ID: Self = Self(AgentOrder::Id);
}

impl Argument<'_, '_> {
    fn order(self) -> PyResult<AgentOrder> {
        let allowed = "\"id\" or \"slot\"";
        match self.value.extract::<String>().map_err(|_| self.wrong_type(allowed))?.as_str() {
            "id" => Ok(AgentOrder::Id),
            "slot" => Ok(AgentOrder::Slot),
            _ => Err(self.out_of_range(allowed)),
        }
    }

    pub(crate) fn definition(self, class: &str) -> PyResult<()> {
        let is_one = self.value.py().import("flockwork.scene")?.getattr(class)?;
        if self.value.is_instance(&is_one)? {
            return Ok(());
        }
        Err(self.wrong_type(&format!("a {class}")))
    }
}
