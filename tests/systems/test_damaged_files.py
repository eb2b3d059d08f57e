"""Damaged files of matrices: whatever is in them, a sentence comes out, never a traceback, never a crash.

`make fuzz` damages many more of each.
"""

import io
import json
import os
import re
from contextlib import suppress

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sparse
from hypothesis import given
from hypothesis import strategies as st

import flexura as fx
from flexura.systems.matrix_files import plain_lines
from flexura.systems.matrix_files.plain_numbers import words_of_numbers
from free_structures import network, plate
from fuzzing import damaged, damaged_archive, damaged_mat

CASES = int(os.environ.get("FLEXURA_FUZZ_CASES", "60"))
SYSTEM = plate(2, 1)
SMALL = network(3)[0].with_(F=np.eye(1, network(3)[0].n)[0], C=np.eye(2, network(3)[0].n), inputs=("a",))


def written(tmp_path, system, ending):
    fx.write_system(system, tmp_path / f"valid.{ending}")
    return (tmp_path / f"valid.{ending}").read_bytes()


def old_matlab(_):
    file = io.BytesIO()
    matrices = {"M": SMALL.M, "K": sparse.csc_matrix(SMALL.K), "F": np.ones((SMALL.n, 1))}
    scipy.io.savemat(file, matrices, format="4")
    return file.getvalue()


def plain_matlab(_):
    file = io.BytesIO()
    scipy.io.savemat(file, {"M": SMALL.M, "K": sparse.csc_matrix(SMALL.K), "C": SMALL.M, "other": {"a": [1, "b"]}})
    return file.getvalue()


def array_market(_):
    file = io.BytesIO()
    scipy.io.mmwrite(file, np.array([[2.0, -1.0], [-1.0, 1.5]]))
    return file.getvalue()


FORMATS = {
    "npz": ("npz", lambda path: written(path, SMALL, "npz"), damaged_archive),
    "sparse npz": ("npz", lambda path: written(path, SYSTEM, "npz"), damaged_archive),
    "mat 7": ("mat", lambda path: written(path, SMALL, "mat"), damaged_mat),
    "sparse mat": ("mat", lambda path: written(path, SYSTEM, "mat"), damaged_mat),
    "mat 6": ("mat", plain_matlab, damaged),
    "mat 4": ("mat", old_matlab, damaged),
    "mtx": ("mtx", lambda path: written(path, network(3)[0], "mtx"), damaged),
    "sparse mtx": ("mtx", lambda path: written(path, plate(1, 1), "mtx"), damaged),
    "mtx array": ("mtx", array_market, damaged),
    "rsa": ("rsa", lambda path: written(path, SMALL, "rsa"), damaged),
    "op4": ("op4", lambda path: written(path, SMALL, "op4"), damaged),
    "dmig": ("dmig", lambda path: written(path, SMALL, "dmig"), damaged),
    "bdf with nodes": ("bdf", lambda path: written(path, plate(1, 1), "bdf"), damaged),
}


@pytest.mark.parametrize("name", FORMATS)
def test_a_damaged_file_gives_a_sentence(tmp_path, name):
    ending, valid, damage = FORMATS[name]
    data = valid(tmp_path)
    path = tmp_path / f"one.{ending}"
    path.write_bytes(data)
    (tmp_path / f"mass.{ending}").write_bytes(data)
    beside = {"M": f"mass.{ending}"} if ending in ("mtx", "rsa") else {}
    fx.read_system(path, **beside)
    refused = 0
    for seed in range(CASES):
        path.write_bytes(damage(data, seed))
        try:
            fx.read_system(path, **beside)
        except fx.FlexuraError as error:
            refused += str(path) in str(error)
    assert refused > CASES / 4  # damage that leaves a valid file is rarer than that


@pytest.mark.parametrize("seed", range(3))
def test_damaged_names_give_a_sentence(tmp_path, seed):
    path = tmp_path / "one.op4"
    fx.write_system(SMALL.with_(dofs=tuple(f"knee_{i}" for i in range(SMALL.n))), path)
    names = tmp_path / "one.names.json"
    data = names.read_bytes()
    for case in range(seed * CASES, (seed + 1) * CASES):
        names.write_bytes(damaged(data, case))
        with suppress(fx.FlexuraError):
            fx.read_system(path)


@pytest.mark.parametrize("of", [3, 2.5, True, None, "one.op4 and more", ["one.op4", 3], {"one.op4": 1}])
def test_names_that_do_not_say_of_which_files_they_are(tmp_path, of):
    path = tmp_path / "one.op4"
    fx.write_system(SMALL.with_(dofs=tuple(f"knee_{i}" for i in range(SMALL.n))), path)
    names = tmp_path / "one.names.json"
    names.write_text(json.dumps(json.loads(names.read_text()) | {"of": of}))
    with pytest.raises(fx.FlexuraError, match="lists of names"):
        fx.read_system(path)


# -- what killed Python ----------------------------------------------------------------------------------------------

MTX = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 2.0\n2 2 1.5"


UNFINISHED = ["2.0e", "2.0e+", "2.0E-", "1.5.", "1.0.5", "0x1p3", "1-5", "1e5.3", "1e5e3", "2.0\x00", "1_0", "2.0d5"]


@pytest.mark.parametrize("value", UNFINISHED)
@pytest.mark.parametrize("at", [3, 4])
def test_a_number_that_is_not_whole(tmp_path, value, at):
    lines = MTX.split("\n")
    lines[at - 1] = f"{at - 2} {at - 2} {value}"
    (tmp_path / "one.mtx").write_text("\n".join(lines))
    with pytest.raises(fx.FlexuraError, match=rf"line {at}, column 5: '.*' is not a number"):
        fx.read_system(tmp_path / "one.mtx", M="one.mtx")


@pytest.mark.parametrize("value", ["2", "-2", "2.", ".5", "-.5e3", "1E-5", "1e+05", "0.0", "1.5\t", "1.5\r"])
def test_every_way_to_write_a_number(tmp_path, value):
    (tmp_path / "one.mtx").write_bytes(MTX.replace("1.5", value).encode())
    assert fx.read_system(tmp_path / "one.mtx", M="one.mtx").K.toarray()[1, 1] == float(value)


def test_a_stretch_ends_anywhere_in_a_number():
    """The quick look goes over stretches of characters; where they end must not matter."""
    for size in (*range(1, 9), 64, 1000):
        for value, fine in (("-1.5e-07", True), ("1.5e", False), ("1.0.5", False), ("1e5e3", False), ("1e-5.3", False)):
            data = (MTX.replace("1.5", value) + "\n").encode()
            assert words_of_numbers(data, data.index(b"1 1 2"), size) == (6 if fine else None), (size, value)


NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d*)(?:[eE][-+]?\d+)?", re.ASCII)  # a point alone SciPy refuses itself


@given(st.text("0123456789.eE+- \n\t\rx,\x00", max_size=200), st.integers(1, 130))
def test_bits_know_numbers_as_a_pattern_does(text, stretch):
    words = [word for word in re.split("[ \t\r\n]+", text) if word]
    found = words_of_numbers(f"{text}\n".encode(), 0, stretch)
    if all(NUMBER.fullmatch(word) for word in words):
        assert found == len(words) or (found is None and max(map(len, words)) >= 64)
    else:
        assert found is None


REAL = r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
ENTRY = re.compile(rf"[ \t]*\d+[ \t]+\d+[ \t]+{REAL}[ \t\r]*", re.ASCII)
places = st.integers(1, 99).map(str)
numbers = st.one_of(places, st.from_regex(re.compile(REAL, re.ASCII), fullmatch=True))
damages = st.one_of(st.just(""), st.text("0123456789.eE+- \n\tx,/", max_size=4))


def lines_of(entries, around):
    """Entries as lines, some of them with what does not belong there."""
    return "".join(f"{' '.join(entry)}{more}\n" for entry, more in zip(entries, around, strict=False)).encode()


@given(
    st.lists(st.tuples(places, places, numbers) | st.lists(numbers, min_size=1, max_size=4), min_size=1, max_size=6),
    st.lists(damages, min_size=6, max_size=6),
    st.sampled_from([(1 << 18, 2), (64, 1), (64, 2), (128, 3)]),
)
def test_what_is_left_unread_is_seen(entries, around, sizes):
    """What both looks take for plain, and SciPy reads, is numbers and nothing else, three of them in each line."""
    body = lines_of(entries, around)
    count = len([line for line in body.split(b"\n") if line.strip()])
    data = f"%%MatrixMarket matrix coordinate real general\n99 99 {count}\n".encode() + body
    start = len(data) - len(body)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_lines, "PIECE", sizes[0])
        patch.setattr(plain_lines, "PIECES", sizes[1])
        looks = plain_lines.separators(data, start, True), words_of_numbers(data, start, places=True)
    if 3 * count in looks:
        with suppress(ValueError, OverflowError):
            scipy.io.mmread(io.BytesIO(data))
            for line in body.decode().split("\n"):
                assert ENTRY.fullmatch(line) or not line.strip(), looks


@given(
    st.lists(st.tuples(st.integers(1, 10**6), st.integers(1, 10**6), st.floats(-1e300, 1e300)), min_size=1),
    st.sampled_from(["{!r}", "{:.16e}", "{:.3f}", "{:g}", "{:.0f}."]),
    st.sampled_from([(1 << 18, 2), (512, 1), (512, 3)]),
)
def test_the_usual_layout_is_known(entries, form, sizes):
    """The quick look is of no use if it does not know what everyone writes; pieces may end anywhere."""
    body = "".join(f"{i} {j} {form.format(x)[:60]}\n" for i, j, x in entries).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_lines, "PIECE", sizes[0])
        patch.setattr(plain_lines, "PIECES", sizes[1])
        assert plain_lines.separators(body, 0, True) == 3 * len(entries)
    assert words_of_numbers(body, 0, places=True) == 3 * len(entries)


@pytest.mark.parametrize("entry", ["2 2.5", "2 2.5 7", "2 2-5", "2 2.5e3", " 2  2.5", "2\t2.5\t7"])
@pytest.mark.parametrize("other", ["1 1 2.0", "1 1 2.0 7", "1 1 7 2.0"])
def test_a_place_is_a_whole_number(tmp_path, entry, other):
    """SciPy reads 2 2.5 as 0.5 at (2, 2); a number too many elsewhere must not make up for the one that is missing."""
    (tmp_path / "one.mtx").write_text(MTX.replace("1 1 2.0", other).replace("2 2 1.5", entry))
    with pytest.raises(fx.FlexuraError, match=r"line [34], column \d"):
        fx.read_system(tmp_path / "one.mtx", M="one.mtx")


@pytest.mark.parametrize("entry", ["1 1 .", "1 1 -.", "1 1 .e5", "1.5 1 2.0", "-1 1 2.0", "1e0 1 2.0", ". 1 2.0"])
def test_words_in_wrong_places_give_a_sentence(tmp_path, entry):
    (tmp_path / "one.mtx").write_text(MTX.replace("1 1 2.0", entry))
    with pytest.raises(fx.FlexuraError, match=r"line 3, column \d"):
        fx.read_system(tmp_path / "one.mtx", M="one.mtx")


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("indices", 10**6), ("indices", -1), ("indptr", 10**6), ("indptr", -3), ("shape", 0), ("shape", -5),
        ("shape", 2**40), ("indices", 0.5), ("indptr", "a"),
    ],
)  # fmt: skip
def test_sparse_parts_out_of_range(tmp_path, part, value):
    fx.write_system(SYSTEM, tmp_path / "one.npz")
    arrays = dict(np.load(tmp_path / "one.npz"))
    parts = arrays[f"K.{part}"].astype(type(value) if not isinstance(value, int) else np.int64)
    parts[len(parts) // 2] = value
    np.savez(tmp_path / "one.npz", **(arrays | {f"K.{part}": parts}))
    with pytest.raises(fx.FlexuraError, match=r"one.npz: K(\.shape)? (is|\(\d+ x \d+\) needs)"):
        fx.read_system(tmp_path / "one.npz")


@pytest.mark.parametrize("change", ["indices", "indptr"])
def test_a_matlab_matrix_with_wrong_indices(tmp_path, change):
    K = sparse.csc_matrix(SMALL.K)
    scipy.io.savemat(tmp_path / "one.mat", {"K": K, "M": SMALL.M})
    right = getattr(K, change).astype("<i4")
    wrong = right.copy()
    wrong[1] = 10**6
    data = (tmp_path / "one.mat").read_bytes()
    assert data.count(right.tobytes()) == 1
    (tmp_path / "one.mat").write_bytes(data.replace(right.tobytes(), wrong.tobytes()))
    with pytest.raises(fx.FlexuraError, match=r"one.mat: K is damaged, (an index|its pointers)"):
        fx.read_system(tmp_path / "one.mat")


# -- what took all memory --------------------------------------------------------------------------------------------


def announced(tmp_path, ending):
    """Small files that announce much: zeros compress to a thousandth, and a size is only a number."""
    path = tmp_path / f"one.{ending}"
    if ending == "npz":
        np.savez_compressed(path, M=np.eye(2), K=np.eye(2), other=np.zeros(4_000_000))
    elif ending == "mat":
        scipy.io.savemat(path, {"M": np.eye(2), "K": np.eye(2), "o": np.zeros(4_000_000)}, do_compression=True)
    elif ending == "mtx":
        path.write_text("%%MatrixMarket matrix coordinate real general\n2000000 2000000 1\n1 1 2.0\n")
    elif ending == "op4":
        path.write_text(" 2000000-2000000       2       2K       1P,3E23.16\n 2000001       1       1\n 1.0\n")
    return path


@pytest.mark.parametrize("ending", ["npz", "mat", "mtx", "op4"])
def test_a_file_that_announces_too_much(tmp_path, monkeypatch, ending):
    from flexura.systems.matrix_files import budget

    path = announced(tmp_path, ending)
    monkeypatch.setattr(budget, "_LEAST", 1e7)
    with pytest.raises(fx.FlexuraError, match=r"needs 32.* MB, and this file is trusted with .*largest=3.[23]e\+07"):
        fx.read_system(path)
    if ending in ("npz", "mat"):
        assert fx.read_system(path, largest=3.3e7).n == 2  # the advice


def test_what_is_trusted_grows_with_the_file(tmp_path):
    from flexura.systems.matrix_files.budget import Budget

    path = tmp_path / "one.npz"
    path.write_bytes(b"")
    assert Budget.of(path).largest == 1e9
    os.truncate(path, 10**9)
    assert Budget.of(path).largest == 1e11
    for wrong in (0, -1, "much", float("nan")):
        with pytest.raises(fx.FlexuraError, match="give the bytes that the matrices may take, like 8e9"):
            Budget.of(path, wrong)
