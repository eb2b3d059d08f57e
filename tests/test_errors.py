"""The one exception: its data, the sentence made of them, copies, subclasses, and that nobody reads the sentence."""

from __future__ import annotations

import copy
import importlib
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import flexura as fx
from flexura.errors import FlexuraError, concerning
from flexura.solve.steppers.mechanics import Singular
from flexura.solve.steppers.pace import Stalled
from flexura.structures.operating.kernel import IndefiniteStiffness
from flexura.systems.deadline import OutOfTime
from flexura.systems.matrix_files.texts import BadFile

SOURCE = Path(fx.__file__).parent
DATA = {
    "problem": "The rod has no length",
    "advice": "give length=",
    "part": "rod",
    "keyword": "length",
    "entry": 0,
    "missing": ("l", "k"),
    "place": "rod.toml, line 3",
}


def kinds(kind: type[FlexuraError] = FlexuraError) -> set[type[FlexuraError]]:
    """Every kind of error in the package."""
    for path in SOURCE.rglob("*.py"):
        if "(FlexuraError)" in path.read_text(encoding="utf-8"):
            importlib.import_module(".".join(("flexura", *path.relative_to(SOURCE).with_suffix("").parts)))
    return {kind, *(below for one in kind.__subclasses__() for below in kinds(one))}


def data(error: FlexuraError) -> dict[str, object]:
    return {name: getattr(error, name) for name in DATA}


@pytest.mark.parametrize(
    ("problem", "given", "sentence"),
    [
        ("The rod has no length", {}, "The rod has no length."),
        ("The rod has no length.", {}, "The rod has no length."),
        ("The rod has no length", {"advice": "give length="}, "The rod has no length; give length=."),
        ("There is no 'lenght'", {"advice": "did you mean 'length'?"}, "There is no 'lenght'; did you mean 'length'?"),
        ("it is bent", {"advice": "mend it.", "place": "a.toml, line 3"}, "a.toml, line 3: it is bent; mend it."),
        ("No value is known for l", {"missing": ("l",), "part": "rod", "entry": 3}, "No value is known for l."),
    ],
)
def test_the_sentence_is_made_of_the_data(problem, given, sentence) -> None:
    error = FlexuraError(problem, **given)
    assert str(error) == sentence
    assert error.args == (sentence,)


def test_every_kind_is_copied_and_pickled_with_its_data() -> None:
    found = kinds()
    assert {FlexuraError, OutOfTime, BadFile, Singular, Stalled, IndefiniteStiffness} < found
    for kind in found:
        error = kind(**DATA)
        error.add_note("by the way")
        for again in (copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error)), error.with_()):
            assert type(again) is kind
            assert again is not error
            assert data(again) == DATA
            assert str(again) == str(error)
            assert again.args == error.args
            assert again.__notes__ == ["by the way"]


words = st.text("abc xyz", min_size=1, max_size=20)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(("advice", "part", "keyword", "entry", "place"), words)), words)
def test_more_of_the_data_is_told_without_changing_the_rest(told, problem) -> None:
    error = FlexuraError(problem, **told)
    more = error.with_(part="hub", missing=("m",))
    assert data(more) == {**data(error), "part": "hub", "missing": ("m",)}
    assert data(error)["missing"] == ()
    assert more.with_(part=error.part, missing=()).args == error.args


def test_what_goes_wrong_inside_says_what_it_concerns_unless_it_knows_better() -> None:
    with pytest.raises(OutOfTime) as caught, concerning(keyword="springs", entry=4, part="frame"):
        raise OutOfTime("It took too long", entry=0, part="rod")
    assert (caught.value.keyword, caught.value.entry, caught.value.part) == ("springs", 0, "rod")
    assert str(caught.value) == "It took too long."
    with pytest.raises(FlexuraError) as nested, concerning(part="hub", place="a.toml"), concerning(part="rod", entry=0):
        raise FlexuraError("It is bent")
    assert (nested.value.part, nested.value.entry, str(nested.value)) == ("rod", 0, "a.toml: It is bent.")


def test_what_is_no_such_error_passes_and_the_cause_is_kept() -> None:
    with pytest.raises(KeyError), concerning(part="rod"):
        raise KeyError("rod")
    cause = ValueError("deep")
    with pytest.raises(FlexuraError) as caught, concerning(part="rod"):
        raise FlexuraError("It is bent") from cause
    assert caught.value.__cause__ is cause
    assert caught.traceback[-1].name == "test_what_is_no_such_error_passes_and_the_cause_is_kept"
