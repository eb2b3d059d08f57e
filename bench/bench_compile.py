"""Ways to compile one flat list of equations, in one run: OPENBLAS_NUM_THREADS=1 python bench/bench_compile.py

Each list is what `Traced` compiles: mass matrix and forces, or the Jacobians, as trees of t, q, v, ... For every way:
what it takes to build, to call with one state, and per state with 500 of them at once; and from these the time for a
thousand and for a hundred thousand calls, with tracing and building. All ways must give the same numbers. Last, what a
second run of a simulation gains from the programs that the first has left on disk.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np
import symengine
from record import SHORT, compared

import flexura as fx
from flexura.discretisation.gather import Gathered
from flexura.discretisation.layout import Numbers, Unknowns
from flexura.discretisation.ritz import RitzSystem
from flexura.discretisation.system import TracedFunctions
from flexura.solve.values import numbers

STACK = 5 if SHORT else 500
TOO_LONG = 1000  # shared steps of a program beyond which numba, which takes seconds for hundreds, is left out
PULSE = "Piecewise((5*sin(4*pi*t), t < 0.5), (0, True))"


# -- systems ----------------------------------------------------------------------------------------------------------


def hub_arm():
    hub, arm = fx.RigidBody("hub", m=0, I=0.3), fx.EulerBernoulliBeam("arm", EI=20.0, rho=0.5, length=1.0, field="w")
    parts = (fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub, arm.start), fx.Torque(hub, "tau"))
    return fx.derive(fx.Model(*parts))


def two_link_arm():
    shoulder, elbow = fx.RigidBody("shoulder", m=1, I=0.1), fx.RigidBody("elbow", m=0.5, I=0.05)
    upper = fx.EulerBernoulliBeam("upper", EI=100.0, rho=0.5, length=1.0)
    lower = fx.EulerBernoulliBeam("lower", EI=50.0, rho=0.3, length=0.8)
    return fx.derive(
        fx.Model(
            fx.Revolute(fx.ground, shoulder, name="a"),
            fx.Fixed(shoulder, upper.start),
            fx.Revolute(upper.end, elbow, name="b"),
            fx.Fixed(elbow, lower.start),
            fx.Torque(shoulder, "tau"),
            fx.Gravity(9.81),
        )
    )


def spatial_arm():
    """Two joints with axes across each other, and a beam that stretches, bends both ways and twists."""
    base, shoulder = fx.RigidBody("base", m=0, I=0.2), fx.RigidBody("shoulder", m=0.3, I=(0.01, 0.02, 0.03))
    beam = fx.SpatialBeam(
        "beam", EA=4e4, EIy=30.0, EIz=50.0, GJ=20.0, rho=0.6, rotary_inertia=(2e-4, 1e-4, 1e-4), length=1.0
    )
    return fx.derive(
        fx.Model(
            fx.Revolute(fx.ground, base, about="z", name="yaw"),
            fx.Revolute(base, shoulder, about="y", name="pitch"),
            fx.Fixed(shoulder, beam.start),
            fx.Torque(base, "tau"),
            fx.Gravity(9.81, along="-z"),
        )
    )


def hinged_links(count=3):
    """Flexible links on hinges, hanging; the first one is let go from the side."""
    parts, last = [], fx.ground
    for i in range(count):
        body = fx.RigidBody(f"b{i}", m=0.1, I=0.01)
        link = fx.EulerBernoulliBeam(f"l{i}", EI=100.0, rho=0.4, length=0.3)
        parts += [fx.Revolute(last, body, name=f"q{i}"), fx.Fixed(body, link.start)]
        last = link.end
    return fx.derive(fx.Model(parts, fx.Gravity(9.81)))


SYSTEMS = {
    "hub with a flexible arm, order 5": (hub_arm, 5),
    "two flexible links, order 5": (two_link_arm, 5),
    "arm in space, order 3": (spatial_arm, 3),
}


def functions(equations, order):
    energies = equations.lagrangian
    return TracedFunctions(
        RitzSystem(Gathered(Unknowns(energies, Numbers.of(energies, numbers(equations, None)), order, 1)))
    )


# -- ways to compile --------------------------------------------------------------------------------------------------


@dataclass
class Task:
    """One flat list: how to run it untraced, its trees and arguments, and states to call it with."""

    traced: object
    states: np.ndarray

    def __post_init__(self):
        self.traced.traced()  # once for what it takes to differentiate, which running untraced takes too
        start = time.process_time()
        self.program = self.traced.traced()
        self.tracing = time.process_time() - start
        self.arguments, self.trees = self.program._arguments, self.program._trees
        names = {one: symengine.Symbol(f"x_{i}") for i, one in enumerate(self.arguments)}
        steps, self.results = symengine.cse([f.xreplace(names) for f in self.trees])
        self.steps = [(str(name), f) for name, f in steps]


def plain(task):
    """The NumPy functions as they are; the programs of scalars within take some building too."""
    ends = np.cumsum([one.size for one in task.traced._arguments])[:-1]

    def one(at):
        t, *vectors = np.split(at, ends)
        return task.traced._function(t.item(), *vectors)

    def many(stack):
        t, *vectors = np.split(stack, ends, axis=1)
        return task.traced._function(t[:, 0], *vectors)

    one(task.states[0])
    return one, many


def engine(backend, level=0):
    def build(task):
        made = task.program.compiled(backend, level)
        return made, made

    return build


def source(task, line, result, text):
    """One assignment after another, then the results."""
    found = [line.format(name=name, f=text(f)) for name, f in task.steps]
    return found + [result.format(i=i, f=text(f)) for i, f in enumerate(task.results)]


def loaded(task, lines):
    """A Python module of generated source, imported from a file."""
    folder = Path(tempfile.mkdtemp())
    path = folder / f"generated_{next(NUMBERS)}.py"
    path.write_text("\n".join(lines))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    shutil.rmtree(folder)
    return module


NUMBERS = count()
HEAD = "from math import *\nimport numba\n@numba.njit(error_model='numpy')\ndef one(x, out):"
MANY = "@numba.njit\ndef many(x, out):\n    for k in range(len(x)):\n        one(x[k], out[k])"


def numba(task):
    body = [f"    x_{i} = x[{i}]" for i in range(len(task.arguments))]
    body += source(task, "    {name} = {f}", "    out[{i}] = {f}", str)
    module = loaded(task, [HEAD, *body, MANY])
    return in_place(module.one, module.many, task)


def c(task):
    body = [f"const double x_{i} = x[{i}];" for i in range(len(task.arguments))]
    body += source(task, "const double {name} = {f};", "out[{i}] = {f};", symengine.ccode)
    n, m = len(task.arguments), len(task.trees)
    loop = f"for (long k = 0; k < n; k++) one(x + {n}*k, out + {m}*k);"
    many = ["void many(const double *x, double *out, long n) {", loop, "}"]
    text = ["#include <math.h>", "void one(const double *x, double *out) {", *body, "}", *many]
    with tempfile.TemporaryDirectory() as folder:
        path, library = Path(folder) / "f.c", Path(folder) / "f.so"
        path.write_text("\n".join(text))
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, path, "-lm"], check=True)
        made = ctypes.CDLL(str(library))
    made.one.argtypes, made.many.argtypes = [ctypes.c_void_p] * 2, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long]
    return in_place(
        lambda x, out: made.one(x.ctypes.data, out.ctypes.data),
        lambda x, out: made.many(x.ctypes.data, out.ctypes.data, len(x)),
        task,
    )


def in_place(one, many, task):
    """Called once, because that is when numba builds; results in arrays of their own."""
    size, split = len(task.trees), task.program._blocks.split

    def single(at):
        one(at, out := np.empty(size))
        return split(out)

    def stack(at):
        many(at, out := np.empty((len(at), size)))
        return split(out)

    single(task.states[0])
    stack(task.states[:2])
    return single, stack


def ways():
    yield "NumPy", plain
    yield "engine, lambda", engine("lambda")
    if symengine.have_llvm:
        yield from ((f"engine, LLVM {level}", engine("llvm", level)) for level in range(4))
    else:
        print("symengine is without LLVM here; left out")
    if importlib.util.find_spec("numba"):
        yield "numba", numba
    else:
        print("numba is not installed: pip install 'flexura[bench]'; left out")
    if shutil.which("cc"):
        yield "C, cc -O1", c
    else:
        print("there is no C compiler cc; left out")


# -- measuring --------------------------------------------------------------------------------------------------------


def spent():
    """Processor time of this process and of compilers it has run, in seconds."""
    return time.process_time() + sum(os.times()[2:4])


def per_call(work, seconds=0.0 if SHORT else 0.15):
    """The best mean of some rounds."""
    work()
    best, total, repeat = np.inf, 0.0, 1
    while total <= seconds:
        start = time.process_time()
        for _ in range(repeat):
            work()
        took = time.process_time() - start
        best, total = min(best, took / repeat), total + took
        repeat = max(1, int(0.02 * repeat / max(took, 1e-6))) if took < 0.01 else repeat
    return best


def flat(found):
    return np.concatenate([np.ravel(one) for one in found])


def table(title, task):
    print(f"\n{title}: {len(task.trees)} trees, {len(task.steps)} shared steps; tracing {1e3 * task.tracing:.1f} ms")
    print(f"                    build ms   one us   of {STACK} us   1e3 calls ms   1e5 calls ms   (processor time)")
    stack, known = task.states, None
    for name, way in ways():
        if name == "numba" and len(task.steps) > TOO_LONG:
            print(f"  {name:16s}  left out: more than {TOO_LONG} steps")
            continue
        build = np.inf
        for _ in range(1 if SHORT or name in ("NumPy", "numba") else 3):
            start = spent()
            one, many = way(task)
            build = min(build, spent() - start)
        found = flat(one(stack[0]))
        known = found if known is None else known
        assert np.allclose(found, known, rtol=1e-9, atol=1e-9 * np.abs(known).max()), name
        assert np.allclose(flat(row[3] for row in many(stack)), flat(one(stack[3])), rtol=1e-9, atol=1e-9), name
        single, stacked = per_call(lambda run=one: run(stack[0])), per_call(lambda run=many: run(stack)) / STACK
        first = build + (0.0 if name == "NumPy" else task.tracing)
        sums = [1e3 * (first + n * single) for n in (1e3, 1e5)]
        print(
            f"  {name:16s} {1e3 * build:9.1f} {1e6 * single:8.2f} {1e6 * stacked:11.3f} {sums[0]:14.1f} {sums[1]:14.0f}"
        )


def compare():
    random = np.random.default_rng(1)
    for title, (make, order) in list(SYSTEMS.items())[: 1 if SHORT else None]:
        one = functions(make(), order)
        for what, traced in (("M and f", one.evaluate), ("Jacobians", one.jacobians)):
            size = sum(vector.size for vector in traced._arguments)
            table(f"{title}, {what}", Task(traced, 0.05 * random.normal(size=(STACK, size))))


# -- a second run -----------------------------------------------------------------------------------------------------

RUNS = {
    "hub with a flexible arm": (hub_arm, 5, 1.0, {"tau": PULSE}),
    "two flexible links": (two_link_arm, 4, 0.5, {"tau": PULSE}),
    "three hinged links": (hinged_links, 4, 0.3, {}),
}


def simulate(which):
    """In a process of its own: seconds of one simulation, once a pendulum has loaded what any simulation loads."""
    q = fx.Coordinate("q")
    pendulum = fx.derive(fx.Lagrangian(kinetic=q.t**2 / 2, potential=-fx.cos(q)))
    fx.simulate(pendulum, np.linspace(0, 1, 5), initial={"q": 0.1}, progress=False)
    make, order, end, inputs = RUNS[which]
    equations, t = make(), np.linspace(0, end, 201)
    start = time.process_time()
    run = fx.simulate(equations, t, inputs=inputs, order=order, tolerance=1e-4, progress=False)
    assert run.complete
    print(time.process_time() - start)


def again():
    print("\nfx.simulate in a new process each (processor time, the equations derived, imports done), best of five")
    for which in list(RUNS)[: 1 if SHORT else None]:
        found = {"off": [], "first": [], "second": []}
        for _ in range(1 if SHORT else 5):
            with tempfile.TemporaryDirectory() as folder:
                for case, where in (("off", "off"), ("first", folder), ("second", folder)):
                    command = [sys.executable, __file__, "--run", which]
                    told = subprocess.run(
                        command, env={**os.environ, "FLEXURA_CACHE": where}, capture_output=True, text=True, check=True
                    )
                    found[case].append(float(told.stdout))
        off, first, second = (1e3 * min(found[case]) for case in ("off", "first", "second"))
        print(
            f"  {which:24s} nothing kept {off:7.1f} ms   first {first:7.1f} ms   second {second:7.1f} ms"
            f"   first / second {compared(which, first / second)}"
        )


def main():
    warnings.simplefilter("ignore")
    compare()
    again()


if __name__ == "__main__":
    simulate(sys.argv[-1]) if "--run" in sys.argv else main()
