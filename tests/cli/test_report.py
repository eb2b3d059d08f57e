"""`flexura report` shows what the file asks for: modes, a response, a run; a wrong word is told with its line."""

import pytest
from typer.testing import CliRunner

import flexura as fx
from flexura.cli.app import app

MODEL = """\
title = "Portal with a trolley"

[parts.beam]
kind = "EulerBernoulliBeam"
EI = 50.0
rho = 1.2
length = 1.3

[[connections]]
kind = "Fixed"
between = ["ground", "beam.start"]

[[loads]]
kind = "Force"
at = "beam.end"
value = "F"
"""
ASKED = """
[report]
modes = 3
response = { load = "F", output = "beam.end", from = 1, to = 20, points = 11 }

[report.run]
until = 0.2
points = 21
inputs = { F = "sin(9*t)" }
"""


def written(place, text):
    model = place / "model.toml"
    model.write_text(text)
    result = CliRunner().invoke(app, ["report", str(model), str(place / "report.md")])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return (place / "report.md").read_text()


def test_it_shows_what_the_file_asks_for(tmp_path):
    told = written(tmp_path, MODEL + ASKED)
    beam = fx.read_model(tmp_path / "model.toml")
    for omega in fx.modes(beam, 3).frequencies:
        assert f"{omega:.8g}" in told
    for picture in ("modes", "response", "run"):
        assert (tmp_path / f"report-{picture}.svg").exists()
    assert "From t = 0 s to 0.2 s." in told
    assert "## Modes" not in written(tmp_path, MODEL)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (
            "modes = 3\nmods = 1",
            "line 20: there is no place for 'report.mods' in a model file; it takes modes, response",
        ),
        ("modes = -1", "line 19: report.modes has the wrong form"),
        ('response = { load = "F", output = "beam.end", to = 9 }', "line 19: report.response needs from"),
        ('response = { load = "G", output = "beam.end", from = 1, to = 9 }', "'G'"),
        ("run = { until = 0 }", "line 19: report.run.until has the wrong form"),
    ],
)
def test_what_is_wrong_in_it_is_told(tmp_path, asked, sentence):
    with pytest.raises(fx.FlexuraError) as raised:
        written(tmp_path, f"{MODEL}\n[report]\n{asked}\n")
    assert sentence in str(raised.value)
    assert not (tmp_path / "report.md").exists()
