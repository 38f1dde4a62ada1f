"""What scenes are made of: data classes that say all their values, and check them as they are set."""

from __future__ import annotations

import dataclasses
import difflib
from typing import Any, ClassVar


def data_of(value: Any) -> Any:
    """A value as the engine reads it: plain numbers, lists and dictionaries."""
    if isinstance(value, Definition):
        return value._data()
    if isinstance(value, dict):
        return {name: data_of(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [data_of(one) for one in value]
    # Numbers and arrays of numpy.
    return value.tolist() if hasattr(value, "tolist") else value


class Definition:
    """A data class whose attributes are the fields of scene files."""

    # The name around the fields, where a scene file needs one to tell kinds apart.
    _tag: ClassVar[str | None] = None

    def _data(self) -> dict[str, Any]:
        data = {name: data_of(value) for name, value in self.__dict__.items()}
        return data if self._tag is None else {self._tag: data}

    def _check(self) -> None:
        """Raises if a value is out of range. What refers to other parts is checked with the scene."""

    def __setattr__(self, name: str, value: Any) -> None:
        fields = self.__dataclass_fields__  # type: ignore[attr-defined]
        if name not in fields:
            near = difflib.get_close_matches(name, fields, 1)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            raise AttributeError(f"{type(self).__name__} has no `{name}`{hint} (known: {', '.join(fields)})")
        before = dict(self.__dict__)
        self.__dict__[name] = value
        if len(self.__dict__) == len(fields):
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
