"""What is refused, as exceptions that say what was wrong and what is allowed."""

from __future__ import annotations

import reprlib
from typing import Any


class FlockworkError(ValueError):
    """A refusal. `code` names its kind and stays the same between versions."""

    code: str = ""
    field: str | None = None
    """What was refused: an argument, or a field such as `species[0].max_speed`."""
    value: str | None = None
    """The refused value."""
    allowed: str | None = None
    """What is allowed instead, with its unit."""


class WrongType(FlockworkError, TypeError):
    """A value of a type that an argument or a field does not take."""


class UnknownName(FlockworkError, LookupError):
    """A name that does not exist."""

    name: str = ""
    nearest: str | None = None
    """The most similar name, if any is similar."""
    known: list[str] = []
    """All valid names."""


class NoSuchAgent(FlockworkError, LookupError):
    """An id whose agent was removed, or that was never given out."""


class FileError(FlockworkError, OSError):
    """A file that cannot be read or written."""


class FileMissing(FileError, FileNotFoundError):
    """A file that is not there."""


class OutOfMemory(FlockworkError, MemoryError):
    """More memory than is available."""


class Forked(FlockworkError, RuntimeError):
    """A crowd of the parent process, used in a child that `fork` has made."""


class FlockworkWarning(UserWarning):
    """A scene that can be built, but hardly does what was meant."""


_CLASSES = {
    "wrong_type": WrongType,
    "unknown_name": UnknownName,
    "no_such_agent": NoSuchAgent,
    "file": FileError,
    "memory": OutOfMemory,
    "forked": Forked,
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
    """The refusal of a value from Python, which is described."""
    shown = _shown(value)
    said = f"{shown} ({type(value).__name__})" if code == "wrong_type" else shown
    message = f"{field} = {said}: must be {allowed}"
    return _exception(code, message, {"field": field, "value": shown, "allowed": allowed})


def _shown(value: Any) -> str:
    """A value in a few words. Of an array, its shape says what is wrong with it."""
    shape = getattr(value, "shape", ())
    if shape:
        return f"an array of shape {tuple(shape)} of {value.dtype}"
    return _SHORT.repr(value)


_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 60
