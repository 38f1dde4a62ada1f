"""What the engine refuses, as exceptions that say what was wrong and what is allowed."""

from __future__ import annotations

from typing import Any


class FlockworkError(ValueError):
    """A refusal. `code` names its kind and stays the same between versions."""

    code: str = ""
    field: str | None = None
    """What was refused: `species[0].max_speed`."""
    value: str | None = None
    """The refused value."""
    allowed: str | None = None
    """What is allowed instead, with its unit."""


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


_CLASSES = {
    "unknown_name": UnknownName,
    "no_such_agent": NoSuchAgent,
    "file": FileError,
    "memory": OutOfMemory,
}


def _exception(code: str, message: str, details: dict[str, Any]) -> FlockworkError:
    missing = details.pop("missing", False)
    kind = FileMissing if missing else _CLASSES.get(code, FlockworkError)
    exception = kind(message)
    exception.code = code
    for name, value in details.items():
        setattr(exception, name, value)
    return exception
