"""The command line: what it prints, where, and the code it leaves with."""

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from flexura.cli import main
from flexura.cli.app import COMMANDS
from flexura.derivation import routes
from flexura.derivation.equations.certificate import Certificate, Comparison
from flexura.derivation.equations.equations import Equations
from flexura.derivation.verify import verify
from flexura.gallery import EXAMPLES, example, title
from flexura.symbolic.parser import parse


@pytest.fixture
def run(capsys):
    """Run a command; its exit code, standard output and standard error."""

    def command(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as leaving:
            main(arguments)
        out, err = capsys.readouterr()
        return int(leaving.value.code or 0), out, err

    return command


def test_examples_lists_every_example_with_its_title(run):
    code, out, err = run("examples")
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == list(EXAMPLES)
    assert all(line.endswith(title(line.split()[0])) for line in out.splitlines())


def test_examples_as_json(run):
    code, out, _ = run("examples", "--json")
    assert code == 0
    assert json.loads(out) == [{"name": name, "title": title(name)} for name in EXAMPLES]


@pytest.mark.parametrize("name", EXAMPLES)
def test_derive_prints_the_equations(run, name):
    equations = routes.derive(example(name))
    assert run("derive", name) == (0, f"{equations}\n", "")
    assert run("derive", name, "--format", "text") == (0, f"{equations}\n", "")
    assert run("derive", name, "--format", "latex") == (0, f"{equations.latex()}\n", "")


@pytest.mark.parametrize("option", [("--json",), ("--format", "json"), ("--json", "--format", "json")])
def test_derive_as_json_reads_back(run, option):
    code, out, _ = run("derive", "example-one", *option)
    assert code == 0
    assert Equations.from_json(out).derived == routes.derive(example("example-one")).derived


def test_derive_by_another_route(run):
    _, out, _ = run("derive", "cantilever", "--method", "variational", "--json")
    assert json.loads(out)["method"] == "variational"


def test_steps_come_first_and_in_order(run):
    code, out, _ = run("derive", "rotating-arm", "--steps")
    assert code == 0
    assert [line[: line.index(".")] for line in out.splitlines() if re.match(r"\d+\. ", line)] == list(
        map(str, range(1, 12))
    )
    assert out.endswith(f"{routes.derive(example('rotating-arm'))}\n")
    assert max(map(len, out.splitlines())) < 220


def test_steps_in_latex_are_comments_between_formulas(run):
    _, out, _ = run("derive", "cantilever", "--steps", "--format", "latex")
    assert out.count("% 11. ") == 1
    assert out.count(r"\begin{aligned}") == out.count(r"\end{aligned}") > 5


def test_verify_prints_the_certificate(run):
    certificate = verify(routes.derive(example("example-one")))
    assert run("verify", "example-one") == (0, f"{certificate}\n", "")
    code, out, _ = run("verify", "example-one", "--json")
    assert code == 0
    assert Certificate.from_json(out) == certificate


@pytest.mark.parametrize("option", [(), ("--json",)])
def test_verify_that_finds_a_difference_leaves_with_1(run, monkeypatch, option):
    doubt = Certificate("surrogate", (Comparison("variational", False, ("q1",), "normal form", {"q1": "m*q1"}),), {})
    monkeypatch.setattr("flexura.cli.derivation.certify", lambda equations: doubt)
    code, out, err = run("verify", "example-one", *option)
    assert code == 1
    assert out == f"{doubt.to_json() if option else doubt}\n"
    assert err.startswith("The equations of example-one are not verified")
    assert err.count("\n") == 1


@pytest.mark.parametrize("suffix", [".html", ".tex", ".md"])
def test_report_writes_a_file_and_prints_its_path(run, tmp_path, suffix):
    path = tmp_path / f"report{suffix}"
    assert run("report", "knife-edge", str(path)) == (0, f"{path}\n", "")
    assert "A sled on a knife edge" in path.read_text(encoding="utf-8")


def test_report_as_json(run, tmp_path):
    path = tmp_path / "report.md"
    code, out, _ = run("report", "cantilever", str(path), "--json")
    assert code == 0
    assert json.loads(out) == {"path": str(path), "verified": True}


def test_members_prints_the_table(run):
    code, out, _ = run("members")
    assert code == 0
    assert "Timoshenko beam" in out
    code, out, _ = run("members", "--json")
    force = json.loads(out)[0]["loads"]["transverse"]
    assert {end: parse(load, internal=True).engine for end, load in force.items()} == {
        "start": parse("-EI*y_xxx@a", internal=True).engine,
        "end": parse("EI*y_xxx@b", internal=True).engine,
    }


@pytest.mark.parametrize(
    "arguments",
    [
        ("derive", "nope"),
        ("derive", "nope", "--json"),
        ("verify", "nope"),
        ("report", "nope", "report.html"),
        ("derive", "example-one", "--method", "guess"),
        ("derive", "example-one", "--method", "kane"),
        ("report", "cantilever", "report.doc"),
        ("report", "cantilever", "no/such/folder/report.html"),
    ],
)
def test_what_is_wrong_is_one_sentence_and_exit_1(run, arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*arguments)
    assert (code, out) == (1, "")
    assert re.fullmatch(r"[A-Z][^\n]+\.\n", err)


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("simulate-everything",),
        ("derive",),
        ("derive", "example-one", "--format", "xml"),
        ("derive", "example-one", "--json", "--format", "latex"),
        ("examples", "--nope"),
        ("report", "example-one"),
    ],
)
def test_wrong_usage_is_exit_2(run, arguments):
    code, out, err = run(*arguments)
    assert code == 2
    assert "Usage: flexura" in out + err
    assert "Traceback" not in err


def test_version(run):
    code, out, _ = run("--version")
    assert code == 0
    assert re.fullmatch(r"flexura \d+\.\d+\.\d+\S*\n", out)


def _process(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], capture_output=True, encoding="utf-8", check=False, env=os.environ | environment
    )


def test_the_module_runs_as_the_command_does_in_any_encoding():
    done = _process("-m", "flexura", "derive", "cantilever", "--steps", PYTHONIOENCODING="ascii", FORCE_COLOR="1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "∂" in done.stdout
    assert "\x1b" not in done.stdout


def test_help_waits_for_nothing_that_commands_need():
    code = "import sys; from flexura.cli import main\ntry: main(['--help'])\nfinally: print(*sys.modules)"
    loaded = set(_process("-c", code).stdout.splitlines()[-1].split())
    assert not {one.split(".")[0] for one in loaded} & {
        "numpy",
        "scipy",
        "sympy",
        "symengine",
        "pydantic",
        "matplotlib",
    }
    assert {one for one in loaded if one.startswith("flexura.")} <= {
        "flexura.cli", "flexura.cli.app", "flexura.errors", "flexura.arguments",
    }  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_in_the_list_and_explains_itself(run, name):
    code, out, _ = run("--help")
    assert (code, out.count(f"\n  {name} ")) == (0, 1)
    assert COMMANDS[name][1] in out  # whole, on one line
    code, out, err = run(name, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"Usage: flexura {name} [OPTIONS]")
    assert "--json" in out


def test_a_misspelt_command_is_told_the_nearest(run):
    code, out, err = run("derve")
    assert (code, out) == (2, "")
    assert "Did you mean 'derive'?" in err


def test_the_list_of_examples_does_not_wait_for_sympy():
    code = "import sys; from flexura.cli import main\ntry: main(['examples'])\nfinally: print(*sys.modules)"
    loaded = set(_process("-c", code).stdout.splitlines()[-1].split())
    assert "flexura.gallery" in loaded
    assert not loaded & {"sympy", "pint", "matplotlib", "scipy", "rich"}


def test_an_error_in_a_process_has_no_traceback():
    done = _process("-m", "flexura", "derive", "nope")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1


def test_the_example_script_prints_proves_and_writes(tmp_path, monkeypatch, capsys):
    script = Path(__file__).parents[2] / "examples" / "example_one.py"
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(script))
    printed = capsys.readouterr().out
    assert "Field equations" in printed
    assert ": verified." in printed
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "example_one-free_bodies.pdf",
        "example_one-schematic.pdf",
        "example_one.html",
        "example_one.tex",
    ]
