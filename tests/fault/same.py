#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Have two results files the same objects with the same bytes, the last checkpoint included? Seconds of the clock differ.

    same.py ONE.h5 OTHER.h5        exit code 0 or 1, with a line for each difference
"""
import sys

import h5py


def objects(file):
    """Path and kind: bytes of every dataset and attribute."""
    found = {}

    def keep(name, item):
        for key, value in item.attrs.items():
            if "seconds" not in key:
                found[f"{name}@{key}"] = (str(getattr(value, "dtype", type(value))), bytes(memoryview(value)) if hasattr(
                    value, "tobytes") else str(value))
        if isinstance(item, h5py.Dataset):
            data = item[()]
            found[name] = (str(item.dtype), item.shape, data if isinstance(data, bytes) else data.tobytes())

    file.visititems(keep)
    return found


def main():
    with h5py.File(sys.argv[1]) as one, h5py.File(sys.argv[2]) as other:
        a, b = objects(one), objects(other)
    differ = sorted(name for name in a.keys() | b.keys() if a.get(name) != b.get(name))
    for name in differ[:10]:
        print(name, "differs" if name in a and name in b else "is in one of them only")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
