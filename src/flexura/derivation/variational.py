"""The variational route, [M] appendix A: vary the action, integrate by parts, collect what multiplies each variation.

Independent of the surrogate route: no Lagrange equation is written anywhere here. The first variation is a linear form
in the varied jets (delta q, delta e_x, delta e_xt, ...); integration by parts moves every derivative off them, and what
remains multiplies delta q_i, delta e inside the spine, and delta e, delta e_x at its ends (eqs. 45-50).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from flexura.derivation.equations.rows import Row, Sum
from flexura.energy.lagrangian import Lagrangian, Spine
from flexura.symbolic.engine import ZERO, Basic, Symbol, partial
from flexura.symbolic.jets import Jet, Jets

Form = dict[Jet, Basic]
"""A linear form in variations: the jet that is varied -> its coefficient."""


def variational_rows(energies: Lagrangian) -> tuple[Row, ...]:
    """All equations of the system from delta(action) + virtual work = 0."""
    variation = _Variation(energies)
    variation.vary_what_is_rigid()
    for spine in energies.spines:
        variation.vary_along(spine)
    return variation.rows()


class _Variation:
    """Coefficients of the independent variations, collected term by term."""

    def __init__(self, energies: Lagrangian) -> None:
        self.energies, self.jets = energies, energies.jets
        self.left: dict[str, Sum] = {jet.label: Sum() for jet in energies.generalized}
        self.right: dict[str, Sum] = {jet.label: Sum() for jet in energies.generalized}
        self.inside: dict[str, tuple[Basic, Basic]] = dict.fromkeys(energies.fields, (ZERO, ZERO))

    def vary_what_is_rigid(self) -> None:
        """delta L_rigid, the virtual work at coordinates and ends, dissipation and constraints."""
        energies, settled = self.energies, self.energies.settled
        energy = _merge(
            _vary(settled(energies.rigid), self.jets),
            _dissipated(settled(energies.dissipation), self.jets),
        )
        for jet, coefficient in _by_parts_in_time(energy, self.jets).items():
            self.left[jet.label] += Sum(-coefficient)
        for target, load in energies.work.items():
            self._work_at(target, settled(load))
        for name, constraint in zip(energies.multipliers, map(settled, energies.constraints.values()), strict=True):
            for jet, coefficient in _admissible(_vary(constraint, self.jets)).items():
                self.right[jet.label] += Sum(Jet(name).symbol * coefficient)

    def vary_along(self, spine: Spine) -> None:
        """The integral of delta L_f along one spine, and the work of line loads."""
        energies, settled = self.energies, self.energies.settled
        form = _merge(
            _vary(settled(energies.density.get(spine.name, ZERO)), self.jets),
            _dissipated(settled(energies.dissipation_density.get(spine.name, ZERO)), self.jets),
        )
        for jet, coefficient in _by_parts_in_time(form, self.jets).items():
            if jet.name in spine.fields and not jet.end:
                self._by_parts_in_space(spine, jet, coefficient)
            else:
                self.left[jet.label] += Sum(ZERO, {spine.name: -coefficient})
        for target, load in energies.work_density.get(spine.name, {}).items():
            if target in spine.fields:
                self._collect_inside(target, ZERO, settled(load))
            else:
                self.right[target] += Sum(ZERO, {spine.name: settled(load)})

    def _by_parts_in_space(self, spine: Spine, jet: Jet, coefficient: Basic) -> None:
        """int c delta(e_x..) dx = [c delta(e_..)] - int c_x delta(e_..) dx, until no derivative is left."""
        while jet.x:
            jet = replace(jet, x=jet.x - 1)
            for end, sign in (("a", -1), ("b", 1)):
                value = self.jets.at(sign * coefficient, end, spine.place(end), spine.name)
                self._work_at(replace(jet, end=end).label, self.energies.settled(value))
            coefficient = -self.jets.D_x(coefficient)
        self._collect_inside(jet.name, -coefficient, ZERO)

    def _collect_inside(self, name: str, left: Basic, right: Basic) -> None:
        before = self.inside[name]
        self.inside[name] = (before[0] + left, before[1] + right)

    def _work_at(self, target: str, load: Basic) -> None:
        """Work load * delta(target); a boundary value that is given varies with what gives it."""
        if target not in self.energies.boundary:
            self.right[target] += Sum(load)
            return
        for jet, share in _vary(self.energies.settled_boundary[target], self.jets).items():
            self.right[jet.label] += Sum(load * share)

    def rows(self) -> tuple[Row, ...]:
        """One equation for each independent variation; what is given at ends and between coordinates joins them."""
        energies = self.energies
        ordinary = [Row("ordinary", name, self.left[name], self.right[name]) for name in energies.moving]
        partials = [
            Row("partial", name, Sum(self.inside[name][0]), Sum(self.inside[name][1]), spine.name)
            for spine in energies.spines
            for name in spine.fields
        ]
        natural = [Row("natural", jet.label, self.left[jet.label], self.right[jet.label]) for jet in energies.free]
        geometric = [
            Row("geometric", label, Sum(Symbol(label)), Sum(energies.settled_boundary[label]))
            for label in energies.boundary
        ]
        constraints = [
            Row("constraint", name, Sum(energies.settled(f)), Sum()) for name, f in energies.constraints.items()
        ]
        return (*ordinary, *partials, *natural, *geometric, *constraints)


def _vary(f: Basic, jets: Jets) -> Form:
    """The first variation: every jet of an unknown varies, time does not."""
    return {jet: partial(f, jet.symbol) for jet in jets.unknowns(f)}


def _dissipated(f: Basic, jets: Jets) -> Form:
    """Virtual work of a Rayleigh function: -dR/d(rate) on the variation of what has that rate."""
    return {replace(jet, t=jet.t - 1): -slope for jet, slope in _vary(f, jets).items() if jet.t}


def _admissible(form: Form) -> Form:
    """The variations a constraint allows: of the coordinates, or, for one in rates, along the rates (time frozen)."""
    rated = {replace(jet, t=0): slope for jet, slope in form.items() if jet.t}
    return rated or form


def _by_parts_in_time(form: Mapping[Jet, Basic], jets: Jets) -> Form:
    """int c delta(u_t) dt = - int c_t delta(u) dt; the variations vanish at both instants."""
    result: Form = {}
    for jet, coefficient in form.items():
        c = coefficient
        for _ in range(jet.t):
            c = -jets.D_t(c)
        still = replace(jet, t=0)
        result[still] = result.get(still, ZERO) + c
    return result


def _merge(*forms: Mapping[Jet, Basic]) -> Form:
    """Sum of forms. Dissipated and stored terms in the same jet add up."""
    result: Form = {}
    for jet, coefficient in _items(forms):
        result[jet] = result.get(jet, ZERO) + coefficient
    return result


def _items(forms: Iterable[Mapping[Jet, Basic]]) -> Iterable[tuple[Jet, Basic]]:
    return (item for form in forms for item in form.items())
