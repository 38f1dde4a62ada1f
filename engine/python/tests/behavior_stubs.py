"""Writes `behaviors.pyi` from the engine's list of behaviors:

python engine/python/tests/behavior_stubs.py > engine/python/python/flockwork/behaviors.pyi
"""

from flockwork import _engine

HEAD = """\
# Written by tests/behavior_stubs.py.
from collections.abc import Mapping
from typing import Any, Literal

from .definition import Definition
from .kinds import Kind, Point

_Target = str | Point | Mapping[str, Any]
TARGET: Kind

class Behavior(Definition): ...

def behavior_from(data: dict[str, dict[str, Any]]) -> Behavior: ...
"""
TYPES = {
    "number": "float",
    "optional": "float | None",
    "whole": "int",
    "flag": "bool",
    "target": "_Target",
    "path": "str",
    "name": "str | None",
    "species": "list[str]",
    "vector": "Point",
    "any": "Any",
}


def class_name(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def stubs() -> str:
    lines = [HEAD]
    for name, _about, parameters in _engine.behaviors():
        title = class_name(name)
        lines.append(f"class {title}(Behavior):")
        arguments = []
        for parameter, about, _unit, _range, kind, choices, _default in parameters:
            type_ = f"Literal{choices}".replace("'", '"') if choices else TYPES[kind]
            lines.append(f'    {parameter}: {type_}\n    """{about}"""')
            optional = "" if kind in ("target", "path") else " = ..."
            arguments.append(f"{parameter}: {type_}{optional}")
        lines.append(f"    def __init__(self, *, {', '.join(arguments)}) -> None: ...\n")
    names = "".join(f'    "{class_name(name)}",\n' for name, *_ in _engine.behaviors())
    lines.append(f"__all__ = [\n{names}]")
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    print(stubs(), end="")
