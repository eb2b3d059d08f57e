"""Rayleigh, Ritz, Dunkerley, finite elements, slopes and perturbations.

Files, in the order of the chapter:

    rayleigh_cantilever     Two guesses of a cantilever's shape
    a_third_of_the_spring   Count a third of the spring's mass
    dunkerley_cantilever    A bound from below
    one_cubic_element       One finite element for a cantilever
    linear_elements         A rod of four linear elements
    fourth_order            How fast cubic elements converge
    crumb_on_the_tip        A fly on a tuning fork
    cut_to_tune             Tuning a bar by its length
    twins_that_part         Two equal pendulums begin to feel each other
    light_dashpot           A little damping at the tip
    effective_masses        How much of a tower shakes with each mode
    modes_of_a_static_load  How many modes make a static deflection?
    influence_coefficients  Three machines on a light beam
    hardening_spring        A spring that hardens
    limit_cycle             An oscillator that keeps itself going
"""
