"""Numbers for the examples, in SI units, so that they can be solved as they stand; others may be given instead."""

from __future__ import annotations

_BEAM = {"EI": 50.0, "rho": 1.2}

VALUES: dict[str, dict[str, float]] = {
    "example-one": {
        **_BEAM, "l": 1.3, "m_a": 3.0, "m_b": 2.0, "m_c": 1.5, "I_c": 0.02, "K1": 800.0, "K2": 600.0, "K3": 400.0,
        "b": 4.0,
    },
    "appendix-b": {"m1": 2.0, "m2": 1.0, "EA": 2.0e5, "rho": 0.8, "l": 1.5},
    "appendix-b-moving": {"m1": 2.0, "m2": 1.0, "EA": 2.0e5, "rho": 0.8, "l": 1.5},
    "cantilever": {**_BEAM, "l": 1.0, "c": 0.5, "eta": 1.0e-5},
    "timoshenko-tip-body": {"EI": 50.0, "kGA": 5.0e4, "rho": 1.2, "I_rho": 1.0e-3, "m": 0.4, "I": 2.0e-3, "l": 1.0},
    "rotating-arm": {**_BEAM, "J": 0.3, "r0": 0.1, "m": 0.5, "l": 1.0},
    "von-karman": {**_BEAM, "EA": 1.0e6, "l": 1.0},
    "knife-edge": {"m": 1.0, "I": 0.1},
    "double-pendulum": {"m1": 1.0, "m2": 0.5, "l1": 0.6, "l2": 0.4, "g": 9.81},
    "base-excitation": {**_BEAM, "M": 2.0, "m": 0.5, "l": 1.0, "y0": 0.01, "Omega": 10.0},
    "stepped-shaft": {
        "I1": 0.02, "I2": 0.05, "I3": 0.01, "GJ1": 900.0, "GJ2": 400.0, "J1": 1.0e-4, "J2": 5.0e-5,
        "l1": 0.5, "l2": 0.4,
    },
    "string-mid-mass": {"P": 100.0, "rho": 0.01, "l": 1.0, "m": 0.02},
    "three-span-beam": {**_BEAM, "l_first": 1.0, "l_second": 1.2, "l_third": 1.0},
    "hinged-beams": {**_BEAM, "l_left": 0.6, "l_right": 0.8},
    "portal-frame": {**_BEAM, "EA": 1.0e6, "l_left": 1.0, "l_beam": 1.5, "l_right": 1.0},
    "two-link-arm": {
        "EI1": 60.0, "rho1": 1.0, "l1": 0.8, "EI2": 30.0, "rho2": 0.6, "l2": 0.6, "I_s": 0.05, "m_r": 0.2, "I_r": 0.02,
        "m_e": 0.5, "I_e": 1.0e-3, "m_p": 0.3, "I_p": 5.0e-4,
    },
    "slider-crank": {**_BEAM, "l": 0.5, "r": 0.15, "m_c": 0.8, "I_c": 2.0e-3, "m_s": 0.4, "m_b": 0.1, "I_b": 2.0e-4},
    "satellite": {**_BEAM, "M": 60.0, "J": 8.0, "r": 0.5, "l": 2.0},
    "rotating-blade": {
        "EA": 1.0e7, "EIy": 80.0, "EIz": 400.0, "GJ": 60.0, "rho": 1.5, "Jx": 4.0e-4, "Jy": 1.0e-4, "Jz": 3.0e-4,
        "l": 1.2, "r": 0.2, "I_h": 0.5, "Omega": 30.0,
    },
}  # fmt: skip


def values(name: str) -> dict[str, float]:
    """The numbers of an example; none where it has no names to give them to."""
    return dict(VALUES.get(name, {}))
