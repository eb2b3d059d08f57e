"""Responses to harmonic, sudden, periodic and random loads.

Files, in the order of the chapter:

    shaken_base             An instrument on rubber feet
    unbalanced_drum         An unbalanced drum shakes its frame
    vibration_absorber      A machine is kept still by a small mass on a spring
    den_hartog_absorber     The best damped absorber
    cantilever_receptance   A cantilever is shaken at its tip
    rod_that_does_not_give  A rod whose end stands still under a force
    rod_without_echo        A rod that sends nothing back
    shaken_string           A string is shaken at one end
    pulsating_load          A floor beam under a pulsating crowd
    overshoot               How far a scale shoots over
    hammer_blow             A two-storey frame is struck
    half_sine_shock         A crate is dropped: a half-sine shock
    crane_hoist             A load is lifted with a jerk, or with a ramp
    resonance_grows         Resonance takes time
    square_wave             A valve train driven by a square wave
    seismometer             What a seismometer writes
    quarter_car             What no suspension can change
    white_noise             A mast in turbulent wind
    moving_load             A train crosses a bridge
"""
