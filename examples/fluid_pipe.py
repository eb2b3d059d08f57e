"""An element of your own in one file: a pipe that conveys fluid.

Run it: python examples/fluid_pipe.py
"""

from typing import ClassVar

import flexura as fx


class FluidPipe(fx.Member):
    """A pipe (EI, mass m per length) carrying fluid (mass M per length) at the constant speed U.

    The fluid moves with the pipe and along it: M (w_t^2 + 2 U w_t w_x)/2. As the pipe bends, its outlet comes nearer,
    and the momentum flux leaving there acts like a compression M U^2: + M U^2 w_x^2/2. Together M (w_t + U w_x)^2/2.
    """

    dimensions: ClassVar = {"m": "kg/m", "M": "kg/m", "U": "m/s"}

    def __init__(self, name, EI, m, M, U, length):
        EI, m, M, U = self.quantities(name, EI=EI, m=m, M=M, U=U)
        w = fx.Field(f"w_{name}", length=length)
        self.flux = M * U  # what an element keeps for itself is set before super().__init__
        self.speed = U
        super().__init__(
            name,
            fields=(w,),
            kinetic=m * w.t**2 / 2 + M * (w.t + U * w.x) ** 2 / 2,
            potential=EI * w.xx**2 / 2,
            ends={"transverse": w, "rotation": w.x},
        )


def pinned(pipe):
    """Both ends held, free to turn."""
    return fx.Lagrangian(density=pipe.density, boundary={pipe.boundary_value("transverse", end): 0 for end in "ab"})


def cantilever(pipe):
    """Clamped at the start; at the open end the jet takes its momentum away (Benjamin 1961): -M U (w_t + U w_x)."""
    tip, slope = pipe.boundary_value("transverse", "b"), pipe.boundary_value("rotation", "b")
    return fx.Lagrangian(
        density=pipe.density,
        boundary={pipe.boundary_value("transverse", "a"): 0, pipe.boundary_value("rotation", "a"): 0},
        work={tip: -pipe.flux * (tip.t + pipe.speed * slope)},
    )


def main():
    pipe = FluidPipe("pipe", EI="EI", m="m", M="M", U="U", length="l")
    for title, system in (("Pinned at both ends", pinned(pipe)), ("Cantilever", cantilever(pipe))):
        print(f"{title}\n\n{fx.derive(system)}\n")


if __name__ == "__main__":
    main()
