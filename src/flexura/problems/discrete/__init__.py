"""Rigid bodies, particles and springs.

Files, in the order of the chapter:

    disc_on_incline        A disc rolls on an incline, held by a spring
    pinned_bar             A bar swings from a pin at its end
    wide_swing             A pendulum swings as far as 120 degrees
    double_pendulum        Two equal bobs on two equal strings
    cart_and_bar           A bar hangs from a cart that is free to roll
    relative_forces        Three carts in relative coordinates
    chain_of_masses        Five equal masses between walls
    linear_molecule        Carbon dioxide stretches
    geared_rotors          Two rotors on two shafts, joined by gears
    atwood_machine         Two weights over a heavy pulley
    ball_in_bowl           A ball rolls in the bottom of a bowl
    rocking_half_cylinder  Half a cylinder rocks on a table
    block_on_wedge         A block slides down a wedge that slides away
    spring_pendulum        A weight bounces and swings on a soft spring
    beating_pendulums      Two pendulums hand a swing to each other
    logarithmic_decrement  A damped oscillator dies away
    chain_off_table        A chain slips off a smooth table
"""
