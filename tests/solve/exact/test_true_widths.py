"""Frequencies of stepped and tapered members against sixty digits: each within the width its certificate states."""

from __future__ import annotations

import itertools
import os
import re

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from exact_lines import frequency, polynomial, product, uniform

g = fx.ground
CASES = int(os.environ.get("FLEXURA_EXACT_CASES", "20"))
HOLD = {"clamped": fx.Fixed, "pinned": fx.Pin}
WEDGE, CONE = 5.3151, 8.7193  # Kirchhoff's values for a wedge and a cone, clamped at the base


def width(modes):
    """What the certificate claims."""
    return float(re.search(r"within (\S+) of each frequency", str(modes.certificate))[1])


def held(beam, start, end):
    parts = [hold(g, place) for name, place in ((start, beam.start), (end, beam.end)) if (hold := HOLD.get(name))]
    return fx.derive(fx.Model(*parts, foreshortening=False)) if parts else fx.derive(fx.Model(beam))


def true_errors(modes, line, start, end):
    exact = [frequency(line, start, end, one) for one in modes.frequencies if one]
    return [
        float(abs(mp.mpf(one) - two) / two) for one, two in zip(modes.frequencies[-len(exact) :], exact, strict=True)
    ]


def stepped(values):
    """A property that changes over at equal steps, as text."""
    n = len(values)
    pieces = "".join(f"({value!r}, x < {(i + 1) / n!r}), " for i, value in enumerate(values[:-1]))
    return f"Piecewise({pieces}({values[-1]!r}, True))"


ENDS = st.sampled_from([("clamped", "free"), ("free", "clamped"), ("clamped", "pinned"), ("pinned", "clamped")])


@settings(max_examples=CASES, deadline=None, derandomize=True)
@given(st.lists(st.integers(0, 12), min_size=2, max_size=3), ENDS)
def test_stepped_members(exponents, ends):
    """Stiffness ratios up to 1e12, in any order along the member."""
    EI = [10.0**one for one in exponents]
    beam = fx.EulerBernoulliBeam("b", EI=stepped(EI), rho=1.0, length=1.0)
    modes = fx.modes(held(beam, *ends), 3)
    assert modes.certificate
    places = [mp.mpf(one) for one in (0, *((i + 1) / len(EI) for i in range(len(EI))))]

    def line(s2):
        return product([uniform(E, 1, b - a, s2) for E, (a, b) in zip(EI, itertools.pairwise(places), strict=True)])

    errors = true_errors(modes, line, *ends)
    assert max(errors) <= width(modes) <= 1e-8


@pytest.mark.parametrize("ratio", [1e6, 1e10, 1e12])
def test_a_soft_root_keeps_its_digits_beside_a_stiff_arm(ratio):
    beam = fx.EulerBernoulliBeam("b", EI=stepped([1.0, ratio]), rho=1.0, length=1.0)
    modes = fx.modes(held(beam, "clamped", "free"), 4)
    half = mp.mpf(1) / 2
    errors = true_errors(modes, lambda s2: uniform(ratio, 1, half, s2) * uniform(1, 1, half, s2), "clamped", "free")
    assert max(errors) < 1e-11
    assert width(modes) <= 1e-8


def tapered(tip, power, heavy):
    """EI = (c - x)^power, rho = (c - x)^heavy with c = 1 + tip."""
    c = f"{1 + tip!r}"
    rho = f"({c} - x)**{heavy}" if heavy else 1.0
    return fx.EulerBernoulliBeam("b", EI=f"({c} - x)**{power}", rho=rho, length=1.0)


@pytest.mark.parametrize(("tip", "power", "heavy"), [(0.5, 3, 1), (0.05, 4, 2), (0.001, 3, 0)])
def test_tapered_members(tip, power, heavy):
    modes = fx.modes(held(tapered(tip, power, heavy), "clamped", "free"), 1)
    assert modes.certificate
    mp.mp.dps = 60
    c = mp.mpf(repr(1 + tip))
    nodes = [mp.mpf(0)]
    while nodes[-1] < 1:
        nodes.append(min(mp.mpf(1), c - (c - nodes[-1]) / 2))
    EI, rho = ([mp.binomial(n, k) * c ** (n - k) * (-1) ** k for k in range(n + 1)] for n in (power, heavy))

    def line(s2):
        return product([polynomial(EI, rho, a, b, s2) for a, b in itertools.pairwise(nodes)])

    assert max(true_errors(modes, line, "clamped", "free")) <= width(modes) <= 1e-9


@pytest.mark.parametrize(("power", "heavy", "expected"), [(3, 1, WEDGE), (4, 2, CONE)])
def test_nearly_a_point(power, heavy, expected):
    """The frequencies of ever sharper members tend to those of the wedge and the cone."""
    found = [
        fx.modes(held(tapered(tip, power, heavy), "clamped", "free"), 1).frequencies[0] for tip in (1e-2, 1e-3, 1e-4)
    ]
    assert found[-1] == pytest.approx(expected, rel=2e-4)
    assert abs(found[2] - expected) < abs(found[1] - expected) < abs(found[0] - expected)


@pytest.mark.parametrize(
    ("member", "blunt", "end"),
    [
        (lambda c: fx.EulerBernoulliBeam("b", EI=f"({c} - x)**3", rho=f"{c} - x", length=1.0), "1.0001", WEDGE),
        (lambda c: fx.EulerBernoulliBeam("b", EI=f"({c} - x)**4", rho=f"({c} - x)**2", length=1.0), "1.0001", CONE),
        (lambda c: fx.String("s", tension=f"{c} - x", rho=1.0, length=1.0), "1.0001", 1.2024127788),
    ],
)
def test_a_point_is_refused_and_the_advice_helps(member, blunt, end):
    """A wedge, a cone and a hanging chain (half of the first zero of J_0)."""
    sharp, other = (held(member(c), "clamped", "free") for c in ("1", blunt))
    with pytest.raises(fx.FlexuraError, match=r"vanishes at x = 1, where the line runs out in a point"):
        fx.modes(sharp, 1)
    assert fx.modes(other, 1).frequencies[0] == pytest.approx(end, rel=1e-3)
    assert fx.modes(sharp, 1, method="ritz").frequencies[0] == pytest.approx(end, rel=1e-4)


@settings(max_examples=CASES // 2, deadline=None, derandomize=True)
@given(st.floats(0, 12), st.floats(0, 12), st.sampled_from(["weld", "hinge"]))
def test_frames_of_unlike_members(first, second, joint):
    """Three members of very different stiffness in a row, cut apart or written as one: the same frequencies."""
    EI = [1.0, float(f"{10**first:.4g}"), float(f"{10**second:.4g}")]
    beams = [fx.EulerBernoulliBeam(f"b{i}", EI=E, rho=1.0, length=1 / 3) for i, E in enumerate(EI)]
    join = fx.Fixed if joint == "weld" else fx.Pin
    last = () if joint == "weld" else (fx.Fixed(beams[2].end, g),)
    parts = (fx.Fixed(g, beams[0].start), join(beams[0].end, beams[1].start), fx.Fixed(beams[1].end, beams[2].start))
    modes = fx.modes(fx.derive(fx.Model(*parts, *last, foreshortening=False)), 3)
    assert modes.certificate
    third = mp.mpf(1) / 3
    if joint == "weld":
        errors = true_errors(modes, lambda s2: product([uniform(E, 1, third, s2) for E in EI]), "clamped", "free")
        assert max(errors) <= width(modes)
    else:
        ritz = fx.modes(
            fx.derive(fx.Model(*parts, *last, foreshortening=False)), 3, method="ritz", order=14
        ).frequencies
        np.testing.assert_allclose(modes.frequencies, ritz, rtol=1e-3)


@pytest.mark.parametrize("kind", ["EulerBernoulliBeam", "TimoshenkoBeam"])
def test_what_values_at_the_start_move_is_the_diagonal_of_the_whole_form(kind):
    from flexura.solve.exact.mixed import MixedStretches, strainless
    from flexura.solve.exact.reading import read_linear
    from flexura.solve.exact.segments import Stretches

    more = {"kGA": "900*(1 - x/3)", "rotary_inertia": "0.01 + x/50"} if kind == "TimoshenkoBeam" else {}
    beam = getattr(fx, kind)("b", EI="50*(1 - x/2)**3", rho="1 + x", length=1.0, **more)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start)))
    line = read_linear(equations, dict(equations.values)).lines[0]
    mixed = MixedStretches(Stretches(line, np.array([0.0, 0.4, 1.0]), 12), strainless(line))
    whole = np.einsum("kii->ki", mixed.forms[2])[:, : line.end_values]
    assert mixed.inertia_at_start == pytest.approx(whole, rel=1e-12)
