"""Pictures: what is drawn where, on which axes, into which files; without a display, and only when asked."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import flexura as fx
from flexura.gallery import example
from flexura.gallery.values import values as example_values
from flexura.show.plots.scene import Scene
from flexura.solve.runs.positions import Positions


@pytest.fixture(scope="module")
def cantilever():
    beam = fx.EulerBernoulliBeam("beam", EI=1.0, rho=1.0, length=2.0, field="w")
    tip = fx.Mass("tip", m=0.1)
    return fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Fixed(beam.end, tip), fx.Force(tip, "F")))


@pytest.fixture(scope="module")
def found(cantilever):
    return fx.modes(cantilever, 4)


def axes_of(figure):
    return figure.get_axes()


def test_a_panel_for_each_mode_with_frequency_and_units(found) -> None:
    panels = axes_of(fx.plot(found))
    assert [one.get_title() for one in panels] == [
        f"mode {k + 1}: {omega:.4g} rad/s, {omega / (2 * np.pi):.4g} Hz" for k, omega in enumerate(found.frequencies)
    ]
    assert panels[-1].get_xlabel() == "x in m"
    assert panels[0].get_ylabel() == "y in m"
    assert [one.get_title() for one in axes_of(fx.plot(found, which=[2]))] == [panels[2].get_title()]


def test_nodes_are_where_the_mode_does_not_move(cantilever, found) -> None:
    for k in range(4):
        (line,) = Scene(Positions(cantilever), found.shape(k)).lines
        assert len(line.nodes) == k
        x = line.nodes[:, 0]
        assert (
            np.abs(found.shape(k).w(x)).max(initial=0.0) < 2e-3 * np.abs(found.shape(k).w(np.linspace(0, 2, 99))).max()
        )


def test_members_stand_in_their_places() -> None:
    equations, values = fx.derive(example("portal-frame")), example_values("portal-frame")
    scene = Scene(Positions(equations, values), fx.modes(equations, 1, values).shape(0))
    left, beam, right = scene.lines
    assert np.allclose([left.rest[0], left.rest[-1]], [[0, 0, 0], [0, 1, 0]])
    assert np.allclose([beam.rest[-1], right.rest[-1]], [[1.5, 1, 0], [1.5, 0, 0]])
    for one, other in ((left, beam), (beam, right)):  # the corners stay together as they move
        assert np.allclose(one.moved[-1], other.moved[0], atol=1e-9 * scene.largest)
    assert [one.kind for one in scene.supports] == ["Fixed", "Fixed"]


def test_what_twists_or_stretches_is_drawn_across() -> None:
    values = example_values("stepped-shaft")
    equations = fx.derive(example("stepped-shaft"))
    shape = fx.modes(equations, 2, values).shape(1)
    scene = Scene(Positions(equations, values), shape)
    assert all(line.across for line in scene.lines)
    turned = shape.fields["phi1"](np.linspace(0, 0.5, 121))
    assert np.allclose(np.abs(scene.lines[0].moved[:, 1]), np.abs(turned))
    rod = fx.Rod("rod", EA=1.0, rho=1.0, length=1.0)
    stretched = fx.derive(fx.Model(fx.Fixed(fx.ground, rod.start)))
    (line,) = Scene(Positions(stretched), fx.modes(stretched, 1).shape(0)).lines
    assert line.across
    assert np.allclose(line.moved[:, [0, 2]], 0)


def test_systems_written_as_energies_are_drawn_by_name() -> None:
    equations, values = fx.derive(example("timoshenko-tip-body")), example_values("timoshenko-tip-body")
    panel = axes_of(fx.plot(fx.modes(equations, 1, values)))[0]
    assert [one.get_label() for one in panel.get_lines()[1::2]] == ["eta", "phi"]
    pendulum = fx.modes(fx.derive(example("double-pendulum")), 2, example_values("double-pendulum"))
    assert len(axes_of(fx.plot(pendulum))[0].patches) == 2  # a bar for each coordinate


def test_motion_in_space_and_complex_shapes() -> None:
    blade = fx.SpatialBeam("b", EA=1e3, EIy=1.0, EIz=3.0, GJ=1.0, rho=1.0, rotary_inertia=0.1, length=1.0)
    other = fx.SpatialBeam("c", EA=1e3, EIy=1.0, EIz=3.0, GJ=1.0, rho=1.0, rotary_inertia=0.1, length=0.5)
    model = fx.Model(fx.Fixed(fx.ground, blade.start), fx.Fixed(blade.end, other.start, angle="pi/2"))
    assert axes_of(fx.plot(fx.modes(fx.derive(model), 2)))[0].name == "3d"
    values = {**example_values("example-one"), "b": 30.0}
    damped = fx.modes(fx.derive(example("example-one")), 3, values)
    assert "ζ = " in axes_of(fx.plot(damped))[0].get_title()


def test_several_fields_of_a_place_are_several_lines() -> None:
    beam = fx.TimoshenkoBeam("beam", EI=1.0, kGA=60.0, rho=1.0, rotary_inertia=0.02, length=1.0)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F")))
    response = fx.frequency_response(equations, np.linspace(1, 9, 5), "F", beam.at(0.5))
    above, below = axes_of(fx.plot(response))
    assert [one.get_label() for one in above.get_lines()] == ["w_beam", "phi_beam"]
    assert [one.get_text() for one in above.get_legend().get_texts()] == ["w_beam", "phi_beam"]
    for i in range(2):
        assert np.allclose(above.get_lines()[i].get_ydata(), np.abs(response[:, i]))
    assert len(below.get_lines()) == 2
    assert len(axes_of(fx.plot(response[:, 1]))[0].get_lines()) == 1
    assert len(axes_of(fx.plot(np.array(response), omega=response.omega))[0].get_lines()) == 2


def test_a_response_knows_its_frequencies(cantilever) -> None:
    omega = np.linspace(0.1, 30, 200)
    response = fx.frequency_response(cantilever, omega, "F", "y_beam_end")
    assert np.allclose(response.omega, omega)
    above, below = axes_of(fx.plot(response))
    x, y = above.get_lines()[0].get_data()
    assert np.allclose(x, omega)
    assert np.allclose(y, np.abs(response))
    assert above.get_title() == "receptance of y_beam_end per unit F"
    assert below.get_ylabel() == "phase in degrees"
    plain = np.array(response)  # an ordinary array needs to be told
    with pytest.raises(fx.FlexuraError, match=r"needs one frequency for each value; write fx.plot"):
        fx.plot(plain)
    assert len(axes_of(fx.plot(plain, omega=omega))) == 2
    assert getattr(response[:5], "omega", None) is None


def test_a_resonance_breaks_the_curve(cantilever, found) -> None:
    omega = np.array([0.1, found.frequencies[0], 10.0])
    with pytest.warns(UserWarning, match="infinite"):
        response = fx.frequency_response(cantilever, omega, "F", "y_beam_end")
    above, _ = axes_of(fx.plot(response))
    assert np.isnan(above.get_lines()[0].get_ydata()[1])
    assert above.get_lines()[1].get_xdata()[0] == found.frequencies[0]


def test_roots_and_campbell(found) -> None:
    panel = axes_of(fx.plot(found, kind="roots"))[0]
    assert panel.get_xlabel() == "Re s in 1/s"
    roots = panel.get_lines()[2]
    assert np.allclose(np.sort(np.abs(roots.get_ydata()))[::2], np.sort(found.frequencies))
    assert len(axes_of(fx.plot(np.array([1j, -1 + 2j, 0.5 + 3j]), kind="roots"))[0].get_lines()) == 4
    hub, blade = fx.RigidBody("hub", m=0, I=1.0), fx.EulerBernoulliBeam("blade", EI=1.0, rho=1.0, length=1.0)
    turn = fx.Revolute(fx.ground, hub, about="y", motion="Omega*t")
    chart = fx.campbell(fx.derive(fx.Model(turn, fx.Fixed(hub, blade.start))), "Omega", [0, 4, 8], count=2)
    panel = axes_of(fx.plot(chart))[0]
    assert panel.get_xlabel() == "Omega in rad/s"
    assert np.allclose(panel.get_lines()[0].get_ydata(), chart.frequencies[:, 0])
    assert len(panel.get_lines()) == 3  # two branches and the speed itself
    assert len(axes_of(fx.plot(chart, orders=(1, 2, 3)))[0].get_lines()) == 5


def test_the_root_locus_of_an_oscillator_is_a_circle() -> None:
    """s^2 + c s + 9 = 0: |s| = 3 until the roots meet at -3, then their product is 9."""
    mass = fx.Mass("m", m=1.0)
    model = fx.Model(
        fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, k=9.0), fx.Damper(fx.ground, mass, c=("c", 1.0))
    )
    chart = fx.campbell(fx.derive(model), "c", np.linspace(0, 8, 17))
    (panel,) = axes_of(fx.plot(chart, kind="roots"))
    lines = [line for line in panel.get_lines()[2:] if len(line.get_xdata()) == len(chart.values)]
    x, y = (np.concatenate([getattr(line, name)() for line in lines]) for name in ("get_xdata", "get_ydata"))
    turning = np.abs(np.nan_to_num(y)) > 1e-6
    assert turning.sum() == 2 * 12  # both of each pair, below c = 6
    assert np.hypot(x, y)[turning] == pytest.approx(3.0)
    ends = sorted(one for one in set(np.round(x[~turning & (x == x)], 9)) if one < -3.0 - 1e-6 or one > -3.0 + 1e-6)
    assert ends[0] * ends[-1] == pytest.approx(9.0)
    assert panel.get_title() == "c from 0 (×) to 8 (○)"
    with pytest.raises(fx.FlexuraError, match="kind is 'locus'; charts are drawn as 'campbell' or 'roots'"):
        fx.plot(chart, kind="locus")


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_files(found, tmp_path, ending, start) -> None:
    path = tmp_path / f"modes.{ending}"
    fx.plot(found, path)
    assert path.read_bytes().startswith(start)


def test_bad_wishes(found, tmp_path) -> None:
    with pytest.raises(fx.FlexuraError, match=r"has no ending that can be written; use .png, .svg or .pdf"):
        fx.plot(found, tmp_path / "modes.docx")
    with pytest.raises(fx.FlexuraError, match="does not exist; make it first"):
        fx.plot(found, tmp_path / "nowhere" / "modes.png")
    with pytest.raises(fx.FlexuraError, match="There is no mode 7 to draw; modes are numbered from 0 to 3"):
        fx.plot(found, which=7)
    with pytest.raises(fx.FlexuraError, match="kind is 'pie'; modes are drawn as 'shapes' or 'roots'"):
        fx.plot(found, kind="pie")
    with pytest.raises(fx.FlexuraError, match="There is no picture of a dict"):
        fx.plot({})


def test_matplotlib_waits_until_it_is_needed_and_pyplot_is_never_loaded() -> None:
    script = (
        "import sys, flexura as fx; assert 'matplotlib' not in sys.modules;"
        "b = fx.EulerBernoulliBeam('b', EI=1.0, rho=1.0, length=1.0);"
        "fx.plot(fx.modes(fx.derive(fx.Model(fx.Fixed(fx.ground, b.start))), 1));"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_several_responses_in_one_picture_in_hertz_and_decibels(cantilever) -> None:
    omega = np.linspace(1, 9, 5)
    one = fx.frequency_response(cantilever, omega, "F", "y_beam_end")
    other = fx.frequency_response(cantilever, omega[:4], "F", fx.Motion("beam.end"))
    above, below = axes_of(fx.plot([one, other], unit="Hz", scale="dB"))
    assert np.allclose(above.get_lines()[0].get_xdata(), omega / (2 * np.pi))
    assert np.allclose(above.get_lines()[0].get_ydata(), 20 * np.log10(np.abs(one)))
    assert len(above.get_lines()) == 2
    assert "Hz" in below.get_xlabel()
    (axes,) = axes_of(fx.plot([one, other], kind="nyquist"))
    assert np.allclose(axes.get_lines()[0].get_ydata(), one.imag)
    for wrong in ({"unit": "kHz"}, {"scale": "cubic"}, {"kind": "nichols"}):
        with pytest.raises(fx.FlexuraError):
            fx.plot(one, **wrong)
