# SPDX-License-Identifier: BSD-3-Clause
"""Scenarios: read, written as Python, edited, checked."""
from __future__ import annotations

import ctypes
import json
import os
from pathlib import Path
from typing import Any, Mapping, Optional, Union

import numpy as np

from ._library import abi, Context, File, Handle, InputError, lib

Source = Union[File, Mapping[str, Any], "Scenario"]


def _plain(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"a scenario cannot hold {type(value).__name__}")


def _flow(value: Any) -> str:
    """A value as YAML on one line, as --set has it."""
    return value if isinstance(value, str) else json.dumps(value, default=_plain)


def _find(name: str) -> str:
    """A file, or a scenario that comes with the program: beside the library, or in the tree of the sources."""
    if not os.path.exists(name) and name == os.path.basename(name):
        for folder in Path(__file__).resolve().parents:
            for place in ("share/hawser/scenarios", "data/scenarios"):
                shipped = folder / place / f"{name}.yaml"
                if shipped.exists():
                    return str(shipped)
    return name


class Scenario:
    """A scenario as text, and the settings that change it.

    Scenario("impact.yaml")                   a file
    Scenario("disk-impact")                   one that comes with hawser, unless a file has that name
    Scenario.from_yaml("hawser: 1 ...")       a text
    Scenario({"hawser": 1, "bodies": [...]})  dicts, lists, numbers and numpy arrays with the same keys
    """

    file: str
    text: Optional[str]

    def __init__(self, source: Source):
        self.sets: list[str] = []
        if isinstance(source, Scenario):
            self.file, self.text, self.sets = source.file, source.text, list(source.sets)
        elif isinstance(source, Mapping):
            self.file, self.text = "<dict>", json.dumps(source, default=_plain, indent=1)
        else:
            self.file, self.text = _find(os.fspath(source)), None

    @classmethod
    def from_yaml(cls, text: str, name: str = "<text>") -> "Scenario":
        """A scenario from a YAML text; `name` stands for the file in messages."""
        scenario = cls({})
        scenario.file, scenario.text = name, text
        return scenario

    def set(self, path: str, value: Any) -> "Scenario":
        """Override one value, as `--set path=value` does; returns the scenario itself.

        Paths are keys joined by dots; an item of a list is addressed by its name, a contact by the pair
        (`contact.cable-disk.friction`); `contact.friction` sets it in all pairs.
        """
        self.sets.append(f"{path}={_flow(value)}")
        return self

    def __setitem__(self, path: str, value: Any) -> None:
        self.set(path, value)

    def with_(self, **values: Any) -> "Scenario":
        """A copy with settings; `__` stands for a dot: with_(contact__friction=0.2)."""
        copy = Scenario(self)
        for path, value in values.items():
            copy.set(path.replace("__", "."), value)
        return copy

    def read(self, context: Optional[Context] = None) -> "Reading":
        """Read it; raises InputError with all its diagnostics."""
        return Reading(self, context or Context())

    def check(self) -> "Scenario":
        """Everything up to the first step; raises InputError with `diagnostics`. Returns the scenario."""
        from .simulation import Simulation

        Simulation(self)
        return self

    @property
    def resolved(self) -> str:
        """The scenario with every default, as YAML."""
        reading = self.read()
        return reading.context.text(lib.haw_scenario_resolve, reading.pointer)


class Reading:
    """A scenario that was read: haw_scenario and the model of its scene."""

    def __init__(self, scenario: Scenario, context: Context):
        self.context = context
        self.pointer: Any = ctypes.c_void_p()
        count = len(scenario.sets)
        sets = (ctypes.c_char_p * max(count, 1))(*[s.encode() for s in scenario.sets])
        given = (count, ctypes.cast(sets, abi.PROTOTYPES["haw_scenario_read"][1][3]))
        out = ctypes.cast(ctypes.byref(self.pointer), abi.PROTOTYPES["haw_scenario_read"][1][4])
        name = scenario.file.encode()
        if scenario.text is None:
            status = lib.haw_scenario_read(context.pointer, name, *given, out)
        else:
            status = lib.haw_scenario_parse(context.pointer, name, scenario.text.encode(), *given, out)
        context.check(status)
        self.pointer = ctypes.cast(self.pointer, ctypes.POINTER(abi.haw_scenario))
        self.struct = self.pointer.contents
        context_pointer = context.pointer
        self.handle = Handle(
            self.pointer, lambda p: lib.haw_scenario_free(context_pointer, p), context.handle)

    def check(self, status: int) -> int:
        """The same as that of the context; what a model refuses is shown at its place in the text."""
        if status == abi.HAW_ERR_INPUT:
            place, message = lib.haw_context_place(self.context.pointer), lib.haw_context_message(self.context.pointer)
            if place:
                lib.haw_scenario_complain(self.context.pointer, self.pointer, place, message)
        return self.context.check(status)


def schema() -> dict[str, Any]:
    """The JSON schema of scenarios."""
    return dict(json.loads(Context().text(lib.haw_scenario_schema)))


def reading_of(source: Source) -> Reading:
    if isinstance(source, (Scenario, Mapping, str, os.PathLike)):
        return (source if isinstance(source, Scenario) else Scenario(source)).read()
    raise InputError(abi.HAW_ERR_ARG, f"a scenario is a file, a dict or a Scenario, not {type(source).__name__}")
