"""Linear conditions that no motion satisfies together are refused by every verb, and those that can be met never."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx

whole = st.integers(-3, 3)


def chain(*conditions: str) -> fx.Equations:
    masses = [fx.Mass(f"m{k}", 1.0 + k) for k in range(3)]
    slides = [fx.Slide(fx.ground, one, along="x", name=f"x{k}") for k, one in enumerate(masses)]
    springs = [fx.Spring(fx.ground, one, k=(f"k{k}", 2.0 + k), along="x") for k, one in enumerate(masses)]
    damper = fx.Damper(fx.ground, masses[0], c=0.1, along="x")
    load = fx.Force(masses[0], "F", along="x")
    return fx.derive(fx.Model(*slides, *springs, damper, load, *map(fx.Constraint, conditions)))


SHAPE = {"x0": 1, "x1": 1, "x2": 1}
LINEAR: dict[str, Callable[[fx.Equations], Any]] = {
    "modes": lambda found: fx.modes(found, 2),
    "ritz": lambda found: fx.modes(found, 2, method="ritz"),
    "response": lambda found: fx.frequency_response(found, [0.3, 1.0], "F", "x0"),
    "chosen frequencies": lambda found: fx.frequency_response(found, load="F", output="x0"),
    "discretise": lambda found: fx.discretise(found),
    "state space": lambda found: fx.state_space(found, ["F"], ["x0"]),
    "sensitivity": lambda found: fx.sensitivity(found, "k0", 2),
    "chart": lambda found: fx.campbell(found, "k0", [1.0, 2.0]),
    "buckling": lambda found: fx.buckling(found, "k0"),
    "step": lambda found: fx.step_response(found, [0.0, 1.0], "F", "x0"),
    "impulse": lambda found: fx.impulse_response(found, [0.0, 1.0], "F", "x0"),
    "periodic": lambda found: fx.periodic_response(found, {"F": "cos(t)"}, "x0"),
    "random": lambda found: fx.random_response(found, 1.0, "F", "x0", [0.1, 2.0]),
    "quotient": lambda found: fx.rayleigh_quotient(found, SHAPE),
    "Dunkerley": lambda found: fx.dunkerley(found),
    "mobility": lambda found: fx.mobility(found),
}
OTHERS: dict[str, Callable[[fx.Equations], Any]] = {
    "accelerations": lambda found: fx.accelerations(found, {}),
    "rest": lambda found: fx.equilibrium(found),
    "path": lambda found: fx.equilibrium_path(found, "k0", (1.0, 2.0)),
    "run": lambda found: fx.simulate(found, [0, 0.01]),
}
VERBS = LINEAR | OTHERS
REFUSED = "contradict one another: no state satisfies all of them|No state near the given one satisfies"


def refused(verb: str, equations: fx.Equations) -> bool:
    """Whether a verb says that conditions contradict one another; what else it may have to say is of no interest."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            VERBS[verb](equations)
        except fx.FlexuraError as error:
            return "contradict one another" in str(error) or "No state near" in str(error)
    return False


rows_of = st.lists(
    st.tuples(whole, whole, whole, st.integers(-2, 2), st.booleans()).filter(lambda row: any(row[:3])),
    min_size=1,
    max_size=4,
)


@given(rows_of)
@settings(max_examples=6, deadline=None)
def test_every_verb_refuses_what_linear_algebra_refuses(rows: list[tuple[int, int, int, int, bool]]) -> None:
    """Conditions A x + c = 0 on places hold A v = 0, too; those on rates, B v + c = 0. Met: some (x, v) exists."""
    texts = [f"{p}*x0{r} + {q}*x1{r} + {s}*x2{r} + {c}" for p, q, s, c, rate in rows for r in ("_t" * rate,)]
    A, b = np.zeros((0, 6)), np.zeros(0)
    for p, q, s, c, rate in rows:
        place = np.array([[p, q, s, 0, 0, 0]])
        A = np.vstack([A, np.roll(place, 3)] if rate else [A, place, np.roll(place, 3)])
        b = np.append(b, [-c] if rate else [-c, 0])
    met = np.linalg.matrix_rank(A) == np.linalg.matrix_rank(np.column_stack([A, b]))
    equations = chain(*texts)
    for verb in VERBS:
        assert refused(verb, equations) is not met, (verb, texts)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_names_them(verb: str) -> None:
    with pytest.raises(fx.FlexuraError, match="The conditions of lambda_1 and lambda_3 contradict one another"):
        VERBS[verb](chain("x0 - x1", "x2 - 0.5", "2*x0 - 2*x1 - 0.1"))
    assert not refused(verb, chain("x0 - x1", "2*x0 - 2*x1"))  # one left out, or changed


@pytest.mark.parametrize("verb", ["modes", "response", "quotient", "discretise", "run"])
@pytest.mark.parametrize(
    ("conditions", "met"),
    [
        (("x0 - 1e-9", "x0"), False),  # metres of a machine of a few micrometres
        (("x0 - 1e-9", "x1 - 2e-9"), True),
        (("x0 - 1e9", "x0 - 1e9 - 10"), True),  # apart by less than the digits of what is asked for tell
        (("x0 - sin(t)", "x1 - sin(t)", "x0 - x1"), True),
        (("x0 - sin(t)", "x0 + x1", "x1 - sin(t)"), False),  # though they hold together at t = 0
        (("x0 - 1", "x0_t - 1"), False),
        (("x0 - t", "x0_t - 1"), True),
        (("x0_t + x0 - 1", "x0"), False),
    ],
)
def test_sizes_times_and_rates(verb: str, conditions: tuple[str, ...], met: bool) -> None:
    assert refused(verb, chain(*conditions)) is not met


@pytest.mark.parametrize("verb", ["modes", "rest", "response", "quotient", "discretise", "run", "state space"])
def test_values_that_come_later_and_members_make_no_difference(verb: str) -> None:
    """Conditions beside a member, with numbers that only `values` gives."""
    mass, beam = fx.Mass("m", 1.0), fx.EulerBernoulliBeam("beam", EI=5.0, rho=1.0, length=1.0)
    slide, load = fx.Slide(fx.ground, mass, along="y", name="x0"), fx.Force(mass, "F", along="y")
    spring = fx.Spring(fx.ground, mass, k=2.0, along="y")
    ends = fx.Fixed(mass, beam.start), fx.Slide(fx.ground, fx.Mass("other", 0.1), along="y", name="x1")
    conditions = (fx.Constraint("x0 - x1 - a"), fx.Constraint("x0 - x1 - b"))
    equations = fx.derive(fx.Model(slide, spring, load, *ends, *conditions))
    asked: Any = {"modes": fx.modes, "rest": fx.equilibrium,
             "quotient": lambda e, **v: fx.rayleigh_quotient(e, {"x0": 1}, **v),
             "response": lambda e, **v: fx.frequency_response(e, [1.0], "F", "x0", **v), "discretise": fx.discretise,
             "run": lambda e, **v: fx.simulate(e, [0, 0.01], **v),
             "state space": lambda e, **v: fx.state_space(e, ["F"], ["x0"], **v)}[verb]  # fmt: skip
    with pytest.raises(fx.FlexuraError, match=r"lambda_1 and lambda_2 contradict|does not hold together"):
        asked(equations, values={"a": 0.1, "b": 0.2})
    asked(equations, values={"a": 0, "b": 0})
