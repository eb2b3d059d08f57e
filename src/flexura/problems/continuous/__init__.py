"""Strings, rods, shafts and beams, free.

Files, in the order of the chapter:

    end_conditions            A uniform beam between all pairs of end conditions
    nodes_of_a_cantilever     Where a cantilever does not move
    cantilever_with_tip_mass  A mast carries a mass at its top
    beam_with_machine         A machine stands in the middle of a beam on two supports
    rotary_inertia            How much the rotation of sections slows a beam
    two_spectra               A stout beam has two spectra
    string_with_bead          A bead in the middle of a string
    string_on_dashpot         A string ends in a dashpot
    hanging_chain             A chain hangs from one end and swings
    rod_with_end_mass         A heavy spring
    stepped_rod               A rod with a step
    exponential_horn          A horn for ultrasonic drilling
    shaft_with_two_discs      Two discs on a heavy shaft
    raft                      A pontoon floats on water
    taut_beam                 A stiff string
    two_spans                 A beam over three supports
    hinge_in_the_middle       A bridge with a hinge in its middle
    knee                      A knee of two beams
    wedge                     A wedge that tapers to an edge
    lossy_rod                 A rod of lossy plastic
    double_cross              NAFEMS FV2, the pin-ended double cross
    ring                      A ring rings
"""
