"""The one exception: its data, the sentence made of them, copies, subclasses, and that nobody reads the sentence."""

from __future__ import annotations

import ast
import copy
import functools
import importlib
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import flexura as fx
from flexura.errors import FlexuraError, concerning
from flexura.solve.steppers.pace import Stalled
from flexura.solve.steppers.undetermined import Singular
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


@functools.cache
def kinds() -> frozenset[type[FlexuraError]]:
    """Every kind of error in the package."""
    for path in SOURCE.rglob("*.py"):
        if "(FlexuraError)" in path.read_text(encoding="utf-8"):
            importlib.import_module(".".join(("flexura", *path.relative_to(SOURCE).with_suffix("").parts)))
    found, new = set[type[FlexuraError]](), {FlexuraError}
    while new:
        found |= new
        new = {below for one in new for below in one.__subclasses__() if below.__module__.startswith("flexura.")}
    return frozenset(found)


def data(error: FlexuraError) -> dict[str, object]:
    return {name: getattr(error, name) for name in DATA}


@pytest.mark.parametrize(
    ("problem", "given", "sentence"),
    [
        ("The rod has no length", {}, "The rod has no length."),
        ("The rod has no length.", {}, "The rod has no length."),
        ("The rod has no length", {"advice": "give length="}, "The rod has no length; give length=."),
        ("There is no 'lenght'", {"advice": "did you mean 'length'?"}, "There is no 'lenght'; did you mean 'length'?"),
        ("w is left with 3*x + ...", {"advice": "add it"}, "w is left with 3*x + ...; add it."),
        ("w is left with 3*x + ...", {}, "w is left with 3*x + ...."),
        ("w is left with 3*x + ....", {}, "w is left with 3*x + ...."),
        ("The shift is a root", {"advice": "give another near=..."}, "The shift is a root; give another near=...."),
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


# -- nobody reads a sentence back ------------------------------------------------------------------------------------

SINKS = {"typer.echo", "AttributeError", "str", "print"}
"""What may be handed a whole sentence, to show it."""


class _Reading(ast.NodeVisitor):
    """Finds where the sentence of a caught error is taken apart: in its handler, through names given to it there."""

    def __init__(self, caught: str) -> None:
        self.names, self.found, self.caught = set[str](), list[str](), caught

    def tainted(self, node: ast.AST) -> bool:
        """Whether an expression is the sentence, or one of its halves."""
        if isinstance(node, ast.Call):
            said = isinstance(node.func, ast.Name) and node.func.id in ("str", "repr") and bool(node.args)
            whole = isinstance(node.func, ast.Attribute) and self.tainted(node.func.value)
            return whole or (said and self._is_error(node.args[0]))
        if isinstance(node, ast.Attribute):
            return self._is_error(node.value) and node.attr in ("args", "problem", "advice", "words", "place")
        if isinstance(node, ast.JoinedStr):
            inside = [one.value for one in node.values if isinstance(one, ast.FormattedValue)]
            return any(self._is_error(one) or self.tainted(one) for one in inside)
        if isinstance(node, ast.Subscript):
            return self.tainted(node.value)
        return isinstance(node, ast.Name) and node.id in self.names

    def _is_error(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id == self.caught

    def visit_Assign(self, node: ast.Assign) -> None:
        if self.tainted(node.value):
            targets = [below for one in node.targets for below in ast.walk(one)]
            self.names |= {one.id for one in targets if isinstance(one, ast.Name)}
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = ast.unparse(node.func)
        taken_apart = isinstance(node.func, ast.Attribute) and self.tainted(node.func.value)
        parts = [one for one in node.args if self.tainted(one) and not isinstance(one, ast.JoinedStr | ast.Attribute)]
        handed_on = called not in SINKS and bool(parts)  # to what may take it apart
        matched = called.startswith("re.") and any(self.tainted(one) for one in node.args)
        if taken_apart or handed_on or matched:
            self.found.append(ast.unparse(node))
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        if any(self.tainted(one) for one in (node.left, *node.comparators)):
            self.found.append(ast.unparse(node))
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if self.tainted(node.value) and not (isinstance(node.value, ast.Attribute) and node.value.attr == "args"):
            self.found.append(ast.unparse(node))
        self.generic_visit(node)


def parsed(source: str, ours: frozenset[str] | None = None) -> list[str]:
    """Every place at which the sentence of one of our errors is read back."""
    ours = our_names() if ours is None else ours
    found = []
    for handler in ast.walk(ast.parse(source)) if "except" in source else ():
        if isinstance(handler, ast.ExceptHandler) and handler.name and handler.type is not None:
            types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
            if ours & {ast.unparse(one).rpartition(".")[2] for one in types}:
                reading = _Reading(handler.name)
                for line in handler.body:
                    reading.visit(line)
                found += reading.found
    return found


def our_names() -> frozenset[str]:
    """What a handler that catches one of our errors may name."""
    return frozenset({one.__name__ for one in kinds()} | {"Exception"})


def halves(source: str) -> list[str]:
    """Calls of a string's methods on a problem or an advice, wherever they are."""
    if ".problem" not in source and ".advice" not in source:
        return []
    calls = [one for one in ast.walk(ast.parse(source)) if isinstance(one, ast.Call)]
    taken = [(one, one.func.value) for one in calls if isinstance(one.func, ast.Attribute)]
    return [ast.unparse(one) for one, of in taken if isinstance(of, ast.Attribute) and of.attr in ("problem", "advice")]


def test_no_sentence_is_read_back() -> None:
    found, ours = {}, our_names()
    for path in sorted(SOURCE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        found[str(path)] = [*parsed(source, ours), *halves(source)]
    assert len(found) > 100
    assert not {path: some for path, some in found.items() if some}


@pytest.mark.parametrize(
    "body",
    [
        "raise error if 'fx.equilibrium' in str(error) else None",
        "said = str(error).partition(';')[0]",
        "said, _, rest = str(error).partition('; give values={')",
        "about = re.match('The (.*) of', str(error))",
        "raise FlexuraError(at(_place(str(error), given)))",
        "raise FlexuraError(str(error)) from None",
        "sentence = str(error).removesuffix('.')",
        "words = f'{error}'\n    first = words[:4]",
        "words = str(error)\n    found = words.split()",
        "if error.problem.startswith('The'): raise",
        "if error.args[0] == 'singular': raise",
        "if error.advice != '': raise",
    ],
)
def test_reading_a_sentence_back_would_be_found(body) -> None:
    assert parsed(f"try:\n    run()\nexcept FlexuraError as error:\n    {body}\n")


@pytest.mark.parametrize(
    "body",
    [
        "typer.echo(str(error), err=True)",
        "message = str(error)",
        "raise error.with_(advice='add --rest') from None",
        "raise Stalled(f'The run stalled. {error.problem}', advice=error.advice) from None",
        "return SystemCheck(lines, (*problems, str(error)))",
        "return f'Not compared, because {error.words}.'",
        "raise error if not error.missing else None",
    ],
)
def test_showing_a_sentence_or_using_its_data_is_not(body) -> None:
    assert not parsed(f"try:\n    run()\nexcept (ValueError, fx.FlexuraError) as error:\n    {body}\n")


def test_a_warning_names_the_line_of_the_user() -> None:
    """However many functions of the package lie between."""
    frame = fx.BeamFrame([[0, 0, 0], [1, 0, 0]], [[0, 1]], fx.Section(2e11, 8e10, 7800, 1e-4, 2e-9, 1e-9), {0: "all"})
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=1.0, length=1.0)
    shaken = fx.derive(
        fx.Model(fx.Pin(fx.ground, beam.start), fx.Pin(fx.ground, beam.end), fx.DistributedForce(beam, "f"))
    )
    resonant = fx.modes(shaken, 1).frequencies
    with pytest.warns(UserWarning, match="infinite") as seen:
        fx.frequency_response(shaken, resonant, "f", beam.at(0.3))
    with pytest.warns(UserWarning, match="epsilon") as also:
        fx.simulate(frame, [0.0, 0.1], body=fx.MovingFrame(omega=lambda t: (0, 0, t)))
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    told = [lines[one.lineno - 1].split("(")[0].strip() for one in (*seen, *also) if one.filename == __file__]
    assert told == ["fx.frequency_response", "fx.simulate"]
