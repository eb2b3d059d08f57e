"""flexura: exact equations of motion for machines that bend, derived step by step and proved by independent routes.

    >>> import flexura as fx
    >>> w = fx.Field("w", length="l")
    >>> beam = fx.Lagrangian(density={w: "rho*w_t**2/2 - EI*w_xx**2/2"}, boundary={w.at(0): 0, w.slope(0): 0})
    >>> print(fx.derive(beam))

Every public word lives in one file and loads when it is first used; `__init__.pyi` tells editors and type checkers the
same list, and a test holds the two together.
"""

from importlib import import_module
from typing import Any

from flexura.arguments import public as _public

__version__ = "0.1.0"

_WORDS = {
    # energies
    "energy.field": "Field",
    "energy.integral": "integral",
    "energy.lagrangian": "Lagrangian",
    # parts
    "parts.bodies": "Mass RigidBody ground",
    "parts.contacts": "Friction Stop",
    "parts.control": "Sampled State",
    "parts.fibres": "Stress",
    "parts.gears": "Gear",
    "parts.joints": "Fixed Free Pin Revolute Roller Slide",
    "parts.rolling": "Rolling",
    "parts.spatial_joints": "Cylindrical Planar Spherical Universal",
    "parts.loads": "Constraint DistributedForce Force Gravity Torque",
    "parts.sections": "CrossSection Material materials sections",
    "parts.rides": "Ride",
    "parts.springs": "Damper Spring TorsionDamper TorsionSpring",
    "parts.members.euler_bernoulli": "EulerBernoulliBeam",
    "parts.members.member": "Member",
    "parts.members.rayleigh": "RayleighBeam",
    "parts.members.rod": "Rod",
    "parts.members.shaft": "Shaft",
    "parts.members.exact": "ExactBeam",
    "parts.members.exact_spatial": "ExactSpatialBeam",
    "parts.members.spatial": "SpatialBeam",
    "parts.members.string": "String",
    "parts.members.timoshenko": "TimoshenkoBeam",
    "model.frame": "frame",
    "model.model": "Model",
    "model.files.reading": "read_model",
    "model.files.urdf": "Robot read_urdf",
    "model.files.written": "write_model",
    # equations
    "derivation.diagrams": "FreeBodyDiagram FreeBodyDiagrams free_bodies",
    "derivation.equations.certificate": "Certificate",
    "derivation.equations.equations": "Equations",
    "derivation.equations.mobility": "Mobility",
    "derivation.equations.steps": "Step",
    "derivation.explain": "Explanation explain",
    "derivation.equivalence": "Equivalence equivalent",
    "derivation.generalized": "generalized_forces generalized_masses",
    "derivation.linearise": "linearise",
    "derivation.member_table": "members",
    "derivation.newton_euler": "joint_reactions",
    "derivation.routes": "derive",
    "derivation.verify": "verify",
    # answers
    "solve.accelerations": "accelerations",
    "solve.buckling": "Buckling buckling",
    "solve.campbell": "Campbell campbell",
    "solve.discretise": "discretise",
    "solve.equilibrium": "equilibrium",
    "solve.equilibrium_path": "equilibrium_path",
    "solve.flexibility": "Flexibility flexibility",
    "solve.flutter": "Flutter flutter",
    "solve.frequency_response": "frequency_response",
    "solve.matrices": "LinearMatrices matrices",
    "solve.mobility": "mobility",
    "solve.matrix_iteration": "matrix_iteration",
    "solve.measured_damping": "half_power logarithmic_decrement",
    "solve.modal_coordinates": "modal_coordinates",
    "solve.modes": "modes",
    "solve.participation": "Participation participation",
    "solve.periodic": "periodic_response",
    "solve.random_response": "RandomResponse random_response",
    "solve.rayleigh": "dunkerley rayleigh_quotient",
    "solve.response_curve": "ResponseCurve response_curve",
    "solve.response_spectrum": "response_spectrum",
    "solve.roots.found": "Modes",
    "solve.ritz_convergence": "ritz_convergence",
    "solve.self_adjoint": "self_adjoint",
    "solve.sensitivity": "Sensitivity sensitivity",
    "solve.simulate": "simulate",
    "solve.state_space": "state_space",
    "solve.statics.path": "EquilibriumPath",
    "solve.statics.rest_state": "Equilibrium",
    "solve.sweep": "sweep",
    "solve.sweeps.points": "LatinHypercube RandomSamples",
    "solve.sweeps.table": "SweepTable",
    "solve.steppers.trajectory": "Trajectory",
    "solve.transient": "impulse_response step_response",
    "solve.transmissibility": "transmissibility",
    # structures in operation
    "solve.power_split": "PowerSplit power_split",
    "solve.runs.piecewise": "simulate_piecewise",
    "structures.operating.checks": "check_system",
    "structures.operating.cleaning": "clean",
    "structures.operating.control": "first_correction smooth_response",
    "structures.operating.modal_damping": "modal_damping",
    "structures.operating.reduction": "reduce",
    "structures.operating.rigid": "rigid_body_modes",
    "structures.operating.slow": "slow_changes",
    "structures.operating.states": "operating_state",
    "systems.constrained": "Constrained constrained without_multipliers",
    "systems.matrix_files": "read_system write_system",
    "systems.nonlinear": "NonlinearSystem",
    "systems.second_order": "SecondOrderSystem",
    "systems.solver": "solver",
    "systems.state_space": "StateSpace",
    # finite elements on moving bodies
    "solve.critical_speed": "critical_speed critical_speeds",
    "solve.rotor_speeds": "stability_limit",
    "solve.unbalance": "UnbalanceResponse unbalance_response",
    "solve.whirl": "Whirl whirl",
    "structures.moving.body": "MovingFrame",
    "structures.moving.frame": "BeamFrame",
    "structures.moving.frame_file": "FrameFile read_frame",
    "structures.moving.linkages": "Linkage four_bar rotating_arm slider_crank",
    "structures.moving.loads": "FrameLoad",
    "structures.moving.mechanism": "Joint Mechanism",
    "structures.moving.resultants": "Resultants resultants",
    "structures.moving.rotor": "Bearing Rotor",
    "structures.moving.section": "Section",
    "structures.moving.system": "moving_system",
    # pictures, reports and files
    "exports.casadi_functions": "to_casadi",
    "exports.python_control": "to_control",
    "exports.registry": "export",
    "exports.vtu": "write_vtu",
    "show.animate": "animate",
    "show.animate_frame": "animate_frame",
    "show.plot": "plot",
    "show.report": "report",
    "show.view": "ThreeView view",
    # expressions
    "errors": "FlexuraError",
    "symbolic.outputs": "Internal Motion Reaction",
    "symbolic.expression": "Coordinate Input Parameter abs_ acos asin atan atan2 cos cosh exp impulse log pi ramp sign"
    " sin sinh sqrt step tan tanh time x",
}
_FILES = {word: file for file, words in _WORDS.items() for word in words.split()}

__all__ = list(_FILES)


def __getattr__(name: str) -> Any:
    if name not in _FILES:
        raise AttributeError(f"module 'flexura' has no attribute {name!r}")
    globals()[name] = word = _public(name, getattr(import_module(f"flexura.{_FILES[name]}"), name))
    return word


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
