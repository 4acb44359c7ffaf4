# SPDX-License-Identifier: BSD-3-Clause
"""Nonsmooth contact dynamics of cables.

>>> import hawser
>>> round(hawser.theory("capstan", friction=0.3, angle_deg=180)["ratio"], 4)
2.5663
"""
from ._library import (  # noqa: F401
    CancelledError, Diagnostic, DivergedError, Error, FileError, GuardError, InputError, SingularError,
    UnconvergedError, version)
from .contact import Problem, Solution, solve, solvers  # noqa: F401
from .results import Results, Series  # noqa: F401
from .scenario import Scenario, schema  # noqa: F401
from .simulation import Body, Centreline, Checkpoint, Event, Run, Simulation, run  # noqa: F401
from .theory import Theory, theories, theory  # noqa: F401

__version__ = version()
