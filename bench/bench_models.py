"""How fast models of flexible links become equations, beside welib's YAMS where it is installed. Run with `make bench`.

Planar chains of links with a revolute joint at each root: from parts to ordinary, partial and boundary equations, with
the steps as data; their SymPy form and the proof by every other route are timed apart. YAMS (welib.yams) describes each
link by one assumed shape instead of a field and forms mass matrix and forcing by Kane's method, in SymPy. What both
know, the inertia of the straight chain in its joint angles, is compared before the times are printed.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import sympy as sp
from record import SHORT, compared
from sympy.physics.mechanics import dynamicsymbols

import flexura as fx
from flexura import gallery

LINKS_UP_TO = 1 if SHORT else 8
SHOWN_UP_TO = 3
PEER_UP_TO = 3


def best(job: Callable[[], Any], repeat: int = 3) -> tuple[float, Any]:
    """The least processor time of several runs, and the result."""
    times, result = [], None
    for _ in range(1 if SHORT else repeat):
        start = time.process_time()
        result = job()
        times.append(time.process_time() - start)
    return min(times), result


def chain(n: int) -> fx.Model:
    """n flexible links, each hinged to the end of the one before, driven at the first joint."""
    parts: list[Any] = []
    before: Any = fx.ground
    for i in range(1, n + 1):
        link = fx.EulerBernoulliBeam(f"link{i}", EI=f"EI{i}", rho=f"rho{i}", length=f"l{i}", field=f"w{i}")
        parts += [fx.Revolute(before, link.start, name=f"theta{i}")]
        parts += [fx.Torque(link.start, "tau")] if i == 1 else []
        before = link.end
    return fx.Model(parts)


def yams_chain(n: int) -> Any:
    """The same chain along z with one assumed shape a link, Taylor coefficients of first order, as YAMS is used."""
    from welib.yams.yams_sympy import YAMSFlexibleBody, YAMSInertialBody
    from welib.yams.yams_sympy_model import YAMSModel

    ref, t = YAMSInertialBody("E"), dynamicsymbols._t
    angles, speeds = (list(dynamicsymbols(f"{stem}1:{n + 1}")) for stem in ("theta", "omega"))
    straight = {"directions": ["x"], "orderMM": 1, "orderH": 1, "predefined_kind": "bld-z-straight"}
    links = [YAMSFlexibleBody(f"B{i}", 1, **straight) for i in range(1, n + 1)]
    turn = {"type": "Joint", "rot_type": "Body", "rot_order": "XYZ"}
    ref.connectTo(links[0], rel_pos=(0, 0, 0), rot_amounts=(0, angles[0], 0), **turn)
    for before, link, angle in zip(links, links[1:], angles[1:], strict=False):
        before.connectToTip(link, rel_pos=(0, 0, before.L), rot_amounts=(0, angle, 0), **turn)
    q, u = [*angles, *(link.q[0] for link in links)], [*speeds, *(link.qd[0] for link in links)]
    rates = [(speed, one.diff(t)) for one, speed in zip(q, u, strict=True)]
    torque = (links[0], (links[0].frame, dynamicsymbols("tau") * ref.frame.y))
    model = YAMSModel(
        ref=ref,
        bodies=links,
        coordinates=q,
        speeds=u,
        kdeqsSubs=rates,
        body_loads=[torque],
        g_vect=0 * ref.frame.z,
    )
    model.kaneEquations(Mform="TaylorExpanded")
    return model


def straight_inertia(equations: fx.Equations, values: dict[str, float]) -> sp.Matrix:
    """The mass matrix of the joint angles with the links straight and at rest in their frames."""
    x, t = sp.symbols("x t")
    angles = [sp.Function(name)(t) for name in equations.coordinates if name in values]
    moving = [sp.Function(name)(x, t) for name in equations.fields]
    moving += [sp.Function(name)(t) for name in equations.coordinates if name not in values]
    marks = sp.symbols(f"a1:{len(angles) + 1}")
    found = []
    for angle in angles:
        row = equations.ordinary[angle.func.__name__]
        row = (row.lhs - row.rhs).subs(dict.fromkeys(moving, 0)).doit()
        row = row.subs({one.diff(t, 2): mark for one, mark in zip(angles, marks, strict=True)})
        row = row.subs({one.diff(t): 0 for one in angles}).subs({one: values[one.func.__name__] for one in angles})
        numbers = {sp.Symbol(name): value for name, value in values.items()}
        found.append([float(sp.expand(row.subs(numbers)).coeff(mark)) for mark in marks])
    return sp.Matrix(found)


def straight_yams(model: Any, n: int, values: dict[str, float]) -> sp.Matrix:
    """The same of YAMS: mass, first moment (YAMS counts it from the mass centre) and inertia of uniform links."""
    numbers: dict[Any, Any] = {link.q[0]: 0 for link in model.bodies}
    for i, link in enumerate(model.bodies, 1):
        rho, length = values[f"rho{i}"], values[f"l{i}"]
        numbers |= {link.mass: rho * length, link.L: length, link.J.M0[1, 1]: rho * length**3 / 3}
        numbers |= {link.mdCM.M0[2]: -rho * length**2 / 2, model.coordinates[i - 1]: values[f"theta{i}"]}
    return model.kane.mass_matrix[:n, :n].subs(numbers)


def agree(n: int, equations: fx.Equations, model: Any) -> bool:
    """Entry by entry, at random numbers."""
    generator = random.Random(n)
    values = {f"{stem}{i}": generator.uniform(0.5, 2) for stem in ("rho", "l", "theta") for i in range(1, n + 1)}
    difference = straight_inertia(equations, values) - straight_yams(model, n, values)
    return all(abs(float(one)) < 1e-9 for one in difference)


def has_peer() -> bool:
    try:
        import welib.yams.yams_sympy_model  # noqa: F401
    except ImportError as error:
        print(f"YAMS is left out, because it cannot be imported ({error}); pip install welib==4.2.0 brings it.")
        return False
    return True


def written(equations: fx.Equations) -> fx.Equations:
    """Rows and steps are written when they are first read: read them."""
    assert all(len(part) for part in (equations.derived, equations.steps))
    return equations


def timed(model: Callable[[], fx.Model], shown: bool = True) -> tuple[list[str], float, fx.Equations]:
    """Deriving with the steps as data; if `shown`, their SymPy form and the proof as well; the equations themselves."""
    seconds, equations = best(lambda: written(fx.derive(model())), repeat=3 if shown else 1)
    line = [f"{1e3 * seconds:.1f}", "-", "-"]
    if shown:
        told, _ = best(lambda: [step.formulas for step in equations.steps], repeat=1)
        proof, certificate = best(lambda: fx.verify(equations), repeat=1)
        assert certificate, str(certificate)
        line[1:] = [f"{1e3 * told:.0f}", f"{1e3 * proof:.0f}"]
    return line, seconds, equations


def two_link_arm() -> None:
    line, seconds, _ = timed(gallery.two_link_arm)
    print("Two-link flexible arm with elbow, payload and two motors (ms)")
    print(f"  derive {line[0]}, steps in SymPy {line[1]}, verify {line[2]}")
    print(f"  target for derive: under 500 ms; {'met' if seconds < 0.5 else 'MISSED'}\n")


def chain_table() -> None:
    print("Planar chain of n flexible links, parts to equations (ms)")
    print("  flexura: fields, exact shapes, foreshortening kept, boundary conditions derived")
    print("  YAMS: one assumed shape a link, no foreshortening, no boundary conditions: less is asked of it")
    peer = has_peer()
    head = ("n", "derive", "steps in SymPy", "verify", "YAMS Kane", "ratio")
    print("".join(f"{one:>16}" for one in head))
    for n in range(1, LINKS_UP_TO + 1):
        line, seconds, equations = timed(lambda n=n: chain(n), shown=n <= SHOWN_UP_TO)
        if peer and n <= PEER_UP_TO:
            theirs, model = best(lambda n=n: yams_chain(n), repeat=3 if n < PEER_UP_TO else 1)
            assert agree(n, equations, model), f"YAMS disagrees at n = {n}"
            line += [f"{1e3 * theirs:.0f}", compared(f"{n} links, YAMS", theirs / seconds)]
        else:
            line += ["-", "-"]
        print("".join(f"{one:>16}" for one in (f"{n}", *line)), flush=True)
        if n == 6:
            print(f"Target for six links: under 5 s; {seconds:.2f} s, {'met' if seconds < 5 else 'MISSED'}")


if __name__ == "__main__":
    two_link_arm()
    chain_table()
