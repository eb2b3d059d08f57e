"""Cross-sections and materials by name: "tube 60x3 mm" of "steel" as the properties that members take.

    >>> section_properties("rectangle 20x40 mm", "aluminium")["EA"]
    56000000.0

Both tables are open: `fx.materials["bamboo"] = fx.Material(E="17 GPa", G="1 GPa", rho="700 kg/m**3")`, and
`fx.sections["IPE 200"] = "I 200x100x5.6x8.5 mm"` or a `fx.CrossSection`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flexura.arguments import checked_methods, nearest
from flexura.errors import FlexuraError
from flexura.symbolic.quantities import parameter_value

_TEXT = re.compile(r"\s*([A-Za-z][\w-]*)\s+([0-9.eE+\-x×*\s]+?)\s*(mm|cm|m|in|ft)?\s*")


@checked_methods
@dataclass(frozen=True)
class Material:
    """Young's modulus, shear modulus and density: numbers in SI units, or texts with a unit."""

    E: Any
    G: Any
    rho: Any

    def __post_init__(self) -> None:
        for name in ("E", "G", "rho"):
            value = _number(getattr(self, name), f"the {name} of a material")
            if not value > 0:
                raise FlexuraError(
                    f"The {name} of a material is {value:g}", advice="give a positive number", keyword=name
                )
            object.__setattr__(self, name, value)


@checked_methods
@dataclass(frozen=True)
class CrossSection:
    """Area, second moments, torsion constant and shear coefficient of a section, in metres.

    `Iz` resists bending in the member's x-y plane (which is that of a planar frame), `Iy` in the x-z plane; `k` is of
    shear along y, `kz` of that along z, the same if it is not given.
    """

    A: Any
    Iz: Any
    Iy: Any
    J: Any
    k: Any = 5 / 6
    kz: Any = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "kz", self.k if self.kz is None else self.kz)
        for name in ("A", "Iz", "Iy", "J", "k", "kz"):
            value = _number(getattr(self, name), f"the {name} of a section")
            if not value > 0:
                raise FlexuraError(
                    f"The {name} of a section is {value:g}", advice="give a positive number", keyword=name
                )
            object.__setattr__(self, name, value)


def _number(value: Any, what: str) -> float:
    try:
        return parameter_value("value", value)[0]
    except FlexuraError as error:
        raise FlexuraError(f"In {what}, {error.problem}", advice=error.advice) from None


def rectangle(b: float, h: float) -> CrossSection:
    """Width b (along z) and height h (along y), solid; the torsion constant by Saint-Venant's series."""
    long, short = max(b, h), min(b, h)
    odd = range(1, 30, 2)
    series = sum(math.tanh(n * math.pi * long / (2 * short)) / n**5 for n in odd)
    torsion = long * short**3 / 3 * (1 - 192 * short / (math.pi**5 * long) * series)
    return CrossSection(b * h, b * h**3 / 12, h * b**3 / 12, torsion, 5 / 6)


def round_bar(d: float) -> CrossSection:
    """A solid circle."""
    second = math.pi * d**4 / 64
    return CrossSection(math.pi * d**2 / 4, second, second, 2 * second, 0.9)


def tube(d: float, t: float) -> CrossSection:
    """A circular tube: outer diameter and wall."""
    inner = d - 2 * t
    second = math.pi * (d**4 - inner**4) / 64
    return CrossSection(math.pi * (d**2 - inner**2) / 4, second, second, 2 * second, 0.5)


def box(b: float, h: float, t: float) -> CrossSection:
    """A rectangular tube: width (along z), height (along y) and wall; torsion by Bredt, on the middle of the wall."""
    bi, hi = b - 2 * t, h - 2 * t
    bm, hm = b - t, h - t
    A = b * h - bi * hi
    Iz, Iy = (b * h**3 - bi * hi**3) / 12, (h * b**3 - hi * bi**3) / 12
    return CrossSection(A, Iz, Iy, 2 * (bm * hm) ** 2 * t / (bm + hm), 2 * hm * t / A, 2 * bm * t / A)


def i_beam(h: float, b: float, web: float, flange: float) -> CrossSection:
    """Height (along y), width, thickness of web and of flanges, without fillets; torsion of thin walls."""
    hi = h - 2 * flange
    A = 2 * b * flange + hi * web
    Iz = (b * h**3 - (b - web) * hi**3) / 12
    Iy = (2 * flange * b**3 + hi * web**3) / 12
    torsion = (2 * b * flange**3 + (h - flange) * web**3) / 3
    return CrossSection(A, Iz, Iy, torsion, h * web / A, 5 / 6 * 2 * b * flange / A)


_Shape = Callable[..., CrossSection]
_SHAPES: dict[str, tuple[_Shape, str, Callable[..., bool]]] = {
    "rectangle": (rectangle, "width x height", lambda b, h: True),
    "square": (lambda a: rectangle(a, a), "side", lambda a: True),
    "round": (round_bar, "diameter", lambda d: True),
    "tube": (tube, "diameter x wall", lambda d, t: 2 * t < d),
    "box": (box, "width x height x wall", lambda b, h, t: 2 * t < min(b, h)),
    "I": (i_beam, "height x width x web x flange", lambda h, b, w, f: w < b and 2 * f < h),
}

sections: dict[str, Any] = {}
"""Sections by a name of your own: a `fx.CrossSection`, or the text of one, like "box 60x40x3 mm"."""

materials: dict[str, Material] = {
    "steel": Material(210e9, 80.8e9, 7850.0),
    "stainless steel": Material(193e9, 75e9, 8000.0),
    "aluminium": Material(70e9, 26.3e9, 2700.0),
    "titanium": Material(114e9, 42.5e9, 4430.0),
    "copper": Material(117e9, 43.7e9, 8960.0),
    "brass": Material(105e9, 39e9, 8500.0),
    "cast iron": Material(110e9, 44e9, 7200.0),
    "concrete": Material(30e9, 12.5e9, 2400.0),
    "wood": Material(11e9, 0.69e9, 450.0),
}
"""Usual values of materials by name, for a first look; put your own beside them."""


def section_of(given: Any) -> CrossSection:
    """A section by its text or name, or as it is."""
    if isinstance(given, CrossSection):
        return given
    if not isinstance(given, str):
        raise FlexuraError(f"The section {given!r} is not known", advice="give a text like 'tube 60x3 mm'")
    if given in sections:
        return section_of(sections[given])
    read = _TEXT.fullmatch(given)
    word = given.split()[0] if given.split() else ""
    if read is None or read[1] not in _SHAPES:
        known = [*_SHAPES, *sections]
        raise FlexuraError(
            f"The section {given!r} is not known", advice=f"{nearest(word, known)}, with sizes like 'tube 60x3 mm'"
        )
    make, sizes, fits = _SHAPES[read[1]]
    if read[3] is None:
        raise FlexuraError(f"The section {given!r} has no unit", advice=f"write it like '{given.strip()} mm'")
    try:
        values = [float(one) for one in re.split(r"[x×*]", read[2])]
    except ValueError:
        values = []
    if len(values) != sizes.count(" x ") + 1 or not all(one > 0 for one in values) or not fits(*values):
        raise FlexuraError(
            f"The section {given!r} has sizes that make no {read[1]}",
            advice=f"give {sizes}, like '{_EXAMPLES[read[1]]}'",
        )
    metres = _number(f"1 {read[3]}", "a section")
    return make(*(one * metres for one in values))


_EXAMPLES = {
    "rectangle": "rectangle 20x40 mm",
    "square": "square 30 mm",
    "round": "round 25 mm",
    "tube": "tube 60x3 mm",
    "box": "box 60x40x3 mm",
    "I": "I 200x100x5.6x8.5 mm",
}


def material_of(given: Any) -> Material:
    """A material by its name, or as it is."""
    if isinstance(given, Material):
        return given
    if not isinstance(given, str) or given not in materials:
        raise FlexuraError(f"The material {given!r} is not known", advice=nearest(str(given), materials))
    return materials[given]


def section_properties(section: Any, material: Any) -> dict[str, Any]:
    """What members take of a section; `rho` is per length, `polar` the inertia about x, `three` that about x, y, z."""
    if all(hasattr(section, one) for one in ("E", "G", "rho", "A", "Iy", "Iz")):  # fx.Section has its material
        torsion = section.J or section.Iy + section.Iz
        made = CrossSection(section.A, section.Iz, section.Iy, torsion, section.ky, section.kz)
        return section_properties(made, Material(section.E, section.G, section.rho))
    shape, stuff = section_of(section), material_of(material)
    return {
        "EA": stuff.E * shape.A,
        "EI": stuff.E * shape.Iz,
        "EIy": stuff.E * shape.Iy,
        "EIz": stuff.E * shape.Iz,
        "GJ": stuff.G * shape.J,
        "kGA": shape.k * stuff.G * shape.A,
        "kGAy": shape.k * stuff.G * shape.A,
        "kGAz": shape.kz * stuff.G * shape.A,
        "rho": stuff.rho * shape.A,
        "rotary_inertia": stuff.rho * shape.Iz,
        "polar": stuff.rho * (shape.Iy + shape.Iz),
        "three": tuple(stuff.rho * I for I in (shape.Iy + shape.Iz, shape.Iy, shape.Iz)),
    }
