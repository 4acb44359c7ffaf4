# SPDX-License-Identifier: BSD-3-Clause
"""Frictional contact problems and their solvers."""
from __future__ import annotations

import ctypes
import os
from typing import Any, NamedTuple, Optional, Union

import numpy as np

from ._library import abi, Array, Context, File, Handle, InputError, doubles, fields, find_row, lib, rows, view  # noqa: F401


class Csr(NamedTuple):
    """A matrix as scipy.sparse.csr_matrix((data, indices, indptr), shape) takes it."""

    data: Array
    indices: Array
    indptr: Array
    shape: tuple[int, int]


class Bsr(NamedTuple):
    """A matrix of blocks as scipy.sparse.bsr_matrix((data, indices, indptr)) takes it."""

    data: Array
    indices: Array
    indptr: Array

    def toarray(self) -> Array:
        n, d = len(self.indptr) - 1, self.data.shape[-1] if len(self.data) else 1
        full = np.zeros((n, d, n, d))
        for i in range(n):
            for k in range(self.indptr[i], self.indptr[i + 1]):
                full[i, :, self.indices[k], :] = self.data[k]
        return full.reshape(n * d, n * d)


def _blocks(w: Any, d: int) -> Bsr:
    """Blocks of a dense matrix, of a sparse one of scipy, or of (data, indices, indptr)."""
    if isinstance(w, tuple):
        return Bsr(*[np.asarray(part) for part in w[:3]])
    if hasattr(w, "tobsr"):
        sparse = w.tobsr((d, d))
        sparse.sort_indices()
        return Bsr(sparse.data, sparse.indices, sparse.indptr)
    dense = np.asarray(w, float)
    n = len(dense) // d
    if dense.shape != (n * d, n * d):
        raise InputError(abi.HAW_ERR_ARG, f"W must be square with a multiple of {d} rows, not {dense.shape}")
    full = dense.reshape(n, d, n, d).transpose(0, 2, 1, 3)
    kept = np.abs(full).max(axis=(2, 3), initial=0) > 0
    np.fill_diagonal(kept, True)
    row, column = np.nonzero(kept)
    return Bsr(full[row, column], column, np.concatenate([[0], np.cumsum(np.bincount(row, minlength=n))]))


class Problem:
    """u = W r + q, K* contains u + mu |u_T| n, perpendicular to r in K (Coulomb's cone).

    Rows are interleaved by contact, normal first. Arrays are views of the problem.
    """

    def __init__(self, w: Any = None, q: Any = None, mu: Any = None, scale: float = 0.0):
        q, mu = np.atleast_1d(np.asarray(q, float)), np.atleast_1d(np.asarray(mu, float))
        dimension = len(q) // len(mu) if len(mu) else 0
        if dimension not in (2, 3) or len(q) != dimension * len(mu):
            raise InputError(abi.HAW_ERR_ARG, f"q needs 2 or 3 numbers for each mu ({len(q)} for {len(mu)})")
        blocks = _blocks(w, dimension)
        if len(blocks.indptr) != len(mu) + 1 or blocks.data.shape[1:] != (dimension, dimension):
            raise InputError(abi.HAW_ERR_ARG, "W and q have different sizes")
        context = Context()
        size = abi.haw_problem_size(dimension=dimension, contacts=len(mu), blocks=len(blocks.indices))
        pointer = ctypes.POINTER(abi.haw_problem)()
        context.check(lib.haw_problem_create(context.pointer, size, ctypes.byref(pointer)))
        self._take(pointer, context, True)
        struct = self.struct
        owned = {"writable": True}
        view(struct.w.start, (len(mu) + 1,), self, np.int32, **owned)[:] = blocks.indptr
        view(struct.w.column, (len(blocks.indices),), self, np.int32, **owned)[:] = blocks.indices
        view(struct.w.value, blocks.data.shape, self, **owned)[:] = blocks.data
        diagonal = view(struct.w.diagonal, (len(mu),), self, np.int32, **owned)
        for i in range(len(mu)):
            at = np.nonzero(blocks.indices[blocks.indptr[i]:blocks.indptr[i + 1]] == i)[0]
            diagonal[i] = blocks.indptr[i] + (at[0] if len(at) else 0)
        view(struct.q, q.shape, self, **owned)[:] = q
        view(struct.mu, mu.shape, self, **owned)[:] = mu
        struct.scale = scale
        context.check(lib.haw_problem_check(context.pointer, pointer))

    def _take(self, pointer: Any, context: Context, is_owned: bool, owner: Any = None) -> None:
        self.pointer, self.context, self.struct = pointer, context, pointer.contents
        context_pointer = context.pointer
        self.owner = owner if not is_owned else Handle(
            pointer, lambda p: lib.haw_problem_free(context_pointer, p), context.handle)
        self.dimension, self.contacts = self.struct.dimension, self.struct.contacts
        self.impulses: Optional[Array] = None
        """Of a step of a simulation, else None."""

    @classmethod
    def of_step(cls, pointer: Any, context: Context, owner: Any, impulses: Any) -> "Problem":
        """The problem of the last step of a simulation; its arrays are copied by `copy`."""
        problem = cls.__new__(cls)
        problem._take(pointer, context, False, owner)
        problem.impulses = view(impulses, (problem.dimension * problem.contacts,), owner).copy()
        return problem

    @classmethod
    def read(cls, path: File) -> "Problem":
        """From an FCLIB file."""
        problem, context = cls.__new__(cls), Context()
        pointer = ctypes.POINTER(abi.haw_problem)()
        context.check(lib.haw_fclib_read(context.pointer, os.fspath(path).encode(), ctypes.byref(pointer)))
        problem._take(pointer, context, True)
        return problem

    def write(self, path: File, title: str = "", description: str = "") -> None:
        """To an FCLIB file."""
        info = abi.haw_fclib_info(title=title.encode(), description=description.encode())
        self.context.check(lib.haw_fclib_write(
            self.context.pointer, os.fspath(path).encode(), self.pointer, info))

    def _csr(self, csr: Any) -> Csr:
        start = view(csr.start, (csr.rows + 1,), self.owner, np.int32)
        count = int(start[-1])
        return Csr(view(csr.value, (count,), self.owner), view(csr.column, (count,), self.owner, np.int32),
                   start, (csr.rows, csr.columns))

    @property
    def is_global(self) -> bool:
        """Whether M, H, f and w stand for W and q."""
        return bool(self.struct.global_)

    @property
    def W(self) -> Bsr:
        w, d = self.struct.w, self.dimension
        start = view(w.start, (self.contacts + 1,), self.owner, np.int32)
        count = int(start[-1]) if self.contacts else 0
        return Bsr(view(w.value, (count, d, d), self.owner), view(w.column, (count,), self.owner, np.int32), start)

    @property
    def q(self) -> Array:
        return view(self.struct.q, (self.dimension * self.contacts,), self.owner)

    @property
    def mu(self) -> Array:
        return view(self.struct.mu, (self.contacts,), self.owner)

    @property
    def M(self) -> Csr:
        return self._csr(self.struct.global_.contents.m)

    @property
    def HT(self) -> Csr:
        """Transposed H: one row per contact velocity."""
        return self._csr(self.struct.global_.contents.ht)

    @property
    def GT(self) -> Csr:
        return self._csr(self.struct.global_.contents.gt)

    @property
    def f(self) -> Array:
        form = self.struct.global_.contents
        return view(form.f, (form.m.rows,), self.owner)

    @property
    def w(self) -> Array:
        return view(self.struct.global_.contents.w, (self.dimension * self.contacts,), self.owner)

    def residual(self, r: Any) -> dict[str, Any]:
        """What the referee says of impulses r."""
        count = self.dimension * self.contacts
        u, residual = (ctypes.c_double * count)(), abi.haw_residual()
        self.context.check(lib.haw_problem_residual(
            self.context.pointer, self.pointer, doubles(np.ravel(r), count), u, residual))
        return fields(residual)

    def reduced(self) -> "Problem":
        """The local form of a global problem."""
        problem, pointer = Problem.__new__(Problem), ctypes.POINTER(abi.haw_problem)()
        self.context.check(lib.haw_problem_reduce(self.context.pointer, self.pointer, ctypes.byref(pointer)))
        problem._take(pointer, self.context, True)
        return problem


class Solution(NamedTuple):
    """Impulses and velocities [contacts, dimension], and what the referee says of them."""

    r: Array
    u: Array
    converged: bool
    outcome: str
    iterations: int
    residual: dict[str, Any]
    effort: dict[str, Any]


def set_option(context: Context, function: Any, settings: Any, key: str, value: Any) -> None:
    """An option of a solver or stepper by its key, from a number, a word or a bool."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    context.check(function(context.pointer, settings, key.encode(), text.encode()))


def solve(problem: Union[Problem, File], solver: str = "auto", *, tolerance: float = 1e-8,
          start: Any = None, **options: Any) -> Solution:
    """Solve a contact problem, or that of an FCLIB file. Not converging is an outcome, not an error.

    start: initial impulses; further options by their keys (`hawser list solvers`).
    """
    problem = problem if isinstance(problem, Problem) else Problem.read(problem)
    context, settings = problem.context, abi.haw_solver_settings()
    context.check(lib.haw_solver_settings_init(context.pointer, solver.encode(), settings))
    for key, value in {"tolerance": tolerance, **options}.items():
        set_option(context, lib.haw_solver_set_text, settings, key, value)
    workspace = ctypes.c_void_p()
    context.check(lib.haw_workspace_create(context.pointer, ctypes.byref(workspace)))
    count = problem.dimension * problem.contacts
    r = doubles(np.ravel(start), count) if start is not None else (ctypes.c_double * count)()
    u, report = (ctypes.c_double * count)(), abi.haw_report()
    try:
        context.check(lib.haw_solve(problem.pointer, settings, workspace, r, u, report))
    finally:
        lib.haw_workspace_free(workspace)
    shape = (problem.contacts, problem.dimension)
    return Solution(np.array(r).reshape(shape), np.array(u).reshape(shape), report.outcome == abi.HAW_CONVERGED,
                    lib.haw_outcome_text(report.outcome).decode(), report.iterations, fields(report.residual),
                    fields(report.effort))


def solvers() -> dict[str, str]:
    """Names of the solvers and what they are."""
    return {row.name.decode(): row.summary.decode() for row in rows("haw_solvers")}
