"""Linear conditions that no state satisfies together are refused by every verb, and those that can be met never."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx

whole = st.integers(-3, 3)


def chain(*conditions: str) -> fx.Model:
    masses = [fx.Mass(f"m{k}", 1.0 + k) for k in range(3)]
    slides = [fx.Slide(fx.ground, one, along="x", name=f"x{k}") for k, one in enumerate(masses)]
    springs = [fx.Spring(fx.ground, one, k=2.0 + k, along="x") for k, one in enumerate(masses)]
    return fx.Model(*slides, *springs, *map(fx.Constraint, conditions))


VERBS = {
    "modes": lambda model: fx.modes(model),
    "ritz": lambda model: fx.modes(model, method="ritz"),
    "discretise": lambda model: fx.discretise(model),
    "run": lambda model: fx.simulate(model, [0, 0.01]),
}


@given(st.lists(st.tuples(whole, whole, whole, st.integers(-2, 2)), min_size=1, max_size=3))
@settings(max_examples=12, deadline=None)
def test_conditions_are_refused_where_linear_algebra_says_so(rows: list[tuple[int, int, int, int]]) -> None:
    rows = [row for row in rows if any(row[:3])]
    if not rows:
        return
    A, b = np.array([row[:3] for row in rows], float), np.array([row[3] for row in rows], float)
    rank = np.linalg.matrix_rank(A)
    met = rank == np.linalg.matrix_rank(np.column_stack([A, b]))
    if met and rank == 3:
        return  # nothing moves
    model = chain(*(f"{p}*x0 + {q}*x1 + {r}*x2 + {c}" for p, q, r, c in rows))
    for name in ("modes", "ritz", "discretise"):
        if met:
            VERBS[name](model)
            continue
        with pytest.raises(fx.FlexuraError, match="contradict one another: no state satisfies all of them"):
            VERBS[name](model)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_names_them(verb: str) -> None:
    with pytest.raises(fx.FlexuraError, match="The conditions of lambda_1 and lambda_3 contradict one another"):
        VERBS[verb](chain("x0 - x1", "x2 - 0.5", "2*x0 - 2*x1 - 0.1"))
    VERBS[verb](chain("x0 - x1", "2*x0 - 2*x1"))  # one left out, or changed
