"""How fast equations come out, beside SymPy's mechanics in the same run. Run with `make bench`.

Planar n-link pendulum, from energies (for Kane: from points and velocities) to mass matrix and forcing. Every tool
forms the same system; the mass matrices are compared numerically before any time is printed.
"""

from __future__ import annotations

import math
import random
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import sympy as sp
from record import SHORT, compared
from sympy.physics.mechanics import KanesMethod, LagrangesMethod, Particle, Point, ReferenceFrame, dynamicsymbols

import flexura as fx
from flexura import gallery

LINKS_UP_TO = 2 if SHORT else 12
LAGRANGE_UP_TO = 8
KANE_UP_TO = 12


def best(job: Callable[[], Any], repeat: int = 5) -> tuple[float, Any]:
    """The least processor time of several runs, and the result."""
    times, result = [], None
    for _ in range(1 if SHORT else repeat):
        start = time.process_time()
        result = job()
        times.append(time.process_time() - start)
    return min(times), result


def ours(n: int) -> Any:
    equations = fx.derive(gallery.pendulum(n))
    _ = equations.matrices
    return equations


def chain(n: int) -> tuple[list[Any], list[Any], list[Any], Any, Any]:
    angles = dynamicsymbols(f"theta1:{n + 1}")
    return angles, sp.symbols(f"m1:{n + 1}"), sp.symbols(f"l1:{n + 1}"), sp.Symbol("g"), dynamicsymbols._t


def sympy_lagrange(n: int) -> Any:
    angles, masses, lengths, g, t = chain(n)
    px = py = kinetic = potential = sp.Integer(0)
    for angle, m, l in zip(angles, masses, lengths, strict=True):
        px, py = px + l * sp.sin(angle), py - l * sp.cos(angle)
        kinetic, potential = kinetic + m * (px.diff(t) ** 2 + py.diff(t) ** 2) / 2, potential + m * g * py
    method = LagrangesMethod(kinetic - potential, angles)
    method.form_lagranges_equations()
    return method.mass_matrix, method.forcing


def sympy_kane(n: int) -> Any:
    angles, masses, lengths, g, _ = chain(n)
    speeds = dynamicsymbols(f"u1:{n + 1}")
    frame, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(frame, 0)
    particles, loads, parent = [], [], origin
    for i, (angle, u, m, l) in enumerate(zip(angles, speeds, masses, lengths, strict=True)):
        link = frame.orientnew(f"A{i}", "Axis", [angle, frame.z])
        link.set_ang_vel(frame, u * frame.z)
        end = parent.locatenew(f"P{i}", -l * link.y)
        end.v2pt_theory(parent, frame, link)
        particles.append(Particle(f"B{i}", end, m))
        loads.append((end, -m * g * frame.y))
        parent = end
    rates = [u - angle.diff() for u, angle in zip(speeds, angles, strict=True)]
    method = KanesMethod(frame, q_ind=angles, u_ind=speeds, kd_eqs=rates)
    method.kanes_equations(particles, loads)
    return method.mass_matrix, method.forcing


def same_mass_matrix(n: int, equations: fx.Equations, peer: Any) -> bool:
    """Numbers for every symbol, then entry by entry."""
    generator = random.Random(n)
    names = [f"{stem}{i}" for stem in "ml" for i in range(1, n + 1)]
    values = {sp.Symbol(name): generator.uniform(0.5, 2) for name in names}
    angles = {f"theta{i}": generator.uniform(-1, 1) for i in range(1, n + 1)}
    t = dynamicsymbols._t
    functions = {sp.Function(name)(t): angle for name, angle in angles.items()}
    difference = (equations.mass_matrix - peer).subs({**values, **functions})
    return max(abs(float(one)) for one in difference) < 1e-9


def pendulum_table() -> None:
    print("Planar n-link pendulum, energies to mass matrix and forcing (ms)")
    times: dict[int, float] = {}
    head = ("n", "flexura", "flexura+SymPy form", "LagrangesMethod", "ratio", "KanesMethod", "ratio")
    print("".join(f"{one:>26}" for one in head))
    for n in range(2, LINKS_UP_TO + 1):
        mine, equations = best(lambda n=n: ours(n))
        shown, _ = best(lambda n=n: (lambda e: (e.mass_matrix, e.forcing))(ours(n)), repeat=1)
        times[n] = mine
        line = [f"{n}", f"{1e3 * mine:.2f}", f"{1e3 * shown:.1f}"]
        for peer, limit in ((sympy_lagrange, LAGRANGE_UP_TO), (sympy_kane, KANE_UP_TO)):
            if n > limit:
                line += ["-", "-"]
                continue
            theirs, (mass, _) = best(lambda n=n, peer=peer: peer(n), repeat=1)
            assert same_mass_matrix(n, equations, mass), f"{peer.__name__} disagrees at n = {n}"
            line += [f"{1e3 * theirs:.0f}", compared(f"{n}-link pendulum, {peer.__name__}", theirs / mine)]
        print("".join(f"{one:>26}" for one in line), flush=True)
    if not SHORT:
        power = math.log(times[12] / times[6]) / math.log(2)
        print(f"Growth: flexura's time goes as n^{power:.1f} between n = 6 and n = 12")


def example_one_with_steps() -> None:
    def job() -> None:
        for step in fx.derive(gallery.example("example-one")).steps:
            _ = step.content

    fx.derive(gallery.example("example-one"))
    seconds, _ = best(job, repeat=20)
    print(f"\nExample One with all steps as data: {1e3 * seconds:.2f} ms (target: under 10 ms)")


def import_time() -> None:
    job = [sys.executable, "-c", "import time; s=time.perf_counter(); import flexura; print(time.perf_counter()-s)"]
    runs = [subprocess.run(job, capture_output=True, text=True, check=True) for _ in range(1 if SHORT else 5)]
    seconds = min(float(run.stdout) for run in runs)
    loaded = "import sys, flexura; print('sympy' in sys.modules, 'pint' in sys.modules)"
    lazy = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True).stdout.split()
    print(
        f"import flexura: {1e3 * seconds:.0f} ms (target: under 500 ms);"
        f" SymPy loaded: {lazy[0]}, pint loaded: {lazy[1]}"
    )


if __name__ == "__main__":
    pendulum_table()
    example_one_with_steps()
    import_time()
