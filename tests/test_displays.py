"""Results show themselves: `repr` is one line, `print` a table, a notebook gets a picture and the same table.

What is told is read back: a table holds the numbers of the result, and a name with markup in it stays text.
"""

from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import flexura as fx
from flexura.display import SHOWN, Displayed, Table

VOID = {"img"}


def shaft():
    """A hub that turns at Omega, with an arm on it and a load at the tip."""
    arm = fx.EulerBernoulliBeam("arm", EI=50.0, rho=1.2, length=1.3)
    hub = fx.RigidBody("hub", 1.0, 0.5)
    return fx.Model(
        fx.Revolute(fx.ground, hub, motion="Omega*t"), fx.Fixed(hub, arm.start), fx.Force(arm.end, "F", axes=hub)
    ), arm


@pytest.fixture(scope="module")
def results():
    beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3)
    model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))
    equations = fx.derive(model)
    matrices = fx.SecondOrderSystem(np.eye(3), None, np.diag([0.0, 1.0, 2.0]), F=np.ones(3))
    turning, _ = shaft()
    mass = fx.Mass("m", 2.0)
    oscillator = fx.derive(
        fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, k=8.0),
                 fx.Damper(fx.ground, mass, c=1.0), fx.Force(mass, "F"))
    )  # fmt: skip
    modes = fx.modes(equations, 3)
    frame = fx.BeamFrame([(0, 0, 0), (0.5, 0, 0), (1, 0, 0)], [(0, 1), (1, 2)], SECTION, {0: "all"})
    return {
        "model": model,
        "step": equations.steps[0],
        "certificate": fx.verify(equations),
        "modes": modes,
        "count": modes.certificate,
        "shape": modes.shape(0),
        "response": fx.frequency_response(equations, [1.0, 2.0], "F", beam.end),
        "responses": fx.frequency_response(matrices, [0.3, 0.5], np.ones(3), np.eye(3)[:2]),
        "run": fx.simulate(equations, np.linspace(0, 1, 11), inputs={"F": 1.0}),
        "run of matrices": fx.simulate(matrices, np.linspace(0, 1, 5), inputs={"F": 1.0}),
        "rest": fx.equilibrium(equations, values={"F": 1.0}),
        "chart": fx.campbell(fx.derive(turning), "Omega", np.linspace(0, 5, 3), count=2),
        "whirl": fx.whirl(frame, [0.0, 10.0], axis="x", count=2),
        "matrices": matrices,
        "reduced": fx.reduce(matrices, np.array([1.0, 2.0, 0.0]), 1),
        "free bodies": fx.free_bodies(model),
        "free body": fx.free_bodies(model)["beam"],
        "buckling": fx.buckling(column(), "P"),
        "path": fx.equilibrium_path(fx.derive(strut()), "F", (0, 1)),
        "table": fx.sweep(lambda k: k**2, {"k": [1.0, 2.0]}, workers=1),
        "participation": fx.participation(modes, "y"),
        "sensitivity": fx.sensitivity(equations, ["EI_beam", "length_beam"], 2),
        "step response": fx.step_response(oscillator, [0.0, 0.1, 0.7], ["F"], ["y", "y_t"]),
        "periodic response": fx.periodic_response(oscillator, {"F": "cos(2*t) + cos(t)/2"}, "y"),
        "steady swing": fx.periodic_response(fx.derive(pendulum("tau")), {"tau": "cos(2*t)"}, ["theta"]),
        "response curve": fx.response_curve(pendulum("tau"), {"tau": 0.5}, "theta", (2.0, 4.0)),
        "random response": fx.random_response(oscillator, 2.0, "F", ["y", "y_t"], [0.1, 3.0, 50.0]),
        "state space": fx.state_space(equations, "F", beam.end, order=4),
        "nonlinear": fx.discretise(fx.derive(pendulum())),
    }


@pytest.fixture(scope="module")
def pages(results):
    """What a notebook shows of each."""
    return {name: Balanced(result._repr_html_()) for name, result in results.items()}


SECTION = fx.Section(E=2e11, G=8e10, rho=7800, A=1e-4, Iy=1e-9, Iz=1e-9)


def column():
    beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3, axial_force="-P")
    return fx.derive(fx.Model(fx.Pin(fx.ground, beam.start), fx.Roller(fx.ground, beam.end)))


def strut():
    beam = fx.ExactBeam("beam", EI=1.0, rho=1.0, length=1.0)
    return fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F", along="-y"))


def pendulum(torque=None):
    bob = fx.RigidBody("bob", 1.0, 0.1)
    hinge, driven = fx.Revolute(fx.ground, bob.at(0, 1), name="theta"), []
    if torque:
        driven = [fx.Torque(bob, torque), fx.TorsionDamper(fx.ground, bob, c=1.0)]
    return fx.Model(hinge, fx.Gravity(), *driven)


class Balanced(HTMLParser):
    """Text of a page whose elements are all closed."""

    def __init__(self, page):
        super().__init__()
        self.open, self.text, self.pictures = [], "", []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.pictures += [dict(attributes)] if tag == "img" else []
        self.open += [] if tag in VOID else [tag]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += f"{data} "


def test_every_result_is_one_line_and_a_page(results, pages):
    for name, result in results.items():
        assert isinstance(result, Displayed), name
        assert "\n" not in repr(result), name
        assert len(repr(result)) < 200, name
        assert len(str(result)) < 6000, name
        cells = [cell for part in result.told() if isinstance(part, Table) for row in part.short().rows for cell in row]
        assert all(cell.strip() in pages[name].text for cell in cells), name


def test_what_can_be_drawn_is_drawn_without_asking_anybody(pages):
    drawn = {name for name, page in pages.items() if page.pictures}
    assert {"step response", "periodic response", "random response", "response curve"} <= drawn
    assert {"model", "modes", "response", "run", "run of matrices", "chart", "whirl", "reduced"} <= drawn
    assert {"rest", "path", "buckling", "free bodies", "free body"} <= drawn
    assert not {"step", "certificate", "participation"} & drawn
    for name in drawn:
        (picture,) = pages[name].pictures
        assert picture["src"].startswith("data:image/png;base64,")
        assert picture["alt"]


def test_tables_hold_the_numbers_of_the_result(results):
    modes, run = results["modes"], results["run"]
    table = next(part for part in modes.told() if isinstance(part, Table))
    assert [float(row[1]) for row in table.rows] == pytest.approx(modes.frequencies, rel=1e-11)
    table = next(part for part in run.told() if isinstance(part, Table))
    tip = run.place(fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3), 1.3)
    assert [float(cell) for cell in table.rows[0][1:]] == pytest.approx([tip[0], min(tip), max(tip), tip[-1]], rel=1e-5)
    response = results["responses"]
    table = next(part for part in response.told() if isinstance(part, Table))
    sizes = [[float(cell) for cell in row[1::2]] for row in table.rows]
    assert np.array(sizes) == pytest.approx(abs(np.asarray(response)), rel=1e-7)


def test_answers_over_time_tell_their_numbers(results):
    step, steady, swing = results["step response"], results["periodic response"], results["steady swing"]
    (table,) = (part for part in step.told() if isinstance(part, Table))
    y = np.asarray(step)[:, 0, 0]
    assert [row[0] for row in table.rows] == ["y per F (m/N)", "y_t per F (m/s/N)"]
    assert [float(cell) for cell in table.rows[0][1:]] == pytest.approx([y[0], y.min(), y.max(), y[-1]], rel=1e-5)
    *_, table = (part for part in steady.told() if isinstance(part, Table))
    amplitudes = {int(row[0]): float(row[2]) for row in table.rows}
    assert amplitudes == pytest.approx({k: abs(steady.harmonics[k]) for k in (1, 2)}, rel=1e-5)
    assert amplitudes[2] == pytest.approx(1 / abs(8 - 2 * 4 + 2j), rel=1e-5)
    assert f"{np.abs(swing.multipliers).max():.6g}" in str(swing)
    assert "stable" in str(swing)
    curve = results["response curve"]
    (table,) = (part for part in curve.told() if isinstance(part, Table))
    assert [float(row[1]) for row in table.rows] == pytest.approx(curve.amplitude, rel=1e-5)
    assert [row[2] == "yes" for row in table.rows] == list(curve.stable)
    psd, slopes = results["random response"], results["sensitivity"]
    tables = [part for part in psd.told() if isinstance(part, Table)]
    assert [float(row[1]) for row in tables[0].rows] == pytest.approx(psd.rms, rel=1e-7)
    assert [[float(cell) for cell in row[1:]] for row in tables[1].rows] == pytest.approx(psd.psd, rel=1e-7)
    (table,) = slopes.told()
    assert [float(row[2]) for row in table.rows] == pytest.approx(slopes["EI_beam"], rel=1e-5)


def test_parts_of_a_response_are_arrays_like_any_other(results):
    for part in (results["step response"][0], results["periodic response"][:3]):
        assert repr(part) == repr(np.asarray(part))
        assert str(part) == str(np.asarray(part))
    response = results["response"]
    assert repr(response[0]) == repr(np.asarray(response)[0])
    assert str(response[:1]) == str(np.asarray(response)[:1])
    assert str(abs(response)) == str(abs(np.asarray(response)))
    assert str(abs(response).max()) == str(abs(np.asarray(response)).max())


def test_a_buckling_load_is_a_number_that_tells_its_frequencies(results):
    load = results["buckling"]
    assert float(load) == pytest.approx(np.pi**2 * 50 / 1.3**2, rel=1e-9)
    assert (f"{load:.6g}", load + 0.0) == (f"{float(load):.6g}", float(load))
    (table,) = (part for part in load.told() if isinstance(part, Table))
    assert [float(row[1]) for row in table.rows] == pytest.approx(load.modes.frequencies, rel=1e-7)


def test_equations_show_their_picture_and_every_row():
    equations = column()
    page = Balanced(equations._repr_html_())
    assert len(page.pictures) == 1
    assert equations._repr_html_().count("<math ") == len(equations.shown)
    assert all(word in page.text for word in ("Field equations", "Boundary conditions"))
    energies = fx.derive(fx.Lagrangian(kinetic="m*q_t**2/2", potential="k*q**2/2", work={fx.Coordinate("q"): 0}))
    assert not Balanced(energies._repr_html_()).pictures
    name = "<b>&"
    rod = fx.Rod(name, EA=1.0, rho=1.0, length=1.0, field="u")
    marked = fx.derive(fx.Model(fx.Fixed(fx.ground, rod.start)))._repr_html_()
    assert "<b>&" not in marked.replace("<b>Field", "").replace("<b>Boundary", "")


def test_figures_show_themselves_without_magic_words():
    assert fx.plot(column())._repr_png_().startswith(b"\x89PNG")


def test_names_with_markup_stay_text():
    name = "<img src=x onerror=alert(1)>&"
    table = fx.sweep(lambda k: {name: k}, {"k": [1.0]}, workers=1)
    system = fx.SecondOrderSystem(np.eye(1), None, np.eye(1), dofs=(name,))
    for page in (Balanced(table._repr_html_()), Balanced(system._repr_html_())):
        assert name in page.text
        assert not page.pictures


@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"])), min_size=2, max_size=2)))
def test_tables_of_any_text_line_up_and_lose_no_row_in_silence(rows):
    table = Table(("a", "b"), rows)
    assert len(str(table).split("\n")) == len(rows) + 1
    short = table.short()
    if len(rows) <= SHOWN:
        assert short == table
    else:
        assert len(short.rows) == SHOWN
        shown = sum(list(row) in rows for row in short.rows)
        assert any(row[0] == f"({len(rows) - shown} more)" for row in short.rows)
    assert Balanced(table.html()).open == []
