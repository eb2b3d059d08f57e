"""Reduced models of a free plate: time against SciPy's modes, error, cost against size, memory.

OPENBLAS_NUM_THREADS=1 python bench/bench_operating.py          (sizes to 300,000 with --all)

Processor time; the peers run in the same process, one after the other. pyMOR is put beside it where it is installed.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import scipy.sparse as sparse
from record import SHORT, compared
from scipy.sparse.linalg import eigsh

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples" / "operating"))

from free_plate import corner_force, plate

import flexura as fx
from flexura.structures.operating.split import kept_rows
from flexura.systems.factor import factorize


def timed(work):
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def factorizations(system):
    """K with six rows held: minimum degree, nested dissection, and PARDISO's own order where it is installed."""
    rows, natural = kept_rows(system, np.arange(6))
    inner = system.K[rows][:, rows] + 1e3 * sparse.identity(len(rows), format="csr")
    ways = {"minimum degree": {"pardiso": False}, "nested dissection": {"natural": natural}}
    if find_spec("pypardiso"):
        ways["PARDISO"] = {"pardiso": True}
    for name, options in ways.items():
        seconds, made = timed(lambda options=options: factorize(inner, definite=True, **options))
        each, _ = timed(lambda made=made: made.solve(np.ones(len(rows))))
        print(f"  factorization, {name:24s}  {seconds:8.2f} s, a solution {each:.3f} s")


def side(dofs):
    """Elements along the edge of a square plate, one layer, of about so many degrees of freedom."""
    return round((dofs / 6) ** 0.5) - 1


def against_modes(dofs):
    """A basis of ten modes against ten elastic modes by shift-invert Lanczos as SciPy does it."""
    print(f"== {dofs:,} degrees of freedom")
    system = plate(side(dofs), side(dofs))
    F = corner_force(system)
    fx.reduce(plate(3, 3), corner_force(plate(3, 3)), 2)  # load everything once
    ours, reduced = timed(lambda: fx.reduce(system.with_(), F, 10))
    K, M = sparse.csc_matrix(system.K), sparse.csc_matrix(system.M)
    theirs, (squares, _) = timed(lambda: eigsh(K, 16, M, sigma=-1e4))
    better, found = timed(lambda: fx.modes(system.with_(), 16))
    print(f"{system.n} degrees of freedom, free")
    print(f"  reduced basis, 6 rigid + 10 modes        {ours:8.2f} s")
    of_basis = compared(f"{dofs} dof, reduced basis, eigsh", theirs / ours)
    of_modes = compared(f"{dofs} dof, modes, eigsh", theirs / better)
    print(f"  scipy eigsh, 16 modes, shift-invert      {theirs:8.2f} s   as long as the basis: {of_basis}")
    print(f"  fx.modes, 16 modes, counted              {better:8.2f} s   eigsh as long: {of_modes}")
    print(f"  first elastic frequency: {np.sqrt(squares[6]):.6f} and {found.frequencies[6]:.6f} rad/s")
    print(f"  {found.certificate}")
    return system, F, reduced, found.frequencies[6]


def errors(system, F, first):
    """The response with six modes under half the first frequency, and what two full solutions differ by."""
    small = fx.reduce(system, F, 6)
    omega = np.array([0.1, 0.3, 0.5]) * first
    full = fx.frequency_response(system, omega, F, F)
    reduced = fx.frequency_response(small, omega, F, F)
    again = np.array([_other_way(system, F, w) for w in omega])
    for w, a, b, c in zip(omega, full, reduced, again, strict=True):
        print(
            f"  omega = {w / first:.1f} of the first: error {abs(b / a - 1):.1e}, estimated {small.error(w):.1e},"
            f" two reference solutions differ by {abs(c / a - 1):.1e}"
        )


def _other_way(system, F, w):
    """The whole dynamic stiffness at once, refined: what a user would do."""
    return F @ factorize(system.K - w**2 * system.M).solve(F)


def memory(dofs, what):
    """The peak memory of a fresh process that assembles the plate and then factorizes or reduces it, in MB."""
    run = subprocess.run(
        [sys.executable, __file__, "--peak", what, str(dofs)], capture_output=True, text=True, check=True
    )
    return float(run.stdout)


def peak(what, dofs):
    system = plate(side(dofs), side(dofs))
    if what == "factor":
        rows, natural = kept_rows(system, np.arange(6))
        factorize(system.K[rows][:, rows], definite=True, natural=natural)
    else:
        fx.reduce(system, corner_force(system), 10)
    print(high_water())


def high_water():
    """The most memory this process has held, in MB."""
    status = Path("/proc/self/status")
    if status.exists():  # what getrusage says is inherited from the process that started this one
        return int(re.search(r"VmHWM:\s*(\d+)", status.read_text())[1]) / 1e3
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def cost(sizes):
    print("cost against size: time of reduce (10 modes), and peak memory beside a factorization alone")
    for dofs in sizes:
        system = plate(side(dofs), side(dofs))
        seconds, _ = timed(lambda system=system: fx.reduce(system, corner_force(system), 10))
        alone, ours = memory(dofs, "factor"), memory(dofs, "reduce")
        print(
            f"  {system.n:8d} dof  {seconds:7.2f} s  {ours:7.0f} MB, factorization {alone:.0f} MB: {ours / alone:.2f}"
        )


def beside_pymor(system, F, first):
    """Second-order Hermite interpolation, pyMOR's nearest relative: at zero frequency, and beside it."""
    try:
        from pymor.core.logger import set_log_levels
        from pymor.models.iosys import SecondOrderModel
        from pymor.reductors.interpolation import SOBHIReductor
    except ImportError:
        print("pyMOR is not installed; pip install pymor to see it beside this.")
        return
    set_log_levels({"pymor": "ERROR"})
    M, K = sparse.csc_matrix(system.M), sparse.csc_matrix(system.K)
    model = SecondOrderModel.from_matrices(M, sparse.csc_matrix(M.shape), K, F[:, None], F[None])
    omega = np.array([0.1, 0.5]) * first
    exact = fx.frequency_response(system, omega, F, F)
    small = fx.frequency_response(fx.reduce(system, F, 6), omega, F, F)
    print(f"{system.n} degrees of freedom, error at 0.1 and 0.5 of the first frequency")
    print("  fx.reduce, 6 rigid + 6 modes: " + ", ".join(f"{abs(one):.1e}" for one in small / exact - 1))
    for shifts in ([0.0] * 6, list(np.linspace(0.05, 1.0, 6) * first)):
        label = "at zero" if not any(shifts) else "at six real points"
        try:
            reduced = SOBHIReductor(model).reduce(np.array(shifts), np.ones((6, 1)), np.ones((6, 1)))
            found = np.array([reduced.transfer_function.eval_tf(1j * w)[0, 0] for w in omega])
            print(f"  pyMOR SOBHI {label}: " + ", ".join(f"{abs(one):.1e}" for one in found / exact - 1))
        except Exception as error:
            print(f"  pyMOR SOBHI {label}: {type(error).__name__}: {error}")


def main():
    small, large = (500, 700) if SHORT else (20_000, 100_000)
    system, F, _, first = against_modes(small)
    errors(system, F, first)
    beside_pymor(plate(12, 10), corner_force(plate(12, 10)), fx.modes(plate(12, 10), 7).frequencies[6])
    system, F, _, first = against_modes(large)
    factorizations(system)
    errors(system, F, first)
    cost((small,) if SHORT else (10_000, 30_000, 100_000, *((300_000,) if "--all" in sys.argv else ())))


if __name__ == "__main__":
    if "--peak" in sys.argv:
        peak(sys.argv[-2], int(sys.argv[-1]))
    else:
        main()
