"""What the checks of answers cost: every verb with its nets and without them, in one run, by processor time.

    OPENBLAS_NUM_THREADS=1 python bench/bench_nets.py [words of the cases to run]

A net looks whether an answer is right and says so; it does not make the answer. To run without one, what it said is
kept from a first run and given back at once, so that both runs give the same answer; `NETS` lists them all. The package
itself has no such switch. Times are of the processor, the best of many runs with and without, one after the other in
turn, so that others who load the machine matter little; memory is the peak that Python and NumPy allocate. A ratio is
what a run with nets takes, of what it takes without.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
import time
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from record import SHORT, compared

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples" / "operating"))

from free_plate import corner_force, plate

import flexura as fx

LIMIT = 1.2
SECONDS, LEAST, MOST = (0.0, 1, 1) if SHORT else (3.0, 5, 60)  # of processor time for each case; pairs of runs
VALUES = {"m_a": 3, "m_b": 2, "m_c": 1.5, "I_c": 0.02, "rho": 1.2, "l": 1.3, "EI": 50, "K1": 800, "K2": 600, "K3": 400}
PULSE = "Piecewise((5*sin(4*pi*t), t < 0.5), (0, True))"

NETS = {
    "simulate": (
        "solve.runs.equations:momentum_balance",
        "solve.runs.equations:linear_balance",
        "solve.runs.equations:motion_error",  # by steps, shapes and theory; smallest inertia
        "solve.runs.equations:exact_error",
        "solve.steppers.propagate:reach",  # how small a motion is, and how nearly it follows the linearised equations
        "solve.steppers.propagate:rounding",
        "solve.steppers.propagate:products",
        "solve.steppers.propagate:shaken",
        "solve.steppers.propagate:inexact",
        "solve.runs.refine:left_out",  # forces that few shapes do not balance
        "systems.signals.features:resolved",  # how fine an input is: of text,
        "systems.signals.signal:look",  # and of functions
        "solve.runs.case:time_edges",  # and of what depends on time in the energies
        "solve.runs.case:finite_motion",
        "solve.runs.case:steady_ends",
        "solve.runs.case:check_positions",
    ),
    "modes": (
        "solve.exact.kernels:kernel_of",  # motions without stiffness, from strains
        "solve.exact.undamped:_rough",  # whether rounding of K hides a frequency
        "solve.exact.undamped:_first_is_rough",
        "solve.exact.undamped:refuse_negative_inertia",
        "solve.exact.damped:refuse_negative_inertia",
        "solve.exact.damped:zero_roots",
        "solve.exact.line_stiffness:LineStiffness._lost",  # whether stretches of a line lose digits beside each other
    ),
    "response": (
        "solve.exact.response:_ResponseSolver._lost_in",  # how many digits elimination leaves,
        "solve.exact.response:_ResponseSolver._lost",  # and other solutions
        "solve.exact.line_stiffness:LineStiffness._lost",
    ),
    "ritz": ("solve.roots.ritz:_settled", "discretisation.eigen:refuse_indefinite"),
    "equilibrium": ("solve.equilibrium:_left_theory",),
    "matrices": (
        "solve.roots.matrix_modes:refuse_indefinite",
        "solve.roots.matrix_modes:_residual",
        "solve.roots.matrix_damped:zero_roots",  # kernel and chains of the whole stiffness
        "solve.roots.shift_invert:Shifted.defects",  # residuals against what rounding explains
        "structures.operating.rigid:decided",  # free or on soft springs, in energy against rounding
        "structures.operating.split:free_first",
    ),
    "matrix response": ("structures.operating.dynamic:DynamicSolver.misses",),
    "files": (
        "systems.matrix_files.matrix_market:_body",
        "systems.matrix_files.matrix_market:_plain",
        "systems.matrix_files.compressed:_check",
        "systems.matrix_files.contents:_check_table",
    ),
}


# -- nets, switched off -----------------------------------------------------------------------------------------------


class Replayed:
    """A function whose answers of one run are kept, and given back in the same order in others.

    What a net asks of another one belongs to it.
    """

    asked = False  # whether any of them is at work

    def __init__(self, owner: Any, name: str) -> None:
        self.owner, self.name, self.made = owner, name, owner.__dict__[name]
        self.kept: list[Any] = []
        self.next: int | None = None  # None while answers are kept

    @contextmanager
    def taken(self) -> Iterator[None]:
        """It stands where the function stood."""

        def replayed(*given: Any, **named: Any) -> Any:
            if Replayed.asked:
                return self.made(*given, **named)
            if self.next is None:
                Replayed.asked = True
                try:
                    self.kept.append(self.made(*given, **named))
                finally:
                    Replayed.asked = False
                return self.kept[-1]
            self.next += 1
            return self.kept[self.next - 1]

        setattr(self.owner, self.name, replayed)
        try:
            yield
        finally:
            setattr(self.owner, self.name, self.made)


class Without:
    """Work during which the nets of a verb answer at once."""

    def __init__(self, work: Callable[[], Any], verb: str) -> None:
        self.work, self.nets = work, [Replayed(*_place(net)) for net in NETS[verb]]
        self()

    def __call__(self) -> Any:
        with ExitStack() as stack:
            for net in self.nets:
                stack.enter_context(net.taken())
            found = self.work()
        for net in self.nets:
            net.next = 0
        return found

    @property
    def caught(self) -> bool:
        """Whether any net was there to be left out."""
        return any(net.kept for net in self.nets)


def _place(net: str) -> tuple[Any, str]:
    room, _, name = net.partition(":")
    owner: Any = importlib.import_module(f"flexura.{room}")
    *outer, last = name.split(".")
    for one in outer:
        owner = getattr(owner, one)
    return owner, last


# -- cases ------------------------------------------------------------------------------------------------------------


def hub_arm() -> Any:
    hub, arm = fx.RigidBody("hub", m=0, I=0.3), fx.EulerBernoulliBeam("arm", EI=20.0, rho=0.5, length=1.0, field="w")
    parts = (fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub, arm.start), fx.Torque(hub, "tau"))
    return fx.derive(fx.Model(*parts))


def chain(count: int) -> Any:
    """Flexible links on hinges with small bodies, hanging."""
    parts, last = [], fx.ground
    for i in range(count):
        body = fx.RigidBody(f"b{i}", m=0.1, I=0.01)
        link = fx.EulerBernoulliBeam(f"l{i}", EI=100.0, rho=0.4, length=0.3)
        parts += [fx.Revolute(last, body, name=f"q{i}"), fx.Fixed(body, link.start)]
        last = link.end
    return fx.derive(fx.Model(parts, fx.Gravity(9.81)))


def arms() -> Any:
    """Two bodies on hinges and springs, one soft and one stiff."""
    first, second = fx.RigidBody("first", m=1.2, I=0.1), fx.RigidBody("second", m=0.5, I=0.04)
    hinges = [fx.Revolute(fx.ground, first, name="a"), fx.Revolute(first.at(0.7, 0.2, 0.0), second, name="b")]
    springs = [fx.TorsionSpring(fx.ground, first, k=15.0), fx.TorsionSpring(first, second, k=1e5)]
    return fx.derive(fx.Model(*hinges, *springs, fx.Force(second.at(0.4, 0.1, 0.0), value="F", along="y")))


def example_one() -> Any:
    a, b, c = fx.RigidBody("a", m="m_a", I=0), fx.RigidBody("b", m="m_b", I=0), fx.RigidBody("c", m="m_c", I="I_c")
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l", field="q3")
    joints = [fx.Slide(fx.ground, a, name="q1"), fx.Slide(a, b, name="q2")]
    joints += [fx.Fixed(b, beam.start), fx.Fixed(beam.end, c)]
    springs = [fx.Spring(fx.ground, a, k="K1"), fx.Spring(a, b, k="K2"), fx.Damper(a, b, c="b")]
    springs += [fx.Spring(c, fx.ground, k="K3")]
    return fx.derive(fx.Model(*joints, *springs, measured_from={beam: a}, names={beam.end: ("q4", "q5")}))


def cantilever(EI: Any, rho: Any) -> Any:
    beam = fx.EulerBernoulliBeam("beam", EI=EI, rho=rho, length=1.0, field="w")
    return fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F")))


def frame(members: int) -> Any:
    """Members welded end to end at alternating angles, clamped at the first."""
    parts, last = [], fx.ground
    for i in range(members):
        one = fx.EulerBernoulliBeam(f"b{i}", EI=2.0, rho=1.0, length=1.0, EA=500.0)
        parts.append(fx.Fixed(last, one.start, angle=np.pi / 3 * (-1) ** i))
        last = one.end
    return fx.linearise(fx.derive(fx.Model(*parts, fx.Force(last, "F"))))


def stiff_cart() -> Any:
    """A cart with a beam so stiff and light that elimination loses digits with it."""
    cart, beam = fx.Mass("cart", m=1.0), fx.EulerBernoulliBeam("beam", EI=1e12, rho=1e-3, length=1.0, field="w")
    tip = fx.RigidBody("tip", m=0.5, I=0.01)
    joints = [fx.Slide(fx.ground, cart, name="y"), fx.Pin(cart, beam.start), fx.Fixed(beam.end, tip)]
    return fx.derive(fx.Model(*joints, fx.Spring(fx.ground, cart, k=100.0), fx.Force(cart, "F")))


def hinged(members: int) -> Any:
    """Members on hinges, end to end, between two that are held."""
    parts, last = [], fx.ground
    for i in range(members):
        one = fx.EulerBernoulliBeam(f"b{i}", EI=2.0, rho=1.0, length=1.0)
        parts += [fx.Pin(last, one.start), fx.Spring(one.end, fx.ground, k=30.0)]
        last = one.end
    return fx.derive(fx.Model(*parts, fx.Force(last, "F")))


def pinned() -> Any:
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=1.0, length=1.0)
    return fx.derive(fx.Model(fx.Pin(fx.ground, beam.start), fx.Pin(fx.ground, beam.end)))


class Case(NamedTuple):
    verb: str
    name: str
    work: Callable[[], Any]


def simulations() -> Iterator[Case]:
    t, arm, still = np.linspace(0, 1, 401), hub_arm(), cantilever(50.0, 1.0)
    links, two = 2 if SHORT else 16, arms()
    hanging, few = chain(links), np.linspace(0, 0.05, 6)
    rough = {"order": 5, "tolerance": 1e-5}

    def torque(now: float) -> float:
        return 5 * np.sin(4 * np.pi * now) if now < 0.5 else 0.0

    yield Case("simulate", "hub arm", lambda: fx.simulate(arm, t, inputs={"tau": PULSE}, **rough))
    yield Case("simulate", "hub arm, shapes chosen", lambda: fx.simulate(arm, t, inputs={"tau": PULSE}))
    yield Case("simulate", "hub arm, a function", lambda: fx.simulate(arm, t, inputs={"tau": torque}, **rough))
    yield Case("simulate", "cantilever, linear", lambda: fx.simulate(still, t, inputs={"F": "sin(3*t)"}))
    yield Case("simulate", "hub arm, a small motion", lambda: fx.simulate(arm, t, inputs={"tau": f"1e-9*{PULSE}"}))
    yield Case("simulate", "arms, a small motion", lambda: fx.simulate(two, t, inputs={"F": "1e-13*sin(3*t)"}))
    yield Case("simulate", f"{links} links", lambda: fx.simulate(hanging, few, {"q0": -1.3}, order=3, tolerance=1e-5))


def warm() -> Iterator[Case]:
    """A run whose programs another has left on disk."""
    t = np.linspace(0, 1, 401)

    def again() -> Any:
        with patch.dict(os.environ, FLEXURA_CACHE=str(folder)):
            return fx.simulate(hub_arm(), t, inputs={"tau": PULSE}, order=5, tolerance=1e-5)

    with TemporaryDirectory() as name:
        folder = Path(name) / "cache"
        yield Case("simulate", "hub arm from its parts, from a warm cache", again)


def exact() -> Iterator[Case]:
    one, bent, still = example_one(), frame(2 if SHORT else 10), cantilever(50.0, 1.0)
    stepped = cantilever("Piecewise((50, x < 0.5), (20, True))", 1.0)
    tapered = cantilever("50*(1 - x/2)**3", "1 - x/2")
    long, cart = frame(2 if SHORT else 20), stiff_cart()
    links, alone, turning = hinged(2 if SHORT else 5), pinned(), fx.linearise(hub_arm())
    omega, count = np.linspace(1, 400, 20 if SHORT else 2000), 6 if SHORT else 100
    firm, damped = {**VALUES, "b": 0}, {**VALUES, "b": 5}
    yield Case("modes", "Example One", lambda: fx.modes(one, 8, values=firm))
    yield Case("modes", "Example One, damped", lambda: fx.modes(one, 8, values=damped))
    yield Case("modes", "uniform cantilever", lambda: fx.modes(still, 8))
    yield Case("modes", "stepped cantilever", lambda: fx.modes(stepped, 8))
    yield Case("modes", "tapered cantilever", lambda: fx.modes(tapered, 8))
    yield Case("modes", f"{count} modes of a frame", lambda: fx.modes(bent, count))
    yield Case("modes", "members on hinges", lambda: fx.modes(links, 8))
    yield Case("modes", "one member on hinges", lambda: fx.modes(alone, 8))
    yield Case("modes", "hub arm", lambda: fx.modes(turning, 8))
    yield Case("response", "Example One", lambda: fx.frequency_response(one, omega, "q1", "q4", values=damped))
    yield Case("response", "frame", lambda: fx.frequency_response(bent, omega, "F", bent.coordinates[0]))
    yield Case("response", "long frame", lambda: fx.frequency_response(long, omega, "F", long.coordinates[0]))
    yield Case("response", "stiff cart", lambda: fx.frequency_response(cart, omega, "F", "y"))
    yield Case("response", "members on hinges", lambda: fx.frequency_response(links, omega, "F", links.coordinates[0]))
    yield Case("response", "tapered cantilever", lambda: fx.frequency_response(tapered, omega, "F", "w@b"))
    yield Case("ritz", "Example One", lambda: fx.modes(one, 8, values=damped, method="ritz"))
    yield Case("ritz", "tapered cantilever", lambda: fx.modes(tapered, 4, method="ritz"))
    yield Case("equilibrium", "cantilever", lambda: fx.equilibrium(still, values={"F": 1.0}))
    yield Case("equilibrium", "frame", lambda: fx.equilibrium(bent, values={"F": 1e-3}))


def matrices() -> Iterator[Case]:
    free, dense = plate(*((2, 2) if SHORT else (12, 12))), fx.discretise(frame(2 if SHORT else 10), order=4)
    load, small = corner_force(free), plate(*((2, 2) if SHORT else (8, 8)))
    damped = small.with_(D=1e-4 * small.K)
    omega = np.linspace(10, 3000, 2 if SHORT else 20)
    yield Case("matrices", "free plate, sparse", lambda: fx.modes(free.with_(), 16))
    yield Case("matrices", "free plate, sparse, damped", lambda: fx.modes(damped.with_(), 16))
    yield Case("matrices", "frame, dense", lambda: fx.modes(dense.with_(), 16))
    yield Case("matrix response", "free plate", lambda: fx.frequency_response(free.with_(), omega, load, load))


def files() -> Iterator[Case]:
    small, large = (plate(*size) for size in (((2, 2), (2, 3)) if SHORT else ((12, 12), (60, 60))))
    with TemporaryDirectory() as folder:
        for name, system in (("plate", small), ("large plate", large)):
            for ending in (".mtx", ".npz", ".mat"):
                path = Path(folder) / f"{name}{ending}"
                fx.write_system(system, path)
                yield Case("files", f"{name}{ending}", lambda at=path: fx.read_system(at))


# -- measuring --------------------------------------------------------------------------------------------------------


def seconds(work: Callable[[], Any]) -> float:
    """Processor time of one run, without that of collecting what others left."""
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        work()
        return time.process_time() - start
    finally:
        gc.enable()


def peak(work: Callable[[], Any]) -> float:
    """What a run allocates at most, in MB."""
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def measured(case: Case) -> None:
    case.work()  # load and compile
    without = Without(case.work, case.verb)
    pairs: list[tuple[float, float]] = []
    while len(pairs) < LEAST or (np.sum(pairs) < SECONDS and len(pairs) < MOST):
        if len(pairs) % 2:  # what comes second finds other things in the caches
            bare, net = seconds(without), seconds(case.work)
        else:
            net, bare = seconds(case.work), seconds(without)
        pairs.append((net, bare))
    net, bare = np.min(pairs, axis=0)
    space = peak(case.work) / peak(without) if not SHORT or case.verb == "files" else 1.0  # tracing is slow
    name = f"{case.verb}, {case.name}"
    high = "  ABOVE THE LIMIT" if max(net / bare, space) > LIMIT and not SHORT else ""
    idle = "" if without.caught else "  (no net is asked)"
    print(
        f"  {name:52s} {1e3 * bare:8.2f} ms {1e3 * net:8.2f} ms   time {compared(f'{name}, time', net / bare)},"
        f" memory {compared(f'{name}, memory', space)}{high}{idle}",
        flush=True,
    )


def main() -> None:
    warnings.simplefilter("ignore")
    os.environ["FLEXURA_CACHE"] = "off"
    words = [one for one in sys.argv[1:] if not one.startswith("--")]
    print(f"Without nets and with them; the ratio shall be at most {LIMIT}")
    for cases in (simulations, warm, exact, matrices, files):
        for case in cases():
            if all(word in f"{case.verb}, {case.name}" for word in words):
                measured(case)


if __name__ == "__main__":
    main()
