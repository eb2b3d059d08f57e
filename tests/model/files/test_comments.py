"""Files written again keep what people wrote into them: comments beside their entries, the title, the report."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import flexura as fx
from flexura.cli.new import STARTER
from flexura.model.files.comments import GONE, comments_of, with_comments
from flexura.model.files.reading import model_of_text, report_of
from flexura.model.files.written import model_text

EXAMPLES = sorted(path for path in (Path(__file__).parents[3] / "examples").glob("*.toml"))
SAID = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=12).map(str.strip)


def entries(text):
    return [i for i, line in enumerate(text.splitlines()) if line.strip() and not line.startswith((" ", "]"))]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_no_comment_of_an_example_is_lost_and_the_model_stays(path, tmp_path):
    copy = tmp_path / path.name
    copy.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    model = fx.read_model(copy)
    fx.write_model(model, copy)
    before, after = path.read_text(encoding="utf-8"), copy.read_text(encoding="utf-8")
    said = comments_of(before)
    every = [*said.head, *(one for block in said.above.values() for one in block), *said.behind.values(), *said.end]
    assert all(one.strip() in after for one in every)
    assert GONE not in after
    assert str(fx.derive(fx.read_model(copy))) == str(fx.derive(model))
    assert report_of(str(copy)) == report_of(str(path))
    fx.write_model(fx.read_model(copy), copy)
    assert copy.read_text(encoding="utf-8") == after  # nothing is said twice


def test_the_starter_keeps_its_words_where_they_were():
    old = STARTER.format(name="model.toml")
    text = with_comments(model_text(model_of_text(old), "A beam with a mass at its end"), old)
    for line, entry in (("# Loads. A bare name is an input", "[[loads]]"), ("# Parts: bodies", "[parts.beam]")):
        lines = text.splitlines()
        at = next(i for i, one in enumerate(lines) if one.startswith(line))
        assert next(one for one in lines[at:] if not one.startswith("#")) == entry
    assert text.startswith("# A model of flexura")


@given(st.data())
def test_comments_anywhere_stay_with_their_entries(data):
    text = model_text(model_of_text(data.draw(st.sampled_from(EXAMPLES)).read_text(encoding="utf-8")), "A title")
    lines = text.splitlines()
    for i in reversed(entries(text)):
        if data.draw(st.booleans()):
            lines[i] += f"  # {data.draw(SAID)}".rstrip()
        for said in data.draw(st.lists(SAID, max_size=2)):
            lines.insert(i, f"# {said}".rstrip())
    commented = "\n".join(lines) + "\n"
    assert with_comments(text, commented) == commented


def test_connections_are_known_by_what_they_connect():
    a, b = fx.Mass("a", 1.0), fx.Mass("b", 2.0)
    one = [fx.Slide(fx.ground, a, name="x"), fx.Slide(fx.ground, b, name="y")]
    text = model_text(fx.Model(*one, fx.Spring(a, b, k=3.0)))
    commented = text.replace('[[connections]]\nkind = "Spring"', '# between the two\n[[connections]]\nkind = "Spring"')
    turned = model_text(fx.Model(fx.Spring(a, b, k=3.0), *one))
    again = with_comments(turned, commented)
    assert '# between the two\n[[connections]]\nkind = "Spring"' in again


def test_comments_of_what_is_gone_follow_at_the_end_and_once():
    a = fx.Mass("a", 1.0)
    held = fx.Slide(fx.ground, a, name="x")
    text = model_text(fx.Model(held, fx.Spring(fx.ground, a, k=3.0)))
    commented = text.replace("k = 3.0", "k = 3.0  # measured in May")
    left = model_text(fx.Model(held))
    again = with_comments(left, commented)
    assert again.endswith(f"\n\n{GONE}\n# measured in May\n")
    assert with_comments(left, again) == again


def test_signs_in_texts_and_long_values_are_no_comments():
    old = 'title = "no # comment"  # but this is\nconstraints = [\n  "x_t",  # inside a value\n]\n'
    said = comments_of(old)
    assert said.behind == {("title",): "# but this is"}
    assert said.above == {("constraints",): ["# inside a value"]}
    many = "title = '''\n# text\n'''\n# said\n[parameters]\n"
    assert comments_of(many).above == {("parameters",): ["# said"]}


def test_a_file_that_is_no_toml_is_written_anew(tmp_path):
    path = tmp_path / "machine.toml"
    path.write_bytes(b"\xff\xfe broken = [")
    fx.write_model(fx.Model(fx.Slide(fx.ground, fx.Mass("a", 1.0))), path)
    assert fx.read_model(path)
