"""Model files: the same model as in Python, and what is wrong said with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

import flexura as fx
from flexura.files.toml_lines import Lines
from flexura.model.files.reading import model_of_text, read_model, title_of

EXAMPLES = Path(__file__).parents[3] / "examples"
FILES = sorted(path.name for path in EXAMPLES.glob("*.toml"))

BEAM = """\
[parameters]
EI = 50.0
[parts.beam]
kind = "EulerBernoulliBeam"
EI = "EI"
rho = 1.2
length = "1.3 m"
[[connections]]
kind = "Fixed"
between = ["ground", "beam.start"]
"""


def test_the_manuals_file() -> None:
    equations = fx.derive(model_of_text(BEAM))
    assert equations.values == {"EI": 50.0, "rho_beam": 1.2, "length_beam": 1.3}
    beam = fx.EulerBernoulliBeam("beam", EI=("EI", 50.0), rho=1.2, length="1.3 m")
    assert str(equations) == str(fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start))))


def test_example_one_is_example_one() -> None:
    a, b, c = (fx.RigidBody(name, m=f"m_{name}", I=I) for name, I in (("a", 0), ("b", 0), ("c", "I_c")))
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l", field="q3")
    model = fx.Model(
        fx.Slide(fx.ground, a, name="q1"), fx.Slide(a, b, name="q2"), fx.Fixed(b, beam.start), fx.Fixed(beam.end, c),
        fx.Spring(fx.ground, a, k="K1"), fx.Spring(a, b, k="K2"), fx.Damper(a, b, c="b"),
        fx.Spring(c, fx.ground, k="K3"),
        fx.DistributedForce(beam, "f(x)"), fx.Force(c, "F"), measured_from={beam: a}, names={beam.end: ("q4", "q5")},
    )  # fmt: skip
    equations = fx.derive(read_model(EXAMPLES / "example_one.toml"))
    assert str(equations) == str(fx.derive(model))
    assert equations.values["EI"] == 50.0
    s = fx.modes(equations, 2).eigenvalues
    assert abs(s[0] - (-0.09482849969503 + 10.40359880419509j)) < 1e-9


@pytest.mark.parametrize("name", FILES)
def test_every_example_file_derives(name) -> None:
    equations = fx.derive(read_model(EXAMPLES / name))
    assert len(equations.values) == len(equations.lagrangian.parameters)  # it can be solved as it stands
    assert title_of(EXAMPLES / name) != Path(name).stem


def test_every_kind_of_word() -> None:
    text = """
constraints = ["x_a - y_b"]
foreshortening = false
[parameters]
k = "2 kN/m"
r = 0.2
[parts.a]
kind = "Mass"
m = ["m_a", 2.0]
[parts.b]
kind = "RigidBody"
m = 1.0
I = [0.1, 0.2, "0.3 kg*m**2"]
[[connections]]
kind = "Slide"
between = ["ground", "a"]
along = [1, 0, 0]
[[connections]]
kind = "Slide"
between = ["a", "b.at(r)"]
along = "y"
[[connections]]
kind = "Spring"
between = ["ground.at(1, -r)", "b.at(-r, 0)"]
k = "k/2"
along = "line"
free_length = 1.0
[[loads]]
kind = "Force"
at = "b.at(0, r)"
value = "k*r*sin(3*t)"
along = "x"
name = "push"
[gravity]
g = "g"
along = "-y"
"""
    equations = fx.derive(model_of_text(text))
    assert equations.coordinates == ("x_a", "y_b")
    assert equations.values["k"] == 2000.0
    assert "push" in equations.lagrangian.loads
    assert {"m_a", "m_b", "g", "r"} <= set(equations.lagrangian.parameters)
    assert len(equations.constraints) == 1


@pytest.mark.parametrize(
    ("old", "new", "line", "sentence"),
    [
        ("EulerBernoulliBeam", "EulerBernouliBeam", 3, "The part beam is of the kind 'EulerBernouliBeam', which does"
         " not exist; did you mean 'EulerBernoulliBeam'."),
        ('kind = "EulerBernoulliBeam"\n', "", 3, "The part beam has no kind; give kind = one of Mass, RigidBody,"),
        ("rho = 1.2\n", "", 3, "The part beam (EulerBernoulliBeam) needs rho; add rho = ... to it."),
        ("rho = 1.2", "rhoo = 1.2", 3, "The part beam (EulerBernoulliBeam) takes no 'rhoo'; did you mean 'rho'."),
        ("beam.start", "bean.start", 10, "The place 'bean.start' is on 'bean', which is no part; the parts"),
        ("beam.start", "beam", 10, "'beam' is no place on the member beam; write beam.start, .end or .at(s)."),
        ("beam.start", "beam.middle", 10, "'beam.middle' is no place;"),
        ('"EI"', '"EI*("', 5, "In the EI, "),
        ("rho = 1.2", "rho = -1.2", 6, "The rho of beam is -1.2, but it must be zero or more;"),
        ('"1.3 m"', '"1.3 kg"', 7, "The length of beam "),
        ("EI = 50.0", "EI = 50.0\nEJ = 3.0", 3, "the parameter EJ is used by no part; use it, or leave it out."),
        ("EI = 50.0", 'EI = "stiff"', 2, "The parameter EI is 'stiff'; give a number,"),
        ('between = ["ground", "beam.start"]', 'between = ["ground"]', 8, "The connection number 1 (Fixed) needs"
         " between = [place, place]."),
        ('kind = "Fixed"', 'kind = "Weld"', 8, "The connection number 1 is of the kind 'Weld', which does not exist;"
         " choose among Fixed, Pin,"),
        ("[parts.beam]", "[partz.beam]", 3, "there is no place for 'partz' in a model file; the tables are title,"),
        ("rho = 1.2", 'rho = 1.2\nfield = "w"\ndamping = "2*"', 8, "In the damping, "),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line(old, new, line, sentence) -> None:
    with pytest.raises(fx.FlexuraError) as error:
        model_of_text(BEAM.replace(old, new), "beam.toml")
    assert str(error.value).startswith(f"beam.toml, line {line}: {sentence}")
    assert str(error.value).endswith(".")


def test_what_parts_do_wrong_together_is_said_with_a_line() -> None:
    text = BEAM + '[parts.loose]\nkind = "RigidBody"\nm = 1.0\nI = 1.0\n'
    with pytest.raises(fx.FlexuraError, match="model, line 11: Nothing says how loose can move: connect it to ground"):
        model_of_text(text)
    fx.derive(model_of_text(text + '[[connections]]\nkind = "Fixed"\nbetween = ["beam.end", "loose"]\n'))  # as advised


BODY = '[parts.{}]\nkind = "RigidBody"\nm = 1.0\nI = 1.0\n'
JOIN = '[[connections]]\nkind = "{}"\nbetween = ["{}", "{}"]\n'


def test_parts_that_are_called_like_the_words_of_a_sentence() -> None:
    """The line is that of the part an error is about, not of one whose name its sentence happens to hold."""
    text = BODY.format("can") + BODY.format("move") + BODY.format("loose") + JOIN.format("Slide", "ground", "can")
    text += JOIN.format("Slide", "can", "move")
    with pytest.raises(fx.FlexuraError) as error:
        model_of_text(text, "a.toml")
    assert (error.value.part, error.value.place) == ("loose", "a.toml, line 9")
    assert error.value.problem.startswith("Nothing says how loose can move")


@pytest.mark.parametrize(
    ("more", "part", "keyword", "line"),
    [
        (JOIN.format("Spring", "ground", "a") + 'k = 2.0\nalong = "x"\n', "Spring(ground, a)", "", 8),
        (JOIN.format("Spring", "ground", "a") + 'k = 2.0\nalong = "w"\n', "Spring(ground, a)", "along", 12),
        ('[[loads]]\nkind = "Force"\nat = "a"\nvalue = "q("\n', "", "value", 11),
        (BODY.format("b") + JOIN.format("Slide", "a", "b") + 'motion = "3 kg*t"\n', "Slide(a, b)", "motion", 15),
        (BODY.format("c").replace("m = 1.0", "m = -1.0"), "c", "m", 10),
        (BODY.format("c").replace("m = 1.0", 'm = "m*("'), "c", "m", 10),
    ],
)  # fmt: skip
def test_an_error_names_the_part_and_the_keyword_it_is_about(more, part, keyword, line) -> None:
    text = BODY.format("a") + JOIN.format("Slide", "ground", "a")
    with pytest.raises(fx.FlexuraError) as error:
        model_of_text(text + more, "a.toml")
    assert (error.value.part, error.value.keyword, error.value.place) == (part, keyword, f"a.toml, line {line}")


def test_files_that_are_none(tmp_path) -> None:
    with pytest.raises(fx.FlexuraError, match=r"cannot be read: No such file or directory; check the name"):
        read_model(tmp_path / "nothing.toml")
    broken = tmp_path / "broken.toml"
    broken.write_text("[parts\n", encoding="utf-8")
    with pytest.raises(fx.FlexuraError, match=r"broken.toml is not TOML: .*line 1"):
        read_model(broken)


def test_lines_of_headers_keys_and_lists() -> None:
    text = '# a\n[parts.beam]\nEI = 5\n[[loads]]\n[[loads]]\nvalue = [\n "F",\n]\nat = "x"\n[names]\n"beam.end" = "q"\n'
    lines = Lines(text)
    assert [lines.of("parts", "beam"), lines.of("parts", "beam", "EI"), lines.of("loads", 1, "at")] == [2, 3, 9]
    assert [lines.of("names", "beam.end"), lines.of("loads", 1, "value"), lines.of("nowhere")] == [11, 6, None]


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_mark_at_the_start_of_a_file_is_no_text(tmp_path, mark) -> None:
    (tmp_path / "beam.toml").write_text(f'{mark}title = "Beam"\n{BEAM}', encoding="utf-8")
    assert str(fx.derive(read_model(tmp_path / "beam.toml"))) == str(fx.derive(model_of_text(BEAM)))
    assert title_of(tmp_path / "beam.toml") == "Beam"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a = " + "[" * 5000 + "]" * 5000, "m.toml nests brackets too deeply; a model needs three or four levels."),
        ("a = " + "9" * 5000, "m.toml is not TOML: "),
        ("a = 1979-13-45", "m.toml is not TOML: "),
        (".".join(["a"] * 50_000) + " = 1", "m.toml, line 1: a key has more than 50 dots; a model needs three"),
        ("[" + ".".join(["a"] * 50_000) + "]", "m.toml, line 1: a key has more than 50 dots"),
        ("# " + "." * 60 + '\n[parts.hub]\nkind = ["Mass"]', "m.toml, line 2: The part hub is of the kind ['Mass']"),
        ("[parts.hub]\nkind = {a = 1}", "m.toml, line 1: The part hub is of the kind {'a': 1}, which does not exist"),
    ],
)  # fmt: skip
def test_texts_that_are_too_deep_or_too_long(text, sentence) -> None:
    with pytest.raises(fx.FlexuraError) as told:
        model_of_text(text, "m.toml")
    assert str(told.value).startswith(sentence)
