"""Pictures, moving pictures and files of runs."""

import base64
import html
import io
import re
import sys
from unittest import mock

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image

import flexura as fx
from flexura.errors import FlexuraError
from flexura.exports.netcdf import write_netcdf
from flexura.gallery import example
from flexura.gallery.values import values as example_values
from flexura.show import animate_file

T = np.linspace(0, 0.4, 21)


@pytest.fixture(scope="module")
def run():
    hub, arm = fx.RigidBody("hub", m=1, I=0.3), fx.EulerBernoulliBeam("arm", EI=20.0, rho=0.5, length=1.0, field="w")
    parts = (fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub.at(0.1), arm.start), fx.Torque(hub, "tau"))
    return fx.simulate(fx.Model(*parts), T, inputs={"tau": "sin(5*t)"}, order=5)


def test_a_run_is_drawn_with_its_ledger(run, tmp_path):
    figure = fx.plot(run, tmp_path / "run.png")
    assert (tmp_path / "run.png").stat().st_size > 10_000
    coordinates, deflections, energies = figure.axes
    assert [line.get_label() for line in coordinates.lines] == ["theta"]
    assert [line.get_label() for line in deflections.lines] == ["w(1)", "w(0.5)"]
    assert np.array_equal(deflections.lines[0].get_ydata(), run.place("w", 1.0))
    assert "energy balance closed to" in energies.get_title(loc="right")
    assert energies.get_xlabel() == "t in s"


def test_ends_of_members_are_drawn_with_the_deflections_not_with_the_joints():
    equations, values = fx.derive(example("two-link-arm")), example_values("two-link-arm")
    still = fx.plot(fx.simulate(equations, T[:3], values=values, order=3))
    assert [line.get_label() for line in still.axes[0].lines] == ["theta1", "theta2"]
    turning = {"theta1_t": 1.0, "theta2_t": 1.0}
    moving = fx.plot(fx.simulate(equations, T[:3], initial=turning, values=values, order=3))
    drawn = ["y1", "alpha1", "y2", "alpha2", "w1(0.4)", "w2(0.3)"]  # not w1(0.8), which is y1, nor w1(0), which is held
    assert [line.get_label() for line in moving.axes[1].lines] == drawn


def test_chosen_histories_are_drawn(run):
    figure = fx.plot(run, names=["theta_t", "tau"])
    assert [line.get_label() for line in figure.axes[0].lines] == ["theta_t", "tau"]
    with pytest.raises(FlexuraError, match="The trajectory has no 'phi'"):
        fx.plot(run, names="phi")


@pytest.mark.parametrize("ending", ["gif", "html"])
def test_a_run_moves(run, tmp_path, ending):
    path = fx.animate(run, tmp_path / f"run.{ending}", frames=4)
    assert path.stat().st_size > 1_000


def test_a_moving_picture_needs_no_path(run, tmp_path):
    """It is the same picture, to be played in a notebook or saved."""
    picture = fx.animate(run, frames=4)
    assert repr(picture) == "<MovingPicture of 4 frames>"
    assert picture._repr_html_().startswith("<iframe")
    same = fx.animate(run, tmp_path / "given.html", frames=4).read_bytes()
    assert picture.save(tmp_path / "saved.html").read_bytes() == same
    assert html.unescape(picture._repr_html_()).encode().count(b"iVBOR") == same.count(b"iVBOR") == 4
    with pytest.raises(FlexuraError, match=r"end its name in .gif, .html or .mp4"):
        picture.save(tmp_path / "saved.txt")


def test_modes_move(tmp_path):
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=0.7, length=1.3)
    modes = fx.modes(fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start))), 2)
    assert fx.animate(modes, tmp_path / "mode.gif", frames=4, which=1).stat().st_size > 1_000
    with pytest.raises(FlexuraError, match="There is no mode 2 to draw; modes are numbered from 0 to 1"):
        fx.animate(modes, tmp_path / "mode.gif", which=2)


def pictures_of(path):
    """The pictures of a film, as ffmpeg reads them back: (count, height, width, 3)."""
    from imageio_ffmpeg import read_frames

    frames = read_frames(path)
    width, height = next(frames)["size"]
    return np.array([np.frombuffer(one, dtype=np.uint8).reshape(height, width, 3) for one in frames])


def test_an_mp4_is_a_film_with_a_picture_for_each_frame(run, tmp_path):
    found = pictures_of(fx.animate(run, tmp_path / "run.mp4", frames=5))
    assert found.shape[::2] == (5, 896)
    assert found.shape[1] % 2 == 0  # as the codec asks
    moved = np.abs(np.diff(found.astype(int), axis=0)).max(axis=(1, 2, 3))
    assert (moved > 100).all()  # the arm is drawn elsewhere in each
    assert found.min() < 60 < 200 < np.median(found)  # dark lines on a light ground


def test_a_page_holds_every_picture(run, tmp_path):
    page = fx.animate(run, tmp_path / "run.html", frames=5).read_text(encoding="utf-8")
    held = [base64.b64decode(one) for one in re.findall(r'^"([^"]+)",?$', page, re.MULTILINE)]
    pictures = [np.asarray(Image.open(io.BytesIO(one)).convert("RGB")) for one in held]
    assert len(pictures) == 5
    assert pictures[0].min() < 60
    assert not np.array_equal(pictures[0], pictures[4])
    assert "1000 / 25" in page
    assert "http" not in page  # it plays without a network


def test_what_ffmpeg_says_is_passed_on(run, tmp_path):
    with (
        mock.patch.object(animate_file, "RATE", "none"),  # which it does not take
        pytest.raises(
            FlexuraError, match=r"ffmpeg could not write the film \(.*rate.*\); write a .gif or .html instead"
        ),
    ):
        fx.animate(run, tmp_path / "run.mp4", frames=4)
    assert fx.animate(run, tmp_path / "run.gif", frames=4).stat().st_size > 1_000


def test_without_ffmpeg_the_package_that_brings_it_is_advised(run, tmp_path, monkeypatch):
    with mpl.rc_context({"animation.ffmpeg_path": "no-such-program"}):
        with monkeypatch.context() as without:
            without.setitem(sys.modules, "imageio_ffmpeg", None)
            advice = (
                r"run.mp4 needs the program ffmpeg.*pip install 'flexura\[video\]', or write a .gif or .html instead"
            )
            with pytest.raises(FlexuraError, match=advice):
                fx.animate(run, tmp_path / "run.mp4", frames=4)
            assert fx.animate(run, tmp_path / "run.gif", frames=4).stat().st_size > 1_000
        assert len(pictures_of(fx.animate(run, tmp_path / "run.mp4", frames=4))) == 4  # with that package


def test_films_that_cannot_be_made(run, tmp_path):
    with pytest.raises(FlexuraError, match=r"run.avi cannot be written; end its name in .gif, .html or .mp4"):
        fx.animate(run, tmp_path / "run.avi")
    with pytest.raises(FlexuraError, match="does not exist; make it first"):
        fx.animate(run, tmp_path / "nowhere" / "run.gif")
    with pytest.raises(FlexuraError, match="There is no moving picture of a int"):
        fx.animate(3, tmp_path / "run.gif")
    with pytest.raises(FlexuraError, match="view is 'up'"):
        fx.animate(run, tmp_path / "run.gif", view="up")


def test_a_run_is_saved_as_netcdf(run, tmp_path):
    import xarray

    path = write_netcdf(run, tmp_path / "run.nc")
    with xarray.open_dataset(path) as found:
        assert np.array_equal(found["theta"], run["theta"])
        assert found["w"].dims == ("t", "x_w")
        assert np.allclose(found["w"][:, -1], run.place("w", 1.0))
        assert found["t"].attrs["units"] == "s"
        assert found.attrs["ledger_error"] == run.energy.error
    with pytest.raises(FlexuraError, match=r"end its name in .nc"):
        write_netcdf(run, tmp_path / "run.h5")


def film_of(picture):
    return picture.film


def test_films_trace_places_and_run_at_a_speed(run, tmp_path):
    film = film_of(fx.animate(run, trace="arm.end"))
    assert film.traces[0] == pytest.approx(run.position("arm.end"))
    slow = film_of(fx.animate(run, speed=0.1))
    assert len(slow.titles) == 0.4 / 0.1 * 25 + 1
    assert slow.lines[0][-1] == pytest.approx(film.lines[0][-1])
    assert (slow.titles[0], slow.titles[-1]) == ("t = 0 s", "t = 0.4 s")
    assert slow.note == "0.1 s of the run in a second"
    path = fx.animate(run, tmp_path / "arm.gif", trace=["arm.end", "hub"], speed=1.0)
    assert Image.open(path).n_frames == 0.4 * 25 + 1
    for wrong in (0.0, -1.0, float("inf")):
        with pytest.raises(FlexuraError, match=r"speed is .*above zero"):
            fx.animate(run, speed=wrong)
    with pytest.raises(FlexuraError, match=r"the film has \d+ pictures; give speed=0\.005 or more"):
        fx.animate(run, speed=1e-6)
    assert len(film_of(fx.animate(run, speed=0.0051)).titles) <= 2001  # what is advised helps


def test_films_and_pictures_of_modes_are_magnified_as_asked_and_say_so():
    beam = fx.EulerBernoulliBeam("beam", EI=1.0, rho=1.0, length=2.0)
    modes = fx.modes(fx.Model(fx.Fixed(fx.ground, beam.start)), 1)
    one, two = (film_of(fx.animate(modes, magnification=f)) for f in (0.1, 0.2))
    assert two.lines[0] - two.still[0] == pytest.approx(2 * (one.lines[0] - one.still[0]))
    assert one.note == "shape × 0.1"
    assert any(text.get_text() == "shape × 0.25" for text in fx.plot(modes, magnification=0.25).axes[0].texts)
    for draw in (fx.plot, fx.animate):
        with pytest.raises(FlexuraError, match=r"magnification is -1; give a number above zero"):
            draw(modes, magnification=-1)
