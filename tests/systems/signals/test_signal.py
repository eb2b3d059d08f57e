"""One reader of functions of time: whatever is given, the same values, the same jumps, the same sentences."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import symengine
import sympy
from hypothesis import given
from hypothesis import strategies as st

import flexura as fx
from flexura.systems.signals.signal import SMOOTH, Signal, read_signal, real_array, real_number

T = np.linspace(0.0, 2.0, 41)
WAYS = {
    "text": "sin(3*t)",
    "expression": fx.sin(3 * fx.time),
    "SymPy": sympy.sin(3 * sympy.Symbol("t")),
    "symengine": symengine.sin(3 * symengine.Symbol("t")),
    "function": lambda t: np.sin(3 * t),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_write_a_function_gives_its_values(way):
    signal = read_signal(WAYS[way], "the input F", T)
    assert signal.at(0.7) == pytest.approx(np.sin(2.1), abs=1e-15)
    assert signal.at(T) == pytest.approx(np.sin(3 * T)[:, None], abs=1e-15)
    assert (signal.degree, signal.size, signal.constant) == (SMOOTH, 1, False)
    assert bool(signal.notes) == (way == "function")  # what is written is bounded, and nothing of it is missed


@pytest.mark.parametrize("number", [2, 2.0, np.float32(2), np.int64(2), Fraction(2), Decimal(2), np.array(2.0), "2"])
def test_numbers_are_levels(number):
    signal = read_signal(number, "the input F", T, 3)
    assert (signal.constant, signal.degree) == (True, 0)
    assert signal.at(0.3) == pytest.approx(np.full(3, 2.0))
    assert signal.at(T).shape == (41, 3)


def test_arrays_are_straight_between_the_points_of_t():
    table = np.abs(T - 1)
    signal = read_signal(table, "the input F", T)
    assert signal.at(0.5125) == pytest.approx(0.4875)
    assert signal.degree == 1
    assert signal.breaks == pytest.approx((1.0,))
    columns = read_signal(np.column_stack([table, 2 * table]), "the input F", T, 2)
    assert columns.at(0.5125) == pytest.approx([0.4875, 0.975])
    assert columns.at(T).shape == (41, 2)


def test_jumps_and_straight_text_are_known():
    assert read_signal("Piecewise((0, t < 0.7), (1, True))", "F", T).breaks == pytest.approx((0.7,))
    assert read_signal(lambda t: float(t > 0.7), "F", T).breaks == pytest.approx((0.7,))
    assert read_signal("3*t - 1", "F", T).degree == 1
    assert read_signal("abs(t - 0.7)", "F", T).degree == SMOOTH  # straight, but not between any two points of t
    assert read_signal("a*t", "F", T, known={"a": 2.0}).at(0.5) == pytest.approx(1.0)


def test_a_signal_is_read_once():
    signal = Signal("The load", lambda t: 1.0)
    assert read_signal(signal, "the input F", T) is signal


WRONG = {
    "truth": (True, "The input F is True, a truth value; give a number, a function, an array on t, or text in t."),
    "NumPy's truth": (np.bool_(False), "The input F is False, a truth value"),
    "truths": (T > 1, "The input F is False, a truth value"),
    "a truth among numbers": ([1.0, True] * 20 + [0.0], "The input F is True, a truth value"),
    "complex": (1 + 2j, "The input F holds complex numbers; give real ones."),
    "complex array": (T * 1j, "The input F holds complex numbers"),
    "nothing": (None, "The input F is None; give a number, a function, an array on t, or text in t."),
    "a thing": ({"a": 1}, "The input F is {'a': 1}; give a number"),
    "texts": (["1", "2"], "The input F is ['1', '2']; give a number"),
    "nan": (np.nan, "The input F is not finite; give finite numbers."),
    "infinite": (float("inf"), "The input F is not finite"),
    "nan in an array": (np.where(T < 1, 0.0, np.nan), "The input F is not finite at t = 1; give finite numbers."),
    "masked": (np.ma.array(T, mask=T > 1), "The input F is not finite at t = 1.05; give finite numbers."),
    "a truth of SymPy": (sympy.true, "In the input F, the SymPy expression holds BooleanTrue"),
    "dates": (np.array(["2020-01-01"], dtype="datetime64[D]"), "The input F is array(['2020-01-01']"),
    "short": (np.ones(40), "The input F has the shape (40,), but t has 41 points; give one number for each of them."),
    "wide": (np.ones((41, 2)), "The input F has the shape (41, 2), but t has 41 points; give one number"),
    "empty": ([], "The input F has the shape (0,), but t has 41 points"),
    "ragged": ([[1.0], [1.0, 2.0]], "The input F is [[1.0], [1.0, 2.0]]; give a number"),
    "name": ("a*t", "The input F holds a, which has no value; write it with numbers and t only."),
    "grammar": ("sin(t", "In the input F, the text 'sin(t' cannot be read"),
    "place": (fx.sin(3 * fx.x) if hasattr(fx, "x") else "y", "The input F holds"),
    "function of None": (lambda t: None, "The input F is None at t = 0; let the function give a number."),
    "function of text": (lambda t: "1", "The input F is '1' at t = 0; let the function give a number."),
    "complex function": (lambda t: 1j * t, "at t = 0; let the function give a number."),
    "function of many": (
        lambda t: np.ones(3),
        "The input F gives 3 numbers at t = 0; let the function give one number.",
    ),
    "function of nan": (lambda t: np.nan if t > 1.5 else 0.0, "The input F is not finite at t = 1.5"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_function_of_time_is_refused(case):
    value, sentence = WRONG[case]
    with pytest.raises(fx.FlexuraError) as told:
        read_signal(value, "the input F", T)
    assert sentence in str(told.value)


def test_as_many_numbers_as_times_and_loads_are_not_guessed_at():
    with pytest.raises(fx.FlexuraError, match=r"could be one for each point of t or one for each of 3 loads"):
        read_signal(np.ones(3), "the input", np.arange(3.0), 3)
    assert read_signal(np.ones(3), "the input", np.arange(4.0), 3).constant
    assert read_signal(np.ones((3, 3)), "the input", np.arange(3.0), 3).degree == 1


ANYTHING = st.one_of(
    st.none(), st.booleans(), st.floats(), st.integers(), st.complex_numbers(), st.text(max_size=5), st.binary(),
    st.lists(st.one_of(st.floats(), st.booleans(), st.none()), max_size=4), st.dictionaries(st.text(), st.floats()),
)  # fmt: skip


def answered(read, *given):
    """What was read, or the sentence."""
    try:
        return read(*given)
    except fx.FlexuraError as error:
        return str(error)


@given(ANYTHING)
def test_anything_gives_finite_numbers_or_a_sentence(value):
    times = np.linspace(0, 1, 4)
    signal = answered(read_signal, value, "the input F", times)
    if isinstance(signal, str):
        assert signal.endswith(".")
        return
    found = signal.at(times)
    assert found.shape == (4, 1)
    assert np.isfinite(found).all()
    assert not isinstance(value, bool | complex | type(None))


@given(ANYTHING)
def test_anything_is_a_number_or_not(value):
    for read in (real_array, real_number):
        found = answered(read, value, "The mass")
        assert found.endswith(".") if isinstance(found, str) else np.asarray(found).dtype == np.float64
