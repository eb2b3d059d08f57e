"""Routes from a Lagrangian to its equations of motion; each route is one file and shares only jets with the others.

A new route is a function `Lagrangian -> tuple[Row, ...]` and a line in `routes.py`.

Files:

    closed_loops  Loops that close with the numbers their parts carry, and would open with others
    cut_diagrams  Diagrams of systems with members: bodies and members cut free, each balance to first order in the
                  deflections
    decimals      Sines and cosines of a state in decimals as numbers
    diagrams      `fx.free_bodies`: every body and member cut free, with all that acts on it, and its balance as an
                  equation
    equivalence   Are two sets of equations the same? Compared through their virtual work, so that coordinates may
                  differ
    explain      Where the terms of an equation come from: `fx.explain(equations, "theta")` tells the part and the
                 effect of each
    family        Linear equations that keep a parameter free, so that it can be varied: for sensitivities, charts
                  and buckling
    generalized   Generalized masses and forces from positions ([V] I.3), and Lagrange's procedure for discrete
                  systems in eight steps
    kane          Kane's route: F_r + F_r* = 0 for every generalized speed, from velocities; no energy of motion is
                  written anywhere
    kane_lines    Where power goes: to discrete speeds, into the spines, and by parts to what gives the values at
                  their ends
    kane_speeds   Generalized speeds of the user's own: linear combinations of the rates, u = A q_t + b
    kane_steps    Kane's derivation told step by step, as data
    linearise     Linearise: expand the energies to second order about a state, and derive the linear equations from
                  that
    member_table  Table 1 of the memo, derived: each element with its energies and the loads it puts on what is
                  attached to its ends
    named         Equations restated in angles that add up along a chain: rows of many links then fit on a page
    newton_euler  Newton's and Euler's equations of every free body, with all reactions; then their elimination ([V]
                  I.1)
    opened        Linear equations in which prescribed motions are coordinates again: what a unit of such a motion
                  does
    power         The power equation: d(T + U)/dt is the power of the forces that are not in U ([V] I.2)
    routes        `derive`: one verb, several independent routes
    second_order  The energies of small motions about a state: second-order parts, and what is not potential as
                  loads
    sections      What sections of members carry, read off their energies: the boundary loads of theory.md 2 at any
                  x
    shared        Reactions that conditions share: of all values that balance, those of least norm
    state         The state a linearisation is about: values and steady rates, what balances there, and the loads it
                  carries
    steps         The derivation told step by step: the memo's eleven steps, and the four of the variational route,
                  as data
    still_fields  Fields that small motions leave at zero, because a multiplier field holds nothing but them: both
                  are left out
    surrogate     The surrogate-element route: the extended Lagrange equation on one representative particle of each
                  continuum
    variational   The variational route, [M] appendix A: vary the action, integrate by parts, collect what
                  multiplies each variation
    verify        `verify`: derive again by every other route that applies, hold the energies against the parts, and
                  compare
    equations/    Equations of motion as data: rows, steps, certificates, and the printers that show them
    prove/        Parts against energies: the motion of every particle of a model in many digits, without the
                  builder of its energies
"""
