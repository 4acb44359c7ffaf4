# SPDX-License-Identifier: BSD-3-Clause
"""Nonsmooth contact dynamics of cables.

>>> import hawser
>>> round(hawser.theory("capstan", friction=0.3, wrap=3.14159265)["ratio"], 4)
2.5663
"""
from ._library import (
    CancelledError, Diagnostic, DivergedError, Error, FileError, GuardError, InputError, SingularError,
    UnconvergedError, version)
from .contact import Problem, Solution, solve, solvers
from .results import Results, Series
from .scenario import Scenario, schema
from .simulation import Body, Centreline, Checkpoint, Event, Run, Simulation, run
from .theory import Theory, theories, theory

__version__ = version()
__all__ = [
    "Body", "CancelledError", "Centreline", "Checkpoint", "Diagnostic", "DivergedError", "Error", "Event",
    "FileError", "GuardError", "InputError", "Problem", "Results", "Run", "Scenario", "Series", "Simulation",
    "SingularError", "Solution", "Theory", "UnconvergedError", "run", "schema", "solve", "solvers", "theories",
    "theory", "version"]
