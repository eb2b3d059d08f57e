"""States of rest of whatever bends, and paths of them: helpers of `fx.equilibrium` and `fx.equilibrium_path`.

Everything here is about R(y, p) = 0: equations at rest in numbers, with one parameter. `rest_system.py` makes them from
energies, `newton.py` solves them, `load_steps.py` and `arc.py` follow their solutions, `stability.py` and `singular.py`
tell what those are like.

Files:

    arc             Paths of states of rest over a parameter, followed by the length of their arc, so that they may turn
                    back
    bent            States of rest of members that bend far: Newton's method on Ritz's equations, finer until the shapes
                    stand still
    follow          One path of states of rest, followed from end to end of a range of the parameter, with what it
                    passes
    load_steps      A state of rest under all loads, from one that is known without them, in steps that find their size
    newton          Newton's method for equations at rest, in unknowns scaled to the root of an energy
    path            A path of states of rest as users get it: arrays over its points, each a state of its own
    relaxation      Where loads bring what moves freely without them: a rope that hangs, a pendulum
    resolution      How well polynomials hold shapes at rest, and states moved to finer ones
    rest_positions  Where a system without fields rests: damped Newton steps from several starts
    rest_state      A state of rest as users get it: a dict that knows its places, positions and values
    rest_system     Equations at rest as numbers, one parameter of which may be followed
    shapes          Shapes at rest that polynomials hold, as text in x
    singular        Limit and branch points of a path: where a stiffness passes through zero
    stability       Whether a state of rest is stable: the tangent stiffness on what constraints leave
    trace           A whole path, in polynomials that become finer on the way
    switching       From one path onto another that crosses it
"""
