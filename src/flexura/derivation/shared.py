"""Reactions that conditions share: of all values that balance, those of least norm (theory, section 8).

>>> least({lambda_1: 3 - lambda_2}, [lambda_2])        # {lambda_1: 3/2, lambda_2: 3/2}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flexura.symbolic.engine import ONE, ZERO, Basic, Symbol, partial


def least(found: Mapping[Symbol, Basic], shared: Sequence[Symbol]) -> dict[Symbol, Basic]:
    """All multipliers, those in `shared` chosen; the others are linear in them: a + B mu, (1 + B'B) mu = -B'a."""
    if not shared:
        return dict(found)
    B = [[partial(f, mu) for mu in shared] for f in found.values()]
    a = [f.xreplace(dict.fromkeys(shared, ZERO)) for f in found.values()]
    columns = list(zip(*B, strict=True)) if B else [()] * len(shared)
    rows = [[_dot(one, other) + (ONE if i == j else ZERO) for j, other in enumerate(columns)]
            for i, one in enumerate(columns)]  # fmt: skip
    values = dict(zip(shared, _solved(rows, [-_dot(one, a) for one in columns]), strict=True))
    return {one: f.xreplace(values) for one, f in found.items()} | values


def _dot(one: Sequence[Basic], other: Sequence[Basic]) -> Basic:
    return sum((x * y for x, y in zip(one, other, strict=True)), ZERO)


def _solved(A: list[list[Basic]], right: list[Basic]) -> list[Basic]:
    """Elimination without a search for pivots, which a definite matrix does not need."""
    n = len(A)
    for k in range(n):
        for i in range(k + 1, n):
            factor = A[i][k] / A[k][k]
            A[i] = [x - factor * y for x, y in zip(A[i], A[k], strict=True)]
            right[i] = right[i] - factor * right[k]
    x = [ZERO] * n
    for k in reversed(range(n)):
        x[k] = (right[k] - _dot(A[k][k + 1 :], x[k + 1 :])) / A[k][k]
    return x
