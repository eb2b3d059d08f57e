"""Every file is whole or not there: what was written before stays when writing fails, and nothing of others is touched.

Writers are found by what they leave behind; a new one that writes in place fails here as soon as it is listed.
"""

import json
import os
import pathlib
import resource
import stat
from contextlib import contextmanager

import matplotlib as mpl
import numpy as np
import pytest

import flexura as fx
from flexura.files.writing import check_place, replacing
from flexura.systems.second_order import as_dense
from free_structures import network, plate

mpl.use("Agg")


def pendulum():
    bob = fx.RigidBody("bob", m=1.0, I=0.1)
    return fx.derive(fx.Model(fx.Revolute(fx.ground, bob.at(0, 1), name="theta"), fx.Gravity()))


@pytest.fixture(scope="module")
def answers():
    equations = pendulum()
    run = fx.simulate(equations, np.linspace(0, 1, 11), initial={"theta": 0.1})
    return {"equations": equations, "run": run, "system": plate(2, 1), "small": network(3)[0]}


def netcdf(answers, path):
    pytest.importorskip("xarray")
    from flexura.exports.netcdf import write_netcdf

    write_netcdf(answers["run"], path)


def vtu(answers, path):
    pytest.importorskip("meshio")
    fx.write_vtu(answers["system"], path, one=np.ones(answers["system"].n))


def mp4(answers, path):
    from flexura.show.animate_file import _ffmpeg

    if _ffmpeg() is None:
        pytest.skip("there is no ffmpeg")
    fx.animate(answers["run"], path, frames=3)


WRITERS = {
    **{f"one.{ending}": lambda answers, path: fx.write_system(answers["small"], path)
       for ending in ("npz", "mat", "mtx", "rsa", "op4", "dmig")},
    **{f"one.{ending}": lambda answers, path: fx.report(answers["equations"], path)
       for ending in ("html", "tex", "md")},
    **{f"one.{ending}": lambda answers, path: fx.plot(answers["run"], path) for ending in ("png", "svg", "pdf")},
    **{f"film.{ending}": lambda answers, path: fx.animate(answers["run"], path, frames=3)
       for ending in ("gif", "html")},
    "film.mp4": mp4, "one.nc": netcdf, "one.vtu": vtu, "one.vtk": vtu,
}  # fmt: skip


@contextmanager
def a_full_disk():
    """No file may grow beyond 100 bytes: the system's own refusal, as a full disk gives it, also to other programs."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_leaves_the_old_file(tmp_path, answers, name):
    path = tmp_path / name
    WRITERS[name](answers, path)
    before = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    assert before.pop(name)
    path.write_bytes(b"what was there")
    before[name] = b"what was there"
    with a_full_disk(), pytest.raises(fx.FlexuraError, match=r"cannot be written|could not write"):
        WRITERS[name](answers, path)
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == before


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_cannot_be_moved_leaves_the_old_one(tmp_path, answers, name, monkeypatch):
    path = tmp_path / name
    path.write_bytes(b"what was there")

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(fx.FlexuraError, match=r"one|film.*cannot be written: Permission denied; nothing was changed"):
        WRITERS[name](answers, path)
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == {name: b"what was there"}


@pytest.mark.parametrize("name", WRITERS)
def test_a_missing_folder_is_a_sentence(tmp_path, answers, name):
    with pytest.raises(fx.FlexuraError, match=r"The folder .*gone does not exist; make it first, or write elsewhere"):
        WRITERS[name](answers, tmp_path / "gone" / name)
    (tmp_path / "gone").mkdir()
    WRITERS[name](answers, tmp_path / "gone" / name)  # the advice
    assert (tmp_path / "gone" / name).stat().st_size > 10


@pytest.mark.parametrize("name", WRITERS)
def test_a_folder_in_the_way_is_a_sentence(tmp_path, answers, name):
    (tmp_path / name).mkdir()
    with pytest.raises(fx.FlexuraError, match=r"is a folder; give the name of a file"):
        WRITERS[name](answers, tmp_path / name)


# -- the helper ------------------------------------------------------------------------------------------------------


def test_a_link_stays_a_link_and_rights_stay(tmp_path):
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    with replacing(link) as unfinished:
        unfinished.write_text("new")
        assert real.read_text() == "old"
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_a_new_file_has_the_rights_that_the_user_gives_new_files(tmp_path):
    plain = tmp_path / "plain"
    plain.write_text("")
    with replacing(tmp_path / "new.txt") as unfinished:
        unfinished.write_text("new")
    assert stat.S_IMODE((tmp_path / "new.txt").stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


def test_what_goes_wrong_inside_leaves_nothing(tmp_path):
    def write():
        with replacing(tmp_path / "one.txt") as unfinished:
            unfinished.write_text("half")
            raise KeyError("one")

    with pytest.raises(KeyError):
        write()
    assert not list(tmp_path.iterdir())


def test_a_device_is_written_to_as_it_is():
    with replacing("/dev/null") as unfinished:
        unfinished.write_text("gone")
    assert pathlib.Path("/dev/null").is_char_device()


def test_a_file_that_may_not_be_written_stays(tmp_path, monkeypatch):
    path = tmp_path / "one.txt"
    path.write_text("old")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(fx.FlexuraError, match=r"one.txt may not be written over; allow it, or write elsewhere"):
        check_place(path)


def test_nothing_in_the_package_writes_in_place():
    """Whoever writes a file goes through `replacing`: the words that open one stand beside it only."""
    rooms = pathlib.Path(fx.__file__).parent
    words = ("write_text(", "write_bytes(", '.open("w', 'open("x', "savez", "savemat(", "mmwrite(")
    for file in sorted(rooms.rglob("*.py")):
        lines = file.read_text(encoding="utf-8").splitlines()
        code = [line for line in lines if not line.lstrip().startswith((">>>", "#"))]
        places = [line.strip() for line in code if any(word in line for word in words)]
        given_one = file.parent.name in ("matrix_files", "exports")  # their writers get the unfinished file's place
        inside = given_one or file.name in ("animate_file.py", "writing.py")
        assert all("unfinished" in line or "replacing" in line for line in places) or inside, (file, places)
    exports = (rooms / "exports" / "registry.py").read_text(encoding="utf-8")
    assert "with replacing(path) as unfinished:\n        write(thing, unfinished, **options)" in exports


# -- files beside ----------------------------------------------------------------------------------------------------


def content(folder):
    return {one.name: one.read_bytes() for one in folder.iterdir()}


@pytest.mark.parametrize("ending", ["mtx", "rsa"])
@pytest.mark.parametrize("role", ["D", "G", "F", "nodes", "M"])
def test_files_of_others_beside_are_neither_deleted_nor_taken_over(tmp_path, answers, ending, role):
    system, foreign = answers["small"], tmp_path / f"plate.{role}.{ending}"
    foreign.write_text("somebody's measurements")
    with pytest.raises(fx.FlexuraError, match=rf"plate.{role}.{ending} is there already and was not written with"):
        fx.write_system(system, tmp_path / f"plate.{ending}")
    assert content(tmp_path) == {foreign.name: b"somebody's measurements"}
    fx.write_system(system, tmp_path / f"other.{ending}")  # the advice
    foreign.rename(tmp_path / "elsewhere.txt")
    fx.write_system(system, tmp_path / f"plate.{ending}")
    assert fx.read_system(tmp_path / f"plate.{ending}").n == system.n


@pytest.mark.parametrize("ending", ["mtx", "rsa", "op4", "dmig"])
@pytest.mark.parametrize("named", [True, False])
def test_names_of_others_stay(tmp_path, answers, ending, named):
    system, foreign = answers["small"], tmp_path / "plate.names.json"
    system = system.with_(dofs=tuple(f"knee_{i}" for i in range(system.n))) if named else system
    foreign.write_text(json.dumps({"dofs": [f"other_{i}" for i in range(system.n)]}))
    before = content(tmp_path)
    with pytest.raises(fx.FlexuraError, match=r"plate.names.json is there already"):
        fx.write_system(system, tmp_path / f"plate.{ending}")
    assert content(tmp_path) == before


def test_a_system_whose_file_looks_like_a_part_of_another_stays(tmp_path, answers):
    system = answers["small"]
    fx.write_system(system, tmp_path / "plate.two.mtx")
    before = content(tmp_path)
    fx.write_system(system.with_(D=system.M), tmp_path / "plate.mtx")
    fx.write_system(system, tmp_path / "plate.mtx")
    assert {name: one for name, one in content(tmp_path).items() if ".two." in name} == before
    assert not (tmp_path / "plate.D.mtx").exists()  # that one was ours
    for name in ("plate.D.mtx", "M.mtx", "bcsstm01.rsa"):
        with pytest.raises(fx.FlexuraError, match=r"would be read as [MD], and K is written there; give a name"):
            fx.write_system(system, tmp_path / name)


@pytest.mark.parametrize("name", ["K.mtx", "wing_K.mtx", "bcsstk01.rsa", "a b.mtx", "Flügel.mtx", "x" * 120 + ".mtx"])
def test_any_name_is_read_back_beside_anything(tmp_path, answers, name):
    system = answers["small"].with_(D=answers["small"].M)
    for other in ("M.mtx", "wing_M.mtx", "bcsstm01.rsa", "D.mtx"):
        (tmp_path / other).write_text("somebody's")
    for _ in range(2):
        fx.write_system(system, tmp_path / name)
        assert np.array_equal(as_dense(fx.read_system(tmp_path / name).D), system.D)
    assert (tmp_path / "M.mtx").read_text() == "somebody's"


def test_one_system_in_many_formats_shares_its_names(tmp_path, answers):
    system = answers["small"]
    named = system.with_(dofs=tuple(f"knee_{i}" for i in range(system.n)))
    for ending in ("mtx", "op4", "dmig"):
        fx.write_system(named, tmp_path / f"plate.{ending}")
    assert all(fx.read_system(tmp_path / f"plate.{ending}").dofs == named.dofs for ending in ("mtx", "op4", "dmig"))
    with pytest.raises(fx.FlexuraError, match=r"holds the names of mtx, |holds the names of plate.mtx, plate.dmig"):
        fx.write_system(named.with_(dofs=tuple(f"toe_{i}" for i in range(system.n))), tmp_path / "plate.op4")
    fx.write_system(system, tmp_path / "plate.op4")  # it has no names: those of the others are not its own
    assert fx.read_system(tmp_path / "plate.op4").dofs is None
    assert fx.read_system(tmp_path / "plate.mtx").dofs == named.dofs
    fx.write_system(system, tmp_path / "plate.mtx")
    fx.write_system(system, tmp_path / "plate.dmig")
    assert not (tmp_path / "plate.names.json").exists()
