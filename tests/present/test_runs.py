"""Pictures, moving pictures and files of runs."""

import numpy as np
import pytest

import flexura as fx
from flexura.errors import FlexuraError
from flexura.export.netcdf import write_netcdf

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
    assert "ledger closed to" in energies.get_title(loc="right")
    assert energies.get_xlabel() == "t in s"


def test_chosen_histories_are_drawn(run):
    figure = fx.plot(run, names=["theta_t", "tau"])
    assert [line.get_label() for line in figure.axes[0].lines] == ["theta_t", "tau"]
    with pytest.raises(FlexuraError, match="The trajectory has no 'phi'"):
        fx.plot(run, names="phi")


@pytest.mark.parametrize("ending", ["gif", "html"])
def test_a_run_moves(run, tmp_path, ending):
    path = fx.animate(run, tmp_path / f"run.{ending}", frames=4)
    assert path.stat().st_size > 1_000


def test_modes_move(tmp_path):
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=0.7, length=1.3)
    modes = fx.modes(fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start))), 2)
    assert fx.animate(modes, tmp_path / "mode.gif", frames=4, which=1).stat().st_size > 1_000
    with pytest.raises(FlexuraError, match="There is no mode 2 to draw; modes are numbered from 0 to 1"):
        fx.animate(modes, tmp_path / "mode.gif", which=2)


def test_films_that_cannot_be_made(run, tmp_path):
    from matplotlib.animation import FFMpegWriter

    with pytest.raises(FlexuraError, match=r"run.avi cannot be written; end its name in .gif, .html or .mp4"):
        fx.animate(run, tmp_path / "run.avi")
    with pytest.raises(FlexuraError, match="does not exist; make it first"):
        fx.animate(run, tmp_path / "nowhere" / "run.gif")
    with pytest.raises(FlexuraError, match="There is no moving picture of a int"):
        fx.animate(3, tmp_path / "run.gif")
    with pytest.raises(FlexuraError, match="view is 'up'"):
        fx.animate(run, tmp_path / "run.gif", view="up")
    if not FFMpegWriter.isAvailable():
        with pytest.raises(FlexuraError, match=r"run.mp4 needs the program ffmpeg.*write a .gif or .html instead"):
            fx.animate(run, tmp_path / "run.mp4")


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
