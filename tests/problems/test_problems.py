"""Every problem of the book holds, and a wrong answer would not."""

from __future__ import annotations

import ast
import json
from collections import Counter

import numpy as np
import pytest

from flexura.cli import main
from flexura.errors import FlexuraError
from flexura.problems import CHAPTERS, problem, problems
from flexura.problems.problem import compared

ALL = problems()


@pytest.mark.parametrize("name", ALL)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_answer_is_what_is_known(name: str) -> None:
    solution = ALL[name].solve()
    assert solution.holds, f"\n{solution}"


def test_chapters_are_full_and_names_are_their_own() -> None:
    count = Counter(one.chapter for one in ALL.values())
    assert set(count) == set(CHAPTERS)
    assert min(count.values()) >= 12
    assert sum(count.values()) == len(ALL)


@pytest.mark.parametrize("name", ALL)
def test_a_problem_is_short_and_says_all_it_must(name: str) -> None:
    one = ALL[name]
    assert one.title
    assert len(one.statement) > 60
    assert len(one.source) > 20
    assert len(one.script.splitlines()) < 60


@pytest.mark.parametrize("name", ALL)
def test_what_is_known_is_not_taken_from_the_package(name: str) -> None:
    """No verb of the package stands in what a problem calls known."""
    page = ast.parse(ALL[name].script)
    known = [
        node.value for node in page.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "known"
    ]
    assert known
    used = {node.id for one in known for node in ast.walk(one) if isinstance(node, ast.Name)}
    assert not used & {"fx", "modes", "run", "rest", "path"}


@pytest.mark.parametrize(
    ("answer", "known", "holds"),
    [
        (1.0 + 5e-10, 1.0, True),
        (1.0 + 5e-9, 1.0, False),
        (2.71828, "2.718", True),
        (2.7186, "2.718", False),
        ([1.0, 2.0], ["1.00", "2.01"], False),
        (0.0, 0.0, True),
        (1e-8, 0.0, False),
        (1 + 1j, 1 - 1j, False),
        (float("nan"), 1.0, False),
        (float("nan"), "1.0", False),
    ],
)
def test_a_check_lets_only_what_is_known_pass(answer: object, known: object, holds: bool) -> None:
    assert compared("x", answer, known).holds is holds


def test_answers_of_another_shape_are_refused() -> None:
    with pytest.raises(FlexuraError, match="shape"):
        compared("x", [1.0, 2.0], 1.0)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[str, int]:
    """What a command prints, and how it leaves."""
    with pytest.raises(SystemExit) as left:
        main(list(words))
    return capsys.readouterr().out, int(left.value.code or 0)


def test_the_command_line_lists_and_solves(capsys: pytest.CaptureFixture[str]) -> None:
    text, code = said(capsys, "problems", "--chapter", "guided")
    assert code == 0
    assert len(text.splitlines()) == len(problems("guided"))
    text, code = said(capsys, "problem", "pinned-bar")
    assert code == 0
    assert "every answer is as known" in text
    assert problem("pinned-bar").script.splitlines()[-1] in text
    text, code = said(capsys, "problem", "pinned_bar", "--json")
    assert code == 0
    assert json.loads(text)["checks"][0]["holds"] is True
    listed, _ = said(capsys, "problems", "--json")
    assert [one["name"] for one in json.loads(listed)] == list(ALL)
    listed, code = said(capsys, "problems", "--chapter", "rotating", "--check", "--json")
    assert code == 0
    assert all(one["holds"] for one in json.loads(listed))


def test_a_wrong_answer_leaves_with_1(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np, "sqrt", lambda x: x)
    text, code = said(capsys, "problem", "pinned-bar")
    assert code == 1
    assert "not as known" in text


def test_an_unknown_problem_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["problem", "perpetual-motion"])
    assert left.value.code == 1
    assert "There is no problem called 'perpetual-motion'" in capsys.readouterr().err
