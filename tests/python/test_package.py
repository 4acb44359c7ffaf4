# SPDX-License-Identifier: BSD-3-Clause
"""The Python package against closed forms, the command line and itself."""
import ctypes
import doctest
import gc
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
import weakref
from pathlib import Path

import numpy as np

import hawser

try:
    import h5py  # noqa: F401
except ImportError:
    h5py = None

IMPACT = "data/scenarios/disk-impact.yaml"
BALL = {
    "hawser": 1, "gravity": [0, -9.81],
    "bodies": [{"name": "ball", "mass": 2, "inertia": 1, "position": [0, 1]}],
    "stepper": {"type": "moreau", "step": 1e-3, "end": 1}, "output": {"every": 0.5, "probes": ["ball.position"]}}


class Heap(ctypes.Structure):
    """What mallinfo2 of the C library tells."""

    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "free_chunks", "fast_chunks", "maps", "mapped")]
    _fields_ += [(name, ctypes.c_size_t) for name in ("unused", "fast_free", "in_use", "free", "top")]


def held():
    """Bytes that are allocated, by C and by Python: pages of the process also count what is free between them."""
    libc = ctypes.CDLL(None)
    libc.mallinfo2.restype = Heap
    heap = libc.mallinfo2()
    return heap.in_use + heap.mapped + 64 * sys.getallocatedblocks()


class Documents(unittest.TestCase):
    def test_every_example_of_the_page_runs(self):
        text = Path("doc/howto/python.md").read_text(encoding="utf-8")
        names = {}
        blocks = re.findall(r"```python\n(.*?)```", text, re.S)
        self.assertGreater(len(blocks), 7)
        for block in blocks:
            if "output" not in block and "Results" not in block or h5py:
                exec(compile(block, "python.md", "exec"), names)


    def test_results_files_are_what_their_page_says(self):
        if h5py is None:
            print("test_results_files_are_what_their_page_says: not run, h5py is not installed")
            return
        text = Path("doc/results.md").read_text(encoding="utf-8")
        folder = tempfile.mkdtemp()
        hawser.run(IMPACT, output=os.path.join(folder, "d.h5"))
        for block in re.findall(r"```python\n(.*?)```", text, re.S):
            exec(compile(block.replace('"d.h5"', repr(os.path.join(folder, "d.h5"))), "results.md", "exec"), {})
        with h5py.File(os.path.join(folder, "d.h5")) as file:
            for name in ("tension", "contact_gap"):
                self.assertIn(name, text)
            for group in ("probes", "bodies/disk", "cables/cable", "contacts/cable-disk", "solver"):
                self.assertEqual(file["hawser"][group]["t"], file["hawser/energy/t"], group)
            found = set(file["VTKHDF/PointData"]) | set(file["hawser/bodies/disk"]) | set(file["hawser/contacts/cable-disk"])
            self.assertEqual([name for name in found if f"`{name}`" not in text], ["impulse"])
        with hawser.Results(os.path.join(folder, "d.h5")) as results:
            self.assertEqual([name for name in results.names if name.split("/")[-1] == "t"], [])  # results.t is that


class Scenarios(unittest.TestCase):
    def test_errors_have_their_places(self):
        with self.assertRaises(hawser.InputError) as caught:
            hawser.Scenario.from_yaml("hawser: 1\nbodies:\n  - {name: b, mass: -1}\ncables: 3\n", "a.yaml").check()
        lines = [(d.file, d.line, d.column) for d in caught.exception.diagnostics]
        self.assertEqual(lines, [("a.yaml", 3, 21), ("a.yaml", 3, 5), ("a.yaml", 4, 9)])
        with self.assertRaises(hawser.InputError) as caught:
            hawser.run(IMPACT, set={"stepper.step": 1e-2})
        self.assertIn("critical step", str(caught.exception))
        self.assertEqual(caught.exception.place, "stepper.step")
        self.assertIn("critical step", caught.exception.diagnostics[0].message)
        text = Path(IMPACT).read_text(encoding="utf-8").replace("step: 1.0e-5", "step: 1.0e-2")
        with self.assertRaises(hawser.InputError) as caught:
            hawser.Scenario.from_yaml(text).check()
        line = caught.exception.diagnostics[0].line
        self.assertIn("step: 1.0e-2", text.splitlines()[line - 1])
        with self.assertRaises(hawser.FileError):
            hawser.run("nowhere.yaml")
        self.assertRaises(ValueError, hawser.run, {"hawser": 2})

    def test_a_dict_is_the_file_it_was_written_from(self):
        text = hawser.Scenario(IMPACT).resolved
        self.assertEqual(hawser.Scenario.from_yaml(text).resolved, text)
        self.assertIn("friction: 0.2", hawser.Scenario(IMPACT).with_(contact__friction=0.2).resolved)

    def test_shipped_scenarios_are_found_by_name(self):
        here, folder = os.getcwd(), tempfile.mkdtemp()
        text = hawser.Scenario(IMPACT).resolved
        try:
            os.chdir(folder)
            self.assertEqual(hawser.Scenario("disk-impact").resolved, text)
            Path("disk-impact").write_text("hawser: 1\n", encoding="utf-8")  # a file goes first
            self.assertRaises(hawser.InputError, hawser.Scenario("disk-impact").check)
            self.assertRaises(hawser.FileError, hawser.run, "disk-impat")
        finally:
            os.chdir(here)

    def test_the_schema_is_that_of_the_program(self):
        program = os.environ["HAWSER"]
        text = subprocess.run([program, "check", "--schema"], check=True, capture_output=True, text=True).stdout
        self.assertEqual(hawser.schema(), json.loads(text))


class Runs(unittest.TestCase):
    def test_a_run_says_what_the_program_says(self):
        program = os.environ["HAWSER"]
        answer = json.loads(subprocess.run(
            [program, "run", IMPACT, "--json", "-q", "-o", os.path.join(tempfile.mkdtemp(), "o.h5")], check=True,
            capture_output=True, text=True).stdout)
        run = hawser.run(IMPACT)
        self.assertEqual(run.summary["steps"], answer["steps"])
        self.assertEqual(run.summary["ledger"]["friction_loss"], answer["energy"]["friction_loss"])
        self.assertTrue(np.array_equal(run["disk.position"][-1], answer["probes"]["disk.position"]))
        self.assertEqual(run.units["disk.position"], "m")
        self.assertEqual([e.kind for e in run.events][:2], ["first contact", "slip"])
        terms = run.energy
        left = sum(terms[k] for k in ("kinetic", "elastic", "gravity", "friction_loss", "impact_loss", "damping_loss",
                                      "numerical_loss")) - terms["external_work"]
        self.assertTrue(np.allclose(left, terms["initial"], rtol=0, atol=1e-10))

    def test_a_run_is_a_mapping_of_its_probes(self):
        run = hawser.run(BALL, probes="ball.spin")
        self.assertIn("ball.spin", run)
        self.assertNotIn("spin", run)
        self.assertEqual(list(run), list(run.probes))
        self.assertRaisesRegex(KeyError, "there are .*ball.spin", lambda: run["spin"])
        self.assertIn(f"{len(run.t)} outputs", repr(run))

    def test_a_run_that_fails_keeps_what_it_has(self):
        scene = hawser.Scenario(IMPACT).set("contact.depth_limit", 1e-7)
        with self.assertRaises(hawser.GuardError) as caught:
            hawser.run(scene)
        self.assertGreater(len(caught.exception.run.t), 10)

    def test_what_is_raised_in_a_callback_ends_the_run(self):
        def stop(simulation):
            if simulation.steps == 7:
                raise KeyError("enough")

        simulation = hawser.Simulation(BALL)
        self.assertRaises(KeyError, simulation.run, stop)
        self.assertEqual(simulation.steps, 7)

    def test_results_files_have_what_the_run_has(self):
        if h5py is None:
            print("test_results_files_have_what_the_run_has: not run, h5py is not installed")
            return
        path = os.path.join(tempfile.mkdtemp(), "o.h5")
        simulation = hawser.Simulation(IMPACT)
        run = simulation.run(output=path)
        with hawser.Results(path) as results:
            for name, values in run.probes.items():
                self.assertTrue(np.array_equal(results[name].values, values))
                self.assertEqual(results[name].unit, run.units[name])
            self.assertEqual(results.events, run.events)
            self.assertTrue(np.array_equal(results["energy/elastic"].values, run.energy["elastic"]))
            now, then = simulation.centreline("cable"), results.centreline("cable")
            for a, b in zip(now, then):
                self.assertTrue(np.allclose(a, b, rtol=1e-12, atol=0), (a, b))
            x = results.file["hawser/cables/cable/x"]
            self.assertTrue(np.array_equal(results.centreline("cable", 0.1004).position[:, 0], x[100]))
            self.assertIn("bodies/disk/spin", results.names)
            self.assertEqual(results.summary["steps"], 25000)
            self.assertRaisesRegex(KeyError, "there are .*energy/kinetic", lambda: results["energy"])
            self.assertRaisesRegex(KeyError, "there are cable", results.centreline, "rope")
        scene = {"hawser": 1, "dimension": 3, "bodies": [{"name": n, "mass": 1, "inertia": 1, "position": [i, 0, 0]}
                                                         for i, n in enumerate("cab")],
                 "stepper": {"type": "moreau", "step": 0.1, "end": 0.1}}
        hawser.run(scene, path)
        with hawser.Results(path) as results:
            self.assertEqual(results.bodies, ["c", "a", "b"])  # as in the scene


class Control(unittest.TestCase):
    def test_forces_do_what_newton_says(self):
        simulation = hawser.Simulation(BALL)
        ball = simulation.body("ball")
        ball.set_force([4, 2 * 9.81, 0])
        ball.set_torque(0.5)
        simulation.step(100)
        self.assertTrue(np.allclose(simulation.u, [0.2, 0, 0.05], atol=1e-14))
        self.assertTrue(np.allclose(simulation.q, [0.01, 1, 0.0025], atol=1e-14))
        self.assertAlmostEqual(simulation.ledger.external_work, 4 * 0.01 + 0.5 * 0.0025, 14)
        self.assertRaises(hawser.InputError, ball.set_torque, math.nan)
        self.assertRaises(hawser.InputError, ball.set_drive, "spin", 1)
        self.assertRaises(hawser.InputError, simulation.body, "bal")
        for wrong in ([1], "x", math.nan, None, [1, math.nan, 0], [[1, 2, 3]]):
            self.assertRaises(hawser.InputError, ball.set_force, wrong)
        for wrong in ([1, 2], "x", math.nan, None):
            self.assertRaises(hawser.InputError, ball.set_torque, wrong)
        self.assertRaises(hawser.InputError, ball.set_drive, "spin", math.nan)
        self.assertRaisesRegex(hawser.InputError, "there are cable$", hawser.Simulation("capstan").centreline, "line")
        self.assertRaises(hawser.InputError, simulation.probe, "ball.positio")
        ball.set_force([4, 2 * 9.81])  # as above
        simulation.step()
        self.assertAlmostEqual(simulation.u[0], 0.202, 14)

    def test_views_follow_without_a_copy(self):
        simulation = hawser.Simulation(BALL)
        ball = simulation.body("ball")
        q, address = simulation.q, simulation.q.__array_interface__["data"][0]
        self.assertTrue(np.shares_memory(q, ball.position))
        simulation.step(3)
        self.assertEqual(simulation.q.__array_interface__["data"][0], address)
        self.assertLess(q[1], 1)
        self.assertFalse(q.flags.writeable)
        kept = weakref.ref(simulation.handle)
        del simulation, ball
        gc.collect()
        self.assertIsNotNone(kept())  # a view keeps what it looks at
        self.assertLess(q[1], 1)
        del q
        gc.collect()
        self.assertIsNone(kept())

    def test_a_control_in_a_run_is_the_same_as_stepping(self):
        def brake(simulation):
            simulation.set_force("disk", -3 * simulation.u[:2].tolist()[0] * np.array([1, 0, 0]))

        one, two = hawser.Simulation(IMPACT), hawser.Simulation(IMPACT)
        run = one.run(brake)
        while not two.done:
            brake(two)
            two.step()
        self.assertTrue(np.array_equal(one.q, two.q))
        self.assertLess(run.summary["ledger"]["external_work"], -1)

    def test_a_checkpoint_goes_on_with_the_same_bits(self):
        simulation = hawser.Simulation("data/scenarios/winding-w1.yaml")
        simulation.step(100)
        kept = simulation.checkpoint()
        simulation.set_drive("drum", "spin", 0.5)
        simulation.step(50)
        self.assertEqual(simulation.body("drum").spin[2], 0.5)
        end = simulation.q.copy()
        simulation.restore(kept)
        simulation.set_drive("drum", "spin", 0.5)
        simulation.step(50)
        self.assertTrue(np.array_equal(simulation.q, end))
        self.assertEqual(kept.steps, 100)


    def test_checkpoints_are_of_a_run_that_its_file_tells(self):
        scene = hawser.Scenario(IMPACT).set("stepper.end", 0.01).set("output.checkpoint", {"frames": 4})
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "d.h5")
            for probes, control in ((), lambda s: None), (["disk.angle"], None):
                with self.assertRaisesRegex(hawser.InputError, "run --resume would go on without"):
                    hawser.Simulation(scene, probes=probes).run(control, path)
                self.assertFalse(os.path.exists(path + ".part"))
                self.assertEqual(len(hawser.Simulation(scene, probes=probes).run(control).t), 11)

    @unittest.skipIf(h5py is None, "python3-h5py is not installed")
    def test_a_run_that_was_interrupted_goes_on_from_its_file(self):
        scene = hawser.Scenario(IMPACT).set("stepper.end", 0.1)

        def interrupt(recorder, frame, on_frame=hawser.simulation._Recorder._on_frame):
            if len(recorder.rows) == 50:
                raise KeyboardInterrupt
            return on_frame(recorder, frame)

        with tempfile.TemporaryDirectory() as folder:
            path, whole = (os.path.join(folder, name) for name in ("d.h5", "whole.h5"))
            hawser.Simulation(scene).run(output=whole)
            with unittest.mock.patch.object(hawser.simulation._Recorder, "_on_frame", interrupt):
                with self.assertRaises(KeyboardInterrupt):
                    hawser.Simulation(scene).run(output=path)
            subprocess.run([os.environ["HAWSER"], "run", "--resume", path, "-q"], check=True, stdout=subprocess.DEVNULL)
            with h5py.File(path) as one, h5py.File(whole) as other:
                for name in "VTKHDF/Points", "hawser/energy/kinetic", "hawser/events/t":
                    self.assertTrue(np.array_equal(one[name][()], other[name][()]), name)


class Problems(unittest.TestCase):
    def test_solutions_obey_coulomb(self):
        random = np.random.default_rng(4)
        for dimension in (2, 3):
            a = random.standard_normal((4 * dimension, 9 * dimension))
            problem = hawser.Problem(a @ a.T, random.standard_normal(4 * dimension) - 1, [0.3] * 4)
            self.assertTrue(np.allclose(problem.W.toarray(), a @ a.T))
            for solver in ("auto", "newton", "pgs"):
                s = hawser.solve(problem, solver, tolerance=1e-11)
                self.assertTrue(s.converged)
                self.assertTrue(np.allclose(s.u.ravel(), a @ a.T @ s.r.ravel() + problem.q))
                self.assertTrue((np.linalg.norm(s.r[:, 1:], axis=1) <= 0.3 * s.r[:, 0] + 1e-10).all())
                self.assertTrue((s.u[:, 0] > -1e-9).all())
                self.assertLess(np.abs(s.r[:, 0] * s.u[:, 0]).max(), 1e-9)
                self.assertLess(problem.residual(s.r)["natural"], 1e-10)

    def test_files_come_back_as_they_were(self):
        path = os.path.join(tempfile.mkdtemp(), "p.hdf5")
        problem = hawser.Problem.read("data/fclib/FrictionContact3D_1c.hdf5")
        problem.write(path, title="again")
        again = hawser.Problem.read(path)
        self.assertTrue(np.array_equal(problem.q, again.q))
        for a, b in zip(problem.W, again.W):
            self.assertTrue(np.array_equal(a, b))

    def test_a_global_problem_reduces_to_its_local_form(self):
        problem = hawser.Problem.read("data/fclib/LMGC_GlobalFrictionContactProblem00046.hdf5")
        self.assertTrue(problem.is_global)
        m, ht = (np.zeros(c.shape) for c in (problem.M, problem.HT))
        for full, c in ((m, problem.M), (ht, problem.HT)):
            for i in range(c.shape[0]):
                full[i, c.indices[c.indptr[i]:c.indptr[i + 1]]] = c.data[c.indptr[i]:c.indptr[i + 1]]
        if problem.GT.shape[0] == 0:
            w = ht @ np.linalg.solve(m, ht.T)
            self.assertTrue(np.allclose(problem.reduced().W.toarray(), w, atol=1e-9 * np.abs(w).max()))

    def test_bad_problems_are_refused(self):
        self.assertRaises(hawser.InputError, hawser.Problem, np.eye(3), [0, 0, 0], [0.1, 0.1])
        self.assertRaises(hawser.InputError, hawser.Problem, np.eye(3), [0, 0, 0], [-1])
        problem = hawser.Problem(np.eye(3), [-1, 0, 0], [0])
        self.assertRaises(hawser.InputError, hawser.solve, problem, "nobody")
        self.assertRaises(hawser.InputError, hawser.solve, problem, start=[1, 0])


class Theories(unittest.TestCase):
    def test_numbers_words_and_refusals(self):
        self.assertTrue(math.isclose(hawser.theory("capstan", friction=0.2, wrap=2)["ratio"], math.exp(0.4)))
        self.assertIn("capstan", hawser.theories())
        self.assertEqual(len(hawser.theory("multilayer", layers=1)["radius"]), 1)
        self.assertIn("form", hawser.theory("firbank", t1=1, t2=3, radius=1, mu=0.4, mu_s=0.5, form="printed").texts)
        self.assertRaises(hawser.InputError, hawser.theory, "capstan", friction=-1)
        self.assertRaises(hawser.InputError, hawser.theory, "capstan", frictio=1)
        self.assertRaises(hawser.InputError, hawser.theory, "capsten")

    def test_the_example_of_the_package_is_right(self):
        self.assertEqual(doctest.testmod(hawser).failed, 0)


class Costs(unittest.TestCase):
    def test_a_call_costs_less_than_two_microseconds_over_c(self):
        scene = hawser.Scenario(BALL).set("stepper.step", 5e-5).set("output.every", 1)
        best = {"run": math.inf, "step": math.inf}
        for _ in range(7):
            simulation = hawser.Simulation(scene)
            best["run"] = min(best["run"], simulation.run().summary["cpu_seconds"])
            simulation = hawser.Simulation(scene)
            step, begin = simulation.step, time.process_time()
            while step():
                pass
            best["step"] = min(best["step"], time.process_time() - begin)
        over = (best["step"] - best["run"]) / simulation.steps
        print(f"a step from Python costs {1e6 * over:.2f} us over C")
        self.assertLess(over, 2e-6)

    def test_many_runs_do_not_grow(self):
        scene = hawser.Scenario(IMPACT).set("stepper.end", 1e-4)

        def several():
            for _ in range(200):
                simulation = hawser.Simulation(scene)
                simulation.run(lambda s: s.set_force("disk", [1, 0, 0]))
                simulation.problem()
                simulation.checkpoint()
                self.assertRaises(hawser.InputError, hawser.run, {"hawser": 1, "x": 2})
            gc.collect()
            return held()

        several()
        before = several()
        grown = min(several() for _ in range(3)) - before
        print(f"600 runs grew by {grown} bytes")
        self.assertLess(grown, 1 << 13)

    def test_importing_compiles_nothing(self):
        code = """
import sys

def watch(event, arguments):
    if event in ("subprocess.Popen", "os.system", "os.fork", "os.posix_spawn", "os.exec"):
        raise RuntimeError(event)

import numpy
sys.addaudithook(watch)
import hawser
print(hawser.theory("capstan")["ratio"])
"""
        text = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
        self.assertGreater(float(text), 1)


if __name__ == "__main__":
    unittest.main()
