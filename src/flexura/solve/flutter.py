"""Flutter: the value of a parameter at which a motion first grows by oscillating, as follower forces make it.

    >>> load = fx.flutter(equations, "P", values={"EI": 50.0})
    >>> load, load.frequency, load.shape.w(0.5), bool(load.certificate)       # a number that knows how it swings

Eigenvalues of the exact equations are followed over the parameter. Without damping two frequencies meet, and what is
solved for is where they do; with damping it is where Re s passes zero. Damping may lower the value (Ziegler 1952).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from flexura.arguments import checked_methods
from flexura.display import Displayed, Table
from flexura.errors import FlexuraError
from flexura.solve.critical_loads import GROWS, SLOW, Followed, Search
from flexura.solve.exact.shapes import Shape
from flexura.solve.modes import modes
from flexura.solve.roots.found import Modes

_MODES = 6
_BESIDE = 1e-4  # of the value: how far below and above it the certificate looks
_NEAR = 1e-6
_AGREE = 1e-6  # of |s|: how far the two routes may differ


@dataclass(frozen=True, repr=False)
class FlutterCertificate(Displayed):
    """What grows most, Re s/|s|, just below and just above the value, by two routes; true if both see it begin.

    `exact` is of the equations themselves, `ritz` of matrices that share nothing with them but the energies.
    """

    between: tuple[float, float]
    exact: tuple[float, float]
    ritz: tuple[float, float]

    def __bool__(self) -> bool:
        agree = np.allclose(self.exact, self.ritz, rtol=0, atol=_AGREE)
        return bool(agree and all(low <= GROWS < high for low, high in (self.exact, self.ritz)))

    def summary(self) -> str:
        """Whether both routes see it begin."""
        return (
            f"{'verified' if self else 'NOT verified'}, begins between {self.between[0]:.8g} and {self.between[1]:.8g}"
        )

    def told(self) -> Iterator[Table | str]:
        """Growth on both sides by both routes."""
        yield self.summary()
        pairs = zip(("below", "above"), self.between, self.exact, self.ritz, strict=True)
        yield Table(
            ("", "at", "Re s/|s|, exact", "Ritz"),
            [(side, f"{at:.8g}", f"{exact:.3e}", f"{ritz:.3e}") for side, at, exact, ritz in pairs],
        )


@checked_methods
class Flutter(float):
    """The value at which a motion begins to grow by oscillating; `frequency` in rad/s is that of the motion.

    `parameter` is its name, `modes` those just beyond, of which number `mode` grows, `shape` is complex.
    """

    parameter: str
    frequency: float
    _search: Search
    _away: float

    def __new__(cls, value: float, frequency: float, search: Search, start: float) -> Flutter:
        """Found on the way from `start`."""
        made = super().__new__(cls, value)
        made.parameter, made.frequency = search.parameter, frequency
        made._search, made._away = search, value - start
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Flutter, (float(self), self.frequency, self._search, float(self) - self._away)

    @property
    def value(self) -> float:
        """The number itself."""
        return float(self)

    @cached_property
    def modes(self) -> Modes:
        """The modes just beyond, of which number `mode` grows; found when asked for."""
        return self._search.modes(float(self) + _NEAR * self._away)

    @property
    def mode(self) -> int:
        """Which of them grows."""
        s = self.modes.eigenvalues
        return int(np.argmax(s.real / np.maximum(np.abs(s), 1e-300)))

    @property
    def shape(self) -> Shape:
        """How it swings: complex, since its parts are not in phase."""
        return self.modes.shape(self.mode)

    @cached_property
    def certificate(self) -> FlutterCertificate:
        """Nothing grows just below, something does just above: by the exact equations, and by Ritz."""
        sides = float(self) - _BESIDE * self._away, float(self) + _BESIDE * self._away

        def growth(by: Callable[[float], Modes]) -> tuple[float, float]:
            below, above = (_growth(by(one)) for one in sides)
            return below, above

        return FlutterCertificate(
            sides,
            growth(lambda at: modes(self._search.equations, _MODES, self._search.values(at))),
            growth(lambda at: modes(self._search.equations, _MODES, self._search.values(at), method="ritz")),
        )

    def __repr__(self) -> str:
        return f"<flutter at {self.parameter} = {float(self):.10g}, {self.frequency:.6g} rad/s>"


def flutter(
    equations: Any,
    parameter: str,
    values: Mapping[str, Any] | None = None,
    between: tuple[float, float] | None = None,
) -> Flutter:
    """The value of `parameter`, nearest to the start, beyond which a motion grows by oscillating: a number.

    Arguments:
        `equations`: a model or equations; `parameter`: the name of one of its parameters.
        `values`: numbers for parameters without one.
        `between`: (a, b) goes from a to b; else the start is 0, or the parameter's own value where there is no system
            at 0.
    Returns fx.Flutter, a float, with `.frequency` in rad/s there. Beck's column, whose load follows its end, does not
    buckle:

    >>> import flexura as fx
    >>> beam = fx.EulerBernoulliBeam("beam", EI=1.0, rho=1.0, length=1.0)
    >>> load = fx.Force(beam.end, "-P", along="x", axes=beam.end)
    >>> round(fx.flutter(fx.Model(fx.Fixed(fx.ground, beam.start), load), "P"), 3)
    20.051
    """
    search = Search.of(equations, parameter, values)
    start, steps = search.steps(between, SLOW)
    value, s = Followed(search, start, _MODES).first(steps)
    if not s.imag:
        raise FlexuraError(
            "The system does not flutter: before any motion grows by oscillating, a frequency reaches zero, at"
            f" {parameter} = {value:.10g}",
            advice="ask fx.buckling for what it does there",
        )
    made = Flutter(value, 0.0, search, start)
    made.frequency = float(abs(made.modes.eigenvalues[made.mode].imag))
    return made


def _growth(found: Modes) -> float:
    """Re s/|s| of what grows most."""
    s = found.eigenvalues
    return float(np.max(s.real / np.maximum(np.abs(s), 1e-300), initial=-1.0))
