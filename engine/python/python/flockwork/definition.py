"""The data classes that scenes consist of. They check each value when it is set."""

from __future__ import annotations

import dataclasses
import difflib
from typing import Any, ClassVar, TypeVar, dataclass_transform, get_args, get_type_hints

from .errors import _refused
from .kinds import NUMBER, About, Kind, kind_of, simple

_T = TypeVar("_T", bound="Definition")
_LARGEST = 2**64 - 1


class Definition:
    """A data class whose attributes are the fields of a table in scene files."""

    # Name of the table around the fields, if a scene file needs it to distinguish variants.
    _tag: ClassVar[str | None] = None
    # Prefix for names of fields in errors.
    _path: ClassVar[str] = ""
    _fields: ClassVar[dict[str, tuple[Kind, About]]] = {}

    def _data(self) -> dict[str, Any]:
        data = {name: _data_of(self._fit(name, value)) for name, value in self.__dict__.items()}
        return data if self._tag is None else {self._tag: data}

    def _check(self) -> None:
        """Raises if a value is out of range. References to other parts are checked with the scene."""

    def _fit(self, name: str, value: Any) -> Any:
        """Returns a value as plain data. Raises if the field does not accept the value."""
        kind, about = self._fields[name]
        return fit(self._path + name, value, kind, about)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._fields:
            near = difflib.get_close_matches(name, self._fields, 1)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            raise AttributeError(f"{type(self).__name__} has no `{name}`{hint} (known: {', '.join(self._fields)})")
        self._fit(name, value)
        before = dict(self.__dict__)
        # Numpy's arrays compare by element, and their owner may change them later.
        self.__dict__[name] = value.tolist() if hasattr(value, "tolist") else value
        if len(self.__dict__) == len(self._fields):
            try:
                self._check()
            except ValueError:
                self.__dict__.clear()
                self.__dict__.update(before)
                raise

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._data() == other._data()

    def __repr__(self) -> str:
        shown = []
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            default = field.default
            if field.default_factory is not dataclasses.MISSING:
                default = field.default_factory()
            if default is dataclasses.MISSING or value != default:
                shown.append(f"{field.name}={value!r}")
        return f"{type(self).__name__}({', '.join(shown)})"


def fit(name: str, value: Any, kind: Kind, about: About | None = None) -> Any:
    """Returns a value as plain data. Raises an error with the name if `kind` does not accept the value."""
    data = simple(value)
    misfit = kind.misfit(data)
    if misfit:
        where, part, allowed = misfit
        # If no single part is at fault, the error shows the original value.
        raise _refused("wrong_type", name + where, part if where else value, allowed)
    # The engine checks all ranges, but its integer types cannot represent every whole number.
    if kind.allowed.startswith("a whole number") and data is not None:
        low, high = (about.low, about.high) if about else (None, None)
        if not (low or 0) <= data <= (high or _LARGEST):
            allowed = f"a whole number from {low or 0:.0f}" + ("" if high is None else f" to {high:.0f}")
            raise _refused("out_of_range", name, value, allowed)
    return data


def fit_number(name: str, value: Any, low: float, high: float) -> float:
    """Returns a number. Raises an error with the name if the number is out of range."""
    number = float(fit(name, value, NUMBER))
    if not low <= number <= high:
        raise _refused("out_of_range", name, value, f"from {low:g} to {high:g}")
    return number


def _data_of(value: Any) -> Any:
    """Replaces the definitions in a value with plain data."""
    if isinstance(value, Definition):
        return value._data()
    if isinstance(value, dict):
        return {name: _data_of(part) for name, part in value.items()}
    return [_data_of(part) for part in value] if isinstance(value, list) else value


@dataclass_transform(field_specifiers=(dataclasses.field,))
def definition(made: type[_T]) -> type[_T]:
    """A decorator that turns a definition into a data class with checks and help."""
    return described(dataclasses.dataclass(repr=False, eq=False)(made))


def described(made: type[_T]) -> type[_T]:
    """Derives checks and help of a data class from its annotations."""
    hints = get_type_hints(made, include_extras=True)
    fields: tuple[dataclasses.Field[Any], ...] = dataclasses.fields(made)  # type: ignore[arg-type]
    made._fields = {field.name: (kind_of(hints[field.name]), _about(hints[field.name])) for field in fields}
    lines = [made._fields[field.name][1].line(field.name, _default(field)) for field in fields]
    made.__doc__ = f"{made.__doc__}\n\n" + "\n".join(lines)
    # Help shows types without their metadata.
    bare = get_type_hints(made)
    made.__init__.__annotations__.update({field.name: bare[field.name] for field in fields})
    return made


def _about(hint: Any) -> About:
    return next(part for part in get_args(hint)[1:] if isinstance(part, About))


def _default(field: dataclasses.Field[Any]) -> str:
    if field.default_factory is not dataclasses.MISSING:
        return f"default {field.default_factory()!r}"
    return "required" if field.default is dataclasses.MISSING else f"default {field.default!r}"
