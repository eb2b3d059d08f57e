"""The covering design covers, goes on where it was stopped, and calls nothing green that was not run."""

import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import environments
import portable
from environments import Environment
from portable import DESIGN, KERNELS, Kept, Result, Run

GREEN = Result("green", "3 passed (Haswell)", 1.0)


def test_every_level_and_the_pairs_that_are_promised_occur():
    assert len(DESIGN) <= 10
    assert len({run.name for run in DESIGN}) == len(DESIGN)
    assert {run.kernel for run in DESIGN} == set(KERNELS)
    both = set(itertools.product(environments.PYTHONS, environments.VERSIONS))
    assert {(run.python, run.versions) for run in DESIGN} == both
    assert {(run.hash_seed, run.seed) for run in DESIGN} == set(itertools.product((0, 1), (1, 2, 3)))


def test_what_the_shell_has_set_of_blas_is_taken_away(monkeypatch):
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    monkeypatch.setenv("OPENBLAS_L2_SIZE", "512")
    alone = portable.surroundings(Run("", "3.11", "newest", 1, 2))
    assert {name for name in alone if name.startswith("OPENBLAS")} == {"OPENBLAS_NUM_THREADS"}
    assert alone["PYTHONHASHSEED"] == "1"
    assert portable.surroundings(Run("Zen", "3.11", "newest", 0, 1))["OPENBLAS_CORETYPE"] == "Zen"


def test_results_are_kept_under_their_commit_and_what_was_not_run_is_tried_again(tmp_path):
    path = tmp_path / "out" / "portable.json"
    kept = Kept(path, "one")
    kept.add(DESIGN[0], GREEN)
    kept.add(DESIGN[1], Result("red", "1 failed"))
    kept.add(DESIGN[2], Result("not run", "no such kernel"))
    assert set(Kept(path, "one").results) == {DESIGN[0].name, DESIGN[1].name}
    assert Kept(path, "one").results[DESIGN[0].name] == GREEN
    assert Kept(path, "two").results == {}


def test_only_runs_that_were_made_are_green():
    results = {run.name: GREEN for run in DESIGN}
    assert portable.summary(results) == ("7 of 7 green.", 0)
    results[DESIGN[3].name] = Result("not run", "this processor gives Zen for Sandybridge")
    results[DESIGN[4].name] = Result("red", "1 failed")
    del results[DESIGN[5].name]
    assert portable.summary(results) == ("4 of 7 green, 1 red, 2 not run.", 1)
    assert "this processor gives Zen" in portable.line(DESIGN[3], results[DESIGN[3].name])


class Fake:
    """An environment whose interpreter tells this."""

    def __init__(self, kernels, tests="", code=0):
        self.kernels, self.tests, self.code = f"[{', '.join(kernels)}]", tests, code

    def ready(self):
        return self

    def run(self, *words, env):
        return subprocess.CompletedProcess(words, 0, self.kernels)

    def logged(self, *words, env, log, seconds):
        log.write_text(self.tests)
        return self.code


def blas(architecture):
    return f'{{"user_api": "blas", "internal_api": "openblas", "architecture": "{architecture}"}}'


@pytest.mark.parametrize(
    ("fake", "state", "word"),
    [
        (Fake([blas("Zen"), blas("Zen")], "....\n7 passed, 2 warnings in 1.00s\n"), "green", "7 passed (Zen)"),
        (Fake([blas("Zen")], "...F\n1 failed, 6 passed in 1.00s\n", 1), "red", "1 failed, 6 passed"),
        (Fake([blas("Zen")], "", 3), "red", "left with 3"),
        (Fake([blas("Zen")], "no tests ran in 0.1s\n", 0), "red", "left with 0"),
        (Fake([blas("Zen")], "...\n7 passed in 1.00s\n", None), "red", "stopped after"),
        (Fake([blas("Haswell"), blas("Zen")], "7 passed in 1s\n"), "green", "7 passed (Haswell, Zen)"),
        (Fake([blas("Haswell"), blas("Katmai")]), "not run", "this processor gives Haswell, Prescott for Zen"),
        (Fake(["x"]), "not run", "does not tell its kernel"),
    ],
)
def test_a_run_is_judged_by_the_kernel_it_had_and_by_its_tests(monkeypatch, tmp_path, fake, state, word):
    monkeypatch.setattr(portable, "Environment", lambda python, versions: fake)
    monkeypatch.setattr(portable, "OUT", tmp_path)
    result = portable.result_of(Run("Zen", "3.11", "newest", 0, 1))
    assert result.state == state
    assert word in result.text


def test_the_table_names_every_run_and_preparing_counts_what_can_be_made(monkeypatch, capsys):
    shown = portable.table("abc", {DESIGN[0].name: GREEN})
    assert len(shown.splitlines()) == len(DESIGN) + 3
    assert shown.endswith("1 of 7 green, 6 not run.")
    monkeypatch.setattr(portable, "Environment", lambda python, versions: Fake([blas("Zen")]))
    assert portable.prepare() == 1
    told = capsys.readouterr().out
    assert told.count("ready (Zen)") == sum(run.kernel in ("", "Zen") for run in DESIGN)
    assert "this processor gives Zen for Prescott" in told


def test_what_is_changed_or_new_beside_the_commit_marks_it(monkeypatch, tmp_path):
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], check=True)
    (tmp_path / "one").write_text("1")
    subprocess.run([*git, "add", "one"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "one"], check=True)
    monkeypatch.setattr(portable, "ROOT", tmp_path)
    marks = [portable.commit()]
    for name, text in (("one", "2"), ("two", "2"), ("two", "3")):
        (tmp_path / name).write_text(text)
        marks.append(portable.commit())
    assert len(set(marks)) == 4
    assert all(mark.startswith(marks[0]) for mark in marks)


def test_an_environment_is_kept_until_the_project_or_its_place_changes(monkeypatch, tmp_path):
    made = []
    monkeypatch.setattr(environments, "_done", lambda command: made.append(command))
    monkeypatch.setattr(environments, "interpreter", lambda version: sys.executable)

    def ready(root, version):
        monkeypatch.setattr(environments, "ROOT", root)
        monkeypatch.setattr(environments, "project", lambda: {**project, "version": version})
        environment = Environment("3.12", "oldest")
        environment.executable.parent.mkdir(parents=True, exist_ok=True)
        environment.executable.touch()
        before = len(made)
        environment.ready()
        return len(made) > before

    project = environments.project()
    here, there = tmp_path / "here", tmp_path / "there"
    assert [ready(here, "1"), ready(here, "1"), ready(here, "2"), ready(here, "2")] == [True, False, True, False]
    shutil.copytree(here, there)
    assert [ready(there, "2"), ready(there, "2")] == [True, False]
    Environment("3.12", "oldest").executable.unlink()  # the interpreter it came from is gone
    made.clear()
    Environment("3.12", "oldest").ready()
    assert made


def test_what_takes_too_long_is_stopped_and_what_is_printed_is_kept(monkeypatch, tmp_path):
    monkeypatch.setattr(Environment, "executable", Path(sys.executable))
    environment, log = Environment("3.12", "oldest"), tmp_path / "log"
    assert environment.logged("-c", "import time; time.sleep(600)", env=dict(os.environ), log=log, seconds=1) is None
    ends = "print('here'); raise SystemExit(5)"
    assert environment.logged("-c", ends, env=dict(os.environ), log=log, seconds=600) == 5
    assert log.read_text() == "here\n"


def test_an_interpreter_that_is_not_found_is_named():
    with pytest.raises(environments.NotHere, match=r"Python 3\.99"):
        environments.interpreter("3.99")
    result = portable.result_of(Run("", "3.99", "newest", 0, 1))
    assert (result.state, "Python 3.99" in result.text) == ("not run", True)


def test_this_interpreter_is_found():
    path = environments.interpreter(".".join(map(str, sys.version_info[:2])))
    assert path == sys.executable


@pytest.mark.parametrize(
    ("given", "lowest"),
    [
        ("pint>=0.24.4", "pint==0.24.4"),
        ("sympy>=1.13,<2", "sympy==1.13"),
        ("numpy>=2.1; python_version >= '3.13'", "numpy==2.1; python_version >= '3.13'"),
        ("ruff~=0.17.4", "ruff==0.17.4"),
    ],
)
def test_lowest(given, lowest):
    assert environments.lowest(given) == lowest


def test_every_dependency_has_a_lower_bound():
    assert all("==" in environments.lowest(one) for one in environments.requirements())
