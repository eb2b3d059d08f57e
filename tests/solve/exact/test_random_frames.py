"""Laws that hold for every frame, on frames nobody had in mind: the count, reciprocity, poles.

The other side is a plain Hermite finite-element model written here. FLEXURA_EXACT_CASES=500 runs more of them.
"""

from __future__ import annotations

import math
import os
import warnings
from dataclasses import dataclass

import numpy as np
import scipy.linalg
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.solve.exact.dynamic_stiffness import DynamicStiffness
from flexura.solve.exact.lines import split
from flexura.solve.exact.reading import read_linear

MORE = "FLEXURA_EXACT_CASES" in os.environ
PHASES = (Phase.explicit, Phase.generate)  # a frame that fails is small enough to read
CASES = int(os.environ.get("FLEXURA_EXACT_CASES", "12"))
ELEMENTS = 20
g = fx.ground


@dataclass(frozen=True)
class Member:
    """From a joint (-1 is ground, held) at an angle to what it hangs on, hinged or welded."""

    parent: int
    angle: float
    length: float
    EI: float
    EA: float
    rho: float
    hinged: bool


@dataclass(frozen=True)
class Drawn:
    """Members, each ending in a joint of its own; a body and a spring (along y) at some joints."""

    members: tuple[Member, ...]
    bodies: dict[int, tuple[float, float]]
    springs: dict[int, float]


@st.composite
def frames(draw):
    count = draw(st.integers(1, 4))
    size = st.integers(50, 200).map(lambda n: n / 100)
    members = []
    for i in range(count):
        parent = draw(st.integers(-1, i - 1)) if i else -1
        hinged = parent >= 0 and draw(st.integers(0, 4)) == 0  # a hinged member goes straight on
        angle = 0.0 if hinged else draw(st.integers(-150, 150)) / 100
        members.append(Member(parent, angle, draw(size), draw(size), 100 * draw(size), draw(size), hinged))
    bodies = {i: (draw(size), 0.05 * draw(size)) for i in range(count) if draw(st.booleans())}
    springs = {i: 20 * draw(size) for i in range(count) if draw(st.booleans())}
    return Drawn(tuple(members), bodies, springs)


def model_of(drawn, *loads):
    """The frame by parts; a member on ground is clamped."""
    beams = [
        fx.EulerBernoulliBeam(f"b{i}", EI=m.EI, EA=m.EA, rho=m.rho, length=m.length)
        for i, m in enumerate(drawn.members)
    ]
    parts = []
    for m, one in zip(drawn.members, beams, strict=True):
        place = g if m.parent < 0 else beams[m.parent].end
        parts.append(fx.Pin(place, one.start) if m.hinged else fx.Fixed(place, one.start, angle=m.angle))
    parts += [fx.Fixed(beams[i].end, fx.RigidBody(f"m{i}", m=m, I=J)) for i, (m, J) in drawn.bodies.items()]
    parts += [fx.Spring(g, beams[i].end, k=k) for i, k in drawn.springs.items()]
    return beams, fx.Model(*parts, *(make(beams) for make in loads))


def finite_elements(drawn):
    """K and M: cubic Hermite functions for bending and for stretching, welded at joints, springs along ground's y."""
    n, joints = ELEMENTS, len(drawn.members)
    inner = 4 * (n - 1) + 2  # (u, u', w, w') between, u' at both ends
    hinges = [i for i, m in enumerate(drawn.members) if m.hinged]
    size = 3 * joints + len(hinges) + inner * joints
    K, M = np.zeros((size, size)), np.zeros((size, size))
    headings = []
    for i, m in enumerate(drawn.members):
        heading = m.angle + (headings[m.parent] if m.parent >= 0 else 0.0)
        headings.append(heading)
        base, h = 3 * joints + len(hinges) + inner * i, m.length / n
        T = np.zeros((4 * (n + 1), size))
        c, s = math.cos(heading), math.sin(heading)
        for node, joint in ((0, m.parent), (n, i)):
            if joint >= 0:
                at = 3 * joint
                T[4 * node, at : at + 2], T[4 * node + 2, at : at + 2] = (c, s), (-s, c)
                T[4 * node + 3, 3 * joints + hinges.index(i) if m.hinged and node == 0 else at + 2] = 1
        T[1, base], T[4 * n + 1, base + 1] = 1, 1
        T[4 : 4 * n, base + 2 : base + inner] = np.eye(4 * (n - 1))
        one, two, mass = _hermite(h)
        k, r = np.zeros((4 * (n + 1),) * 2), np.zeros((4 * (n + 1),) * 2)
        for e in range(n):
            for first, stiff in ((0, m.EA * one), (2, m.EI * two)):
                at = np.array([4 * e + first, 4 * e + first + 1, 4 * e + 4 + first, 4 * e + 5 + first])
                k[np.ix_(at, at)] += stiff
                r[np.ix_(at, at)] += m.rho * mass
        K, M = K + T.T @ k @ T, M + T.T @ r @ T
    for i, (m, J) in drawn.bodies.items():
        M[3 * i, 3 * i] += m
        M[3 * i + 1, 3 * i + 1] += m
        M[3 * i + 2, 3 * i + 2] += J
    for i, k in drawn.springs.items():
        K[3 * i + 1, 3 * i + 1] += k
    return K, M


def _hermite(h):
    """int N'N', int N''N'', int N N of one element."""
    x, w = np.polynomial.legendre.leggauss(6)
    x, w = h * (x + 1) / 2, h * w / 2
    cubic = np.array([[1, 0, -3, 2], [0, h, -2 * h, h], [0, 0, 3, -2], [0, 0, -h, h]])
    found = []
    for d in (1, 2, 0):
        rows = np.array(
            [
                np.polynomial.Polynomial(c).deriv(d)(x / h) / h**d if d else np.polynomial.Polynomial(c)(x / h)
                for c in cubic
            ]
        )
        found.append((rows * w) @ rows.T)
    return found


def law(check, cases=CASES):
    return settings(max_examples=cases, deadline=None, database=None, derandomize=not MORE, phases=PHASES)(
        given(frames())(check)
    )


@law
def test_count_is_that_of_finite_elements(drawn):
    _, model = model_of(drawn)
    equations = fx.derive(model)
    system = read_linear(equations, equations.values)
    K, M = finite_elements(drawn)
    omega = np.sqrt(np.maximum(scipy.linalg.eigh(K, M, eigvals_only=True, subset_by_index=[0, 12]), 0))
    tries = np.random.default_rng(3).uniform(0, omega[10], 40)
    tries = tries[np.abs(omega[:, None] / tries - 1).min(axis=0) > 3e-3]
    expected = (omega[:, None] < tries).sum(axis=0)
    np.testing.assert_array_equal(DynamicStiffness(system).count(tries**2), expected)
    np.testing.assert_array_equal(DynamicStiffness(split(system)).count(tries**2), expected)


@law
def test_frequencies_are_those_of_finite_elements_and_certified(drawn):
    _, model = model_of(drawn)
    found = fx.modes(fx.derive(model), 8)
    K, M = finite_elements(drawn)
    omega = np.sqrt(np.maximum(scipy.linalg.eigh(K, M, eigvals_only=True, subset_by_index=[0, 7]), 0))
    noise = 1e-4 * omega[-1]  # where the finite elements put a mechanism's zero
    np.testing.assert_allclose(found.frequencies, omega, rtol=1e-3, atol=noise)
    assert np.all(omega >= found.frequencies * (1 - 1e-9) - noise)  # finite elements are too stiff
    assert found.certificate


def ritz_counts_the_same(drawn):
    """At random frequencies, as many modes below by pivots as by discretised energies."""
    _, model = model_of(drawn)
    equations = fx.derive(model)
    exact, ritz = (fx.modes(equations, 6, method=method) for method in ("exact", "ritz"))
    np.testing.assert_allclose(ritz.frequencies, exact.frequencies, rtol=1e-9, atol=0)  # mechanisms are at 0.0 in both
    tries = np.random.default_rng(4).uniform(0, 0.999, 20) * exact.frequencies[-1]
    counted = DynamicStiffness(read_linear(equations, equations.values)).count(tries**2)
    np.testing.assert_array_equal(counted, (ritz.frequencies[:, None] < tries).sum(axis=0))


test_ritz_counts_the_same = law(ritz_counts_the_same, cases=max(1, CASES // 3))


def reciprocity_and_poles(drawn):
    last = len(drawn.members) - 1
    beams, model = model_of(
        drawn, lambda b: fx.Force(b[0].at(0.4 * drawn.members[0].length), "F", along="x"),
        lambda b: fx.Force(b[last].end, "G", along="y"),
    )  # fmt: skip
    equations = fx.derive(model)
    found = fx.modes(equations, 4)
    elastic = found.frequencies[found.frequencies > 0]
    omega = np.concatenate([elastic[1:] * 0.97, elastic * 1.01])
    first, end = drawn.members[0], drawn.members[last]
    heading = end.angle
    m = end
    while m.parent >= 0:
        m = drawn.members[m.parent]
        heading += m.angle
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        at_end = fx.frequency_response(equations, omega, "F", beams[last].end)
        inside = fx.frequency_response(equations, omega, "G", beams[0].at(0.4 * first.length))
        w, u = at_end[:, 0], at_end[:, 1]
        there = u * math.sin(heading) + w * math.cos(heading)  # along ground's y
        here = inside[:, 1] * math.cos(first.angle) - inside[:, 0] * math.sin(first.angle)  # along ground's x
        np.testing.assert_allclose(there, here, rtol=1e-6, atol=1e-9 * np.abs(here).max())
        shape, k = found.shape(1), found.frequencies[1]
        alone = np.abs(np.diff(found.frequencies)).min() > 1e-3 * k
        beside = fx.frequency_response(equations, k * (1 + 1e-7), "G", beams[last].end)
    if alone:  # beside a pole the response is the mode: phi phi' / (omega_k^2 - omega^2)
        w, u = (float(shape[name](end.length)) for name in equations.fields[-2:])
        push = u * math.sin(heading) + w * math.cos(heading)
        expected = np.array([w, u]) * push / (k**2 - (k * (1 + 1e-7)) ** 2)
        np.testing.assert_allclose(beside.real, expected, rtol=1e-3, atol=1e-3 * np.abs(expected).max() + 10.0)


test_reciprocity_and_poles = law(reciprocity_and_poles, cases=max(1, CASES // 3))
