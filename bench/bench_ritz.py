"""Discretised equations of motion: what building and evaluating M and f cost, by way of computing, in one run.

    OPENBLAS_NUM_THREADS=1 python bench/bench_ritz.py

"arrays" is the form a system starts with, "compiled" what it becomes when called often (LLVM without optimisation).
The peers get the same trees: LLVM with optimisation, the engine's own interpreter, and SymPy's lambdify with shared
subexpressions, whose time to build includes none of the derivation. Processor time, best of several runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import symengine
import sympy
from record import SHORT, compared

import flexura as fx
from flexura import gallery
from flexura.discretisation.gather import Gathered
from flexura.discretisation.layout import Numbers, Unknowns
from flexura.discretisation.ritz import RitzSystem
from flexura.discretisation.system import TracedFunctions
from flexura.solve.values import numbers

SPEED_UP = "Piecewise((0.4*(t**2/2 + (15/(2*pi))**2*(cos(2*pi*t/15) - 1)), t < 15), (6*t - 45, True))"


def spin_up() -> fx.Model:
    """The rotating cantilever whose hub is brought up to speed."""
    hub = fx.RigidBody("hub", m=0, I=1.0)
    beam = fx.EulerBernoulliBeam("beam", EI=14000.0, rho=1.2, length=10.0, field="w")
    return fx.Model(fx.Revolute(fx.ground, hub, name="theta", motion=SPEED_UP), fx.Fixed(hub, beam.start))


def discretised(equations: fx.Equations) -> TracedFunctions:
    """With a number for every parameter, degree 8."""
    rng = np.random.default_rng(0)
    known = equations.values | {
        name: 0.5 + rng.random() for name in equations.lagrangian.parameters if equations.values.get(name) is None
    }
    layout = Unknowns(equations.lagrangian, Numbers.of(equations.lagrangian, numbers(equations, known)), 8, 1)
    return TracedFunctions(RitzSystem(Gathered(layout)))


def seconds(call: Callable[[], object], times: int, rounds: int = 5) -> float:
    """For one call, the best of several rounds."""
    best = np.inf
    times, rounds = (1, 1) if SHORT else (times, rounds)
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(times):
            call()
        best = min(best, (time.process_time() - start) / times)
    return best


def ways(functions: TracedFunctions) -> dict[str, tuple[float, float]]:
    """Build and run time of each way, in seconds."""
    ritz, rest = functions.ritz, functions.rest
    state = np.full(len(functions.names), 0.01)
    at = np.concatenate(((1.0,), state, state, rest))
    symbols = [one for name in "tqvu" for one in functions.symbols[name]]
    vectors = [np.array(functions.symbols[name], dtype=object) for name in "qvu"]
    trees = [f for block in ritz.evaluate(symbols[0], *vectors) for f in map(symengine.sympify, block.ravel())]
    out = np.empty(len(trees))
    found = {"arrays": (0.0, seconds(lambda: ritz.evaluate(1.0, state, state, rest), 200))}
    start = time.process_time()
    functions.evaluate.compile()
    built = time.process_time() - start
    found["compiled"] = built, seconds(lambda: functions.evaluate(1.0, state, state, rest), 2000)
    for name, backend in {"LLVM -O3": "llvm", "interpreter": "lambda"}.items():
        if backend == "llvm" and not symengine.have_llvm:
            print("    symengine is without LLVM here; left out")
            continue
        start = time.process_time()
        run = symengine.Lambdify(symbols, trees, cse=True, backend=backend).unsafe_real
        found[name] = time.process_time() - start, seconds(lambda run=run: run(at, out), 1000)
    shown = [sympy.Dummy() for _ in symbols]
    put = dict(zip((one._sympy_() for one in symbols), shown, strict=True))
    start = time.process_time()
    function = sympy.lambdify(shown, [f._sympy_().xreplace(put) for f in trees], cse=True)
    found["SymPy lambdify"] = time.process_time() - start, seconds(lambda: function(*at), 20, rounds=3)
    return found


def main() -> None:
    """Print the tables."""
    for name in ("spin-up", "rotating-arm", "two-link-arm", "satellite")[: 1 if SHORT else None]:
        equations = fx.derive(spin_up() if name == "spin-up" else gallery.example(name))
        start = time.process_time()
        functions = discretised(equations)
        system = functions.system()
        print(f"{name}: {system.n} unknowns, discretised in {1e3 * (time.process_time() - start):.1f} ms")
        found = ways(functions)
        peer = found["SymPy lambdify"][1]
        for way, (build, run) in found.items():
            beside = compared(f"{name}, {way}", peer / run) if way in ("arrays", "compiled") else f"{peer / run:.3g}x"
            print(f"    {way:15s} build {1e3 * build:7.1f} ms   M and f {1e6 * run:7.1f} us   SymPy's {beside}")


if __name__ == "__main__":
    main()
