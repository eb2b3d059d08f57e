"""A ruler is bent by a weight at its end.

A slender cantilever carries a weight P at its end, with P L^2/EI = 1 and 10. How far does the end go down and draw
in, and how far does it turn?

Source: K. E. Bisshopp, D. C. Drucker, Quarterly of Applied Mathematics 3, 1945; digits from K. Mattiasson,
International Journal for Numerical Methods in Engineering 17, 1981, Table I.
"""

import flexura as fx

ruler = fx.ExactBeam("ruler", EI=1.0, rho=1.0, length=1.0)
model = fx.Model(fx.Fixed(fx.ground, ruler.start), fx.Force(ruler.end, "P"))


def end(P):
    """Down, in, and the angle."""
    u, v, phi = fx.equilibrium(model, {"P": P}).place(ruler, 1.0)[:3]
    return [v, -u, phi]


answer = {"P L^2/EI = 1": end(1.0), "P L^2/EI = 10": end(10.0)}
known = {"P L^2/EI = 1": ["0.30172", "0.05643", "0.46135"], "P L^2/EI = 10": ["0.81061", "0.55500", "1.43029"]}
