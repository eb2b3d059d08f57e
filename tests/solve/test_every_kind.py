"""Every verb of every kind of system with every kind of input and start: the same answer, or the same sentence.

One cart on a spring, with a damper and a force, stands here in seven forms: a model, energies, equations, a discretised
system, matrices, a frame (an element that can only stretch) and a mechanism of that frame on a body that rests.
"""

from __future__ import annotations

import re
import warnings
from itertools import pairwise

import numpy as np
import pytest
import symengine
import sympy

import flexura as fx
from flexura.solve.discretise import motion_system
from flexura.solve.steppers.table import STEPPERS

M, C, K = 2.0, 0.4, 8.0
T = np.linspace(0.0, 1.0, 21)
X0, V0 = 0.1, 0.3

_cart = fx.Mass("cart", m=M)
MODEL = fx.Model(
    fx.Slide(fx.ground, _cart, name="q"),
    fx.Spring(fx.ground, _cart, k=K),
    fx.Damper(fx.ground, _cart, c=C),
    fx.Force(_cart, "F"),
)
EQUATIONS = fx.derive(MODEL)
SECTION = fx.Section(E=K, G=1.0, rho=3 * M, A=1.0, Iy=1.0, Iz=1.0)  # a third of the mass moves with the end
FRAME = fx.BeamFrame(
    [[0, 0, 0], [1, 0, 0]], [[0, 1]], SECTION,
    supports={0: "all", 1: "v w alpha beta gamma"}, dampers={1: {"u": C}},
)  # fmt: skip
KINDS = {
    "model": MODEL,
    "energies": EQUATIONS.lagrangian,
    "equations": EQUATIONS,
    "discretised": motion_system(EQUATIONS, {}),
    "matrices": fx.SecondOrderSystem([[M]], [[C]], [[K]], F=[1.0], dofs=("q",), inputs=("F",)),
    "frame": FRAME,
    "mechanism": fx.Mechanism(fx.rotating_arm("0"), {"arm": FRAME}),
}
KIND = pytest.mark.parametrize("kind", KINDS)
START = {"q": X0, "q_t": V0}


def followed(kind, t=T, initial=START, force=None, **options):
    """q and its rate, whatever they are called there."""
    inputs = None if force is None else {"F": force}
    if kind == "frame":
        inputs = None if force is None else {"u1": force}
        initial = (
            {key.replace("q", "u1"): one for key, one in initial.items()} if isinstance(initial, dict) else initial
        )
    if kind == "mechanism":
        inputs = None if force is None else {"arm": {"u1": force}}
        given = initial if isinstance(initial, dict) else {}
        if set(given) <= {"q", "q_t"} and isinstance(initial, dict):
            initial = ([given.get("q", 0.0)], [given.get("q_t", 0.0)])
        options.setdefault("tolerance", 1e-10)
    run = fx.simulate(KINDS[kind], t, initial, inputs, **options)
    one, name = (run["arm"], "u1") if kind == "mechanism" else (run, "u1" if kind == "frame" else "q")
    return run, one[name], one[f"{name}_t"]


def exact(t, force=0.0, omega=3.0):
    """The motion under force * sin(omega t), from START, in closed form."""
    decay, rate = C / (2 * M), np.sqrt(K / M - (C / (2 * M)) ** 2)
    X = force / (K - M * omega**2 + 1j * C * omega)  # of the imaginary part of exp(i omega t)
    a = X0 - X.imag if force else X0
    b = (V0 - (1j * omega * X).imag + decay * a) / rate if force else (V0 + decay * a) / rate
    free = np.exp(-decay * t) * (a * np.cos(rate * t) + b * np.sin(rate * t))
    return free + ((X * np.exp(1j * omega * t)).imag if force else 0.0)


# -- simulate ----------------------------------------------------------------------------------------------------------

WAVES = {
    "text": "2*sin(3*t)",
    "expression": 2 * fx.sin(3 * fx.time),
    "SymPy": 2 * sympy.sin(3 * sympy.Symbol("t")),
    "symengine": 2 * symengine.sin(3 * symengine.Symbol("t")),
    "function": lambda t: 2 * np.sin(3 * t),
}
LEVELS = {"int": 2, "float": 2.0, "NumPy": np.float32(2), "text": "2", "array": np.full(21, 2.0), "list": [2.0] * 21}


@KIND
@pytest.mark.parametrize("way", WAVES)
def test_a_force_however_it_is_written(kind, way):
    run, q, _ = followed(kind, force=WAVES[way])
    assert q == pytest.approx(exact(T, 2.0), abs=1e-9)
    assert run.energy.error < 1e-8


@KIND
@pytest.mark.parametrize("way", LEVELS)
def test_a_level_however_it_is_written(kind, way):
    _, q, _ = followed(kind, force=LEVELS[way])
    assert q == pytest.approx(followed("matrices", force=2.0)[1], abs=1e-9)


@KIND
def test_arrays_are_straight_between_the_points_of_t(kind):
    table = np.sin(7 * T)
    fine = np.unique(np.concatenate([np.linspace(a, b, 40) for a, b in pairwise(T)]))
    wanted = followed("matrices", fine, force=np.interp(fine, T, table))[1][np.searchsorted(fine, T)]
    assert followed(kind, force=table)[1] == pytest.approx(wanted, abs=1e-9)


STARTS = {
    "numbers": START,
    "NumPy": {"q": np.float64(X0), "q_t": np.float32(0.25)},
    "text": {"q": "1/10", "q_t": "0.3"},
    "arrays": ([X0], [V0]),
    "displacements": np.array([X0]),
    "nothing": None,
}
TAKES_ARRAYS = ("discretised", "matrices", "frame", "mechanism")


@KIND
@pytest.mark.parametrize("way", STARTS)
def test_a_start_however_it_is_given(kind, way):
    if way in ("arrays", "displacements") and kind not in TAKES_ARRAYS:
        with pytest.raises(fx.FlexuraError, match=r"initial is .*; give a dictionary of names"):
            followed(kind, initial=STARTS[way])
        return
    given = STARTS[way]
    if kind == "mechanism" and way == "text":
        given = START  # it starts from arrays
    _, q, v = followed(kind, initial=given, force="sin(t)")
    wanted = followed("matrices", initial=given, force="sin(t)")
    assert q == pytest.approx(wanted[1], abs=1e-9)
    assert v == pytest.approx(wanted[2], abs=1e-9)


WAYS = [
    (kind, name)
    for kind in KINDS
    for name, one in STEPPERS.items()
    if (name == "exact" and kind != "mechanism")
    or (name == "trapezoidal" and kind in ("matrices", "frame"))
    or one.on_states
]


@pytest.mark.parametrize(("kind", "name"), WAYS)
def test_every_stepper_follows_the_cart(kind, name):
    low = STEPPERS[name].order == 2
    t = np.linspace(0, 0.1, 6) if low else T
    how = {"tolerance": 1e-9}
    if low and kind == "matrices":
        how = {"step": 1e-5, **({"radius": 0.8} if name == "generalized_alpha" else {})}
    elif low and kind == "frame":
        how = {"step": 1e-5} if name == "trapezoidal" else {"tolerance": 1e-10}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run, q, _ = followed(kind, t, force="2*sin(3*t)", method=name, **how)
    assert run.complete
    assert q == pytest.approx(exact(t, 2.0), abs=1e-9)


@KIND
def test_options_mean_the_same(kind):
    late = lambda t: 5.0 if 0.31 < t < 0.31002 else 0.0  # noqa: E731 - too short to be seen by looking
    run, q, _ = followed(kind, force=late, breaks=[0.31, 0.31002], longest_step=0.02)
    wanted = exact(T) + np.where(T > 0.31, 5.0 * 2e-5 / M * np.exp(-0.1 * (T - 0.31)) * np.sin(
        np.sqrt(K / M - 0.01) * (T - 0.31)) / np.sqrt(K / M - 0.01), 0.0)  # fmt: skip
    assert q == pytest.approx(wanted, abs=2e-9)
    if kind == "mechanism":
        with pytest.raises(fx.FlexuraError, match="whose matrices change as it moves, takes no events; leave that out"):
            followed(kind, events={"e": "u1"})
        return
    name = "u1" if kind == "frame" else "q"
    run, _, v = followed(kind, np.linspace(0, 2, 21), events={"turn": f"{name}_t"}, stop="turn")
    assert run.stopped
    assert run.t[-1] == pytest.approx(run.events["turn"][0])
    assert abs(v[-1]) < 1e-8
    assert "The event turn ended the run at t = " in run.message


def message(kind, **given):
    """What a run that ends early says, or why there is none."""
    try:
        run, *_ = followed(kind, **given)
    except fx.FlexuraError as error:
        return str(error)
    assert not run.complete
    return run.message


@KIND
@pytest.mark.filterwarnings("ignore:The run is not complete")
def test_time_that_is_up_ends_the_run_or_is_told(kind):
    t = np.linspace(0, 50, 20_001)
    assert "limit of 0.001 s" in message(kind, t=t, force=lambda s: np.sin(3 * s), max_seconds=1e-3)


# -- sentences ---------------------------------------------------------------------------------------------------------


def told(kind, **given):
    """The sentence, the force by one name."""
    with pytest.raises(fx.FlexuraError) as error:
        followed(kind, **given)
    sentence = re.sub("The load on u1|The input F|the load on u1|the input F", "The force", str(error.value))
    return re.sub("u1", "q", sentence)


TIMES = {
    "text": "soon", "nothing": None, "truths": [False, True], "complex": [0.0, 1j], "a number": 3.0,
    "backwards": [1, 0], "nan": [0.0, np.nan], "a square": np.zeros((2, 2)), "empty": [], "twice": [0, 1, 1],
}  # fmt: skip


@pytest.mark.parametrize("case", TIMES)
def test_times_that_are_none_are_told_alike(case):
    sentences = {kind: told(kind, t=TIMES[case]) for kind in KINDS}
    assert len(set(sentences.values())) == 1, sentences
    assert sentences["model"].startswith("t ")


FORCES = {
    "a truth": True, "NumPy's truth": np.bool_(True), "complex": 1j, "complex array": T * 1j, "nan": np.nan,
    "infinite": np.inf, "nan in an array": np.where(T < 0.5, 0.0, np.nan), "short": np.ones(3),
    "wide": np.ones((21, 2)), "ragged": [[1.0], [1.0, 2.0]], "texts": ["1", "2"], "grammar": "sin(t", "a set": {1.0},
    "function of None": lambda t: None, "function of many": lambda t: np.ones(3), "complex function": lambda t: 1j,
    "function of nan": lambda t: np.nan if t > 0.5 else 0.0, "pole": "1/(t - 0.5)",
}  # fmt: skip


@pytest.mark.parametrize("case", FORCES)
def test_forces_that_are_none_are_told_alike(case):
    sentences = {kind: told(kind, force=FORCES[case]) for kind in KINDS}
    assert len(set(sentences.values())) == 1, sentences
    assert sentences["model"].endswith(".")


def test_a_name_without_a_value_is_told_with_what_can_be_done():
    for kind in KINDS:
        sentence = told(kind, force="a*t")
        assert sentence.startswith("The force holds a, which has no value; ")
        values = kind in ("model", "energies", "equations")
        assert sentence.endswith("give values for it, or write a number." if values else "with numbers and t only.")


INITIALS = {
    "a truth": {"q": True}, "complex": {"q": 1j}, "nan": {"q_t": np.nan}, "nothing": {"q": None}, "list": {"q": [1, 2]},
    "of time": {"q": "t"}, "grammar": {"q": "1+"}, "unknown": {"p": 1.0}, "unknown rate": {"velocity": 1.0},
}  # fmt: skip


@pytest.mark.parametrize("case", INITIALS)
def test_starts_that_are_none_are_told_alike(case):
    kinds = [kind for kind in KINDS if kind != "mechanism"]  # which starts from arrays
    sentences = {kind: told(kind, initial=INITIALS[case]) for kind in kinds}
    assert len(set(sentences.values())) == 1, sentences
    assert sentences["model"].endswith((".", "?"))


@pytest.mark.parametrize(
    "case", [(np.ones(2), np.ones(1)), (np.array([np.nan]), np.ones(1)), ([True], [0.0]), ([1j], [0])]
)
def test_arrays_to_start_from_are_told_alike(case):
    sentences = {kind: told(kind, initial=case) for kind in TAKES_ARRAYS}
    assert len(set(sentences.values())) == 1, sentences


OPTIONS = {
    "method": ["euler", 3, True], "tolerance": ["small", 0.0, True, 1.0, np.nan], "max_seconds": [0, "1 s", True],
    "breaks": [["soon"], [np.nan], [1j], True], "longest_step": [0, "1 s", True], "stop": ["landing"],
    "events": [["q"]],
}  # fmt: skip


@pytest.mark.parametrize(("option", "value"), [(name, one) for name, some in OPTIONS.items() for one in some])
def test_options_that_cannot_be_are_told_alike(option, value):
    sentences = {kind: told(kind, **{option: value}) for kind in KINDS}
    assert len(set(sentences.values())) == 1, sentences


@pytest.mark.parametrize("option", [{"step": 0.1}, {"radius": 0.5}])
@pytest.mark.parametrize("other", [{"method": "radau"}, {"method": "exact"}, {"events": {"e": "t - 1"}}])
def test_nothing_is_dropped_without_a_word(option, other):
    for kind in ("matrices", "frame", "mechanism"):
        word = next(iter(option))
        assert f"{word} belong to implicit steps of one length" in told(kind, **option, **other)


@pytest.mark.parametrize("value", [True, "1 s", 0, -1.0, np.nan])
def test_steps_that_are_none_are_told_alike(value):
    kinds = ("matrices", "frame", "mechanism")
    sentences = {kind: told(kind, step=value) for kind in kinds}
    assert len(set(sentences.values())) == 1, sentences
    sentences = {kind: told(kind, radius=1.5 if value in (0, -1.0) else value) for kind in kinds}
    assert len(set(sentences.values())) == 1, sentences


@KIND
def test_words_that_are_not_taken_are_named(kind):
    assert "takes no 'tolernace'; did you mean 'tolerance'" in told(kind, tolernace=1e-3)
    if kind not in ("model", "energies", "equations"):
        assert "this system already holds its numbers" in told(kind, values={"m": 1.0})


# -- other verbs -------------------------------------------------------------------------------------------------------

RESTS = [kind for kind in KINDS if kind != "mechanism"]
SENTENCE = "needs matrices that do not change, and those of a mechanism change as it moves"


@pytest.mark.parametrize("kind", RESTS)
def test_modes(kind):
    wanted = complex(-C / (2 * M), np.sqrt(K / M - (C / (2 * M)) ** 2))
    assert fx.modes(KINDS[kind], 1).eigenvalues[0] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("kind", RESTS)
def test_responses(kind):
    load, output = ("u1", "u1") if kind == "frame" else ("F", "q")
    omega = np.array([0.0, 1.0, 3.0])
    found = np.asarray(fx.frequency_response(KINDS[kind], omega, load, output))
    assert found == pytest.approx(1 / (K - M * omega**2 + 1j * C * omega), abs=1e-12)
    for wrong in ([1j], True, "fast", [np.nan]):
        with pytest.raises(fx.FlexuraError, match=r"^omega .*; give (real ones|frequencies in rad/s)"):
            fx.frequency_response(KINDS[kind], wrong, load, output)


def test_a_mechanism_has_neither():
    with pytest.raises(fx.FlexuraError, match=SENTENCE):
        fx.modes(KINDS["mechanism"])
    with pytest.raises(fx.FlexuraError, match=SENTENCE):
        fx.frequency_response(KINDS["mechanism"], [1.0], "F", "q")


@KIND
def test_equilibria(kind):
    if kind in ("model", "energies", "equations"):
        assert fx.equilibrium(KINDS[kind], values={"F": 4.0})["q"] == pytest.approx(4.0 / K)
        return
    with pytest.raises(fx.FlexuraError, match=r"is of a model or of equations, and this \w+ holds numbers"):
        fx.equilibrium(KINDS[kind])


# -- random systems ----------------------------------------------------------------------------------------------------


def drawn(seed):
    """Matrices of up to five rows, some of them with gyroscopic and circulatory terms, a force and a load on a row."""
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 6))

    def skew(size):
        A = random.normal(size=(n, n)) * size
        return A - A.T if random.random() < 0.5 else None

    A, B = random.normal(size=(2, n, n))
    K = A @ A.T + np.eye(n) * random.uniform(0, 30)
    system = fx.SecondOrderSystem(np.eye(n) + 0.3 * B @ B.T, 0.05 * K, K, skew(0.5), skew(0.3), random.normal(size=n))
    later = random.uniform(0.1, 0.9)
    forces = [
        f"{random.normal():.6f}*sin({random.uniform(1, 9):.6f}*t)",
        random.normal(size=len(T)),
        random.normal(),
        lambda t: 1.0 if t > later else -0.5,
    ]
    chosen = random.permutation(4)
    inputs = {"F": forces[chosen[0]], f"x{n - 1}": forces[chosen[1]]}
    return system, (random.normal(size=n), random.normal(size=n)), inputs


@pytest.mark.parametrize("seed", range(8))
def test_random_matrices_move_alike_by_every_method(seed):
    system, start, inputs = drawn(seed)
    exact = fx.simulate(system, T, start, inputs)
    assert exact.energy.error < 1e-9
    for method in ("radau", "explicit", None):
        events = {"events": {"never": "t + 1"}} if method is None else {}
        run = fx.simulate(system, T, start, inputs, method=method, tolerance=1e-10, **events)
        assert run.energy.error < 1e-9
        assert set(run) == set(exact)
        for name in exact:
            size = max(np.abs(exact[one]).max() for one in exact if one.count("_") == name.count("_") and
                       one.endswith(name.partition("_")[2]))  # fmt: skip
            jumps = 1e-6 if name.endswith("_tt") else 1e-8  # what drives them may jump
            assert np.abs(run[name] - exact[name]).max() < jumps * size, name
        supplied = np.abs(run.energy.supplied - exact.energy.supplied).max()
        assert supplied < 1e-8 * exact.energy.scale
