"""What is on the page: strokes and labels, each with the part it belongs to. Lengths are points (1/72 inch)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Stroke:
    """A line through points (n, 2); `fill` is the colour inside a closed one; `head` puts an arrow at its end."""

    points: Array
    colour: str = "#222222"
    width: float = 1.2
    closed: bool = False
    fill: str | None = None
    dashed: bool = False
    head: bool = False
    level: float = 2  # what lies above what

    def moved(self, origin: Array, along: Array) -> Stroke:
        """Drawn at `origin`, its first axis turned to the unit vector `along`."""
        across = np.array([-along[1], along[0]])
        points = origin + self.points[:, :1] * along + self.points[:, 1:] * across
        return Stroke(points, self.colour, self.width, self.closed, self.fill, self.dashed, self.head, self.level)


@dataclass(frozen=True)
class Label:
    """Text beside `at`; `mathematics` is what it is written with, `centre` where it was put."""

    text: str
    at: Array
    size: tuple[float, float]
    colour: str = "#222222"
    mathematics: bool = True
    centre: Array | None = None

    def moved(self, shift: Array) -> Label:
        """Somewhere else."""
        centre = None if self.centre is None else self.centre + shift
        return Label(self.text, self.at + shift, self.size, self.colour, self.mathematics, centre)

    @property
    def plain(self) -> str:
        """Text that is no mathematics, as it was given: Matplotlib reads dollars and backslashes."""
        return self.text.replace(r"\$", "$").replace("\\\\", "\\")

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, bottom, right, top."""
        x, y = self.at if self.centre is None else self.centre
        wide, high = self.size
        return (float(x - wide / 2), float(y - high / 2), float(x + wide / 2), float(y + high / 2))


@dataclass(frozen=True)
class Drawn:
    """One thing on the page, by the name that its group has in a vector file."""

    name: str
    strokes: tuple[Stroke, ...]
    labels: tuple[Label, ...] = ()


@dataclass
class Sheet:
    """All things, in the order they were drawn, and what is said below the picture."""

    things: list[Drawn] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, name: str, strokes: list[Stroke], *labels: Label) -> None:
        """One more thing."""
        self.things.append(Drawn(name, tuple(strokes), labels))

    @property
    def labels(self) -> list[Label]:
        """All labels."""
        return [label for thing in self.things for label in thing.labels]

    @property
    def bounds(self) -> tuple[Array, Array]:
        """The lower left and upper right corners of everything."""
        boxes = [np.array(label.box).reshape(2, 2) for label in self.labels]
        points = np.concatenate([*(s.points for thing in self.things for s in thing.strokes), *boxes, np.zeros((1, 2))])
        return points.min(axis=0), points.max(axis=0)
