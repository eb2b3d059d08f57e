"""A flexible arm under PID: roots of the closed loop against the decay of its motion, and sampled control."""

from __future__ import annotations

from typing import Any

import numpy as np

import flexura as fx

GAINS = (20.0, 3.0, 15.0)  # on the hub's angle, its rate and its integral


def arm(*control: Any, law: str = "u") -> fx.Equations:
    """A hub on a bearing, a beam with some loss in it, a body at its tip; `law` is the torque on the hub."""
    beam = fx.EulerBernoulliBeam("beam", EI=10.0, rho=1.0, length=1.0, internal_damping=5e-3)
    hub, tip = fx.RigidBody("hub", 0, 0.1), fx.RigidBody("tip", 0.2, 0.01)
    joints = [fx.Revolute(fx.ground, hub, name="th"), fx.Fixed(hub, beam.start), fx.Fixed(beam.end, tip)]
    return fx.linearise(fx.derive(fx.Model(*joints, fx.State("z", "th"), fx.Torque(hub, law), *control)))


def closed() -> fx.Equations:
    """The same with the law written into the load."""
    p, d, i = GAINS
    return arm(law=f"-{p}*th - {d}*th_t - {i}*z")


def pid(run: Any) -> float:
    p, d, i = GAINS
    return float(-p * run["th"] - d * run["th_t"] - i * run["z"])


def test_roots_of_the_closed_loop_are_how_its_motion_decays() -> None:
    """Exact roots of the continuum; what is left of the motion after 3 s is fitted by five exponentials."""
    equations = closed()
    modes = fx.modes(equations, 3)
    run = fx.simulate(equations, np.linspace(0, 9, 181), initial={"th": 1e-3}, tolerance=1e-11, order=6, elements=1)
    late, count = run["th"][run.t >= 3 - 1e-9], 5
    ahead = np.array([late[k : len(late) - count + k] for k in range(count)]).T
    weights = np.linalg.lstsq(ahead, late[count:], rcond=None)[0]
    roots = np.log(np.roots([1.0, *-weights[::-1]]).astype(complex)) / run.t[1]
    slow = sorted(roots[roots.imag > -1e-9], key=abs)[:2]
    np.testing.assert_allclose(slow, modes.eigenvalues[:2], atol=1e-6)


def test_sampled_control_comes_as_near_to_it_as_its_period_is_short() -> None:
    """Half the period, half the distance; and what is asked is held between."""
    t, start = np.linspace(0, 1, 11), {"th": 1e-3}
    options = {"initial": start, "order": 3, "elements": 1}
    plain = fx.simulate(arm(), t, inputs={"u": lambda _, run: pid(run)}, **options)["th"]
    inner = fx.simulate(closed(), t, **options)["th"]
    np.testing.assert_allclose(plain, inner, atol=1e-8)
    off = []
    for period in (0.02, 0.01, 0.005):
        control = fx.Sampled(period, lambda _, seen: pid(seen), "u")
        off.append(np.abs(fx.simulate(arm(control), t, **options)["th"] - inner).max())
    ratios = np.array(off[:-1]) / off[1:]
    np.testing.assert_allclose(ratios, 2.0, atol=0.1)
