"""Examples written as energies, the way the memo writes them."""

from __future__ import annotations

from flexura.energy.field import Field
from flexura.energy.lagrangian import Lagrangian
from flexura.symbolic.expression import Coordinate, Expression, Input, Parameter, cos, sin, x


def _parameters(names: str) -> list[Parameter]:
    return [Parameter(name) for name in names.split()]


def example_one() -> Lagrangian:
    """The memo's Example One: three masses, springs, a damper and a loaded beam measured from a moving mass."""
    m_a, m_b, m_c, I_c, K1, K2, K3, b, EI, rho = _parameters("m_a m_b m_c I_c K1 K2 K3 b EI rho")
    q1, q2, q4, q5 = (Coordinate(name) for name in ("q1", "q2", "q4", "q5"))
    q3, f = Field("q3", length="l"), Input("f", of="x")
    return Lagrangian(
        kinetic=(m_a * q1.t**2 + m_b * (q1.t + q2.t) ** 2 + m_c * (q1.t + q4.t) ** 2 + I_c * q5.t**2) / 2,
        potential=(K1 * q1**2 + K2 * q2**2 + K3 * (q1 + q4) ** 2) / 2,
        dissipation=b * q2.t**2 / 2,
        density={q3: rho * (q1.t + q3.t) ** 2 / 2 - EI * q3.xx**2 / 2},
        work_density={q3: {q3: f, q1: f}},
        boundary={q3.at(0): q2, q3.slope(0): 0, q3.at("l"): q4, q3.slope("l"): q5},
    )


def appendix_b() -> Lagrangian:
    """Appendix B, figure 4: two masses joined by a rod, every coordinate measured from ground."""
    m1, m2, EA, rho = _parameters("m1 m2 EA rho")
    r1, r3, r2 = Coordinate("r1"), Coordinate("r3"), Field("r2", length="l")
    return Lagrangian(
        kinetic=(m1 * r1.t**2 + m2 * r3.t**2) / 2,
        density={r2: rho * r2.t**2 / 2 - EA * r2.x**2 / 2},
        boundary={r2.at(0): r1, r2.at("l"): r3},
    )


def appendix_b_moving() -> Lagrangian:
    """Appendix B, figure 4: the same two masses, the rod's motion measured from the left mass."""
    m1, m2, EA, rho = _parameters("m1 m2 EA rho")
    q1, q3, q2 = Coordinate("q1"), Coordinate("q3"), Field("q2", length="l")
    return Lagrangian(
        kinetic=(m1 * q1.t**2 + m2 * q3.t**2) / 2,
        density={q2: rho * (q1.t + q2.t) ** 2 / 2 - EA * q2.x**2 / 2},
        boundary={q2.at(0): 0, q2.at("l"): q3 - q1},
    )


def cantilever() -> Lagrangian:
    """A cantilever with a force at its tip, external and internal damping: natural conditions at the free end."""
    EI, rho, c, eta, F = (*_parameters("EI rho c eta"), Input("F"))
    w = Field("w", length="l")
    return Lagrangian(
        density={w: rho * w.t**2 / 2 - EI * w.xx**2 / 2},
        dissipation_density={w: c * w.t**2 / 2 + eta * EI * w.xxt**2 / 2},
        work={w.at("l"): F},
        boundary={w.at(0): 0, w.slope(0): 0},
    )


def timoshenko_tip_body() -> Lagrangian:
    """A Timoshenko cantilever that carries a body with mass and inertia at its end."""
    EI, kGA, rho, J, m, I = _parameters("EI kGA rho I_rho m I")
    eta = Field("eta", length="l")
    phi = Field("phi", spine=eta)
    return Lagrangian(
        kinetic=(m * eta.at("l").t ** 2 + I * phi.at("l").t ** 2) / 2,
        density={eta: (rho * eta.t**2 + J * phi.t**2 - EI * phi.x**2 - kGA * (eta.x - phi) ** 2) / 2},
        boundary={eta.at(0): 0, phi.at(0): 0},
    )


def rotating_arm() -> Lagrangian:
    """A hub turned by a torque, with a flexible arm and a tip mass; foreshortening stiffens the arm."""
    J, r0, EI, rho, m, l, tau = (*_parameters("J r0 EI rho m l"), Input("tau"))
    theta, w = Coordinate("theta"), Field("w", length=l)
    return Lagrangian(
        kinetic=J * theta.t**2 / 2 + m * _speed_squared(theta, r0 + l, w.at(l), w.at(l).t) / 2,
        density={
            w: rho * _speed_squared(theta, r0 + x, w, w.t) / 2
            - EI * w.xx**2 / 2
            - theta.t**2 * _pull(rho, r0, l, m) * w.x**2 / 2
        },
        work={theta: tau},
        boundary={w.at(0): 0, w.slope(0): 0},
    )


def _speed_squared(theta: Coordinate, radius: Expression, w: Expression, w_t: Expression) -> Expression:
    return (radius * theta.t + w_t) ** 2 + (w * theta.t) ** 2


def _pull(rho: Expression, r0: Expression, l: Expression, m: Expression) -> Expression:
    """The tension at x per squared speed: int_x^l rho (r0 + s) ds + m (r0 + l)."""
    return rho * (r0 * (l - x) + (l**2 - x**2) / 2) + m * (r0 + l)


def von_karman() -> Lagrangian:
    """A beam whose bending stretches it (von Karman), clamped at both ends."""
    EI, EA, rho = _parameters("EI EA rho")
    w = Field("w", length="l")
    u = Field("u", spine=w)
    strain = u.x + w.x**2 / 2
    return Lagrangian(
        density={w: rho * (u.t**2 + w.t**2) / 2 - EA * strain**2 / 2 - EI * w.xx**2 / 2},
        boundary=dict.fromkeys((w.at(0), w.slope(0), w.at("l"), w.slope("l"), u.at(0), u.at("l")), 0),
    )


def pendulum(links: int = 2) -> Lagrangian:
    """A planar chain of massless links with a point mass at the end of each, under gravity."""
    g = Parameter("g")
    angles = [Coordinate(f"theta{i}") for i in range(1, links + 1)]
    kinetic, potential = Expression(0 * g.engine), Expression(0 * g.engine)
    vx, vy, height = kinetic, kinetic, kinetic
    for i, angle in enumerate(angles, 1):
        m, l = Parameter(f"m{i}"), Parameter(f"l{i}")
        vx, vy = vx + l * cos(angle) * angle.t, vy + l * sin(angle) * angle.t
        height = height - l * cos(angle)
        kinetic, potential = kinetic + m * (vx**2 + vy**2) / 2, potential + m * g * height
    return Lagrangian(kinetic=kinetic, potential=potential)


def knife_edge() -> Lagrangian:
    """A sled on a knife edge: it may not slip sideways, a constraint that cannot be integrated."""
    m, I = _parameters("m I")
    X, Y, theta = Coordinate("X"), Coordinate("Y"), Coordinate("theta")
    return Lagrangian(
        kinetic=m * (X.t**2 + Y.t**2) / 2 + I * theta.t**2 / 2,
        constraints=[X.t * sin(theta) - Y.t * cos(theta)],
    )
