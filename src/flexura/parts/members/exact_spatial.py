"""The exact beam in space (Simo and Reissner): any deflection, any rotation of its sections (theory, section 7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NoReturn

import symengine

from flexura.arguments import checked_methods
from flexura.energy.field import Field
from flexura.errors import FlexuraError
from flexura.parts.members.member import Member, rate
from flexura.symbolic.engine import SPINE, ZERO, Basic, Symbol, exact
from flexura.symbolic.expression import Declaration, Expression
from flexura.symbolic.kinematics.curves import arc
from flexura.symbolic.kinematics.quaternions import Quaternion, rate_in_turned_axes, squared, turned_back
from flexura.symbolic.kinematics.vectors import AXES, EX, EZ, Vector, add, cross, dot, rotation, scale, turn_back, unit
from flexura.symbolic.quantities import merge_values, quantity
from flexura.symbolic.zero import vanishes

_STIFF = ("EA", "kGAy", "kGAz", "GJ", "EIy", "EIz")
_FORCES = ("N", "Qy", "Qz", "T")  # of which one is a field where its stiffness is None
_UNITS = tuple(tuple("N" if i < 3 > j else "N*m" if i < 3 or j < 3 else "N*m**2" for j in range(6)) for i in range(6))


@checked_methods
class ExactSpatialBeam(Member):
    """V = [Gamma, K] C [Gamma, K] / 2, with Gamma = R' r_x - e1 and K the curvature and twist beyond those at rest.

    C is diag(EA, kGAy, kGAz, GJ, EIy, EIz), or any `stiffness` of six rows: of stretch, shear along y and z, twist, and
    bending about y and z. What is None is rigid: the beam does not stretch (force N), shear (Qy, Qz) or twist (T), and
    that force is a field. u, v, w are displacements from rest along the member's own axes. Sections turn from rest by
    the unit quaternion (1 + delta/2, alpha/2, -beta/2, gamma/2): for small rotations alpha is the twist, beta and
    gamma are the slopes of w and v; for large ones it has no limit, and a turn of the whole beam strains nothing. The
    field mu holds its length at 1, and is zero, because no energy depends on that length.

    >>> beam = ExactSpatialBeam("beam", EA=1e4, EIy=100, EIz=100, GJ=80, rho=1, length=10)
    >>> u, v, w, alpha, beta, gamma, delta, mu, *forces = beam.fields
    """

    def __init__(
        self,
        name: str,
        EA: Any = None,
        EIy: Any = None,
        EIz: Any = None,
        GJ: Any = None,
        rho: Any = None,
        length: Any = None,
        kGAy: Any = None,
        kGAz: Any = None,
        rotary_inertia: Any = None,
        stiffness: Any = None,
        curvature: Any = (0, 0, 0),
        damping: Any = 0,
        internal_damping: Any = 0,
        field: Any = None,
    ) -> None:
        """Each property is any quantity and may vary along x; `curvature` is the twist at rest, and that about y and z.

        `rotary_inertia` per length is the polar one or three, (Jx, Jy, Jz); None takes that of a homogeneous section,
        Jy = rho EIy/EA, Jz = rho EIz/EA and their sum, or none where EA is not given. `damping` resists u, v and w
        alike. `field` names (u, v, w, alpha, beta, gamma, delta, mu), and then the forces that there are.
        """
        given = dict(zip(_STIFF, (EA, kGAy, kGAz, GJ, EIy, EIz), strict=True))
        C = self._section_of(name, given, stiffness)
        c, eta, rho = self.quantities(name, damping=damping, internal_damping=internal_damping, rho=rho)
        rigid = [None if stiffness is not None or one is not None else force
                 for one, force in zip(given.values(), _FORCES, strict=False)]  # fmt: skip
        stems = ("u", "v", "w", "alpha", "beta", "gamma", "delta", "mu", *rigid)
        u, v, w, alpha, beta, gamma, delta, mu, *forces = self.make_fields(name, length, field, *stems)
        turned = (1 + delta / 2, alpha / 2, -beta / 2, gamma / 2)
        heading, about, axis = self._at_rest(name, curvature)
        strains = _strains((u, v, w), (delta, alpha, beta, gamma), turned, heading, about)
        stored = sum((C[i, j] * strains[i] * strains[j] / 2 for i, j in C), Expression(ZERO))
        held = sum((f * strain for f, strain in zip(forces, strains, strict=False) if f is not None), Expression(ZERO))
        length_of = Expression(squared(_trees(turned)), delta.declarations.union(*(one.declarations for one in turned)))
        lost = c * (u.t**2 + v.t**2 + w.t**2) / 2
        if eta.engine != 0:
            rates = [rate(one) for one in strains]
            lost += eta * sum((C[i, j] * rates[i] * rates[j] for i, j in C), Expression(ZERO)) / 2
        super().__init__(
            name,
            fields=(u, v, w, alpha, beta, gamma, delta, mu, *forces),
            potential=stored + held + mu * (length_of - 1) / 2,
            dissipation=lost,
            ends={"axial": u, "transverse": v, "lateral": w, "rotation": gamma, "tilt": beta, "twist": alpha},
            displacement=(u, v, w),
            rotation=(alpha, -beta, gamma),
            rho=rho,
            rotary_inertia=_inertia(C, rho, rotary_inertia),
            axis=axis,
            heading=heading,
            about=about,
            bends_far=True,
            quaternion=turned,
        )

    @classmethod
    def _section_of(cls, name: str, given: dict[str, Any], stiffness: Any) -> dict[tuple[int, int], Expression]:
        """The entries of C that are not zero."""
        if stiffness is None:
            missing = [one for one in ("EIy", "EIz") if given[one] is None]
            if missing:
                raise FlexuraError(
                    f"The member {name} has no {' and no '.join(missing)}",
                    advice="give them, or the whole section as stiffness= with six rows",
                    part=name,
                    keyword=missing[0],
                )
            known = {key: one for key, one in given.items() if one is not None}
            read = dict(zip(known, cls.quantities(name, **known), strict=True))
            return {(i, i): read[key] for i, key in enumerate(_STIFF) if key in read}
        if twice := [key for key, one in given.items() if one is not None]:
            raise FlexuraError(
                f"The member {name} is given stiffness and {twice[0]}", advice="give one of the two", part=name
            )
        return _read_section(name, stiffness)

    @classmethod
    def _at_rest(cls, name: str, curvature: Any) -> tuple[Expression, Vector, tuple[Expression, ...]]:
        """By which angle, and about which axis, sections are turned at rest, and where the axis of the beam runs."""
        if not isinstance(curvature, Sequence) or isinstance(curvature, str) or len(curvature) != 3:
            raise FlexuraError(
                f"The curvature of {name} is {curvature!r}",
                advice="give three: the twist at rest, and the curvatures about y and z",
                part=name,
                keyword="curvature",
            )
        read = [quantity(one, f"curvature{i}", name, dimension="1/m", spine=True) for i, one in enumerate(curvature, 1)]
        declared = frozenset[Declaration]().union(*(one.declarations for one in read))
        k: Vector = (read[0].engine, read[1].engine, read[2].engine)
        bent = [i for i, one in enumerate(k) if one != 0]
        about, size = EZ, ZERO
        if len(bent) == 1:
            about, size = AXES[bent[0]], k[bent[0]]
        elif bent:
            about, size = unit(k), symengine.sqrt(dot(k, k))
        found = None if len(bent) > 1 and any(SPINE in one.free_symbols for one in k) else arc(size)
        if found is None:
            raise FlexuraError(
                f"The curvature of {name} turns about no fixed axis, or has no integral along x in closed form",
                advice="join beams of constant curvature, or of one component that is a polynomial in x, with fx.Fixed",
                part=name,
                keyword="curvature",
            )
        angle, cosines, sines = found
        along = scale(dot(about, EX), about)
        across = add(EX, scale(symengine.Integer(-1), along))
        points = add(scale(SPINE, along), scale(cosines, across), scale(sines, cross(about, EX)))
        return Expression(angle, declared), about, tuple(Expression(one, declared) for one in points)


def _trees(parts: Sequence[Expression]) -> Quaternion:
    a, b, c, d = (one.engine for one in parts)
    return (a, b, c, d)


def _strains(
    moved: tuple[Field, Field, Field],
    parameters: tuple[Field, Field, Field, Field],
    turned: Sequence[Expression],
    heading: Expression,
    about: Vector,
) -> list[Expression]:
    """Stretch, two shears, twist and two curvatures, in the axes of the section."""
    resting, e = rotation(about, heading.engine), _trees(turned)
    u, v, w = (one.x.engine for one in moved)
    delta, alpha, beta, gamma = (one.x.engine / 2 for one in parameters)
    line = add((u, v, w), (resting[0][0], resting[1][0], resting[2][0]))
    stretched = turn_back(resting, turned_back(e, line))
    bent = turn_back(resting, rate_in_turned_axes(e, (delta, alpha, -beta, gamma)))
    declared = heading.declarations.union(*(one.declarations for one in (*moved, *parameters)))
    return [Expression(one, declared) for one in (stretched[0] - 1, *stretched[1:], *bent)]


def _inertia(C: Mapping[tuple[int, int], Expression], rho: Expression, given: Any) -> Any:
    """About x, y and z."""
    if given is None:
        y, z = (rho * C[i, i] / C[0, 0] if (0, 0) in C else Expression(ZERO) for i in (4, 5))
        return (y + z, y, z)
    return given if isinstance(given, tuple | list) and len(given) == 3 else (given, 0, 0)


def _read_section(name: str, given: Any) -> dict[tuple[int, int], Expression]:
    """Six rows of six quantities, symmetric and, as far as they are numbers, positive definite."""
    rows = [list(row) for row in given] if isinstance(given, Iterable) and not isinstance(given, str) else []
    if len(rows) != 6 or any(len(row) != 6 for row in rows):
        _refuse(name, "is not six rows of six", "give stretch, shear along y and z, twist, bending about y and z")
    C: dict[tuple[int, int], Expression] = {}
    for i, row in enumerate(rows):
        for j, one in enumerate(row):
            plain = one.item() if hasattr(one, "item") else one  # a NumPy number, without importing NumPy
            C[i, j] = quantity(plain, f"C{i + 1}{j + 1}", name, dimension=_UNITS[i][j], spine=True)
    known = _known(C)
    for i, j in combinations(range(6), 2):
        if not vanishes(known[i, j] - known[j, i]):
            _refuse(
                name,
                f"is not symmetric: row {j + 1} has {known[j, i]} in column {i + 1}, and row {i + 1} has {known[i, j]}"
                f" in column {j + 1}",
                "give C, whose energy is [Gamma, K] C [Gamma, K]/2",
            )
        C[j, i] = C[i, j]
    _refuse_indefinite(name, known)
    return {where: one for where, one in C.items() if one.engine != 0}


def _known(C: Mapping[tuple[int, int], Expression]) -> dict[tuple[int, int], Basic]:
    """With the values that they carry."""
    known = merge_values(declared for one in C.values() for declared in one.declarations).values()
    values = {Symbol(one.name): exact(one.value) for one in known if one.value is not None}
    return {where: one.engine.xreplace(values) for where, one in C.items()}


def _refuse_indefinite(name: str, known: Mapping[tuple[int, int], Basic]) -> None:
    """By elimination: every pivot of a positive definite matrix is positive."""
    left = dict(known)
    if any(one.free_symbols for one in left.values()):
        return
    for k in range(6):
        if float(left[k, k]) <= 0:
            strain = ("stretch", "shear along y", "shear along z", "twist", "bending about y", "bending about z")[k]
            _refuse(
                name,
                f"is not positive definite: it stores no energy, or less, in a {strain} with the others in balance",
                "give one whose six eigenvalues are positive",
            )
        for i, j in ((i, j) for i in range(k + 1, 6) for j in range(k + 1, 6)):
            left[i, j] = left[i, j] - left[i, k] * left[k, j] / left[k, k]


def _refuse(name: str, problem: str, advice: str) -> NoReturn:
    raise FlexuraError(f"The stiffness of {name} {problem}", advice=advice, part=name, keyword="stiffness")
