"""Structures as matrices and frames: soft mounts, structural damping, frames that spin, mechanisms in halves.

Roots are compared with those of the same matrices in many digits, where rounding cannot decide what is zero.
"""

from __future__ import annotations

from typing import Any

import flint
import numpy as np

import flexura as fx
from hunt.draw import Draw
from hunt.trial import Disagreement, Trial, agree, heard

_BITS = 400


def mounts(number: int) -> Trial:
    """A stiff space truss, free or on mounts that are softer by up to 1e14."""
    draw = Draw(number)
    nodes = np.array([[draw.uniform(-1, 1) for _ in range(3)] for _ in range(draw.integer(5, 8))])
    stiff, soft = draw.size(1e6, 1e10), draw.pick([0.0, draw.size(1e-2, 1e6)])
    apart = draw.chance(0.5)
    truss, held = _truss(nodes, stiff), _mounts(len(nodes), soft, draw)
    M = np.kron(np.diag([draw.size(0.1, 5) for _ in nodes]), np.eye(3))

    def system() -> Any:
        names = [f"{one}{i}" for i in range(len(nodes)) for one in "uvw"]
        if soft and apart:
            return fx.SecondOrderSystem(M, None, truss, springs=held, nodes=nodes, dofs=names)
        return fx.SecondOrderSystem(M, None, truss + held, nodes=nodes, dofs=names)

    def modes() -> str | None:
        with heard() as words:
            found = fx.modes(system(), 9)
        squares = _squares(truss, held, M, nodes)
        expected = np.sqrt(squares[:9])
        words += [str(found.certificate)] if "rounding" in str(found.certificate) else []
        return agree("frequencies", found.frequencies, expected, 1e-5 * expected + 1e-12 * expected[-1], words)

    script = f"nodes={nodes.tolist()}\nstiff={stiff} soft={soft} apart={apart}"
    return Trial("mounts", number, script, frozenset(), {"modes": modes})


def hysteretic(number: int) -> Trial:
    """A complex stiffness in the response, in the modes, and refused in motion."""
    draw = Draw(number)
    n = draw.integer(2, 6)
    factor = np.array([[draw.uniform(-1, 1) for _ in range(n)] for _ in range(n)])
    K, M = factor @ factor.T + np.eye(n), np.diag([draw.size(0.3, 3) for _ in range(n)])
    loss, omega = draw.size(0.01, 0.3), draw.size(0.3, 3)
    load, read = np.eye(n)[0], np.eye(n)[-1]

    def response() -> str | None:
        found = fx.frequency_response(fx.SecondOrderSystem(M, None, K * (1 + 1j * loss)), [omega], load, read)
        expected = read @ np.linalg.solve(K * (1 + 1j * loss) - omega**2 * M, load)
        return agree("response", found[0], expected, 1e-9 * abs(expected))

    def modes() -> str | None:
        found = fx.modes(fx.SecondOrderSystem(M, None, K * (1 + 1j * loss)), n).eigenvalues
        squares = -np.linalg.eigvals(np.linalg.solve(M, K * (1 + 1j * loss)))
        expected = np.array(sorted(np.sqrt(squares.astype(complex)), key=abs))
        expected = np.where(expected.imag < 0, -expected, expected)
        return agree("eigenvalues", sorted(np.abs(found)), sorted(np.abs(expected)), 1e-8 * np.abs(expected).max())

    def simulate() -> str | None:
        try:
            fx.simulate(fx.SecondOrderSystem(M, None, K * (1 + 1j * loss)), [0.0, 1.0])
        except fx.FlexuraError:
            return None
        raise Disagreement("A complex stiffness went into motion in time without a word.")

    script = f"K={K.tolist()}\nM={M.tolist()}\nloss={loss}"
    return Trial(
        "hysteretic", number, script, frozenset(), {"response": response, "modes": modes, "simulate": simulate}
    )


def spins(number: int) -> Trial:
    """A frame on a body that turns steadily, free or held: roots of the whole pencil."""
    draw = Draw(number)
    count = draw.integer(2, 4)
    nodes = np.array([[0.0, 0.0, 0.0], *([draw.uniform(-1, 1) for _ in range(3)] for _ in range(count))])
    elements = [[i, i + 1] for i in range(count)]
    section = fx.Section(
        E=2e11, G=8e10, rho=7800.0, A=draw.size(1e-4, 1e-3), Iy=draw.size(1e-9, 1e-7), Iz=draw.size(1e-9, 1e-7)
    )
    omega = tuple(round(draw.uniform(-5, 5), 2) for _ in range(3)) if draw.chance(0.5) else (0, 0, draw.size(0.5, 20))
    held = draw.chance(0.4)
    refine = draw.pick([1, 2, 4])

    def modes() -> str | None:
        frame = fx.BeamFrame(nodes, elements, section, supports={0: "all"} if held else {}).refined(refine)
        system = fx.moving_system(frame, fx.MovingFrame(omega=omega))
        with heard() as words:
            found = fx.modes(system, 8)
        words += [] if found.certificate else [f"Not certified: {found.certificate}"]
        expected = _roots(system)
        near = [min(abs(expected - s)) for s in found.eigenvalues]
        within = 1e-4 * np.abs(found.eigenvalues) + _split(system)
        noted = agree("distance of each root from a true one", np.array(near), 0 * np.array(near), within, words)
        wrong = _missing_or_invented(found.eigenvalues, expected, _split(system))
        return agree("roots that are missing or too many", wrong, 0, 0, words) or noted

    script = f"nodes={nodes.tolist()}\nomega={omega} held={held} refine={refine} {section}"
    return Trial("spins", number, script, frozenset(), {"modes": modes})


def halves(number: int) -> Trial:
    """A turning bar, whole and as two halves that are welded: one motion, or a refusal."""
    draw = Draw(number)
    length, drive = draw.size(0.3, 1), f"{draw.size(5, 60)}*t + {draw.size(0.5, 3)}*sin(5*t)"
    section = fx.Section(E=2e11, G=8e10, rho=7800.0, A=1e-4, Iy=1e-9, Iz=1e-9)

    def simulate() -> str | None:
        turning = fx.MovingFrame.turning("z", drive)
        t = np.linspace(0, 0.2, 5)
        whole = fx.BeamFrame([[0, 0, 0], [length / 2, 0, 0], [length, 0, 0]], [[0, 1], [1, 2]], section, {0: "all"})
        root = fx.BeamFrame([[0, 0, 0], [length / 2, 0, 0]], [[0, 1]], section, {0: "all"})
        tip = fx.BeamFrame([[length / 2, 0, 0], [length, 0, 0]], [[0, 1]], section)
        one = fx.simulate(whole, t, body=turning, step=5e-4)["v2"]
        mechanism = fx.Mechanism(
            {"root": turning, "tip": turning},
            {"root": root, "tip": tip},
            [fx.Joint(("root", 1), ("tip", 0), kind="fixed")],
        )
        run = fx.simulate(mechanism, t, step=5e-4)
        return agree("tip", run["tip"]["v1"], one, 1e-3 * np.abs(one).max(), run.notes)

    return Trial("halves", number, f"{length=} {drive=} {section=}", frozenset(), {"simulate": simulate})


def _truss(nodes: Any, stiff: float) -> Any:
    n = len(nodes)
    K = np.zeros((3 * n, 3 * n))
    for i in range(n):
        for j in range(i):
            d = nodes[i] - nodes[j]
            row = np.zeros(3 * n)
            row[3 * i : 3 * i + 3], row[3 * j : 3 * j + 3] = d, -d
            K += stiff / (d @ d) * np.outer(row, row)
    return (K + K.T) / 2


def _mounts(n: int, soft: float, draw: Draw) -> Any:
    stiffness = np.zeros(3 * n)
    for i in range(4):
        stiffness[3 * i : 3 * i + 3] = [soft * draw.size(0.5, 2) for _ in range(3)]
    return np.diag(stiffness)


def _squares(truss: Any, held: Any, M: Any, nodes: Any) -> Any:
    """omega^2 with many digits; the truss is made free of its rounding by what it leaves of rigid motions."""
    flint.ctx.prec = _BITS
    n = len(M)
    rigid = np.zeros((n, 6))
    for i, at in enumerate(nodes):
        rigid[3 * i : 3 * i + 3, :3] = np.eye(3)
        rigid[3 * i : 3 * i + 3, 3:] = np.array([[0, at[2], -at[1]], [-at[2], 0, at[0]], [at[1], -at[0], 0]])
    P = _exact(np.eye(n)) - _exact(rigid) * (_exact(rigid.T) * _exact(rigid)).inv() * _exact(rigid.T)
    K = P.transpose() * _exact(truss) * P + _exact(held)
    values = flint.acb_mat(_exact(M).inv() * K).eig(algorithm="approx")
    squares = np.sort(np.array([complex(one).real for one in values]))
    return np.where(squares < 1e-25 * squares[-1], 0.0, squares)


def _exact(matrix: Any) -> Any:
    matrix = np.asarray(matrix, float)
    return flint.arb_mat(*matrix.shape, [flint.arb(one) for one in matrix.ravel()])


def _split(system: Any) -> float:
    """What rounding of K makes of a double root at zero, which the many digits of a rounded K still see."""
    K, M = (np.abs(one.diagonal()).max() for one in (system.displacements, system.M))
    return float(10 * np.sqrt(np.finfo(float).eps * K / M))


def _roots(system: Any) -> Any:
    """Every root of s^2 M + s (D + G) + K + H, with many digits."""
    flint.ctx.prec = _BITS
    dense = [
        np.asarray(one.toarray() if hasattr(one, "toarray") else one, float)
        for one in (system.M, system.rates, system.displacements)
    ]
    M, C, K = dense
    n = len(M)
    inverse = _exact(M).inv()
    companion = [[flint.acb(0) for _ in range(2 * n)] for _ in range(2 * n)]
    lower = (inverse * _exact(-K), inverse * _exact(-C))
    for i in range(n):
        companion[i][n + i] = flint.acb(1)
        for j in range(n):
            companion[n + i][j], companion[n + i][n + j] = flint.acb(lower[0][i, j]), flint.acb(lower[1][i, j])
    return np.array([complex(one) for one in flint.acb_mat(companion).eig(algorithm="approx")])


def _missing_or_invented(found: Any, expected: Any, split: float) -> int:
    """How many true roots nearer to zero than the last one found are not listed, and how many zeros are too many.

    One of each conjugate pair is listed, and a motion with its drift once; roots that coincide as often as they do.
    """
    size = np.abs(expected)
    inner = expected[(expected.imag >= -split) & (size > 10 * split) & (size < 0.99 * np.abs(found).max() - split)]

    def around(s: complex, some: Any) -> int:
        return int((np.abs(some - s) <= 1e-4 * abs(s) + split).sum())

    missing = sum(around(s, found) < around(s, inner) for s in inner)
    return missing + max(0, int((np.abs(found) <= split).sum()) - int((size <= 10 * split).sum()))
