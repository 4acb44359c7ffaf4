# SPDX-License-Identifier: BSD-3-Clause
"""Results files, through h5py."""
from __future__ import annotations

import os
from typing import Any, Iterator, NamedTuple, Optional, Union

import numpy as np

from ._library import Array, File
from .simulation import Centreline, Event


class Series(NamedTuple):
    """A quantity over time."""

    t: Array
    values: Array
    unit: str


def frame_of(t: Array, columns: dict[str, Any]) -> Any:
    """A pandas.DataFrame over time; a column for each component."""
    import pandas

    flat = {}
    for name, values in columns.items():
        if values.ndim == 1:
            flat[name] = values
        else:
            flat.update({f"{name}[{k}]": values[:, k] for k in range(values.shape[1])})
    return pandas.DataFrame(flat, index=pandas.Index(t, name="t"))


def _word(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value


class Results:
    """A results file of `hawser run -o` or of `hawser.run(..., output=)`.

    results["disk.position"] is a probe, results["energy/kinetic"], results["bodies/disk/spin"] any other
    series by its place below /hawser; `names` lists them. `file` is the h5py.File.
    """

    def __init__(self, path: File):
        import h5py

        self.file = h5py.File(path, "r")
        self.group = self.file["hawser"]
        self.t: Array = self.file["VTKHDF/Steps/Values"][:]

    def close(self) -> None:
        self.file.close()

    def __enter__(self) -> "Results":
        return self

    def __exit__(self, *ignored: Any) -> None:
        self.close()

    def _is_clock(self, item: Any) -> bool:
        """Whether it is the time that stands beside the series of each group."""
        return bool(item == self.group["energy/t"])

    @property
    def names(self) -> list[str]:
        """Names of all series."""
        found: list[str] = []

        def look(name: str, item: Any) -> None:
            if hasattr(item, "shape") and item.shape and len(item) == len(self.t) and not name.startswith("events") and not self._is_clock(item):
                found.append(name[7:] if name.startswith("probes/") else name)

        self.group.visititems(look)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __getitem__(self, name: str) -> Series:
        probes = self.group.get("probes", {})
        item = probes.get(name) if name in probes else self.group.get(name)
        if not hasattr(item, "shape"):
            raise KeyError(f"no series '{name}'; there are {', '.join(self.names)}")
        return Series(self.t, item[:], _word(item.attrs.get("unit", b"")))

    @property
    def scenario(self) -> str:
        """Text of the scenario."""
        return str(_word(self.group["scenario"][()]))

    @property
    def resolved(self) -> str:
        """The scenario with every default."""
        return str(_word(self.group["resolved"][()]))

    @property
    def summary(self) -> dict[str, Any]:
        """How the run ended: steps, energies, certificate. Empty if it was killed."""
        group = self.group.get("summary")
        return {} if group is None else {k: _word(v) for k, v in group.attrs.items()}

    def _members(self, name: str) -> list[str]:
        """In the order of the scene, which is that of their creation."""
        import h5py

        names: list[str] = []
        if name in self.group:
            group = self.group[name]
            group.id.links.iterate(lambda member: names.append(member.decode()), idx_type=h5py.h5.INDEX_CRT_ORDER)
        return names

    @property
    def cables(self) -> list[str]:
        return self._members("cables")

    @property
    def bodies(self) -> list[str]:
        return self._members("bodies")

    @property
    def events(self) -> list[Event]:
        """Events of the run."""
        group = self.group["events"]
        kinds = dict(item.split(": ") for item in _word(group.attrs["kinds"]).split(", "))
        pairs = self._members("contacts")
        rows = zip(group["t"][:], group["pair"][:], group["kind"][:], group["value"][:])
        return [Event(float(t), pairs[p] if p < len(pairs) else str(p), kinds[str(k)], float(v)) for t, p, k, v in rows]

    def centreline(self, cable: str, t: Optional[float] = None) -> Centreline:
        """A cable at the output nearest to t; None: the last."""
        if cable not in self.cables:
            raise KeyError(f"no cable '{cable}'; there are {', '.join(self.cables)}")
        group = self.group["cables"][cable]
        i = len(self.t) - 1 if t is None else int(np.argmin(np.abs(self.t - t)))
        x, y = group["x"][i], group["y"][i]
        z = group["z"][i] if "z" in group else np.zeros_like(x)
        profile = (group["tension"][i], group["strain"][i], group["curvature"][i])
        return Centreline(group["xi"][:], np.stack([x, y, z], axis=1), *profile)

    def to_pandas(self) -> Any:
        """All probes as a pandas.DataFrame over time."""
        return frame_of(self.t, {k: item[:] for k, item in self.group.get("probes", {}).items() if not self._is_clock(item)})
