"""Whirling shafts, spinning bodies, blades.

Files, in the order of the chapter:

    rotor_blade               A rotor blade stiffens as it turns
    rotating_rope             A rope whirled round
    hinged_blade              A helicopter blade flaps about its hinge
    centrifugal_absorber      A pendulum that is always in tune
    bead_on_hoop              A bead on a hoop that turns
    oscillator_on_a_carousel  A swing seen from a carousel
    flat_shaft                A shaft with two flats
    damped_shaft              Damping that drives
    sleeping_top              A top sleeps
    middle_axis               Why a book tumbles
    overhung_disc             A fan on an overhung shaft
    unbalanced_disc           A disc with a heavy spot runs through its critical speed
    bead_thrown_out           A bead on a turning rod
    gyrocompass               A gyroscope finds north
    whirling_shaft            A slender shaft whirls
"""
