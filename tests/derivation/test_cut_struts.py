"""Struts, straight members that others turn at their ends: their tension works on that turn, as statics says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import flexura as fx
from cut_balances import Motion, balanced, valued
from flexura.derivation.cut_diagrams import CutLaws
from flexura.derivation.surrogate import surrogate_rows
from flexura.symbolic.jets import Jet


def strut(
    member: str, angle: float, guided: bool, spinning: bool, loads: tuple[str, ...], payload: bool, back: bool
) -> fx.Model:
    """A bending member whose end turns a straight one, of which nothing bends."""
    section = {"rotary_inertia": "J", "kGA": "kGA"} if member == "TimoshenkoBeam" else {}
    beam = getattr(fx, member)("beam", EI="EI", rho="rho*(1 - x/(2*l))", length="l", **section)
    rod = fx.Rod("rod", EA="EA", rho="mu*(1 - x/(2*a))", length="a")
    near, far = (rod.end, rod.start) if back else (rod.start, rod.end)
    turned = angle + (np.pi if back else 0.0)
    way = (float(np.cos(angle)), float(np.sin(angle)), 0)
    hub = fx.RigidBody("hub", m="m_h", I="I_h") if spinning else fx.ground
    parts: list = [fx.Revolute(fx.ground, hub, name="th")] if spinning else []
    parts += [fx.Fixed(hub, beam.start), fx.Fixed(beam.end, near, **({"angle": turned} if turned else {}))]
    if guided:
        rail = hub.at(f"l + a*{way[0]!r}", f"a*{way[1]!r}") if spinning else hub
        parts.append(fx.Roller(rail, far, along=way))
    if payload:
        parts.append(fx.Fixed(far, fx.Mass("p", "m_p")))
    known = {
        "force": lambda: fx.Force(far, "P*cos(t)", along=(1, 2, 0)),
        "weight": lambda: fx.Gravity("g", along=(2, 1, 0)),
        "spring": lambda: fx.Spring(fx.ground.at("d", "h"), far, k="k", along=(2, -1, 0)),
        "damper": lambda: fx.Damper(fx.ground.at("d", "h"), far, c="c", along=(2, -1, 0)),
    }
    return fx.Model(*parts, *(known[one]() for one in loads), measured_from={}, foreshortening=True)


def struts(angles: tuple[float, ...], guided: st.SearchStrategy[bool]) -> st.SearchStrategy[fx.Model]:
    loads = st.sets(st.sampled_from(["force", "weight", "spring", "damper"]), min_size=1).map(sorted).map(tuple)
    members, free = st.sampled_from(["EulerBernoulliBeam", "TimoshenkoBeam"]), st.booleans()
    return st.builds(strut, members, st.sampled_from(angles), guided, free, loads, free, free)


FEW = settings(max_examples=12, database=None, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@FEW
@given(struts((0.0, 0.7, -1.1, 2.1), st.booleans()))
def test_struts_that_bending_turns_balance(model):
    assert balanced(model, 3) > 0


def test_a_strut_inside_a_span_balances():
    beam = fx.RayleighBeam("beam", EI="EI", rho="rho*(1 - x/(2*l))", length="l", rotary_inertia="J")
    rod = fx.Rod("rod", EA="EA", rho="mu*(1 - x/(2*a))", length="a")
    model = fx.Model(
        fx.Revolute(fx.ground, beam.start, name="th"),
        fx.Fixed(rod.start, beam.at("l/3"), angle="120 deg"),
        fx.Spring(fx.ground, rod.end, k="k1", along="-x"),
        fx.TorsionSpring(fx.ground, beam.end, k="k2"),
        fx.Spring(beam.at("l/3"), fx.ground, k="k3", along="x"),
        fx.Force(beam.end, "F*sin(t)", along=(1, 2, 0)),
        foreshortening=True,
    )
    assert balanced(model, 2) == 6


class Unstretched(Motion):
    """A motion in which the rod turns and does not stretch: its particles then stay on one straight line."""

    def _jet(self, jet: Jet) -> float:
        return 0.0 if jet.name == "u_rod" or jet.name.startswith("x_rod") else super()._jet(jet)


@FEW
@given(struts((0.0,), st.just(True)))
def test_the_statics_of_a_guided_strut_is_the_equation_of_what_turns_it(model):
    """Force across and moment on the strut alone tell what the beam's end carries; its section says what it does.

    No tension and no virtual motion is needed here: what is left between both is what the equation misses.
    """
    energies = model.lagrangian.of_small_motions
    laws = CutLaws(energies, energies.cutting())
    motion = Unstretched(laws, 4)
    formulas = {row.name: sum(map(motion, row.right.parts())) for row in laws.formulas}
    nodes = [node for node in laws.cut.nodes if node.member == "rod" or node.name == "beam.end"]
    rows = [*laws.of_member("rod")]
    rows += [row for node in nodes for row in laws.of_node(node)]
    rows += [row for part in laws.cut.bodies if part.name == "p" for row in laws.of_body(part)]
    missed = [row.left - row.right for row in rows]
    names = {one.name for total in missed for f in total.parts() for one in f.free_symbols}
    unknown = sorted(one for one in names if one[:2] in ("N_", "V_", "M_", "R_"))

    def told(values: dict[str, float]) -> np.ndarray:
        motion.known = dict.fromkeys(unknown, 0.0) | values
        return np.array([valued(motion, total) for total in missed])

    still = told({})
    matrix = np.array([told({one: 1.0}) - still for one in unknown]).T
    found = np.linalg.lstsq(matrix, -still, rcond=None)[0]
    assert np.abs(matrix @ found + still).max() < 1e-10
    row = next(one for one in surrogate_rows(energies) if one.name == "y_beam_end")
    asked = valued(motion, row.left - row.right)
    across = found[unknown.index("V_beam_end")]
    assert formulas["V_beam_end"] - across == pytest.approx(asked, abs=3e-8 * (1 + abs(asked)))
