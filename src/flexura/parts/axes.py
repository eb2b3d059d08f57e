"""Directions as parts are given them: "x", "-y", or a vector."""

from flexura.symbolic.kinematics.axes import direction

__all__ = ["direction"]
