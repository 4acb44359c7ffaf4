# SPDX-License-Identifier: BSD-3-Clause
"""Simulations: stepped, looked at, controlled, run to their end."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Callable, Iterator, Mapping, NamedTuple, Optional, Union

import numpy as np

from ._library import abi, Array, Error, File, Handle, InputError, doubles, fields, lib, number, view
from .contact import Problem
from .scenario import Scenario, Source, reading_of

_DRIVES = {"x": 0, "y": 1, "z": 2, "spin": 3}
_SPEC = ctypes.sizeof(abi.haw_probe_spec)


class Event(NamedTuple):
    t: float
    pair: str
    kind: str
    value: float


class Centreline(NamedTuple):
    """Points of a cable: unstrained arc length [m], position [n, 3] [m], axial force [N], strain,
    curvature [1/m]."""

    label: Array
    position: Array
    tension: Array
    strain: Array
    curvature: Array


class Checkpoint:
    """A state to go on from, with what was set from outside. Its arrays may be changed."""

    def __init__(self, simulation: "Simulation"):
        pointer = ctypes.POINTER(abi.haw_state)()
        context = simulation.context
        context.check(lib.haw_state_create(context.pointer, simulation._model, ctypes.byref(pointer)))
        address = context.pointer
        self.handle = Handle(pointer, lambda p: lib.haw_state_free(address, p), context.handle)
        self.pointer = pointer
        lib.haw_state_copy(pointer, simulation._state)
        self.t, self.steps = pointer.contents.t, pointer.contents.step
        self.q = view(pointer.contents.q, (pointer.contents.coordinates,), self.handle, writable=True)
        self.u = view(pointer.contents.u, (pointer.contents.dofs,), self.handle, writable=True)


class Body:
    """A body of a simulation. position, orientation, velocity and spin are views of the state:
    orientation is the angle in the plane, a quaternion (w, x, y, z) in space; spin is about z in the
    plane, in space the angular velocity in the frame of the body."""

    def __init__(self, simulation: "Simulation", index: int):
        extent = lib.haw_model_body_extent(simulation._model, index)
        d = simulation.dimension
        q = simulation.q[extent.first_q:extent.first_q + extent.coordinates]
        u = simulation.u[extent.first_u:extent.first_u + extent.dofs]
        self.simulation, self.index = simulation, index
        self.name = lib.haw_model_body_name(simulation._model, index).decode()
        self.position, self.orientation = q[:d], q[d:]
        self.velocity, self.spin = u[:d], u[d:]

    def set_force(self, force: Any) -> None:
        """Dead force on the centre from the next step on, beside those of the scene [N]."""
        self.simulation.set_force(self.index, force)

    def set_torque(self, torque: float) -> None:
        """Torque from the next step on, about z of the body in space [N m]."""
        self.simulation.set_torque(self.index, torque)

    def set_drive(self, direction: str, value: Optional[float]) -> None:
        """Velocity `x`, `y`, `z` [m/s] or `spin` [rad/s] of a prescribed motion; None: the scene's."""
        self.simulation.set_drive(self.index, direction, value)


class Simulation:
    """A scenario in motion.

    q, u, a, impulse and history are views of the state, without a copy: they follow each step. What is
    set from outside holds from the next step on until it is set again, and belongs to checkpoints.

    probes: names of probes beside those of the scenario (`hawser list probes`).
    """

    q: Array
    u: Array
    a: Array
    dimension: int
    _model: Any
    _state: Any

    def __init__(self, scenario: Source, *, probes: Any = ()):
        reading = reading_of(scenario)
        self._reading, self.context = reading, reading.context
        settings = abi.haw_run_settings.from_buffer_copy(reading.struct.run)
        self._probe_names = [lib.haw_run_probe_name(settings, i).decode() for i in range(settings.probes)]
        probes = [probes] if isinstance(probes, str) else probes
        more = [p for p in probes if p not in self._probe_names]
        specs = (abi.haw_probe_spec * (settings.probes + len(more) + 1))()
        if settings.probes:
            ctypes.memmove(specs, settings.probe, settings.probes * _SPEC)
        for i, name in enumerate(more):
            specs[settings.probes + i].of = name.encode()
        settings.probe, settings.probes = specs, settings.probes + len(more)
        self._probe_names += more
        self._has_more_probes = bool(more)
        context, model, pointer = self.context, ctypes.c_void_p(), ctypes.c_void_p()
        reading.check(lib.haw_model_build(context.pointer, reading.struct.scene, ctypes.byref(model)))
        model_handle = Handle(model, lib.haw_model_free, context.handle)
        reading.check(lib.haw_simulation_create(context.pointer, model, settings, ctypes.byref(pointer)))
        self.handle = Handle(pointer, lib.haw_simulation_free, model_handle, reading.handle, specs, context.handle)
        self._pointer, self._model = pointer, lib.haw_simulation_model(pointer)
        self._step = lib.haw_simulation_step
        self._settings, self.title = settings, reading.struct.title.decode()
        self.dimension = reading.struct.scene.dimension
        self._frame = lib.haw_simulation_frame(pointer).contents
        self._state = self._frame.state
        state = self._state.contents
        self.q = view(state.q, (state.coordinates,), self.handle)
        self.u = view(state.u, (state.dofs,), self.handle)
        self.a = view(state.a, (2 * state.dofs,), self.handle)
        self.impulse = view(state.impulse, (state.rows,), self.handle)
        self.history = view(state.history, (state.rows // state.dimension, abi.HAW_HISTORY), self.handle)
        self._names = self._list_names()

    def _list_names(self) -> dict[str, int]:
        names: dict[str, int] = {}
        for i in range(lib.haw_model_bodies(self._model)):
            names[lib.haw_model_body_name(self._model, i).decode()] = i
        return names

    # ---- time ----

    @property
    def t(self) -> float:
        """Time of the state [s]."""
        return float(self._state.contents.t)

    @property
    def steps(self) -> int:
        """Steps done."""
        return int(self._state.contents.step)

    @property
    def h(self) -> float:
        """Length of the regular step [s]."""
        return float(lib.haw_simulation_step_length(self._pointer))

    @property
    def done(self) -> bool:
        """Whether the run is at its end."""
        return bool(lib.haw_simulation_is_done(self._pointer))

    def step(self, count: int = 1) -> bool:
        """Make steps; False where the run was at its end before them."""
        for _ in range(count):
            status = self._step(self._pointer)
            if status:
                return bool(self.context.check(status) == abi.HAW_OK)
        return True

    # ---- what is there ----

    def body(self, name: str) -> Body:
        """A body by its name."""
        return Body(self, self._find(name))

    def _find(self, body: Union[str, int]) -> int:
        if isinstance(body, str):
            if body not in self._names:
                raise InputError(abi.HAW_ERR_ARG, f"no body '{body}'; there are {', '.join(self._names)}")
            return self._names[body]
        return body

    def extent(self, cable: str) -> tuple[slice, slice]:
        """Slices of q and u that belong to a cable."""
        index = self._find_cable(cable)
        e = lib.haw_model_cable_extent(self._model, index)
        return slice(e.first_q, e.first_q + e.coordinates), slice(e.first_u, e.first_u + e.dofs)

    def _find_cable(self, cable: str) -> int:
        index = int(lib.haw_model_find_cable(self._model, cable.encode()))
        if index < 0:
            there = [lib.haw_model_cable_name(self._model, i).decode() for i in range(lib.haw_model_cables(self._model))]
            raise InputError(abi.HAW_ERR_ARG, f"no cable '{cable}'; there are {', '.join(there)}")
        return index

    def centreline(self, cable: str) -> Centreline:
        """A cable as it lies now."""
        index = self._find_cable(cable)
        n = lib.haw_cable_sample_count(self._model, index)
        arrays = [np.empty(n), np.empty((n, 3)), np.empty(n), np.empty(n), np.empty(n)]
        pointers = [a.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for a in arrays]
        samples = abi.haw_samples(*pointers)
        self.context.check(lib.haw_cable_sample(self.context.pointer, self._model, self._state, index, samples))
        return Centreline(*arrays)

    @property
    def ledger(self) -> Any:
        """The energy ledger, as it is at any time: kinetic, elastic, external_work, ... [J]."""
        return self._frame.ledger.contents

    @property
    def certificate(self) -> Any:
        """What was achieved, the worst so far: residual_max, penetration_max, ..."""
        return self._frame.certificate.contents

    @property
    def probes(self) -> dict[str, Any]:
        """Values of all probes now, a number or an array each."""
        frame = lib.haw_simulation_frame(self._pointer).contents
        return self._split(view(frame.probe, (frame.probe_values,), self.handle))

    def _split(self, values: Array) -> dict[str, Any]:
        result, first = {}, 0
        for i, name in enumerate(self._probe_names):
            size = lib.haw_simulation_probe_size(self._pointer, i)
            result[name] = float(values[first]) if size == 1 else values[first:first + size].copy()
            first += size
        return result

    def probe(self, name: str) -> Any:
        """Value of one probe now."""
        probes = self.probes
        if name not in probes:
            raise InputError(abi.HAW_ERR_ARG, f"no probe '{name}'; there are {', '.join(probes)}")
        return probes[name]

    @property
    def units(self) -> dict[str, str]:
        """Units of the probes."""
        return {name: lib.haw_simulation_probe_unit(self._pointer, i).decode()
                for i, name in enumerate(self._probe_names)}

    def problem(self) -> Optional[Problem]:
        """Contact problem of the last step with its impulses, None without set-valued contact. Its
        arrays hold until the next step."""
        impulses = ctypes.POINTER(ctypes.c_double)()
        pointer = lib.haw_simulation_problem(self._pointer, ctypes.byref(impulses))
        return Problem.of_step(pointer, self.context, self.handle, impulses) if pointer else None

    def modes(self, count: int) -> tuple[Array, Array]:
        """The lowest eigenfrequencies about the present state [Hz] and their shapes [count, dofs]."""
        frequency, shape = np.empty(count), np.empty((count, len(self.u)))
        numbers = ctypes.POINTER(ctypes.c_double)
        self.context.check(lib.haw_simulation_modes(
            self._pointer, count, frequency.ctypes.data_as(numbers), shape.ctypes.data_as(numbers)))
        return frequency, shape

    # ---- control ----

    def set_force(self, body: Union[str, int], force: Any) -> None:
        """Dead force on the centre of a body, beside those of the scene: two numbers in the plane (or
        three, the last without effect), three in space [N]."""
        is_planar = np.size(force) == self.dimension == 2
        given = doubles([*force, 0.0] if is_planar else force, 3)
        self.context.check(lib.haw_simulation_set_force(self._pointer, self._find(body), given))

    def set_torque(self, body: Union[str, int], torque: float) -> None:
        """Torque on a body, beside that of the scene; in space about its z axis [N m]."""
        self.context.check(lib.haw_simulation_set_torque(self._pointer, self._find(body), number(torque)))

    def set_drive(self, body: Union[str, int], direction: str, value: Optional[float]) -> None:
        """Velocity of a body of prescribed motion, from where it is; None: as the scene says."""
        if direction not in _DRIVES:
            raise InputError(abi.HAW_ERR_ARG, f"a drive is x, y, z or spin, not '{direction}'")
        given = float("nan") if value is None else number(value)
        if value is not None and not np.isfinite(given):
            raise InputError(abi.HAW_ERR_ARG, f"a drive must be finite or None (got {value})")
        self.context.check(lib.haw_simulation_set_drive(
            self._pointer, self._find(body), _DRIVES[direction], given))

    def checkpoint(self) -> Checkpoint:
        """A copy of the state."""
        return Checkpoint(self)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Go on from a checkpoint of this model."""
        self.context.check(lib.haw_simulation_restore(self._pointer, checkpoint.pointer))

    # ---- runs ----

    def run(self, control: Optional[Callable[["Simulation"], Any]] = None,
            output: Optional[File] = None) -> "Run":
        """Run to the end.

        control: called with the simulation before every step, to look at its state and to set forces
        and drives; output: results file, with checkpoints beside it where output.checkpoint asks for
        them: `hawser run --resume` goes on from those, so that neither a control nor probes that the
        scenario does not have go with them. A run that ends early raises its error; `error.run` is what
        was computed so far.
        """
        return _Recorder(self, control, output).run()


class Run(Mapping[str, Array]):
    """What a run has recorded, one row for each output: arrays by the names of the probes.

    t: times [s]; probes: arrays by name, [n] or [n, size]; units; energy: the ledger over time by its
    terms; events; summary; output: the results file, or None.
    """

    def __init__(self) -> None:
        self.t: Array = np.empty(0)
        self.probes: dict[str, Array] = {}
        self.units: dict[str, str] = {}
        self.energy: dict[str, Array] = {}
        self.events: list[Event] = []
        self.summary: dict[str, Any] = {}
        self.output: Optional[str] = None

    def __getitem__(self, probe: str) -> Array:
        if probe not in self.probes:
            raise KeyError(f"no probe '{probe}'; there are {', '.join(self.probes)}")
        return self.probes[probe]

    def __iter__(self) -> Iterator[str]:
        return iter(self.probes)

    def __len__(self) -> int:
        return len(self.probes)

    def __repr__(self) -> str:
        end = f" to t = {self.t[-1]:.6g} s" if len(self.t) else ""
        return f"Run({len(self.t)} outputs{end}: {', '.join(self.probes)})"

    def to_pandas(self) -> Any:
        """The probes as a pandas.DataFrame over time."""
        from .results import frame_of

        return frame_of(self.t, self.probes)


class _Recorder:
    """The observer of one run."""

    def __init__(self, simulation: Simulation, control: Any, output: Any):
        self.simulation, self.control = simulation, control
        self.output = None if output is None else os.fspath(output)
        self.writer = ctypes.c_void_p()
        self.rows: list[tuple[float, list[float], bytes]] = []
        self.events: list[Event] = []
        self.failure: Optional[BaseException] = None
        kinds = dict(abi.haw_observer._fields_)
        self.observer = abi.haw_observer(
            frame=kinds["frame"](self._guarded(self._on_frame)),
            event=kinds["event"](self._guarded(self._on_event)))
        if control is not None:
            self.observer.control = kinds["control"](self._guarded(self._on_control))
        if self.output is not None:
            self._keep_checkpoints(kinds["checkpoint"])

    def _keep_checkpoints(self, kind: Any) -> None:
        """What a scenario does not tell cannot be gone on with from a file."""
        wanted = self.simulation._settings.checkpoint
        missing = ("the control" if self.control is not None else
                   "the probes beside those of the scenario" if self.simulation._has_more_probes else None)
        if missing is None:
            self.observer.checkpoint = kind(self._guarded(self._on_checkpoint))
        elif wanted.wall > 0 or wanted.frames > 0:
            raise InputError(abi.HAW_ERR_INPUT,
                             f"output.checkpoint: run --resume would go on without {missing} of this run; leave it out, "
                             "or keep states by Simulation.checkpoint")

    def _guarded(self, function: Callable[..., Optional[int]]) -> Callable[..., int]:
        """What is raised in a callback ends the run and is raised after it."""
        def call(user: Any, *arguments: Any) -> int:
            try:
                return function(*arguments) or 0
            except BaseException as failure:  # also KeyboardInterrupt
                self.failure = failure
                return int(abi.HAW_ERR_CANCELLED)
        return call

    def _on_frame(self, frame: Any) -> int:
        frame = frame.contents
        probes = frame.probe[:frame.probe_values] if frame.probe_values else []
        self.rows.append((frame.t, probes, bytes(frame.ledger.contents)))
        return int(lib.haw_writer_frame(self.writer, frame)) if self.writer else 0

    def _on_event(self, event: Any) -> int:
        scene, e = self.simulation._reading.struct.scene, event.contents
        pair = "-".join(name.decode() for name in scene.contact[e.pair].between)
        self.events.append(Event(e.t, pair, lib.haw_event_name(e.kind).decode(), e.value))
        return int(lib.haw_writer_event(self.writer, e)) if self.writer else 0

    def _on_checkpoint(self, checkpoint: Any) -> int:
        return int(lib.haw_writer_checkpoint(self.writer, checkpoint)) if self.writer else 0

    def _on_control(self, simulation: Any, frame: Any) -> None:
        self.control(self.simulation)

    def run(self) -> Run:
        simulation, summary = self.simulation, abi.haw_summary()
        context = simulation.context
        if self.output is not None:
            context.check(lib.haw_writer_open(
                context.pointer, self.output.encode(), simulation._reading.pointer, simulation._model,
                simulation._pointer, ctypes.byref(self.writer)))
        status = lib.haw_simulation_run(simulation._pointer, self.observer, summary)
        error: Optional[BaseException] = self.failure
        if error is None:
            try:
                context.check(status)
            except Error as failed:
                error = failed
        if self.writer:  # earlier results stay where this run failed
            lib.haw_writer_end(self.writer, status)
        closed = lib.haw_writer_close(self.writer, summary) if self.writer else abi.HAW_OK
        result = self._collect(summary)
        if error is not None:
            if isinstance(error, Error):
                error.run = result
            raise error
        context.check(closed)
        return result

    def _collect(self, summary: Any) -> Run:
        run, simulation = Run(), self.simulation
        run.t = np.array([row[0] for row in self.rows])
        values = np.array([row[1] for row in self.rows]).reshape(len(self.rows), -1)
        first = 0
        for i, name in enumerate(simulation._probe_names):
            size = lib.haw_simulation_probe_size(simulation._pointer, i)
            run.probes[name] = values[:, first] if size == 1 else values[:, first:first + size]
            first += size
        run.units = simulation.units
        ledger = np.frombuffer(b"".join(row[2] for row in self.rows)).reshape(len(self.rows), -1)
        run.energy = {name: ledger[:, k] for k, (name, _) in enumerate(abi.haw_ledger._fields_)}
        run.events, run.output = self.events, self.output
        run.summary = fields(summary)
        run.summary.update(ledger=fields(summary.ledger), certificate=fields(summary.certificate))
        return run


def run(scenario: Source, output: Optional[File] = None, *,
        set: Optional[Mapping[str, Any]] = None, probes: Any = (),
        control: Optional[Callable[[Simulation], Any]] = None) -> Run:
    """Run a scenario to its end: a file, a dict or a Scenario.

    set: settings by their paths; output: results file; probes: further probes; control: called with
    the simulation before every step.
    """
    scenario = Scenario(scenario)
    for path, value in (set or {}).items():
        scenario.set(path, value)
    return Simulation(scenario, probes=probes).run(control, output)
