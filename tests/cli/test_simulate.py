"""`flexura simulate`."""

import json

import pytest
from typer.testing import CliRunner

from flexura.cli.app import app
from flexura.errors import FlexuraError

SHORT = ["simulate", "satellite", "--until", "0.2", "--points", "5", "-i", "theta_t=0.5", "--order", "4"]


def call(*arguments):
    return CliRunner().invoke(app, [*arguments], catch_exceptions=True)


def test_text_says_what_moved_and_that_the_ledger_is_closed():
    result = call(*SHORT)
    assert result.exit_code == 0
    assert "theta" in result.stdout
    assert "Energies balance to" in result.stdout


def test_json_is_one_document_with_everything(tmp_path):
    picture, file, film = (tmp_path / f"run.{ending}" for ending in ("png", "nc", "gif"))
    result = call(*SHORT, "--json", "--plot", str(picture), "--save", str(file), "--animate", str(film))
    found = json.loads(result.stdout)
    assert found["t"] == pytest.approx([0, 0.05, 0.1, 0.15, 0.2])
    assert found["rates"]["theta"][0] == 0.5
    assert found["ends"]["w1"]["x"] == 2.0
    assert found["energy"]["error"] < 1e-8
    assert found["complete"] is True
    assert all(one.stat().st_size > 1_000 for one in (picture, file, film))


def test_starts_and_values_are_given_by_name():
    beam = ("simulate", "cantilever", "--until", "0.05", "--points", "3", "--order", "5", "--json", "-v", "F=0")
    start = ("-i", "w=0.01*x**2*(6 - 4*x + x**2)")
    soft, stiff = (json.loads(call(*beam, *start, "-v", f"EI={EI}").stdout) for EI in (5, 5000))
    assert soft["ends"]["w"]["values"][0] == pytest.approx(0.03)
    assert soft["ends"]["w"]["values"][-1] > 0.02  # it hardly moved yet
    assert abs(stiff["ends"]["w"]["values"][-1]) < 0.029


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["simulate", "satellite", "-i", "thet=1"], "There is no 'thet' to start from; did you mean 'theta'?"),
        (["simulate", "satellite", "--until", "-1"], "--until is -1; give a time after 0"),
        (["simulate", "satellite", "--until", "0.01", "--order", "4", "--save", "x.h5"], "end its name in .nc"),
        (["simulate", "satellite", "--until", "1e9", "--plot", "run.doc"], "use .png, .svg or .pdf"),  # before the run
        (["simulate", "satellite", "--until", "1e9", "--animate", "no/where.gif"], "The folder no does not exist"),
    ],
)
def test_wrong_data_is_told_in_a_sentence(arguments, sentence):
    result = call(*arguments)
    assert isinstance(result.exception, FlexuraError)
    assert sentence in str(result.exception)


def test_where_nothing_moves_it_says_what_would():
    still = ["simulate", "two-link-arm", "--until", "0.01", "--order", "3"]
    said = call(*still).stdout
    assert "Nothing moved, because nothing moves it; give it a start or a load." in said
    assert "Like --initial theta1_t=NUMBER or --input tau1=NUMBER." in said
    for advice in (["--initial", "theta1_t=1"], ["--input", "tau1=1"]):
        assert "Energies balance to" in call(*still, *advice).stdout
    bent = call("simulate", "cantilever", "--until", "0.01", "--order", "3", "--initial", "w_t=x**2").stdout
    assert "Energies balance to" in bent


def test_wrong_usage_leaves_with_2():
    assert call("simulate", "satellite", "-i", "theta").exit_code == 2
