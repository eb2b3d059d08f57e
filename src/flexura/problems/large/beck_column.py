"""Beck's column flutters.

A cantilever is pressed by a force that always follows its tip. It never buckles; at which load does it flutter?

Source: M. Beck, Zeitschrift fuer angewandte Mathematik und Physik 3, 1952: 20.05 EI/L^2.
"""

import flexura as fx

column = fx.EulerBernoulliBeam("column", EI=1.0, rho=1.0, length=1.0)
model = fx.Model(fx.Fixed(fx.ground, column.start), fx.Force(column.end, "-P", along="x", axes=column.end))
answer = {"P L^2/EI": float(fx.flutter(model, "P", between=(0, 30)))}
known = {"P L^2/EI": "20.05"}
