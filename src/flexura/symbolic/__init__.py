"""Quantities, places, jets and total derivatives: the algebra everything else is written in.

Expressions are symengine trees; SymPy appears only in `sympy_form`, the door to the outside. A new kind of atom
(something a user can name in an expression) is a `Declaration` in `expression.py`.

Files:

    antiderivatives  What a force law stores: its integral over the stretch, also across kinks and jumps
    dimensions   Dimensions of expressions, from the units in which the parameters in them were given
    engine       The symbolic engine (symengine) and the few conventions the whole house shares
    expression   Expressions users write: an engine tree plus what it mentions, so that no value, unit or identity
                 gets lost
    gathered     Trees for reading: compound angles, and in front of each wave what is given, times what moves
    impulses     Impulses in expressions: impulse(t - 1), Dirac's delta, whose integral across t = 1 is 1
    integrals    Definite integrals along the spine that can be done in closed form: powers of x times what does not
                 vary with x
    jets         Jets: every derivative of a coordinate or field is a symbol of its own, and D_t, D_x move between
                 them (theory, 1)
    linear       Trees that are linear in some of their symbols, taken apart
    machine      Trees as functions of numbers: the one door to the engine's compilers
    multiplied   How long an expression is when its products and powers are multiplied out: known before that is
                 done
    near         Which trees are zero where numbers are given: at the values that symbols carry, up to a tolerance;
                 else everywhere
    outputs      What is looked at: the motion of a place, what a connection exerts, what a section of a member
                 carries
    named        Coordinates, their rates and fields in place of their names, where numbers are given by name
    parser       Expressions as text: our own small grammar, read without ever evaluating code, and written back
    places       Places as text: "hub", "hub.at(r, 0)", "beam.start", "beam.at(l/2)", "ground.at(1, 0)"
    quantities   Quantities: the one reader of whatever a part is given, be it a name, a number, both, a unit or an
                 expression
    residues     Whether a long expression is zero: its values at random points, modulo a large prime
    shorten      sin^2 + cos^2 = 1 where it makes an expression shorter; dot products of vectors along turned axes
                 are full of it
    sweeps       Derivatives of many trees at once, in time and size proportional to the trees: each branch is
                 visited once
    sympy_form   The door to SymPy: jets become Functions and Derivatives of x and t, and SymPy expressions become
                 ours
    values       The number that a tree without symbols comes to
    walk         Walks over trees that share their branches: each branch is visited once, however often it is used
    waves        Trees as sums of monomials times exp(i k.angles): products of sines and cosines become those of
                 compound angles
    zero         Is an expression identically zero? A normal form first, exact evaluation at random points where
                 that is not enough
    kinematics/  Vectors, rotations and moving frames: absolute velocities, written in the frame that carries them
"""
