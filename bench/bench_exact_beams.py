"""Members that bend far, beside Exudyn: OPENBLAS_NUM_THREADS=1 python bench/bench_exact_beams.py

Work against precision: the flying beam of Simo and Vu-Quoc (EI = 100), and a soft pendulum of Reissner's, both with
shear and stretch. Every setting of either program is compared with flexura's finest answer, the ends of the member over
time against its length; for each precision the cheapest setting that reaches it counts. Times are of processors, from
equations that are built to the motion and its proofs (energies, momenta, estimates of error) here, of the loop in time
alone there; what building takes is told apart. Last comes the default, for which nothing was chosen.
"""

from __future__ import annotations

import itertools
import os
import time
import warnings

import numpy as np
from record import SHORT, compared

import flexura as fx

os.environ["FLEXURA_CACHE"] = "off"  # nothing compiled in an earlier run
GOALS = (1e-2, 1e-3, 1e-4, 1e-5)
# flexura: order, elements, tolerance. Exudyn: elements, steps a second; both, of the finest answer first.
FINEST, PEERS_FINEST = (4, 20, 1e-8), (48, 1600)
MINE = [(p, n, tol) for (p, n), tol in itertools.product(((3, 4), (3, 8), (4, 8), (4, 12)), (1e-3, 1e-6))]
THEIRS = list(itertools.product((8, 16, 32), (50, 200, 800)))
if SHORT:
    FINEST, PEERS_FINEST, MINE, THEIRS = (3, 3, 1e-6), (4, 50), [(3, 2, 1e-4)], [(4, 50)]
RHO, AREA, BENT = 5540.0, 0.0018, 1.215e-8  # of the pendulum, whose Young's modulus is 0.7 MPa
FLYING = {"EI": 100.0, "rho": 1.0, "length": 10.0, "EA": 1e4, "kGA": 1e4, "rotary_inertia": 10.0}
SWINGING = {
    "EI": 0.7e6 * BENT,
    "rho": RHO * AREA,
    "length": 1.2,
    "EA": 0.7e6 * AREA,
    "kGA": 5 / 6 * 0.7e6 / 2.6 * AREA,
    "rotary_inertia": RHO * BENT,
}
SPAN = {"flying beam": 0.5 if SHORT else 10.0, "soft pendulum": 0.1 if SHORT else 1.0}
PUSH = np.array([-0.6 * 8, -0.8 * 8, -80.0])  # at the first end in the beam's axes, until 2.5 s


def ours(case):
    """Equations, inputs and the two ends."""
    beam = fx.ExactBeam("beam", **(FLYING if case == "flying beam" else SWINGING))
    if case == "flying beam":
        loads = fx.Force(beam.start, "F", along=(-0.6, -0.8, 0)), fx.Torque(beam.start, "M")
        inputs = {"F": "Piecewise((8, t < 2.5), (0, True))", "M": "Piecewise((-80, t < 2.5), (0, True))"}
        return fx.derive(fx.Model(beam, *loads)), inputs, beam
    return fx.derive(fx.Model(fx.Pin(fx.ground, beam.start), fx.Gravity(9.81))), None, beam


def followed(case, **how):
    """Seconds, and where both ends are over time."""
    equations, inputs, beam = ours(case)
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = fx.simulate(equations, np.linspace(0, SPAN[case], 101), inputs=inputs, **how)
    seconds = time.process_time() - start
    return seconds, np.hstack([run.position(place)[:, :2] for place in (beam.start, beam.end)]), run


def peer_model(case, elements):
    """Exudyn's beam, along x at rest, and sensors of both ends."""
    import exudyn
    import exudyn.itemInterface as items

    section = FLYING if case == "flying beam" else SWINGING
    mbs = exudyn.SystemContainer().AddSystem()
    places = np.linspace(0, section["length"], elements + 1)
    nodes = [mbs.AddNode(items.NodeRigidBody2D(referenceCoordinates=[x, 0, 0])) for x in places]
    for pair in itertools.pairwise(nodes):
        mbs.AddObject(
            items.ObjectBeamGeometricallyExact2D(
                nodeNumbers=list(pair),
                physicsLength=section["length"] / elements,
                physicsMassPerLength=section["rho"],
                physicsCrossSectionInertia=section["rotary_inertia"],
                physicsBendingStiffness=section["EI"],
                physicsAxialStiffness=section["EA"],
                physicsShearStiffness=section["kGA"],
            )
        )

    def marker(node, k):
        return mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=k))

    if case == "flying beam":
        for k, size in enumerate(PUSH):
            pushed = items.LoadCoordinate(
                markerNumber=marker(nodes[0], k), load=size, loadUserFunction=lambda m, t, f: f if t <= 2.5 else 0.0
            )
            mbs.AddLoad(pushed)
    else:
        ground = mbs.AddMarker(
            items.MarkerNodeCoordinate(nodeNumber=mbs.AddNode(items.NodePointGround()), coordinate=0)
        )
        for k in (0, 1):
            mbs.AddObject(items.CoordinateConstraint(markerNumbers=[ground, marker(nodes[0], k)]))
        weight = -9.81 * section["rho"] * section["length"] / elements
        for i, node in enumerate(nodes):
            share = 0.5 if i in (0, elements) else 1.0
            mbs.AddLoad(items.LoadCoordinate(markerNumber=marker(node, 1), load=share * weight))
    what = {"outputVariableType": exudyn.OutputVariableType.Position, "storeInternal": True, "writeToFile": False}
    sensors = [mbs.AddSensor(items.SensorNode(nodeNumber=node, **what)) for node in (nodes[0], nodes[-1])]
    mbs.Assemble()
    return exudyn, mbs, sensors


def peer(case, elements, rate):
    """Seconds of building, of the loop in time, and where both ends are."""
    start = time.process_time()
    exudyn, mbs, sensors = peer_model(case, elements)
    build = time.process_time() - start
    settings = exudyn.SimulationSettings()
    way = settings.timeIntegration
    way.endTime, way.numberOfSteps, way.verboseMode = SPAN[case], max(100, round(rate * SPAN[case])), 0
    way.newton.useModifiedNewton = True
    way.generalizedAlpha.spectralRadius = 0.9
    settings.linearSolverType = exudyn.LinearSolverType.EigenSparse
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = SPAN[case] / 100
    start = time.process_time()
    mbs.SolveDynamic(settings)
    seconds = time.process_time() - start
    grid, columns = np.linspace(0, SPAN[case], 101), []
    for sensor in sensors:
        data = mbs.GetSensorStoredData(sensor)
        columns += [np.interp(grid, data[:, 0], data[:, k]) for k in (1, 2)]
    return build, seconds, np.column_stack(columns)


def cheapest(rows, goal):
    """(seconds, error, setting) of the least work that is that precise."""
    return min((row for row in rows if row[1] <= goal), default=None)


def side_by_side(case):
    length = (FLYING if case == "flying beam" else SWINGING)["length"]
    build = time.process_time()
    fx.discretise(ours(case)[0], order=4, elements=8)
    build = time.process_time() - build
    _, converged, _ = followed(case, **dict(zip(("order", "elements", "tolerance"), FINEST, strict=True)))
    mine = []
    for order, elements, tolerance in MINE:
        seconds, place, _ = followed(case, order=order, elements=elements, tolerance=tolerance)
        mine.append((seconds, np.abs(place - converged).max() / length, f"p{order} x {elements}, {tolerance:g}"))
    seconds, place, run = followed(case)
    print(f"\n{case}, {SPAN[case]:g} s\n  flexura: built in {1e3 * build:.0f} ms")
    print(f"  default: {seconds:.2f} s, off by {np.abs(place - converged).max() / length:.1e}; {run.notes[-1]}")
    theirs, apart = [], None
    try:
        built, _, fine = peer(case, *PEERS_FINEST)
    except ImportError:
        print("  Exudyn is not installed: pip install 'flexura[bench]'")
    else:
        apart = np.abs(fine - converged).max() / length
        print(f"  Exudyn: built in {1e3 * built:.0f} ms; the finest answers of both are {apart:.1e} apart")
        for elements, rate in THEIRS:
            _, seconds, place = peer(case, elements, rate)
            theirs.append((seconds, np.abs(place - converged).max() / length, f"{elements} elements, {rate} steps/s"))
    for goal in GOALS:
        one, other = cheapest(mine, goal), cheapest(theirs, goal)
        told = [f"{1e3 * row[0]:.0f} ms ({row[2]})" if row else "not reached" for row in (one, other)]
        print(f"  {goal:g}: flexura {told[0]}" + (f", Exudyn {told[1]}" if theirs else ""))
        if one and other:
            print(f"    Exudyn / flexura: {compared(f'{case}, {goal:g}', other[0] / one[0])}")


if __name__ == "__main__":
    print(f"flexura {fx.__version__}, NumPy {np.__version__}")
    for name in SPAN:
        side_by_side(name)
