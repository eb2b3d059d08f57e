"""Large deflections, buckling and flutter.

Files, in the order of the chapter:

    euler_columns          Euler's four columns
    flagpole               How tall a flagpole may be
    beck_column            Beck's column flutters
    ziegler_pendulum       Ziegler's double pendulum
    rail_on_ballast        A rail buckles on its ballast
    built_up_column        A column that also shears
    sprung_foot            A column on a foot that gives
    pipe_with_fluid        A pipe buckles because of what flows in it
    bent_into_a_circle     A strip is bent into a circle, and twice round
    heavy_hand_on_a_ruler  A ruler is bent by a weight at its end
    elastica               Far beyond Euler's load
    snap_through           A shallow truss snaps through
    post_on_a_spring       A post that leans
    standing_inverted      Springs that keep a pendulum upside down
    pressed_beam           How a strut slows before it buckles
    sway_frame             A portal sways
    sideways_buckling      A thin strip on edge tips over sideways
"""
