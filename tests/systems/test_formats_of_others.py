"""Files that other programs write: Abaqus, CalculiX, SciPy, gzip, Nastran with tabs."""

import gzip
import io

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from free_structures import network
from fuzzing import damaged, damaged_archive

MOTIONS = "uvw"


def random_pair(seed, n=7):
    rng = np.random.default_rng(seed)
    K = rng.normal(size=(n, n)) * (rng.random((n, n)) < 0.5)
    return K + K.T + 20 * np.eye(n), np.diag(rng.uniform(1, 2, n))


def lines_of(A, text, half=True):
    where = np.argwhere(np.tril(A) if half else A)
    return "".join(text(int(i), int(j), float(A[i, j])) for i, j in where)


def abaqus_input(A, half=True):
    return lines_of(A, lambda i, j, v: f"{i // 3 + 1},{i % 3 + 1}, {j // 3 + 1},{j % 3 + 1}, {v!r}\n", half)


def coordinate(A, half=True):
    return lines_of(A, lambda i, j, v: f"{i + 1:9d} {j + 1:9d} {v!r}\n", half)


def dense(A):
    return A.toarray() if sparse.issparse(A) else A


def op4_binary(matrices, order="<", strings=True, big=False, single=False):
    """OUTPUT4 as Fortran leaves it: every record between its lengths."""

    def record(*parts):
        data = b"".join(parts)
        length = np.array([len(data)], f"{order}i4").tobytes()
        return length + data + length

    def ints(*numbers):
        return np.array(numbers, f"{order}i4").tobytes()

    out, kind, letters = b"", 1 if single else 2, "f4" if single else "f8"
    for name, A in matrices.items():
        out += record(ints(A.shape[1], -len(A) if big else len(A), 6, kind), f"{name:8s}".encode())
        for j, column in enumerate(A.T):
            rows = np.flatnonzero(column)
            runs = np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1) if strings else [np.arange(len(A))]
            body = []
            for run in runs if len(rows) else []:
                length = kind * len(run) + 1
                head = ints(length, run[0] + 1) if big else ints(run[0] + 1 + 65536 * length)
                body += ([head] if strings else []) + [column[run].astype(f"{order}{letters}").tobytes()]
            words = sum(map(len, body)) // 4
            out += record(ints(j + 1, 0 if strings else 1, words), *body) if words else b""
        out += record(ints(A.shape[1] + 1, 1, kind), np.ones(1, f"{order}{letters}").tobytes())
    return out


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("layout", [{}, {"strings": False}, {"big": True}, {"single": True}])
def test_binary_output4(tmp_path, order, layout):
    K, M = random_pair(5)
    path = tmp_path / "run.op4"
    path.write_bytes(op4_binary({"KAA": K, "MAA": M}, order, **layout))
    read = fx.read_system(path)
    digits = 1e-6 if "single" in layout else 0
    assert dense(read.K) == pytest.approx(K, rel=digits, abs=digits)
    assert dense(read.M) == pytest.approx(M, rel=digits, abs=digits)


def test_damaged_binary_output4(tmp_path):
    K, M = random_pair(5)
    path = tmp_path / "run.op4"
    refused = 0
    for seed in range(60):
        path.write_bytes(damaged(op4_binary({"KAA": K, "MAA": M}, strings=seed % 2 > 0, big=seed % 4 == 0), seed))
        try:
            fx.read_system(path)
        except fx.FlexuraError as error:
            refused += str(path) in str(error)
    assert refused > 15


def market(A):
    file = io.BytesIO()
    scipy.io.mmwrite(file, A, precision=17)
    return file.getvalue()


def zipped(A, layout="csr"):
    file = io.BytesIO()
    sparse.save_npz(file, sparse.csr_matrix(A).asformat(layout))
    return file.getvalue()


def write_all(folder, K, M, kind):
    """The files of one kind; which is asked for."""
    files = {
        "abaqus": ("run_STIF1.mtx", abaqus_input(K).encode(), "run_MASS1.mtx", abaqus_input(M).encode()),
        "abaqus, both halves": (
            "r_STIF2.mtx",
            abaqus_input(K, False).encode(),
            "r_MASS2.mtx",
            abaqus_input(M).encode(),
        ),
        "coordinate": ("c_STIF1.mtx", coordinate(K).encode(), "c_MASS1.mtx", coordinate(M).encode()),
        "calculix": ("job.sti", coordinate(K).encode(), "job.mas", coordinate(M).encode()),
        "gzip": ("K.mtx.gz", gzip.compress(market(K)), "M.mtx.gz", gzip.compress(market(M))),
        "gzip beside": ("plate.mtx.gz", gzip.compress(market(K)), "plate.M.mtx.gz", gzip.compress(market(M))),
        "scipy csr": ("K.npz", zipped(K), "M.npz", zipped(M)),
        "scipy csc": ("K.npz", zipped(K, "csc"), "M.npz", zipped(M, "coo")),
    }
    stiffness, data, mass, other = files[kind]
    (folder / stiffness).write_bytes(data)
    (folder / mass).write_bytes(other)
    return folder / stiffness


KINDS = (
    "abaqus", "abaqus, both halves", "coordinate", "calculix", "gzip", "gzip beside", "scipy csr", "scipy csc",
)  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1000), st.sampled_from(KINDS))
def test_what_was_written_is_read(tmp_path_factory, seed, kind):
    K, M = random_pair(seed)
    read = fx.read_system(write_all(tmp_path_factory.mktemp("files"), K, M, kind))
    assert np.array_equal(dense(read.K), K)
    assert np.array_equal(dense(read.M), M)
    if kind.startswith("abaqus"):
        assert read.dofs == tuple(f"{i // 3 + 1}:{MOTIONS[i % 3]}" for i in range(7))


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_ones_give_a_sentence(tmp_path, kind):
    K, M = random_pair(3)
    path = write_all(tmp_path, K, M, kind)
    data = path.read_bytes()
    damage = damaged_archive if kind.startswith("scipy") else damaged
    refused = 0
    for seed in range(40):
        packed = gzip.compress(damage(gzip.decompress(data), seed)) if kind.startswith("gzip") and seed % 2 else None
        path.write_bytes(packed or damage(data, seed))
        try:
            fx.read_system(path)
        except fx.FlexuraError as error:
            refused += str(tmp_path) in str(error)
    assert refused > 10


def test_calculix_names_its_rows(tmp_path):
    K, M = random_pair(1, 6)
    path = write_all(tmp_path, K, M, "calculix")
    (tmp_path / "job.dof").write_text("".join(f"{10 + i // 3}.{i % 3 + 1}\n" for i in range(6)))
    assert fx.read_system(path).dofs == ("10:u", "10:v", "10:w", "11:u", "11:v", "11:w")
    (tmp_path / "job.dof").write_text("10.1\nten\n")
    with pytest.raises(fx.FlexuraError, match=r"job\.dof, line 2, column 1: .*'ten' is no node and motion"):
        fx.read_system(path)
    (tmp_path / "job.dof").write_text("10.1\n")
    with pytest.raises(fx.FlexuraError, match="names 1 rows, but the matrices have 6"):
        fx.read_system(path)


def test_a_mass_that_lacks_rows_still_fits(tmp_path):
    """Abaqus writes no rows for motions without mass: rows are those of all files together."""
    K, M = random_pair(4)
    M[6, 6] = 0.0
    read = fx.read_system(write_all(tmp_path, K, M, "abaqus"))
    assert np.array_equal(dense(read.M), M)


def test_masses_are_named_or_missed(tmp_path):
    K, M = random_pair(2)
    (tmp_path / "stiff.mtx").write_text(coordinate(K))
    with pytest.raises(fx.FlexuraError, match=r"There is no mass matrix beside .*; say where with M="):
        fx.read_system(tmp_path / "stiff.mtx")
    (tmp_path / "heavy.mtx").write_text(coordinate(M))
    assert fx.read_system(tmp_path / "stiff.mtx", M="heavy.mtx").n == 7


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1 1 2.0\n2 2\n", "line 2, column 1: the line has 2 numbers, 3 are needed"),
        ("1 1 2.0\n2 2 two\n", "line 2, column 5: 'two' is not a number that can stand here"),
        ("1 1 2.0\n0 2 1.0\n", "line 2, column 1: the entry (0, 2) counts rows from 1"),
        ("1,1,1,1,2.0\n1,9,1,1,2.0\n", "line 2, column 1: 9 is no motion"),
        ("1 1 2.0\n1 1 2.0\n", "has an entry twice"),
        ("1 1 2.0\n999999999 1 2.0\n", "has a row 999999999, but only 2 rows hold anything"),
    ],
)
def test_bad_lines_are_told(tmp_path, text, sentence):
    (tmp_path / "a_STIF1.mtx").write_text(text)
    (tmp_path / "a_MASS1.mtx").write_text("1 1 2.0\n" if "," not in text else "1,1,1,1,2.0\n")
    with pytest.raises(fx.FlexuraError) as told:
        fx.read_system(tmp_path / "a_STIF1.mtx")
    assert sentence in str(told.value).replace("; ", ": ", 0)


def test_a_small_file_that_unpacks_to_much_is_refused(tmp_path):
    (tmp_path / "K.mtx.gz").write_bytes(gzip.compress(b"%%MatrixMarket" + b" " * 3_000_000))
    with pytest.raises(fx.FlexuraError, match="trusted with"):
        fx.read_system(tmp_path / "K.mtx.gz", largest=1e6)


def test_dmig_cards_with_tabs_and_short_lines(tmp_path):
    system, _ = network(3)
    small = system.with_(K=system.K[:3, :3] + 10 * np.eye(3), M=np.eye(3))
    cards = []
    for name, A in (("K", small.K), ("M", small.M)):
        cards.append(f"DMIG\t{name}\t0\t6\t2")
        for j in range(3):
            rows = [i for i in range(j, 3) if A[i, j]]
            cards.append(f"DMIG*\t{name}\t\t{j + 1}\t\t1")
            cards += [f"*\t{i + 1}\t\t1\t\t{A[i, j]:.9E}" for i in rows]
    (tmp_path / "tabs.bdf").write_text("\n".join(cards) + "\n")
    read = fx.read_system(tmp_path / "tabs.bdf")
    assert dense(read.K) == pytest.approx(small.K, rel=1e-9)
    free = ["DMIG,K,0,6,2", "DMIG,K,1,1,,1,1,4.5", "DMIG,M,0,6,2", "DMIG,M,1,1,,1,1,2.+0"]
    (tmp_path / "free.bdf").write_text("\n".join(free) + "\n")
    assert dense(fx.read_system(tmp_path / "free.bdf").K)[0, 0] == 4.5
