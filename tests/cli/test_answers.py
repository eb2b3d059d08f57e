"""`flexura modes`, `respond` and `campbell`: the numbers of Python, one JSON document, pictures, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura.cli import main
from flexura.gallery import EXAMPLES, example
from flexura.gallery.values import VALUES
from flexura.gallery.values import values as example_values

MODELS = Path(__file__).parents[2] / "examples"


@pytest.fixture
def run(capsys):
    def command(*arguments: str) -> tuple[int, str, str]:
        code = 0
        try:
            main(arguments)
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        said = capsys.readouterr()
        return code, said.out, said.err

    return command


def test_modes_of_an_example_and_of_a_file_are_the_same(run) -> None:
    code, out, _ = run("modes", "example-one", "--count", "3", "--json")
    found = json.loads(out)
    assert code == 0
    expected = fx.modes(fx.derive(example("example-one")), 3, example_values("example-one"))
    assert np.allclose([one["re"] + 1j * one["im"] for one in found["eigenvalues"]], expected.eigenvalues)
    assert found["certificate"]["verified"]
    code, out, _ = run("modes", str(MODELS / "example_one.toml"), "--count", "3", "--json")
    assert np.allclose(json.loads(out)["frequencies"], found["frequencies"], rtol=1e-12)


def test_values_are_given_on_the_command(run) -> None:
    code, out, _ = run("modes", "example-one", "--count", "1", "--value", "b=0", "-v", "l=1300 mm", "--json")
    assert code == 0
    assert abs(json.loads(out)["frequencies"][0] - 10.39878322359932) < 1e-9


def test_text_shows_a_table_and_the_certificate(run) -> None:
    code, out, _ = run("modes", "string-mid-mass", "--count", "2")
    lines = out.splitlines()
    assert code == 0
    assert lines[1].split() == ["mode", "rad/s", "Hz", "damping", "ratio", "s"]
    assert lines[3].split()[:2] == ["2", "628.318530718"]  # the bead sits in a node: 2 pi sqrt(P/rho)/l
    assert "Wittrick-Williams" in out


@pytest.mark.parametrize("name", sorted(set(EXAMPLES) - {"slider-crank", "knife-edge", "rotating-blade"}))
def test_every_example_has_values_that_solve_it(run, name) -> None:
    code, out, err = run("modes", name, "--count", "2", "--json")
    assert code == 0, err
    assert json.loads(out)["certificate"]["verified"]
    assert name in VALUES


def test_what_zero_is_no_equilibrium_of_says_how_to_go_on(run) -> None:
    code, _, err = run("modes", "rotating-blade")
    assert code == 1
    assert err.rstrip().endswith("add --rest to linearise about the equilibrium that is found.")
    assert run("modes", "rotating-blade", "--rest", "--count", "1")[0] == 0


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_pictures(run, tmp_path, ending, start) -> None:
    path = tmp_path / f"picture.{ending}"
    assert run("modes", "hinged-beams", "--count", "2", "--plot", str(path))[0] == 0
    assert path.read_bytes().startswith(start)
    path.unlink()
    options = ("--load", "F", "--output", "w@b", "--from", "1", "--to", "9", "--points", "3")
    assert run("respond", "cantilever", *options, "--plot", str(path))[0] == 0
    assert path.exists()
    assert run("modes", "hinged-beams", "--plot", str(tmp_path / "a.xyz"))[0] == 1


def test_responses(run) -> None:
    options = ("--load", "F", "--from", "1", "--to", "60", "--points", "4", "--kind", "mobility")
    model = str(MODELS / "example_one.toml")
    code, out, _ = run("respond", model, *options, "--output", "beam.at(l/2)", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["omega"] == np.linspace(1, 60, 4).tolist()
    from flexura.model.files.reading import read_model

    model_itself = read_model(model)
    beam = next(one for one in model_itself.things if getattr(one, "name", "") == "beam")
    expected = fx.frequency_response(fx.derive(model_itself), found["omega"], "F", beam.at("l/2"), kind="mobility")
    assert np.allclose([one["re"] + 1j * one["im"] for one in found["response"]], expected, rtol=1e-10)
    code, out, _ = run("respond", model, *options, "--output", "q4")
    assert code == 0
    assert out.splitlines()[0].split()[-2:] == ["phase", "deg"]
    assert run("respond", model, *options, "--output", "q9")[2].startswith("There is no output q9; give a coordinate")


TIMOSHENKO = """
[parts.beam]
kind = "TimoshenkoBeam"
EI = 1.0
kGA = 60.0
rho = 1.0
rotary_inertia = 0.02
length = 1.0
[[connections]]
kind = "Fixed"
between = ["ground", "beam.start"]
[[loads]]
kind = "Force"
at = "beam.end"
value = "F"
"""


def test_responses_of_several_fields(run, tmp_path) -> None:
    (tmp_path / "model.toml").write_text(TIMOSHENKO)
    given = (str(tmp_path / "model.toml"), "--load", "F", "--output", "beam.at(0.5)", "--from", "1", "--to", "9")
    options = ("respond", *given, "--points", "3")
    found = json.loads(run(*options, "--json")[1])
    assert found["fields"] == ["w_beam", "phi_beam"]
    phi = [row[1]["re"] for row in found["response"]]
    assert [len(row) for row in found["response"]] == [2, 2, 2]
    one = json.loads(run(*options, "--field", "phi_beam", "--json")[1])
    assert [row["re"] for row in one["response"]] == phi
    code, out, _ = run(*options, "--plot", str(tmp_path / "picture.png"))
    assert code == 0
    assert out.splitlines()[2].split() == [
        "omega",
        "rad/s",
        *(w for f in ("w", "phi") for w in (f"|{f}_beam|", "phase", "deg")),
    ]
    assert float(out.splitlines()[3].split()[3]) == pytest.approx(abs(phi[0]), rel=1e-7)
    assert (tmp_path / "picture.png").exists()
    assert run(*options, "--field", "psi")[2].startswith("beam has no field 'psi'; it has w_beam, phi_beam.")


def test_campbell(run) -> None:
    model = str(MODELS / "helicopter_blade.toml")
    code, out, _ = run("campbell", model, "--parameter", "Omega", "--from", "0", "--to", "20", "--points", "2",
                       "--count", "2", "--json")  # fmt: skip
    found = json.loads(out)
    assert code == 0
    assert np.shape(found["frequencies"]) == (2, 2)
    assert not np.any(found["unstable"])
    code, out, _ = run("modes", model, "--count", "2", "--json")  # the file says Omega = 20
    assert np.allclose(json.loads(out)["frequencies"], found["frequencies"][1], rtol=1e-10)


def test_what_is_missing_is_said_in_the_words_of_the_command(run, tmp_path) -> None:
    text = (MODELS / "example_one.toml").read_text(encoding="utf-8").replace("EI = 50.0\n", "", 1)
    path = tmp_path / "model.toml"
    path.write_text(text, encoding="utf-8")
    code, _, err = run("modes", str(path))
    assert code == 1
    assert err == "No value is known for EI (beam); give --value EI=NUMBER.\n"
    assert run("modes", str(path), "--value", "EI=50", "--count", "1")[0] == 0


def test_errors_of_files_name_the_line(run, tmp_path) -> None:
    path = tmp_path / "model.toml"
    path.write_text('[parts.beam]\nkind = "Beam"\n', encoding="utf-8")
    for command in ("derive", "verify", "modes"):
        code, _, err = run(command, str(path))
        assert code == 1
        assert err.startswith("model.toml, line 1: The part beam is of the kind 'Beam', which does not exist;")
    assert run("modes", str(tmp_path / "none.toml"))[0] == 1


def test_usage(run) -> None:
    assert run("modes")[0] == 2
    assert run("modes", "cantilever", "--count", "0")[0] == 2
    assert run("modes", "cantilever", "--value", "EI")[0] == 2
    assert run("respond", "cantilever", "--load", "F")[0] == 2
    assert run("modes", "cantilevr")[0] == 1


def test_derivations_and_reports_take_files(run, tmp_path) -> None:
    model = str(MODELS / "helicopter_blade.toml")
    assert "Field equations" in run("derive", model)[1]
    assert "verified" in run("verify", model)[1]
    path = tmp_path / "report.md"
    assert run("report", model, str(path))[0] == 0
    assert "Flapping blade" in path.read_text(encoding="utf-8")
