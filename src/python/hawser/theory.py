# SPDX-License-Identifier: BSD-3-Clause
"""Closed forms."""
from __future__ import annotations

import ctypes
from typing import Any, Iterator, Mapping, Union

import numpy as np

from ._library import abi, Array, Context, find_row, lib, number, rows, view


class Theory(Mapping[str, Union[float, Array]]):
    """Named numbers and profiles of a closed form; `units`, `help` and `texts` by the same names."""

    def __init__(self, name: str, source: str, result: Any):
        self.name, self.source = name, source
        self.values_: dict[str, Union[float, Array]] = {}
        self.units: dict[str, str] = {}
        self.help: dict[str, str] = {}
        self.texts: dict[str, str] = {}
        for i in range(result.count):
            quantity = result.quantity[i]
            key = quantity.key.decode()
            values = view(quantity.value, (quantity.count,), None)
            self.values_[key] = values.copy() if quantity.is_profile else float(values[0])
            self.units[key], self.help[key] = quantity.unit.decode(), quantity.help.decode()
        for text in result.text[:result.texts]:
            self.texts[text.key.decode()] = text.value.decode()

    def __getitem__(self, key: str) -> Union[float, Array]:
        return self.values_[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_)

    def __len__(self) -> int:
        return len(self.values_)

    def __repr__(self) -> str:
        shown = ", ".join(f"{k}={v:.6g}" if isinstance(v, float) else f"{k}=[{len(v)}]" for k, v in self.items())
        return f"Theory({self.name}: {shown})"


def theory(name: str, **options: Any) -> Theory:
    """Evaluate a closed form by its name; its options are those of `hawser theory NAME`, with _ for -."""
    context, row = Context(), find_row("haw_theories", "theory", name)
    memory = (ctypes.c_double * (row.options_size // 8 + 1))()
    lib.haw_options_init(row.options, memory)
    known = {}
    for i in range(10000):
        if row.options[i].key is None:
            break
        known[row.options[i].key.decode().replace("-", "_")] = row.options[i].key
    for key, value in options.items():
        text = str(value).lower() if isinstance(value, bool) else \
            str([number(v) for v in value]) if isinstance(value, (list, tuple, np.ndarray)) else str(value)
        context.check(lib.haw_options_parse(
            context.pointer, row.options, memory, known.get(key, key.encode()), text.encode()))
    result = abi.haw_theory_result()
    ops = ctypes.cast(ctypes.addressof(row), ctypes.POINTER(abi.haw_theory_ops))
    context.check(lib.haw_theory_evaluate(context.pointer, ops, memory, result))
    try:
        return Theory(name, row.source.decode(), result)
    finally:
        lib.haw_theory_result_free(context.pointer, result)


def theories() -> dict[str, str]:
    """Names of the closed forms and what they are."""
    return {row.name.decode(): row.summary.decode() for row in rows("haw_theories")}
