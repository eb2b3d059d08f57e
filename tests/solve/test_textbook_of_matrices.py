"""Rayleigh, Dunkerley and participation of matrices, and units and tables that answers keep."""

import numpy as np
import pytest

import flexura as fx

M, K = np.diag([2.0, 1.0]), np.array([[3.0, -1.0], [-1.0, 1.0]])


def test_matrices_are_asked_like_equations():
    system = fx.SecondOrderSystem(M, None, K)
    found = fx.modes(system, 2)
    assert float(fx.rayleigh_quotient(system, [1.0, 2.0])) == pytest.approx(3 / 6)
    assert fx.rayleigh_quotient(system, _normal(found, system)[0]).frequency == pytest.approx(found.frequencies[0])
    assert fx.dunkerley(system) == pytest.approx(np.trace(np.linalg.solve(K, M)) ** -0.5)
    part = fx.participation(found, [1.0, 1.0])
    assert part.sum == pytest.approx(part.total_mass) == pytest.approx(3.0)
    assert abs(fx.participation(found, "x1").factors) == pytest.approx([abs(v[1]) for v in _normal(found, system)])
    with pytest.raises(fx.FlexuraError, match="give a vector of 2 numbers"):
        fx.participation(found, "y")
    assert fx.participation(found, [0, 1.0]).total_mass == 1.0  # as advised
    with pytest.raises(fx.FlexuraError, match="give 2 finite ones"):
        fx.rayleigh_quotient(system, [1.0])
    with pytest.raises(fx.FlexuraError, match=r"gyroscopic.*fx\.modes"):
        fx.rayleigh_quotient(fx.SecondOrderSystem(M, None, K, G=[[0, 1.0], [-1.0, 0]]), [1.0, 0])


def _normal(found, system):
    vectors = [np.array([found.shape(k)[name] for name in system.names]).real for k in range(2)]
    return [v / np.sqrt(v @ M @ v) for v in vectors]


def test_units_survive_linearising_and_shaking():
    base, mass = fx.RigidBody("base", m=1.0, I=0), fx.Mass("m", m=2.0)
    model = fx.Model(
        fx.Slide(fx.ground, base, motion="zr(t)"),
        fx.Slide(fx.ground, mass, name="y"),
        fx.Spring(base, mass, k=50.0),
        fx.Force(mass, "F"),
    )
    assert fx.state_space(model, "F", ["y", "y_t"]).units["outputs"] == ("m", "m/s")
    linear = fx.linearise(fx.derive(model))
    pytest.importorskip("pandas")
    assert list(fx.frequency_response(linear, [1.0], "F", "y").to_dataframe().columns) == ["y per F (m/N)"]


def test_spectra_are_tables():
    pytest.importorskip("pandas")
    t = np.linspace(0, 2, 41)
    found = fx.response_spectrum((t, np.sin(5 * t)), [2.0, 10.0], [0.05, 0.1])
    table = found.to_dataframe()
    assert table.shape == (2, 2)
    assert table.to_numpy() == pytest.approx(np.asarray(found))
    assert "oscillators" in repr(found)
    assert "10" in str(found)
    assert isinstance(fx.response_spectrum((t, np.sin(5 * t)), 2.0), float)
    with pytest.raises(fx.FlexuraError, match="make the table of the whole"):
        found[0].to_dataframe()


def test_every_table_is_written_as_netcdf(tmp_path):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("pandas")
    mass = fx.Mass("m", m=2.0)
    model = fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, k=50.0), fx.Force(mass, "F"))
    t = np.linspace(0, 1, 5)
    step, seen = fx.step_response(model, t, "F", "y"), fx.frequency_response(model, [1.0, 2.0], "F", "y")
    for thing in (step, seen, fx.modes(model, 1), fx.response_spectrum((t, t), [2.0, 3.0])):
        fx.export(thing, tmp_path / "answer.nc")
        with xarray.open_dataset(tmp_path / "answer.nc", engine="scipy") as found:
            assert len(found)
            if thing is step:
                assert found["y per F"].attrs["units"] == "m/N"
                assert found["y per F"].to_numpy() == pytest.approx(np.asarray(step))
