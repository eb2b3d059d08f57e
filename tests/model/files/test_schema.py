"""The schema of model files takes what is read and marks what is refused, kind by kind."""

import copy
import tomllib
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.cli.new import STARTER
from flexura.model.files.kinds import CONNECTIONS, LOADS, PARTS, keywords
from flexura.model.files.reading import model_of_text
from flexura.model.files.schema import model_schema
from flexura.model.files.written import model_text
from random_models import models

EXAMPLES = Path(__file__).parents[3] / "examples"
READ = jsonschema.Draft202012Validator(model_schema())


def test_it_is_a_schema_and_knows_every_kind():
    jsonschema.Draft202012Validator.check_schema(model_schema())
    tables = model_schema()["properties"]
    for kinds, entry in (
        (PARTS, tables["parts"]["additionalProperties"]),
        (CONNECTIONS, tables["connections"]["items"]),
        (LOADS, tables["loads"]["items"]),
    ):
        known = {one["properties"]["kind"]["const"]: one["properties"] for one in entry["oneOf"]}
        assert set(known) == set(kinds)
        for name, kind in kinds.items():
            assert set(keywords(kind)) <= set(known[name])


@pytest.mark.parametrize(
    "text",
    [STARTER, *(path.read_text() for path in sorted(EXAMPLES.glob("*.toml")))],
    ids=["starter", *(path.stem for path in sorted(EXAMPLES.glob("*.toml")))],
)
def test_files_that_are_read_are_taken(text):
    READ.validate(tomllib.loads(text))
    assert READ.is_valid(tomllib.loads(f"{text}\n[report]\nmodes = 3\nrun = {{ until = 2 }}\n"))
    assert not READ.is_valid(tomllib.loads(f"{text}\n[report]\nmods = 3\n"))


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=5)
@given(models(size=(2, 3), wide=True), st.data())
def test_random_models_are_taken_and_wrong_words_are_marked(drawn, data):
    try:
        told = tomllib.loads(model_text(drawn.model))
    except fx.FlexuraError:
        return
    assert READ.is_valid(told)
    entries = [("parts", name) for name in told.get("parts", {})]
    entries += [(table, i) for table in ("connections", "loads") for i in range(len(told.get(table, [])))]
    table, key = data.draw(st.sampled_from(entries))
    for spoil in (lambda entry: entry.update(kind="Sprng"), lambda entry: entry.update(stifness=1.0)):
        wrong = copy.deepcopy(told)
        spoil(wrong[table][key])
        assert not READ.is_valid(wrong)


@pytest.mark.parametrize("wrong", ['kind = "Mass"', 'kind = "Mass"\nm = 1\nk = 2', "m = 1"])
def test_what_is_refused_on_reading_is_marked(wrong):
    text = f"[parts.a]\n{wrong}\n"
    assert not READ.is_valid(tomllib.loads(text))
    with pytest.raises(fx.FlexuraError):
        model_of_text(text)
