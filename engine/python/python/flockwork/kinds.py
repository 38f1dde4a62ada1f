"""The kinds of values that fields of definitions accept, derived from type annotations."""

from __future__ import annotations

import numbers
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from numpy.typing import NDArray

Point = Union[Sequence[float], NDArray[Any]]
"""A point: [x, y], or [x, y, z] in a world with depth."""

Misfit = tuple[str, Any, str]
"""The position of a misfit within a value (e.g. `"[2].center"`), the misfit, and the allowed values."""


@dataclass(frozen=True)
class About:
    """Meaning, range and unit of a field, for help and for checks of whole numbers."""

    meaning: str
    low: float | None = None
    high: float | None = None
    unit: str = ""

    def line(self, name: str, default: str) -> str:
        limits = "" if self.low is None else f"{self.range()} {self.unit}".rstrip() + ", "
        return f"{name}: {self.meaning.rstrip('.')} ({limits}{default})"

    def range(self) -> str:
        return f"from {self.low:g}" if self.high is None else f"{self.low:g} to {self.high:g}"


@dataclass(frozen=True)
class Kind:
    """A kind of values: the allowed values in words, and a function that finds a misfit."""

    allowed: str
    misfit: Callable[[Any], Misfit | None]


def plain(allowed: str, fits: Callable[[Any], bool]) -> Kind:
    """A kind whose values have no parts."""
    return Kind(allowed, lambda value: None if fits(value) else ("", value, allowed))


def is_number(value: Any) -> bool:
    """True for numbers, but not for booleans."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_whole(value: Any) -> bool:
    """True for integers, but not for booleans."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_pair(value: Any) -> bool:
    """True for a list of two numbers."""
    return isinstance(value, list) and len(value) == 2 and all(map(is_number, value))


def is_point(value: Any) -> bool:
    """True for a list of two or three numbers. The engine checks the number for the scene's world."""
    return isinstance(value, list) and len(value) in (2, 3) and all(map(is_number, value))


ANYTHING = plain("anything", lambda value: True)
NUMBER = plain("a number", is_number)
WHOLE = plain("a whole number", is_whole)
FLAG = plain("True or False", lambda value: isinstance(value, bool))
TEXT = plain("text", lambda value: isinstance(value, str))
PAIR = plain("a pair of numbers", is_pair)
POINT = plain("a point [x, y], or [x, y, z] in a world with depth", is_point)
NONE = plain("None", lambda value: value is None)
_BASIC = {Any: ANYTHING, float: NUMBER, int: WHOLE, bool: FLAG, str: TEXT, type(None): NONE, Point: POINT}


def choice(names: tuple[str, ...]) -> Kind:
    """The kind whose values are the given names."""
    quoted = [f'"{name}"' for name in names]
    allowed = " or ".join(filter(None, [", ".join(quoted[:-1]), quoted[-1]]))
    return plain(allowed, lambda value: isinstance(value, str) and value in names)


def kind_of(annotation: Any) -> Kind:
    """The kind of value that an annotation describes."""
    if annotation in _BASIC:
        return _BASIC[annotation]
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        kinds = [part for part in parts[1:] if isinstance(part, Kind)]
        return kinds[0] if kinds else kind_of(parts[0])
    if origin is Literal:
        return choice(parts)
    if origin in (Union, types.UnionType):
        return _either([kind_of(part) for part in parts])
    if origin in (tuple, Sequence):
        return PAIR
    if origin is list:
        return _list_of(kind_of(parts[0]), _many(parts[0]))
    if origin is dict:
        return _dict_of(kind_of(parts[1]))
    article = "an" if annotation.__name__[0] in "AEIOU" else "a"
    return plain(f"{article} {annotation.__name__}", lambda value: isinstance(value, annotation))


def _many(annotation: Any) -> str:
    if get_origin(annotation) is Union:
        return "these"
    names = {float: "numbers", str: "strings", Point: "points [x, y], or [x, y, z] in a world with depth"}
    return names.get(annotation) or f"{annotation.__name__} objects"


def _either(kinds: list[Kind]) -> Kind:
    def misfit(value: Any) -> Misfit | None:
        found = [kind.misfit(value) for kind in kinds]
        if None in found:
            return None
        deeper = [one for one in found if one and one[0]]
        return deeper[0] if deeper else ("", value, allowed)

    allowed = " or ".join(kind.allowed for kind in kinds)
    return Kind(allowed, misfit)


def _list_of(inner: Kind, many: str) -> Kind:
    def misfit(value: Any) -> Misfit | None:
        if not isinstance(value, list):
            return ("", value, allowed)
        return _first_misfit(inner, ((f"[{number}]", part) for number, part in enumerate(value)))

    allowed = f"a list of {many}"
    return Kind(allowed, misfit)


def _dict_of(inner: Kind) -> Kind:
    def misfit(value: Any) -> Misfit | None:
        if not isinstance(value, dict):
            return ("", value, allowed)
        unnamed = [name for name in value if not isinstance(name, str)]
        if unnamed:
            return (" (a key)", unnamed[0], "text")
        return _first_misfit(inner, ((f"[{name!r}]", part) for name, part in value.items()))

    allowed = f"a dictionary from names to {inner.allowed}"
    return Kind(allowed, misfit)


def _first_misfit(inner: Kind, parts: Iterable[tuple[str, Any]]) -> Misfit | None:
    for place, part in parts:
        found = inner.misfit(part)
        if found:
            return (place + found[0], found[1], found[2])
    return None


def simple(value: Any) -> Any:
    """Converts a value with numpy arrays, numpy numbers or tuples to Python's own numbers and lists."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, Mapping):
        return {name: simple(part) for name, part in value.items()}
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return [simple(part) for part in value]
    if isinstance(value, numbers.Integral):
        return int(value)
    return float(value) if isinstance(value, numbers.Real) else value
