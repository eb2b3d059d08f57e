"""Small motions about bent states: exact and by Ritz, and against collocation that shares nothing with either."""

import numpy as np
import pytest
import scipy.linalg

import flexura as fx
from solve.statics.reissner import SECTION, cantilever, values


def differentiation(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Chebyshev points on 0..1, and the matrix that differentiates at them."""
    k = np.arange(n + 1)
    x = np.cos(np.pi * k / n)
    c = np.r_[2, np.ones(n - 1), 2] * (-1.0) ** k
    X = np.subtract.outer(x, x) + np.eye(n + 1)
    D = np.outer(c, 1 / c) / X
    D -= np.diag(D.sum(axis=1))
    return (1 - x) / 2, -2 * D


def collocated(rest: fx.Equilibrium, n: int = 40) -> np.ndarray:
    """Frequencies of rho x_tt = n_s, J phi_tt = m_s + x_s n2 - y_s n1 about a state, linearised by hand."""
    s, D = differentiation(n)
    at = {name: np.array([rest.place(name, float(place)) for place in s]) for name in ("u", "v", "phi")}
    x, y, phi = 1 + D @ at["u"], D @ at["v"], at["phi"]
    c, d, EA, kGA, EI = np.cos(phi), np.sin(phi), SECTION["EA"], SECTION["kGA"], SECTION["EI"]
    N, Q = EA * (x * c + y * d - 1), kGA * (-x * d + y * c)
    one, zero = np.eye(n + 1), np.zeros((n + 1, n + 1))
    by = np.hstack
    dx, dy, dphi = by([D, zero, zero]), by([zero, D, zero]), by([zero, zero, one])

    def times(f: np.ndarray, A: np.ndarray) -> np.ndarray:
        return f[:, None] * A

    dN = EA * (times(c, dx) + times(d, dy) + times(-x * d + y * c, dphi))
    dQ = kGA * (times(-d, dx) + times(c, dy) + times(-x * c - y * d, dphi))
    n1, n2 = N * c - Q * d, N * d + Q * c
    dn1 = times(c, dN) - times(d, dQ) - times(n2, dphi)
    dn2 = times(d, dN) + times(c, dQ) + times(n1, dphi)
    dm = EI * by([zero, zero, D])
    rows = [D @ dn1, D @ dn2, D @ dm + times(n2, dx) + times(x, dn2) - times(n1, dy) - times(y, dn1)]
    inertia = [SECTION["rho"] * by([one, zero, zero]), SECTION["rho"] * by([zero, one, zero]), SECTION["J"] * dphi]
    held = [by([one, zero, zero]), by([zero, one, zero]), dphi]
    for k, load in enumerate((dn1, dn2, dm)):  # the ends: held at 0, free of loads at 1
        rows[k][0], rows[k][-1] = held[k][0], load[-1]
        inertia[k][0], inertia[k][-1] = 0, 0
    squares = scipy.linalg.eigvals(np.vstack(rows), -np.vstack(inertia))
    real = squares[np.isfinite(squares) & (np.abs(squares) < 1e8)]
    return np.sqrt(np.sort(real.real[np.abs(real.imag) < 1e-6 * np.abs(real)]))


@pytest.mark.parametrize("load", [{"P": 10.0}, {"M": 2 * np.pi}, {"C": 5.0, "P": 0.1}])
def test_frequencies_about_a_bent_state(load: dict[str, float]) -> None:
    rest = fx.equilibrium(cantilever(), values(**load))
    exact = fx.modes(cantilever(), 4, about=rest)
    assert exact.frequencies == pytest.approx(collocated(rest)[:4], rel=1e-6)
    assert exact.certificate.verified
    ritz = fx.modes(cantilever(), 4, about=rest, method="ritz")
    assert ritz.frequencies == pytest.approx(exact.frequencies, rel=1e-9)


def test_frequencies_of_a_buckled_column() -> None:
    """Beside the branch point the first frequency falls to zero, and on the branch it rises again, twice as fast.

    omega^2 is a (C_0 - C) before and 2 a (C - C_0) on the branch of a symmetric pitchfork, to first order.
    """
    given = {name: one for name, one in values().items() if name != "C"}
    straight = fx.equilibrium_path(cantilever(), "C", (0.0, 3.0), given)
    critical = straight.branch_points[0]
    buckled = fx.equilibrium_path(cantilever(), "C", (0.0, 3.0), given, branch=straight.branches[0])
    k = int(np.argmax(buckled.parameter > critical * 1.003))
    state, load = buckled.point(k), float(buckled.parameter[k])
    bent = fx.modes(cantilever(), 1, about=state).frequencies[0]
    before = fx.equilibrium(cantilever(), {**given, "C": 2 * critical - load})
    plain = fx.modes(cantilever(), 1, about=before).frequencies[0]
    assert (bent / plain) ** 2 == pytest.approx(2, rel=0.05)


def test_an_unstable_state_shows_in_its_modes() -> None:
    rest = fx.equilibrium(cantilever(), values(C=3.0))
    found = fx.modes(cantilever(), 2, about=rest)
    assert found.eigenvalues.real.max() > 0
    assert rest.stable is False


def test_values_come_with_the_state() -> None:
    rest = fx.equilibrium(cantilever(), values(M=1.0))
    assert fx.modes(cantilever(), 2, values(M=1.0), about=rest).frequencies == pytest.approx(
        fx.modes(cantilever(), 2, about=rest).frequencies, rel=1e-12
    )
    with pytest.raises(fx.FlexuraError, match=r"found for M = 1\.0, and values gives 2\.0") as told:
        fx.modes(cantilever(), 2, {"M": 2.0}, about=rest)
    assert "fx.equilibrium" in told.value.advice
    with pytest.raises(fx.FlexuraError, match="found for M"):
        fx.linearise(cantilever(), about=rest, values={"M": 2.0})
    by_hand = fx.modes(cantilever(), 2, values(M=1.0), about=dict(rest))
    assert by_hand.frequencies == pytest.approx(fx.modes(cantilever(), 2, about=rest).frequencies, rel=1e-9)


def test_matrices_have_no_other_state() -> None:
    system = fx.SecondOrderSystem(np.eye(2), None, np.eye(2))
    with pytest.raises(fx.FlexuraError, match="equations only"):
        fx.modes(system, 1, about={"q": 1.0})
