"""Classes for all behaviors, generated from the engine's list: parameters, their meanings and ranges.

`behaviors.pyi` declares these classes for type checkers.
"""

from __future__ import annotations

import dataclasses
import re
from itertools import combinations
from typing import Annotated, Any, Literal

from . import _engine
from .definition import Definition, described
from .kinds import FLAG, NUMBER, TEXT, About, Kind, is_point, is_whole, plain


class Behavior(Definition):
    """A steering behavior. Its parameters are attributes."""

    def _check(self) -> None:
        _engine.check_one_behavior(self)


_WHOLE = plain("a whole number below 2**32", lambda value: is_whole(value) and 0 <= value < 2**32)
_PARTS: dict[frozenset[str], tuple[Kind, ...]] = {
    **{
        frozenset({"nearest", *more}): (TEXT, NUMBER, FLAG)
        for count in range(4)
        for more in combinations(("distance", "field_of_view", "line_of_sight"), count)
    },
    frozenset({"species", "number"}): (TEXT, _WHOLE),
    frozenset({"index", "generation"}): (_WHOLE, _WHOLE),
}


def _is_target(value: Any) -> bool:
    if not isinstance(value, dict):
        return isinstance(value, str) or is_point(value)
    kinds = _PARTS.get(frozenset(value), ())
    return len(kinds) > 0 and all(any(kind.misfit(part) is None for kind in kinds) for part in value.values())


TARGET = plain(
    'a point [x, y] (in a world with depth, [x, y, z]), the name of a point, "own", '
    "or the result of `nearest`, `member` or `agent`",
    _is_target,
)
_TYPES: dict[str, Any] = {
    "number": float,
    "optional": float | None,
    "whole": int,
    "flag": bool,
    "target": Annotated[Any, TARGET],
    "path": str,
    "name": str | None,
    "species": list[str],
    "vector": tuple[float, float],
    "any": Any,
}
_BY_NAME: dict[str, type[Behavior]] = {}


def behavior_from(data: dict[str, dict[str, Any]]) -> Behavior:
    """Makes a behavior from its form in a scene file: a name with a table of parameters."""
    ((name, parameters),) = data.items()
    behavior = _BY_NAME[name]
    # Parameters that are none although their defaults are not. A list of species has no None.
    none = {one: None if behavior._fields[one][0].misfit(None) is None else [] for one in parameters.pop("none", ())}
    return behavior(**parameters, **none)


def _class(name: str, about: str, parameters: list[tuple[Any, ...]]) -> type[Behavior]:
    fields: list[Any] = []
    for parameter, meaning, unit, (low, high), kind, choices, default in parameters:
        limits = (low, high) if high > low else (None, None)
        type_ = Literal[tuple(choices)] if choices else _TYPES[kind]
        annotation = Annotated[type_, About(meaning, *limits, unit)]
        # A behavior needs its target or path, so these parameters are required.
        if kind in ("target", "path"):
            fields.append((parameter, annotation))
        elif kind == "species":
            fields.append((parameter, annotation, dataclasses.field(default_factory=default.copy)))
        else:
            fields.append((parameter, annotation, dataclasses.field(default=default)))
    title = "".join(part.capitalize() for part in name.split("_"))
    namespace = {"_tag": name, "_path": f"{name}.", "__module__": "flockwork", "__doc__": _plain(about), "__repr__": _repr}
    settings = {"kw_only": True, "repr": False, "eq": False, "match_args": False}
    return described(dataclasses.make_dataclass(title, fields, bases=(Behavior,), namespace=namespace, **settings))


def _plain(about: str) -> str:
    """The first paragraph of a Rust doc comment, with links replaced by their text."""
    paragraph = " ".join(about.split("\n\n")[0].split())
    return re.sub(r"\[(`?[^]]+`?)\]\([^)]*\)", r"\1", paragraph)


def _repr(behavior: Behavior) -> str:
    values = (f"{name}={value!r}" for name, value in behavior.__dict__.items())
    return f"{type(behavior).__name__}({', '.join(values)})"


for _name, _about, _parameters in _engine.behaviors():
    _BY_NAME[_name] = _class(_name, _about, _parameters)
    globals()[_BY_NAME[_name].__name__] = _BY_NAME[_name]

__all__ = [_one.__name__ for _one in _BY_NAME.values()]
