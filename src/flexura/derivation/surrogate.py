"""The surrogate-element route: the extended Lagrange equation on one representative particle of each continuum.

Theory, section 2 ([M] eq. 10): for each coordinate xi,

    D_t(dL/dxi_t) - dL/dxi + D_x(dL/dxi_x) - D_x^2(dL/dxi_xx) - D_x D_t(dL/dxi_xt) = Xi,

with the loads of the continua on what is attached to them derived from the densities, never tabulated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from flexura.derivation.equations.rows import Kind, Row, Sum
from flexura.energy.lagrangian import Lagrangian, Spine
from flexura.symbolic.engine import ZERO, Basic, Symbol, partial
from flexura.symbolic.jets import Jet, Jets


def surrogate_rows(energies: Lagrangian) -> tuple[Row, ...]:
    """All equations of the system, untidied: coordinates, fields, natural and geometric conditions, constraints."""
    surrogate = _Surrogate(energies)
    ordinary = [surrogate.discrete(Jet(name), "ordinary") for name in energies.moving]
    partials = [surrogate.field(spine, name) for spine in energies.spines for name in spine.fields]
    natural = [surrogate.discrete(jet, "natural") for jet in energies.free]
    given = energies.settled_boundary
    geometric = [Row("geometric", label, Sum(Symbol(label)), Sum(given[label])) for label in energies.boundary]
    constraints = [
        Row("constraint", name, Sum(f), Sum())
        for name, f in zip(energies.multipliers, surrogate.constraints, strict=True)
    ]
    return (*ordinary, *partials, *natural, *geometric, *constraints)


def surrogate_row(energies: Lagrangian, name: str) -> Row:
    """The equation of one coordinate or field, untidied."""
    surrogate = _Surrogate(energies)
    if name in energies.fields:
        return surrogate.field(energies.spine_of(name), name)
    return surrogate.discrete(Jet(name), "ordinary")


def boundary_load(density: Basic, dissipation: Basic, jets: Jets, end: Jet, place: Basic, spine: str) -> Basic:
    """The load of a continuum on what is attached at an end, for its value (a force) or its slope (a moment).

    p = dL/de_x - D_x(dL/de_xx) - D_t(dL/de_xt) - dR/de_xt + D_x(dR/de_xxt), m = dL/de_xx - dR/de_xxt;
    the load is -p, -m at end a and +p, +m at end b: [M] Table 1, with 1 = a and 2 = b.
    """
    e = Jet(end.name)
    m = _d(density, e, x=2) - _d(dissipation, e, x=2, t=1)
    p = m
    if end.x == 0:
        p = _d(density, e, x=1) - jets.D_x(m) - jets.D_t(_d(density, e, x=1, t=1)) - _d(dissipation, e, x=1, t=1)
    return jets.at(p if end.end == "b" else -p, end.end, place, spine)


class _Surrogate:
    """The Lagrangian with its given boundary values put in, and the loads its continua pass on."""

    def __init__(self, energies: Lagrangian) -> None:
        self.energies, self.jets = energies, energies.jets
        settled = energies.settled
        self.rigid, self.dissipation = settled(energies.rigid), settled(energies.dissipation)
        self.constraints = tuple(settled(one) for one in energies.constraints.values())
        self.densities = {one.name: settled(energies.density.get(one.name, ZERO)) for one in energies.spines}
        self.dissipations = {
            one.name: settled(energies.dissipation_density.get(one.name, ZERO)) for one in energies.spines
        }
        self.loads = {jet.label: self._load(jet) for jet in energies.boundary_values}
        self.inertias = self._inertias()

    def _load(self, end: Jet) -> Basic:
        spine = self.energies.spine_of(end.name)
        density, dissipation = self.densities[spine.name], self.dissipations[spine.name]
        load = boundary_load(density, dissipation, self.jets, end, spine.place(end.end), spine.name)
        return self.energies.settled(load)

    def _inertias(self) -> dict[str, Basic]:
        """D_t dL/dg_t - dL/dg + dR/dg_t of all that is rigid, for every g at once: long energies are swept once."""
        jets, rows = self.jets, self.energies.generalized
        rates = [replace(g, t=g.t + 1) for g in rows]
        momenta = jets.D_t_of(jets.slopes(self.rigid, rates))
        forces, damping = jets.slopes(self.rigid, rows), jets.slopes(self.dissipation, rates)
        return {g.label: p - f + r for g, p, f, r in zip(rows, momenta, forces, damping, strict=True)}

    def discrete(self, g: Jet, kind: Kind) -> Row:
        """Steps 9 and 11 for a discrete coordinate, or for a free boundary value, which is one too."""
        left = Sum(self.inertias[g.label], self._along(g))
        return Row(kind, g.label, left, self._force(g))

    def _along(self, g: Jet) -> Mapping[str, Basic]:
        found = {name: self._lagrange(f, self.dissipations[name], g) for name, f in self.densities.items()}
        return {name: f for name, f in found.items() if f != 0}

    def _lagrange(self, lagrangian: Basic, dissipation: Basic, g: Jet) -> Basic:
        momentum = _d(lagrangian, g, t=1)
        return self.jets.D_t(momentum) - _d(lagrangian, g) + _d(dissipation, g, t=1)

    def _force(self, g: Jet) -> Sum:
        """Xi_s: applied loads, boundary loads F_k dB_k/dg (theory: one rule for every choice), reactions."""
        energies = self.energies
        local = energies.settled(energies.work.get(g.label, ZERO))
        if g.end:
            local += self.loads[g.label]
        for label, value in energies.settled_boundary.items():
            motion = _d(value, g)
            if motion != 0:
                applied = energies.settled(energies.work.get(label, ZERO))
                local += (self.loads.get(label, ZERO) + applied) * motion
        for name, constraint in zip(energies.multipliers, self.constraints, strict=True):
            rated = any(jet.t for jet in self.jets.unknowns(constraint))
            local += Jet(name).symbol * _d(constraint, g, t=1 if rated else 0)
        lines = {
            spine: energies.settled(loads[g.label])
            for spine, loads in energies.work_density.items()
            if loads.get(g.label, ZERO) != 0
        }
        return Sum(local, lines)

    def field(self, spine: Spine, name: str) -> Row:
        """Steps 9 and 10 for a field: the width dx of the particle is a common factor and is divided out."""
        D_t, D_x = self.jets.D_t, self.jets.D_x
        L, R, e = self.densities[spine.name], self.dissipations[spine.name], Jet(name)
        left = (
            D_t(_d(L, e, t=1)) - _d(L, e) + D_x(_d(L, e, x=1)) - D_x(D_x(_d(L, e, x=2))) - D_x(D_t(_d(L, e, x=1, t=1)))
        )
        left += _d(R, e, t=1) - D_x(_d(R, e, x=1, t=1)) + D_x(D_x(_d(R, e, x=2, t=1)))
        load = self.energies.settled(self.energies.work_density.get(spine.name, {}).get(name, ZERO))
        return Row("partial", name, Sum(left), Sum(load), spine.name)


def _d(f: Basic, jet: Jet, x: int = 0, t: int = 0) -> Basic:
    """Partial derivative by one jet of a coordinate or field."""
    return partial(f, replace(jet, x=jet.x + x, t=jet.t + t).symbol)
