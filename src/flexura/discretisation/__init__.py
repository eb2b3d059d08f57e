"""From energies to numbers: Ritz on the Lagrangian, never on the differential equations (theory, section 6).

`mesh.py` holds the functions of x and `layout.py` the unknowns; `separate.py` splits densities into functions of time
and integrals over x, which `forms.py` does once; `gather.py` collects both, `scalars.py` writes the equations of the
few scalars, `ritz.py` adds those of the many amplitudes, `points.py` what does not separate; `program.py` compiles and
`system.py` hands out the result. `linear.py` and `eigen.py` are for linear systems. A new basis is one file beside
`mesh.py`: a class with `ends`, `amplitudes` and `table`.

Files:

    balanced     Units for unknowns without inertia that nothing ties to those of motions: first-order states beside
                 coordinates
    cache        Compiled programs kept on disk, so that whoever asks about the same system again does not wait for
                 the compiler
    damped       Roots of s^2 M + s C + K with all their digits, and what rounding may have done to each
    degrees      Which degrees a tree has in some symbols, read off its shape: nothing is expanded, each branch is
                 visited once
    driving      Curves that drive prescribed motions from outside: numbers at each time, symbols where a system is
                 traced
    eigen        Eigenvalues of small dense matrices with all their digits: low modes beside stiff ones
    fingerprint  What a discretised system is made of, as one short text: systems with the same text have the same
                 equations
    flags        What an integrator may rely on: read off the symbolic coefficients, never off numbers
    forms        Integrals over x, done once: quadratic forms in the unknowns and their rates on one spine
    idle         Inputs that do no work: places in u all the same, because reactions hold what they are
    gather       The energies of a discretised system as functions of scalars and of moments, and the moments as
                 forms (theory, 6)
    held         Conditions along a spine, g = 0 at Gauss points: the rows of multiplier fields, as many to an
                 element as its order
    layout       What the unknowns are: scalars (coordinates, free end values), then amplitudes; fields as
                 combinations of them
    linear       Linear equations as matrices, M x'' + (D + G) x' + (K + H) x = F u(t), symmetric to the last bit
    loads        Loads that hold accelerations: equations may, systems in numbers do not
    mesh         Functions of x along one spine: Hermite at the nodes, integrated Legendre polynomials inside each
                 element
    points       Densities that do not separate, at Gauss points: values, slopes and curvatures of functions of
                 fields and scalars
    program      Trees compiled to numbers: one flat list with common subexpressions shared, read back as arrays
    quick        Forces and slopes of systems that are linear but for what is taken at points, as those of members
                 that bend far
    reconstruct  Fields from unknowns: value = table(x) (q, p) + lifts
    ritz         A discretised Lagrangian evaluated: scalars from compiled programs, amplitudes from forms, points
                 where need be
    scalars      The equations of the scalars, symbolically: what is compiled, with moments as symbols
    separate     Separation of variables: a density as a sum of (function of time) x (function of x) x (fields, at
                 most two)
    spines       The forms of one spine in numbers, and its motion at one instant, or at many at once
    swept        The equations of the scalars of large systems: what `scalars.py` writes out entry by entry, along
                 directions
    system       A Lagrangian discretised and made ready for an integrator
    tables       Matrices that lead from unknowns to values at points: sparse where elements are many
    tape         Long lists of trees compiled piece by piece, for systems whose trees are too many for one flat
                 program
    tied         A system without the axial displacements that bending gives: what an integrator sees has no
                 conditions left of them
    ties         Axial displacements that conditions along members give by their bending, put in: M = J' M J is
                 positive as it stands
    written      A system of equations of motion as trees, for other languages: M a = f + A' lambda, constraints,
                 slopes, energies
"""
