"""The behaviors, made from what the engine says of each: its parameters, their meaning and range.

`behaviors.pyi` lists them.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from . import _engine
from .definition import Definition


class Behavior(Definition):
    """A steering behavior and its parameters, which are attributes."""

    def _check(self) -> None:
        _engine.check_one_behavior(self)


_BY_NAME: dict[str, type[Behavior]] = {}


def behavior_from(data: dict[str, dict[str, Any]]) -> Behavior:
    """A behavior as a scene file has it: its name, and a table of parameters."""
    ((name, parameters),) = data.items()
    return _BY_NAME[name](**parameters)


def _class(name: str, parameters: list[tuple[Any, ...]]) -> type[Behavior]:
    fields: list[Any] = []
    lines = []
    for parameter, about, unit, (low, high), kind, default in parameters:
        # A behavior without its target or its path is none.
        if kind in ("target", "path"):
            fields.append((parameter, Any))
            said = "required"
        else:
            fields.append((parameter, Any, dataclasses.field(default=default)))
            said = f"default {default!r}"
        limits = f"{low:g} to {high:g} {unit}".rstrip() + ", " if high > low else ""
        lines.append(f"{parameter}: {about.rstrip('.')} ({limits}{said})")
    title = "".join(part.capitalize() for part in name.split("_"))
    namespace = {
        "_tag": name,
        "__module__": "flockwork",
        "__doc__": f"The behavior `{name}`.\n\n" + "\n".join(lines),
        "__repr__": _repr,
    }
    settings = {"kw_only": True, "repr": False, "eq": False, "match_args": False}
    return dataclasses.make_dataclass(title, fields, bases=(Behavior,), namespace=namespace, **settings)


def _repr(behavior: Behavior) -> str:
    values = (f"{name}={value!r}" for name, value in behavior.__dict__.items())
    return f"{type(behavior).__name__}({', '.join(values)})"


for _name, _parameters in _engine.behaviors():
    _BY_NAME[_name] = _class(_name, _parameters)
    globals()[_BY_NAME[_name].__name__] = _BY_NAME[_name]

__all__ = [_one.__name__ for _one in _BY_NAME.values()]
