"""Members that are held along their axis at both ends: what turns stretches them, and answers at rest tell its size."""

import numpy as np
import pytest
import scipy.linalg

import flexura as fx

RHO, EI, EA, R0, LENGTH, OMEGA = 1.0, 1.0, 1e4, 0.5, 1.0, 3.0


def _spoke(EA: float | None = EA, internal_damping: float = 0) -> fx.Equations:
    hub = fx.RigidBody("hub", m=1.0, I=1.0)
    more = {"internal_damping": internal_damping}
    spoke = fx.EulerBernoulliBeam("spoke", EI=EI, rho=RHO, length=LENGTH, EA=EA, **more)
    return fx.derive(
        fx.Model(
            fx.Revolute(fx.ground, hub, name="theta", motion="Omega*t"),
            fx.Fixed(hub.at(R0), spoke.start),
            fx.Fixed(spoke.end, hub.at(R0 + LENGTH)),
        )
    )


def _galerkin(modes: int = 14) -> np.ndarray:
    """Frequencies of the same by another way: bubbles x^2 (1-x)^2 x^k for w and x (1-x) x^k for u, by Gauss.

    T = rho ((u_t - W w)^2 + (w_t + W (r0 + x + u))^2)/2 and V = EA (u' + w'^2/2)^2/2 + EI w''^2/2, about u0 with
    EA u0'' + rho W^2 (r0 + x + u0) = 0, whose tension EA u0' stiffens w.
    """
    x, weights = np.polynomial.legendre.leggauss(60)
    x, weights = (x + 1) / 2, weights / 2
    P = np.polynomial.Polynomial
    w = [P([0, 0, 1]) * P([1, -1]) ** 2 * P([-1, 2]) ** k for k in range(modes)]
    u = [P([0, 1]) * P([1, -1]) * P([-1, 2]) ** k for k in range(modes)]
    W, W1, W2 = (np.array([one.deriv(d)(x) for one in w]) if d else np.array([one(x) for one in w]) for d in range(3))
    U, U1 = (np.array([one.deriv(d)(x) for one in u]) if d else np.array([one(x) for one in u]) for d in range(2))
    K_u = EA * (U1 * weights) @ U1.T - RHO * OMEGA**2 * (U * weights) @ U.T
    amplitudes = np.linalg.solve(K_u, RHO * OMEGA**2 * (U * weights) @ (R0 + x))
    tension = EA * amplitudes @ U1
    K_w = EI * (W2 * weights) @ W2.T + (W1 * weights * tension) @ W1.T - RHO * OMEGA**2 * (W * weights) @ W.T
    M = RHO * scipy.linalg.block_diag((U * weights) @ U.T, (W * weights) @ W.T)
    G = np.zeros_like(M)
    G[:modes, modes:] = -2 * RHO * OMEGA * (U * weights) @ W.T
    G -= G.T
    A = np.block(
        [
            [np.zeros_like(M), np.eye(len(M))],
            [-np.linalg.solve(M, scipy.linalg.block_diag(K_u, K_w)), -np.linalg.solve(M, G)],
        ]
    )
    roots = np.linalg.eigvals(A)
    return np.sort(roots.imag[roots.imag > 0])


def test_a_spoke_between_hub_and_rim_is_pulled_and_stiffened() -> None:
    equations = _spoke()
    assert fx.verify(equations)
    assert "stretches by w_x^2/2" in equations.steps[3].text
    rest = fx.equilibrium(equations, values={"Omega": OMEGA})
    expected = _galerkin()[:3]
    for method in ("exact", "ritz"):
        found = fx.modes(equations, 3, values={"Omega": OMEGA}, about=rest, method=method).frequencies
        assert found == pytest.approx(expected, rel=1e-8)
    softened = np.sqrt(61.672822868**2 - OMEGA**2)  # as it was without the tension, which only spinning took from
    assert expected[1] > softened + 0.02


def test_the_strain_of_bending_is_damped_too() -> None:
    certificate = fx.verify(_spoke(internal_damping=1e-3))
    assert certificate
    assert "strain of members held along their axis" in str(certificate)  # is compared too, to third order


def test_without_a_stretch_it_is_left_out_and_told_once() -> None:
    with pytest.warns(UserWarning, match="held along its axis at both ends, so its shortening") as told:
        equations = _spoke(None)
    assert len(told) == 1
    assert "stretches" not in equations.steps[3].text


def _pinned(EA: float | None, load: float) -> tuple[fx.Equations, fx.EulerBernoulliBeam, dict[str, float]]:
    beam = fx.EulerBernoulliBeam("beam", EI=EI, rho=RHO, length=LENGTH, EA=EA)
    model = fx.Model(
        fx.Pin(fx.ground, beam.start), fx.Pin(beam.end, fx.ground.at(LENGTH)), fx.DistributedForce(beam, "f*sin(pi*x)")
    )
    return fx.derive(model), beam, {"f": load}


def test_models_at_rest_stay_linear_and_tell_the_size_of_the_tension() -> None:
    """Half a sine of the amplitude a: EA a^2/(4 EI) (Woinowsky-Krieger 1950); a = f/(pi^4 EI) of the linear model."""
    amplitude = 0.02
    equations, beam, values = _pinned(EA, amplitude * np.pi**4)
    assert equations.lagrangian.linear
    rest = fx.equilibrium(equations, values=values)
    assert rest.place(beam, 0.5)[0] == pytest.approx(amplitude, rel=1e-9)
    ratio = EA * amplitude**2 / (4 * EI)
    (note,) = rest.notes
    assert f"would take about {ratio / (1 + ratio):.1g} of the deflection" in note
    assert not fx.equilibrium(equations, values={"f": values["f"] / 100}).notes
    data = fx.Equations.from_json(equations.to_json())
    assert fx.equilibrium(data, values=values).notes == rest.notes


def test_the_advice_of_that_note_helps() -> None:
    """An exact beam deflects by what the cubic says, a + EA a^3/(4 EI) = a_linear, to the order of slopes squared."""
    linear = 0.02
    beam = fx.ExactBeam("beam", EI=EI, rho=RHO, length=LENGTH, EA=EA)
    model = fx.Model(
        fx.Pin(fx.ground, beam.start), fx.Pin(beam.end, fx.ground.at(LENGTH)), fx.DistributedForce(beam, "f*sin(pi*x)")
    )
    rest = fx.equilibrium(fx.derive(model), values={"f": linear * np.pi**4})
    amplitude = float(np.roots([EA / (4 * EI), 0, 1, -linear])[-1].real)
    assert rest.position(beam.at(0.5))[1] == pytest.approx(amplitude, rel=3e-3)


def test_without_EA_a_member_at_rest_tells_what_it_cannot_know() -> None:
    equations, beam, values = _pinned(None, 0.02 * np.pi**4)
    (note,) = fx.equilibrium(equations, values=values).notes
    assert "has no EA" in note
    rolling = fx.Model(
        fx.Pin(fx.ground, beam.start),
        fx.Roller(fx.ground.at(LENGTH), beam.end),
        fx.DistributedForce(beam, "f*sin(pi*x)"),
    )
    assert not fx.equilibrium(fx.derive(rolling), values=values).notes
