"""Motion in time beside Exudyn, in one run: OPENBLAS_NUM_THREADS=1 python bench/bench_simulate.py

Accuracy first: every setting is compared with its own program's finest answer, and the cheapest one counts whose tip
deflection is, at all times, within 0.1 percent of the largest. Exudyn's elements, steps, damping and Newton tolerance
are swept here, and so are flexura's order and tolerance. Times are of the whole way: here from the parts to the motion
(energies, discretise, follow, balance the energies; the rows of the equations, which nobody reads, are not written),
there from the items to the end of the solver.
"""

from __future__ import annotations

import itertools
import os
import re
import time
import warnings

import numpy as np
from record import SHORT, compared

import flexura as fx

os.environ["FLEXURA_CACHE"] = "off"  # nothing compiled in an earlier run
GOOD = 1e-3
AGAIN = 3  # of Exudyn's cheapest settings, each timed five times, as those of flexura are
# flexura: orders, tolerances. Exudyn: elements, steps, spectral radius, Newton tolerance; and of its finest answer.
MINE = ((4, 5, 6), (3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6))
THEIRS = ((8, 12, 16, 24), (500, 1000, 2000, 4000), (0.6, 0.9), (1e-4, 1e-5))
FINE = ((32, 24, 16), (8000, 4000), (1e-5, 1e-4))
LINKS = (1, 2, 4, 8, 16, 32)
if SHORT:
    MINE, THEIRS, FINE, LINKS = ((4,), (1e-3,)), ((8,), (500, 1000), (0.9,), (1e-4,)), ((8,), (1000,), (1e-4,)), (1, 2)
SPIN = "Piecewise((6/15*(t**2/2 + (15/(2*pi))**2*(cos(2*pi*t/15) - 1)), t < 15), (6*(t - 15/2), True))"
PULSE = "Piecewise((5*sin(4*pi*t), t < 0.5), (0, True))"


def angle(t):
    return 0.4 * (t * t / 2 + (15 / (2 * np.pi)) ** 2 * (np.cos(2 * np.pi * t / 15) - 1)) if t < 15 else 6 * (t - 7.5)


def timed(work, repeat=5):
    """The best of some runs in seconds of processor time, and what came out."""
    best, found = np.inf, None
    for _ in range(1 if SHORT else repeat):
        start = time.process_time()
        found = work()
        best = min(best, time.process_time() - start)
    return best, found


def off(curve, converged):
    """The largest difference over time, of the largest value."""
    return float(np.abs(curve - converged).max() / np.abs(converged).max())


# -- flexura ----------------------------------------------------------------------------------------------------------


def spin_up():
    hub = fx.RigidBody("hub", m=0, I=1)
    blade = fx.EulerBernoulliBeam("blade", EI=14000.0, rho=1.2, length=10.0, field="w")
    joint = fx.Revolute(fx.ground, hub, name="theta", motion=SPIN)
    return fx.derive(fx.Model(joint, fx.Fixed(hub, blade.start))), 20.0, {}


def hub_arm():
    hub, arm = fx.RigidBody("hub", m=0, I=0.3), fx.EulerBernoulliBeam("arm", EI=20.0, rho=0.5, length=1.0, field="w")
    parts = (fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub, arm.start), fx.Torque(hub, "tau"))
    return fx.derive(fx.Model(*parts)), 1.0, {"tau": PULSE}


def ours(case):
    equations, end, inputs = case()
    length = 10.0 if end == 20.0 else 1.0
    t = np.linspace(0, end, 401)
    order, tolerance = (5, 1e-5) if SHORT else (9, 1e-9)
    converged = fx.simulate(equations, t, inputs=inputs, order=order, tolerance=tolerance).place("w", length)
    rows = []
    for order, tolerance in itertools.product(*MINE):
        whole, run = timed(
            lambda o=order, tol=tolerance: fx.simulate(case()[0], t, None, inputs, order=o, tolerance=tol)
        )
        error = off(run.place("w", length), converged)
        rows.append((whole, error, f"order {order}, tolerance {tolerance:g}", order))
    return converged.min(), rows


# -- Exudyn -----------------------------------------------------------------------------------------------------------


def exudyn_model(elements, arm):
    import exudyn as exu
    import exudyn.itemInterface as items

    length, mass, inertia, bending, axial, shear = (
        (1.0, 0.5, 1e-6, 20.0, 2e6, 1e6) if arm else (10.0, 1.2, 6e-4, 14000.0, 2.8e7, 1e7)
    )
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    places = np.linspace(0, length, elements + 1)
    nodes = [mbs.AddNode(items.NodeRigidBody2D(referenceCoordinates=[x, 0, 0])) for x in places]
    for pair in itertools.pairwise(nodes):
        mbs.AddObject(
            items.ObjectBeamGeometricallyExact2D(
                nodeNumbers=list(pair), physicsLength=length / elements, physicsMassPerLength=mass,
                physicsCrossSectionInertia=inertia, physicsBendingStiffness=bending, physicsAxialStiffness=axial,
                physicsShearStiffness=shear,
            )
        )  # fmt: skip
    ground = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=mbs.AddNode(items.NodePointGround()), coordinate=0))
    roots = [mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=k)) for k in range(3)]
    for root in roots[:2]:
        mbs.AddObject(items.CoordinateConstraint(markerNumbers=[ground, root]))
    if arm:
        mbs.AddObject(items.ObjectMass1D(physicsMass=0.3, nodeNumber=_turning(mbs, items, roots[2], exu)))
    else:
        mbs.AddObject(
            items.CoordinateConstraint(markerNumbers=[ground, roots[2]], offsetUserFunction=lambda m, t, i, o: angle(t))
        )
    kind = exu.OutputVariableType
    sensors = [
        mbs.AddSensor(items.SensorNode(nodeNumber=node, outputVariableType=what, storeInternal=True, writeToFile=False))
        for node, what in ((nodes[-1], kind.Position), (nodes[0], kind.Rotation))
    ]
    mbs.Assemble()
    return exu, mbs, sensors


def _turning(mbs, items, root, exu):
    """A hub of inertia 0.3 that turns with the root, under the pulse."""
    node = mbs.AddNode(items.Node1D(referenceCoordinates=[0]))
    marker = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
    mbs.AddObject(items.CoordinateConstraint(markerNumbers=[marker, root]))
    mbs.AddLoad(
        items.LoadCoordinate(
            markerNumber=marker,
            load=1,
            loadUserFunction=lambda m, t, load: 5 * np.sin(4 * np.pi * t) if t < 0.5 else 0.0,
        )
    )
    return node


def exudyn_run(elements, steps, rho, tolerance, arm):
    exu, mbs, (tip, root) = exudyn_model(elements, arm)
    settings = exu.SimulationSettings()
    way = settings.timeIntegration
    way.numberOfSteps, way.endTime, way.verboseMode = steps, 1.0 if arm else 20.0, 0
    way.adaptiveStep = False  # where Newton fails it would take forty times as many steps
    way.newton.useModifiedNewton, way.newton.relativeTolerance = False, tolerance
    way.generalizedAlpha.spectralRadius = rho
    settings.linearSolverType = exu.LinearSolverType.EXUdense
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = way.endTime / 400
    start = time.process_time()
    mbs.SolveDynamic(settings)
    seconds = time.process_time() - start
    data, turn = mbs.GetSensorStoredData(tip), mbs.GetSensorStoredData(root)[:, -1]
    grid = np.linspace(0, way.endTime, 401)
    return seconds, np.interp(grid, data[:, 0], -np.sin(turn) * data[:, 1] + np.cos(turn) * data[:, 2])


def finest(arm):
    """The finest of Exudyn's answers that its Newton iterations reach."""
    import exudyn

    for elements, steps, tolerance in itertools.product(*FINE):
        try:
            return exudyn_run(elements, steps, 0.9, tolerance, arm)[1]
        except exudyn.SolverError:
            continue
    raise RuntimeError("Exudyn does not come to the end with any fine setting.")


def peer(arm):
    import exudyn

    converged = finest(arm)
    start = time.process_time()
    exudyn_model(8, arm)
    build = time.process_time() - start
    rows = []
    for elements, steps, rho, tolerance in itertools.product(*THEIRS):
        label = f"{elements} elements, {steps} steps, rho {rho}, Newton {tolerance:g}"
        try:
            seconds, tip = exudyn_run(elements, steps, rho, tolerance, arm)
        except exudyn.SolverError:  # a setting that does not converge does not count
            continue
        rows.append((seconds, off(tip, converged), label, (elements, steps, rho, tolerance)))
    good = sorted(row for row in rows if row[1] < GOOD)[:AGAIN]
    again = [(min(exudyn_run(*how, arm)[0] for _ in range(5)), error, label, how) for _, error, label, how in good]
    return converged.min(), build, [*again, *rows]


def side_by_side(title, case, arm):
    print(f"\n{title}")
    mine, rows = ours(case)
    best = min((row for row in rows if row[1] < GOOD), default=None)
    print(f"  flexura  converged {mine:.6f}")
    if best:
        whole, error, label, order = best
        derive, _ = timed(case)
        build, _ = timed(lambda: fx.discretise(case()[0], order=order))
        stages = [("energies", derive), ("build", build - derive), ("run", whole - build)]
        print("    " + ", ".join(f"{what} {1e3 * seconds:.1f} ms" for what, seconds in stages))
        print(f"    {1e3 * whole:.1f} ms in all, off by {error:.1e}  ({label})")
    try:
        theirs, build, rows = peer(arm)
    except ImportError:
        print("  Exudyn is not installed: pip install 'flexura[bench]'")
        return
    good = min((row for row in rows if row[1] < GOOD), default=None)
    print(f"  Exudyn   converged {theirs:.6f}  build {1e3 * build:6.1f} ms")
    if not rows:
        print("    does not come to the end with any setting tried")
    elif not good:
        nearest = min(rows, key=lambda row: row[1])
        print(f"    no setting tried is within {GOOD:g}; nearest: off by {nearest[1]:.1e} ({nearest[2]})")
    else:
        print(f"    run {1e3 * good[0]:7.1f} ms  off by {good[1]:.1e}  ({good[2]})")
    if best and good:
        print(f"  Exudyn / flexura: {compared(title, (good[0] + build) / best[0])}, each from its parts to the motion")


# -- size -------------------------------------------------------------------------------------------------------------


def chain(count):
    """Flexible links on hinges with small bodies, hanging."""
    parts, last = [], fx.ground
    for i in range(count):
        body = fx.RigidBody(f"b{i}", m=0.1, I=0.01)
        link = fx.EulerBernoulliBeam(f"l{i}", EI=100.0, rho=0.4, length=0.3)
        parts += [fx.Revolute(last, body, name=f"q{i}"), fx.Fixed(body, link.start)]
        last = link.end
    return fx.derive(fx.Model(parts, fx.Gravity(9.81)))


def growth(counts=LINKS):
    """Chains of hinged flexible links: time against the number of links, and the exponent of its growth from 8 on."""
    from flexura.solve.discretise import motion_system

    print("\nHinged flexible links, order 3: time against their number")
    print(
        "  links unknowns energies  build  compile | M and f, alone and in stacks | Jacobians | a step of fx.simulate"
    )
    rows = []
    for count in counts:
        derived, equations = timed(lambda n=count: chain(n), repeat=1)
        built, system = timed(lambda e=equations: motion_system(e, None, 3), repeat=1)
        random, u = np.random.default_rng(0), system.rest
        q, v, a = 0.01 * random.normal(size=(3, 32, system.n))
        stack = np.zeros(32), q, v, np.tile(u, (32, 1))
        first = 0.0, q[0], v[0], a[0], u, np.zeros(0)
        compiled, _ = timed(lambda s=system, w=first, z=stack: (s.evaluate(*z), s.jacobians(*w)), repeat=1)
        alone, _ = timed(lambda s=system, q=q, v=v, u=u: [s.evaluate(0.0, *one, u) for one in zip(q, v, strict=True)])
        stacked, _ = timed(lambda s=system, z=stack: s.evaluate(*z))
        jacobians, _ = timed(lambda s=system, w=first: s.jacobians(*w))
        step = a_step(system)
        rows.append((count, alone / 32, stacked / 32, jacobians, step))
        print(
            f"  {count:5d} {system.n:8d} {derived:5.2f} s {built:4.2f} s {compiled:6.2f} s | {1e3 * alone / 32:7.2f} ms"
            f" {1e3 * stacked / 32:14.2f} ms | {1e3 * jacobians:6.1f} ms | {1e3 * step:8.1f} ms"
        )
    large = np.log([row for row in rows if row[0] >= 8])
    if len(large) > 1:
        slopes = [np.polyfit(large[:, 0], large[:, i], 1)[0] for i in range(1, 5)]
        print("  exponents from 8 links on: " + ", ".join(
            f"{name} {slope:.1f}" for name, slope in zip(("alone", "stacks", "Jacobians", "step"), slopes, strict=True)
        ))  # fmt: skip


def a_step(system):
    """Seconds for one step of a chain that swings down, of those that its notes count; all is compiled before."""
    t, initial = np.linspace(0, 0.05, 6), {"q0": -1.3}
    seconds, run = timed(lambda: fx.simulate(system, t, initial, tolerance=1e-5), repeat=3)
    assert run.complete, run.message
    return seconds / sum(int(one) for note in run.notes for one in re.findall(r"(\d+) [\w-]+ steps", note))


def main():
    warnings.simplefilter("ignore")
    side_by_side("Spin-up of a rotating cantilever, 20 s", spin_up, arm=False)
    side_by_side("Hub and arm under a torque pulse, 1 s", hub_arm, arm=True)
    growth()


if __name__ == "__main__":
    main()
