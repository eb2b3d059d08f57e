"""Files of matrices: what is written is read back, files of others are understood, bad ones are told by line."""

import struct

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sparse

import flexura as fx
from free_structures import network, plate

EVERY = ("npz", "mat", "mtx", "rsa", "op4", "dmig", "bdf", "hb")


def same(a, b, digits):
    if a is None or b is None:
        return a is b
    a, b = (one.toarray() if sparse.issparse(one) else np.asarray(one) for one in (a, b))
    return a.shape == b.shape and np.abs(a - b).max() <= digits * max(np.abs(a).max(), 1e-300)


def full(sparse_one=True):
    system = plate(2, 1) if sparse_one else network(3)[0]
    n = system.n
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(2, n, n))
    skew = (sparse.csr_array(A - A.T), sparse.csr_array(B - B.T)) if sparse_one else (A - A.T, B - B.T)
    F = np.column_stack([np.eye(1, n, 2)[0], rng.normal(size=n)])
    rest = sparse.csr_array(np.eye(n)) if sparse_one else np.eye(n)
    return system.with_(
        springs=1e-9 * system.K,
        structural=0.05 * rest,
        D=0.1 * system.M,
        G=skew[0],
        H=skew[1],
        F=F,
        C=np.eye(2, n),
        inputs=("a", "b"),
        outputs=("y", "z"),
    )


@pytest.mark.parametrize("ending", EVERY)
@pytest.mark.parametrize("sparse_one", [True, False])
def test_everything_comes_back(tmp_path, ending, sparse_one):
    system = full(sparse_one)
    written = fx.write_system(system, tmp_path / f"one.{ending}")
    assert all(path.exists() for path in written)
    assert tmp_path / f"one.{ending}" in written
    again = fx.read_system(tmp_path / f"one.{ending}")
    assert same(system.apart, again.apart, 0)
    assert same(system.bare, again.bare, 0)
    for name in ("M", "D", "K", "G", "H", "F", "C", "nodes", "structural"):
        digits = 1e-15 if name == "nodes" and ending in ("dmig", "bdf") else 0.0  # a GRID card has 16 characters
        assert same(getattr(system, name), getattr(again, name), digits), name
    assert (again.inputs, again.outputs) == (system.inputs, system.outputs)
    assert again.dofs == system.dofs or ending in ("dmig", "bdf")


@pytest.mark.parametrize("ending", EVERY)
def test_names_of_rows_come_back(tmp_path, ending):
    system, F = network(4)
    system = system.with_(dofs=tuple(f"knee_{i}" for i in range(system.n)), F=F)
    fx.write_system(system, tmp_path / f"one.{ending}")
    again = fx.read_system(str(tmp_path / f"one.{ending}"))
    assert again.dofs == system.dofs
    assert again.F.shape == F.shape


@pytest.mark.parametrize("ending", EVERY)
def test_a_free_plate_is_still_free(tmp_path, ending):
    system = plate(3, 2)
    fx.write_system(system, tmp_path / f"one.{ending}")
    assert fx.rigid_body_modes(fx.read_system(tmp_path / f"one.{ending}")).shape == (system.n, 6)


@pytest.mark.parametrize("ending", EVERY)
def test_every_digit_of_every_size_comes_back(tmp_path, ending):
    rng = np.random.default_rng(1)
    values = rng.normal(size=(2, 9, 9)) * 10.0 ** rng.integers(-30, 30, size=(2, 9, 9))
    M, K = (one + one.T for one in values)
    K[0, 0], K[1, 1], K[2, 2] = -1.2345678901234567e300, -4.9e-320, 123456789.0123456789
    fx.write_system(fx.SecondOrderSystem(M, None, K), tmp_path / f"one.{ending}")
    again = fx.read_system(tmp_path / f"one.{ending}")
    assert same(again.K, K, 0)
    assert same(again.M, M, 0)


@pytest.mark.parametrize("n", [761, 762, 763, 800, 1700])
def test_long_columns_of_output4(tmp_path, n):
    full_column = np.eye(n)
    full_column[:, n // 2] = full_column[n // 2] = np.linspace(1, 2, n)
    fx.write_system(fx.SecondOrderSystem(np.eye(n), None, full_column), tmp_path / "one.op4")
    assert same(fx.read_system(tmp_path / "one.op4").K, full_column, 0)


def test_a_long_string_as_others_write_it(tmp_path):
    """A packed head of nine digits, which a format of eight has no room for, stands alone in its line."""
    lines = ["       1     800       2       2K       1P,3E23.16", "       1       0    1601", f"{65536 * 1601 + 1}"]
    lines += [f"{i:23.16E}" for i in range(800)] + ["       2       1       1", f"{1.0:23.16E}", ""]
    text = "\n".join(lines) + "\n".join(lines).replace("2K ", "2M ")
    (tmp_path / "one.op4").write_text(text)
    with pytest.raises(fx.FlexuraError, match=r"M has the shape \(800, 1\); give a square matrix"):
        fx.read_system(tmp_path / "one.op4")


def test_a_second_writing_leaves_nothing_of_the_first(tmp_path):
    path = tmp_path / "one.mtx"
    fx.write_system(full(), path)
    fx.write_system(network(3)[0], path)
    again = fx.read_system(path)
    assert (again.D, again.nodes, again.inputs) == (None, None, None)


# -- files of others -------------------------------------------------------------------------------------------------


def test_pairs_of_single_files(tmp_path):
    system = plate(2, 1)
    for k, m in (("K.mtx", "M.mtx"), ("wing_K.mtx", "wing_M.mtx"), ("bcsstk01.mtx", "bcsstm01.mtx")):
        scipy.io.mmwrite(tmp_path / k, sparse.coo_matrix(system.K), precision=17)
        scipy.io.mmwrite(tmp_path / m, sparse.coo_matrix(system.M), precision=17)
        for path in (k, m):
            again = fx.read_system(tmp_path / path)
            assert same(again.K, system.K, 0)
            assert same(again.M, system.M, 0)
    (tmp_path / "other").mkdir()
    (tmp_path / "M.mtx").rename(tmp_path / "other" / "mass.mtx")
    with pytest.raises(
        fx.FlexuraError, match=r"There is no mass matrix beside .*K.mtx \(looked for M.mtx\); say where with M="
    ):
        fx.read_system(tmp_path / "K.mtx")
    assert same(fx.read_system(tmp_path / "K.mtx", M=tmp_path / "other" / "mass.mtx").M, system.M, 0)
    with pytest.raises(fx.FlexuraError, match=r"There is no file .*gone.mtx for M"):
        fx.read_system(tmp_path / "K.mtx", M="gone.mtx")


def test_matlab_users_call_damping_c(tmp_path):
    system, _ = network(3, True, "absolute")
    scipy.io.savemat(tmp_path / "m.mat", {"M": system.M, "K": sparse.csc_matrix(system.K), "C": system.D})
    again = fx.read_system(tmp_path / "m.mat")
    assert same(again.D, system.D, 0)
    assert again.C is None


HB = """\
A small symmetric matrix in the style of the collection                 SMALL
             5             1             1             3             0
RSA                        3             3             5             0
(16I5)          (16I5)          (1P,2D20.12)
    1    3    5    6
    1    2    2    3    3
  2.000000000000D+00 -1.000000000000D+00
  3.000000000000D+00 -1.000000000000D+00
  1.000000000000D+00
"""


def test_harwell_boeing_as_fortran_wrote_it(tmp_path):
    (tmp_path / "k.rsa").write_text(HB)
    (tmp_path / "k.M.rsa").write_text(HB)
    K = fx.read_system(tmp_path / "k.rsa").K.toarray()
    assert np.array_equal(K, [[2, -1, 0], [-1, 3, -1], [0, -1, 1]])


OP4 = """\
       2       2       6       2KGG     1P,3E23.16
       1       1       2
 2.0000000000000000E+00-1.0000000000000000E+00
       2       0       5
  327681
-1.0000000000000000E+00 1.0000000000000000E+00
       3       1       1
 1.0000000000000000E+00
       2      -2       6       2MGG     1P,3E23.16
       1       0       4
       3       1
 4.0000000000000000E+00
       2       0       4
       3       2
 5.0000000000000000E+00
       3       1       1
 1.0000000000000000E+00
"""


def test_output4_dense_sparse_and_big(tmp_path):
    (tmp_path / "run.op4").write_text(OP4)
    system = fx.read_system(tmp_path / "run.op4")
    assert np.array_equal(system.K.toarray(), [[2, -1], [-1, 1]])
    assert np.array_equal(system.M.toarray(), [[4, 0], [0, 5]])
    (tmp_path / "two.op4").write_text(OP4 + OP4.replace("KGG ", "KAA ").replace("MGG ", "OTHER"))
    with pytest.raises(fx.FlexuraError, match=r"holds several stiffness matrices \(KGG, KAA\); say which, K="):
        fx.read_system(tmp_path / "two.op4")
    assert np.array_equal(fx.read_system(tmp_path / "two.op4", K="KAA").K.toarray(), [[2, -1], [-1, 1]])
    with pytest.raises(fx.FlexuraError, match="holds no 'KXX' for K; it holds KGG, MGG, KAA"):
        fx.read_system(tmp_path / "two.op4", K="KXX")


DMIG = """\
$ a stiffness in small fields, a mass in large ones, and a load between commas
GRID     10              0.0     0.0     0.0
GRID*                 20                             1.5             0.0
*                    0.0
DMIG    KAAX    0       6       1       0
DMIG    KAAX    10      1               10      1       2.+3
*                     20               1          -2.0D3
DMIG    KAAX    20      1               20      1       2000.
DMIG,MAAX,0,6,2,0
DMIG*   MAAX                          10               1
*                     10               1             4.0
DMIG,MAAX,20,1,,20,1,5.0
DMIG,P2G,0,9,2,0,,,1
DMIG,P2G,1,0,,20,1,7.5
ENDDATA
"""


def test_nastran_cards_in_every_spelling(tmp_path):
    (tmp_path / "model.bdf").write_text(DMIG)
    system = fx.read_system(tmp_path / "model.bdf")
    assert system.dofs == ("10:u", "20:u")
    assert np.array_equal(system.K.toarray(), [[2000, -2000], [-2000, 2000]])
    assert np.array_equal(system.M.toarray(), [[4, 0], [0, 5]])
    assert np.array_equal(system.F, [0, 7.5])
    assert np.array_equal(system.nodes, [[0, 0, 0], [1.5, 0, 0]])
    assert fx.operating_state(system, system.F).motion == pytest.approx({"translation x": 7.5 / 9})


DECK = """\
ID FLEXURA, DECK
SOL 103
CEND
TITLE = Bracket, rev 2
SUBTITLE = GRID, in millimetres
SET 1 = 10, 20,
  30 THRU 40
K2GG = KAAX, KBBX
BEGIN BULK
"""


def test_a_deck_begins_at_its_bulk_data(tmp_path):
    (tmp_path / "model.bdf").write_text(DMIG)
    plain = fx.read_system(tmp_path / "model.bdf")
    for text in (DECK + DMIG, DECK.removesuffix("BEGIN BULK\n") + DMIG, DMIG + "GRID, behind, the, end"):
        (tmp_path / "deck.bdf").write_text(text)
        again = fx.read_system(tmp_path / "deck.bdf")
        assert same(again.K, plain.K, 0)
        assert again.dofs == plain.dofs


@pytest.mark.parametrize("deck", [
    DMIG.replace("0.0     0.0     0.0", "0.0     0.0     0.0     3"),
    DMIG.replace("*                    0.0", "*                    0.0               3"),
    DMIG.replace("GRID     10", "GRDSET                                          3\nGRID     10"),
    DMIG.replace("0.0     0.0     0.0", "0.0     0.0     0.0     -1"),
])  # fmt: skip
def test_motions_along_other_axes_are_refused(tmp_path, deck):
    (tmp_path / "model.bdf").write_text(deck)
    with pytest.raises(fx.FlexuraError, match=r"are along the axes of coordinate system (3|-1) \(CD\); write the"):
        fx.read_system(tmp_path / "model.bdf")


FREE = """\
DMIG,KAAX,0,6,1,0
{first}
,20,1,-2000.
,30,1,-1000.{zero}
DMIG,MAAX,0,6,1,0
DMIG,MAAX,10,1,,10,1,4.
DMIG,MAAX,20,1,,20,1,5.,,
"""


@pytest.mark.parametrize("first", ["DMIG,KAAX,10,1,,10,1,3000.", "DMIG*,KAAX,10,1\n*,10,1,3000."])
@pytest.mark.parametrize("zero", ["", ",0.", ",,,"])
def test_what_a_card_between_commas_leaves_out_is_blank(tmp_path, first, zero):
    """A continuation begins with the fields that follow the last of its card, given or not."""
    (tmp_path / "model.bdf").write_text(FREE.format(first=first, zero=zero) + "DMIG,MAAX,30,1,,30,1,6.\n")
    system = fx.read_system(tmp_path / "model.bdf")
    assert system.dofs == ("10:u", "20:u", "30:u")
    assert np.array_equal(system.K.toarray(), [[3000, -2000, -1000], [-2000, 0, 0], [-1000, 0, 0]])
    assert np.array_equal(system.M.toarray(), np.diag([4, 5, 6]))


def test_a_number_without_its_grid_point_is_refused(tmp_path):
    deck = FREE.format(first="DMIG,KAAX,10,1,,10,1,3000.", zero="").replace(",30,1,-1000.", ",,1,-1000.")
    (tmp_path / "model.bdf").write_text(deck)
    with pytest.raises(fx.FlexuraError, match="line 4, column 3: '1' stands where its grid point is left out"):
        fx.read_system(tmp_path / "model.bdf")


def test_axes_of_points_without_rows_do_not_matter(tmp_path):
    (tmp_path / "model.bdf").write_text("GRID,99,,1.,2.,3.,7\n" + DMIG)
    assert fx.read_system(tmp_path / "model.bdf").n == 2


def test_an_entry_that_is_given_twice_is_refused(tmp_path):
    upper, again = "DMIG    KAAX    20      1               10      1       -2000.\n", "DMIG,MAAX,10,1,,10,1,4.0\n"
    for before, new in (("DMIG,MAAX,0", upper), ("DMIG,P2G,1", again)):
        text = DMIG.replace(before, new + before)
        (tmp_path / "model.bdf").write_text(text)
        with pytest.raises(fx.FlexuraError, match=r"AAX has an entry of the row [12]0:1 twice; give each once"):
            fx.read_system(tmp_path / "model.bdf")


def big_endian(matrices):
    """A file of version 6 as a machine of the other byte order writes it."""

    def element(kind, data):
        return struct.pack(">II", kind, len(data)) + data + bytes(-len(data) % 8)

    file = b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack(">H", 0x100) + b"MI"
    for name, one in matrices.items():
        head = element(6, struct.pack(">II", 6, 0)) + element(5, struct.pack(">ii", *one.shape))
        file += element(14, head + element(1, name.encode()) + element(9, one.T.astype(">f8").tobytes()))
    return file


@pytest.mark.parametrize("version", ["4", "6", "7"])
def test_matlab_files_are_read_as_scipy_reads_them(tmp_path, version):
    rng = np.random.default_rng(3)
    A, names = rng.normal(size=(5, 5)), tuple(f"u{i} \u03b8" for i in range(5))
    given = {
        "M": A @ A.T, "K": sparse.csc_matrix(np.diag([1.0, 0, 2, 0, 3])), "nodes": rng.normal(size=(5, 3)),
        "D": np.diag(np.arange(5, dtype=np.int32)), "small": np.float32([[1.5, 2]]), "F": np.arange(5.0)[:, None],
    }  # fmt: skip
    if version != "4":
        given |= {"text": "abc", "dofs": np.array(names, dtype=object), "struct": {"a": [1, "b"]}, "empty": np.zeros(0)}
    options = {"format": "4"} if version == "4" else {"do_compression": version == "7"}
    scipy.io.savemat(tmp_path / "one.mat", given, **options)
    again, theirs = fx.read_system(tmp_path / "one.mat"), scipy.io.loadmat(tmp_path / "one.mat")
    for name in ("M", "D", "K", "nodes"):
        assert same(getattr(again, name), theirs[name], 0), name
    assert same(again.F, np.arange(5.0), 0)
    assert again.dofs == (None if version == "4" else names)


def test_matlab_files_of_the_other_byte_order(tmp_path):
    given = {"M": np.array([[2.0, 1.0], [1.0, 3.0]]), "K": np.array([[5.0, -1.0], [-1.0, 4.0]])}
    (tmp_path / "one.mat").write_bytes(big_endian(given))
    assert same(scipy.io.loadmat(tmp_path / "one.mat")["K"], given["K"], 0)
    assert same(fx.read_system(tmp_path / "one.mat").K, given["K"], 0)
    assert same(fx.read_system(tmp_path / "one.mat").M, given["M"], 0)


# -- bad files -------------------------------------------------------------------------------------------------------


def broken(text, line, column, new):
    lines = text.splitlines()
    old = lines[line - 1]
    lines[line - 1] = old[: column - 1] + new + old[column - 1 + len(new) :]
    return "\n".join(lines) + "\n"


MTX = "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n2 2 3\n1 1 2.0\n2 1 -1.0\n2 2 1.0\n"


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("k.mtx", broken(MTX, 1, 3, "X"), "line 1, column 1: this is not the header of a Matrix Market file"),
        ("k.mtx", broken(MTX, 5, 5, "one "), "line 5, column 5: 'one' is not a number"),
        ("k.mtx", broken(MTX, 5, 1, "9"), "line 5, column 1: the entry (9, 1) lies outside 2 x 2"),
        ("k.mtx", MTX + "1 2 5.0\n", "line 7, column 1: 4 entries were found, but 3 are announced"),
        ("k.mtx", broken(MTX, 3, 5, "x"), "line 3, column 5: 'x' is not a number"),
        ("k.rsa", broken(HB, 3, 1, "RSE"), "line 3, column 1: matrices of the type 'RSE' are not read"),
        ("k.rsa", broken(HB, 3, 15, "             q"), "line 3, column 15: 'q' is not a whole number"),
        ("k.rsa", broken(HB, 4, 17, "(sixteen)"), "line 4, column 17: '(sixteen)' is not a Fortran format"),
        ("k.rsa", broken(HB, 7, 25, "x"), "line 7, column 21: '"),
        ("k.rsa", "\n".join(HB.splitlines()[:8]) + "\n", "line 9, column 1: the file ends too early"),
        ("k.rsa", "nothing\n", "line 2, column 1: the file ends before its four header lines"),
        ("k.rsa", broken(HB, 6, 24, "9"), "a row index lies outside 1 to 3"),
        ("k.op4", broken(OP4, 3, 3, "z"), "line 3, column 1: '2z000"),
        ("k.op4", broken(OP4, 1, 9, "     two"), "line 1, column 9: 'two' is not a whole number"),
        ("k.op4", broken(OP4, 1, 32, "4"), "line 1, column 25: matrices of the type 4 (complex) are not read"),
        ("k.op4", broken(OP4, 2, 16, "2"), "lie outside 1 to 2"),
        ("k.op4", "\n".join(OP4.splitlines()[:3]) + "\n", "line 4, column 1: the file ends inside a matrix"),
        ("k.bdf", DMIG.replace("2.+3", "2.,3"), "line 6, column 59: a comma stands in a line of fixed columns"),
        ("k.bdf", DMIG.replace("-2.0D3", "-2.0Q3"), "line 7, column 41: '-2.0Q3' is not a number"),
        ("k.bdf", DMIG.replace(" 10     ", " 10     7"), "line 2, column 17: the grid point is in coordinate system 7"),
        ("k.bdf", DMIG.replace("DMIG,MAAX,0,6,2,0\n", ""), "the column of MAAX comes before its header"),
        ("k.bdf", "GRID,1,,0.,0.,0.\n", "holds no DMIG card"),
        ("k.npz", "not an archive", "is not a NumPy archive that can be read"),
        ("k.mat", "not a file of MATLAB", "is not a MATLAB file that can be read"),
    ],
)  # fmt: skip
def test_bad_files_say_where(tmp_path, name, text, sentence):
    (tmp_path / name).write_text(text)
    with pytest.raises(fx.FlexuraError) as told:
        fx.read_system(tmp_path / name)
    assert sentence in str(told.value)
    assert str(told.value).startswith(str(tmp_path))


def test_files_that_are_not_there_or_not_known(tmp_path):
    with pytest.raises(fx.FlexuraError, match="There is no file"):
        fx.read_system(tmp_path / "gone.npz")
    (tmp_path / "a.xlsx").write_text("")
    with pytest.raises(fx.FlexuraError, match=r"ends in .xlsx; matrices are read from .npz, .mat, .op4"):
        fx.read_system(tmp_path / "a.xlsx")
    with pytest.raises(fx.FlexuraError, match=r"matrices are written to"):
        fx.write_system(plate(2, 1), tmp_path / "a.xlsx")


def test_what_a_file_lacks_is_told(tmp_path):
    np.savez(tmp_path / "one.npz", K=np.eye(2))
    with pytest.raises(fx.FlexuraError, match=r"holds no mass matrix \(K was found\); say which it is with M="):
        fx.read_system(tmp_path / "one.npz")
    np.savez(tmp_path / "one.npz", K=np.eye(2), M=np.array([[1.0, 2.0], [0.0, 1.0]]))
    with pytest.raises(fx.FlexuraError, match=r"one.npz: M is not symmetric"):
        fx.read_system(tmp_path / "one.npz")
    np.savez(tmp_path / "one.npz", stiff=np.eye(2), mass=np.eye(2))
    assert fx.read_system(tmp_path / "one.npz", K="stiff", M="mass").n == 2


@pytest.mark.parametrize("name", ["small.npz", "small.mat", "small.mtx", "small.op4", "small.hb", "small.dmig"])
def test_a_reduced_system_keeps_its_basis(tmp_path, name):
    K = np.diag(np.full(9, 2000.0)) - np.diag(np.full(8, 1000.0), 1) - np.diag(np.full(8, 1000.0), -1)
    whole = fx.SecondOrderSystem(np.eye(9), None, K)
    small = fx.reduce(whole, np.eye(9)[0], 3)
    fx.write_system(small, tmp_path / name)
    again = fx.read_system(tmp_path / name)
    assert again.basis == pytest.approx(small.basis, abs=0)
    assert again.expand(np.ones(3)) == pytest.approx(small.expand(np.ones(3)), abs=0)
    with pytest.raises(fx.FlexuraError, match="so it has no error"):
        again.error(1.0)
