# SPDX-License-Identifier: BSD-3-Clause
"""The shared library, its contexts and its errors."""
from __future__ import annotations

import ctypes
import logging
import os
import re
import weakref
from pathlib import Path
from typing import Any, Callable, Iterator, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _abi

abi: Any = _abi
Array = NDArray[Any]
File = Union[str, "os.PathLike[str]"]


def _load() -> ctypes.CDLL:
    """$HAWSER_LIBRARY, else the library beside which the package was installed or built."""
    given = os.environ.get("HAWSER_LIBRARY")
    if given:
        return ctypes.CDLL(given)
    for folder in Path(__file__).resolve().parents:
        for name in (abi.SONAME, "libhawser.so"):
            if (folder / name).exists():
                return ctypes.CDLL(str(folder / name))
    return ctypes.CDLL(abi.SONAME)


lib: Any = _load()
for _name, (_result, _arguments) in abi.PROTOTYPES.items():
    _function = getattr(lib, _name)
    _function.restype, _function.argtypes = _result, _arguments


def version() -> str:
    """Version of the library."""
    return str(lib.haw_version().decode())


def rows(table: str) -> Iterator[Any]:
    """The heads of the rows of a table such as `haw_solvers`."""
    at = ctypes.addressof(ctypes.c_void_p.in_dll(lib, table))
    while True:
        pointer = ctypes.c_void_p.from_address(at).value
        if pointer is None:
            return
        yield abi.haw_row.from_address(pointer)
        at += ctypes.sizeof(ctypes.c_void_p)


def find_row(table: str, what: str, name: str) -> Any:
    for row in rows(table):
        if row.name == name.encode():
            return row
    known = ", ".join(row.name.decode() for row in rows(table))
    raise InputError(abi.HAW_ERR_INPUT, f"unknown {what} '{name}'; there are {known}")


# ---- errors ----


class Diagnostic(NamedTuple):
    """What is wrong at a place of a scenario: of its text, or of a setting `--set PATH=VALUE` (line 0)."""

    file: str
    line: int
    column: int
    message: str
    text: str
    """The whole report, with the line of the file and a caret below it."""


class Error(Exception):
    """What the library refuses or what ended a run.

    status: number of the outcome; place: the setting it speaks of, as a path of `Scenario.set`, or "";
    diagnostics: all errors of a scenario, each with its place in the text; run: of a run that ended
    early what was computed so far, else None.
    """

    def __init__(self, status: int, message: str, place: str = "", diagnostics: Optional[list[Diagnostic]] = None):
        super().__init__(message)
        self.status, self.place, self.diagnostics = status, place, diagnostics or []
        self.run: Any = None


class InputError(Error, ValueError):
    """Refused before the first step: a key, a number, a scene, an argument."""


class FileError(Error, OSError):
    """A file cannot be read or written."""

    def __str__(self) -> str:
        return str(self.args[0])


class SingularError(Error):
    """A matrix is singular to working precision."""


class DivergedError(Error):
    """The run is unstable or no longer finite."""


class UnconvergedError(Error):
    """A step or an equilibrium missed its tolerance."""


class GuardError(Error):
    """A guard ended the run."""


class CancelledError(Error):
    """The run was cancelled."""


_CLASSES = {
    abi.HAW_ERR_ARG: InputError, abi.HAW_ERR_INPUT: InputError, abi.HAW_ERR_IO: FileError,
    abi.HAW_ERR_SINGULAR: SingularError, abi.HAW_ERR_DIVERGED: DivergedError,
    abi.HAW_ERR_UNCONVERGED: UnconvergedError, abi.HAW_ERR_GUARD: GuardError,
    abi.HAW_ERR_CANCELLED: CancelledError,
}
_REPORT = re.compile(r"(?P<file>.*?)(?::(?P<line>\d+):(?P<column>\d+))?: error: (?P<message>[^\n]*)")
_logger = logging.getLogger("hawser")
_LEVELS = (logging.ERROR, logging.WARNING, logging.INFO, logging.DEBUG)


# ---- handles ----


class Handle:
    """An object of the library, released with the last reference to it or to a view of it."""

    def __init__(self, pointer: Any, release: Callable[[Any], Any], *keeps: Any):
        self.pointer, self.keeps = pointer, keeps
        weakref.finalize(self, _release, release, pointer, keeps)


def _release(release: Callable[[Any], Any], pointer: Any, keeps: tuple[Any, ...]) -> None:
    release(pointer)
    del keeps  # what the object was made with goes after it


class Context:
    """A context of the library: errors become exceptions, other messages go to the logger `hawser`."""

    def __init__(self) -> None:
        pointer = ctypes.c_void_p()
        if lib.haw_context_create(None, ctypes.byref(pointer)) != 0:
            raise MemoryError
        reports: list[str] = []

        def log(user: Any, level: int, text: bytes) -> None:
            line = text.decode(errors="replace")
            reports.append(line) if level == abi.HAW_LOG_ERROR else _logger.log(_LEVELS[level], line)

        self.reports, self._log = reports, abi.haw_log_function(log)
        self.handle = Handle(pointer, lib.haw_context_free, self._log)
        self.pointer = pointer
        lib.haw_context_set_log(pointer, self._log, None)

    def check(self, status: int) -> int:
        """Raise what a status says."""
        if status in (abi.HAW_OK, abi.HAW_DONE):
            return status
        reports, diagnostics = list(self.reports), []
        self.reports.clear()
        for text in reports:
            found = _REPORT.match(text)
            if found:
                line, column = int(found["line"] or 0), int(found["column"] or 0)
                diagnostics.append(Diagnostic(found["file"], line, column, found["message"], text))
        if status == abi.HAW_ERR_NOMEM:
            raise MemoryError(lib.haw_status_text(status).decode())
        message = lib.haw_context_message(self.pointer).decode(errors="replace")
        place = lib.haw_context_place(self.pointer).decode()
        text = "\n".join(reports) or message or lib.haw_status_text(status).decode()
        raise _CLASSES.get(status, Error)(status, text, place, diagnostics)

    def text(self, function: Callable[..., int], *arguments: Any) -> str:
        """A text that the library allocates."""
        pointer = ctypes.c_void_p()
        self.check(function(self.pointer, *arguments, ctypes.byref(pointer)))
        try:
            return ctypes.string_at(pointer.value or 0).decode()
        finally:
            lib.haw_text_free(self.pointer, pointer)


class _Memory:
    """Numbers of the library as numpy sees them; keeps their owner."""

    def __init__(self, address: int, shape: tuple[int, ...], kind: str, owner: Any, writable: bool):
        self.owner = owner
        self.__array_interface__ = {
            "data": (address, not writable), "shape": shape, "typestr": kind, "version": 3}


def view(pointer: Any, shape: tuple[int, ...], owner: Any, kind: Any = np.float64, writable: bool = False) -> Array:
    """An array over memory of the library, without a copy."""
    address = ctypes.cast(pointer, ctypes.c_void_p).value
    if address is None or 0 in shape:
        return np.zeros(shape, kind)
    return np.asarray(_Memory(address, shape, np.dtype(kind).str, owner, writable))


def doubles(values: Any, count: int) -> Any:
    """A C array of `count` numbers."""
    try:
        numbers = np.atleast_1d(np.asarray(values, float))
    except (TypeError, ValueError):
        raise InputError(abi.HAW_ERR_ARG, f"{count} numbers are needed, not {values!r}") from None
    if numbers.shape != (count,):
        raise InputError(abi.HAW_ERR_ARG, f"{count} numbers are needed, not {numbers.size}")
    return (ctypes.c_double * count)(*numbers)


def number(value: Any) -> float:
    """One number."""
    return float(doubles(value, 1)[0])


def fields(struct: Any) -> dict[str, Any]:
    """The plain fields of a struct."""
    result = {}
    for name, *_ in struct._fields_:
        value = getattr(struct, name)
        result[name] = value.decode() if isinstance(value, bytes) else value
    return result
