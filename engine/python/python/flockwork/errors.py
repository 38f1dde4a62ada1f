"""Exceptions that name the refused value and the allowed values."""

from __future__ import annotations

import reprlib
from typing import Any


class FlockworkError(ValueError):
    """A refused argument, field or call. `code` identifies the kind of error and is stable between versions."""

    code: str = ""
    field: str | None = None
    """The name of the refused argument, or of a field such as `species[0].max_speed`."""
    value: str | None = None
    """The refused value."""
    allowed: str | None = None
    """The allowed values, with their unit."""


class WrongType(FlockworkError, TypeError):
    """A value whose type an argument or a field does not accept."""


class UnknownName(FlockworkError, LookupError):
    """A name that does not exist."""

    name: str = ""
    nearest: str | None = None
    """The most similar valid name, or None if no name is similar."""
    known: list[str] = []
    """All valid names."""


class SnapshotVersion(FlockworkError):
    """A snapshot in another version of the format. A damaged snapshot is a plain `FlockworkError`."""


class NoSuchAgent(FlockworkError, LookupError):
    """An id of a removed agent, or an id that never existed."""


class FileError(FlockworkError, OSError):
    """A file that cannot be read or written."""


class FileMissing(FileError, FileNotFoundError):
    """A file that does not exist."""


class OutOfMemory(FlockworkError, MemoryError):
    """A request for more memory than is available."""


class Forked(FlockworkError, RuntimeError):
    """A crowd of the parent process, used in a child process after `fork`."""


class FlatWorld(FlockworkError, AttributeError):
    """A z component of a crowd whose world is flat."""


class FlockworkWarning(UserWarning):
    """A scene that can be built, but probably does not do what was intended."""


_CLASSES = {
    "wrong_type": WrongType,
    "unknown_name": UnknownName,
    "snapshot_version": SnapshotVersion,
    "no_such_agent": NoSuchAgent,
    "file": FileError,
    "memory": OutOfMemory,
    "forked": Forked,
    "flat_world": FlatWorld,
}


def _exception(code: str, message: str, details: dict[str, Any]) -> FlockworkError:
    missing = details.pop("missing", False)
    kind = FileMissing if missing else _CLASSES.get(code, FlockworkError)
    exception = kind(message)
    exception.code = code
    for name, value in details.items():
        setattr(exception, name, value)
    return exception


def _refused(code: str, field: str, value: Any, allowed: str) -> FlockworkError:
    shown = _shown(value)
    said = f"{shown} ({type(value).__name__})" if code == "wrong_type" else shown
    message = f"{field} = {said}: must be {allowed}"
    return _exception(code, message, {"field": field, "value": shown, "allowed": allowed})


def _shown(value: Any) -> str:
    """Abbreviates a value. An array is shown by shape and type, since its shape is the usual mistake."""
    shape = getattr(value, "shape", ())
    if shape and hasattr(value, "dtype"):
        return f"an array of shape {tuple(shape)} of {value.dtype}"
    return _SHORT.repr(value)


_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 60
