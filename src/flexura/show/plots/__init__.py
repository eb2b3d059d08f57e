"""Pictures, one file for each kind of answer; `show/plot.py` chooses.

Files:

    campbell    The Campbell chart: frequencies over a parameter, instability marked, excitation orders as rays
    curves      Answers over time, spectral densities and response curves: a line for each output and load
    frame       Pictures of frames on moving bodies: the bars, bent if displacements are given, and the chart of
                whirl speeds
    keeping     Displacements of first order, magnified, without what they stretch: members keep the lengths that
                a mode gives them
    modes       Modes: every member in its place, bodies drawn, nodes marked; one panel for each mode
    operating   Structures in operation: a state on its nodes, before and after; the error of a reduced model over
                frequency
    response    A frequency response: magnitude and phase over frequency
    resultants  Stress resultants along members, drawn as engineers draw them: ordinates across the bars, or lines
                over x
    roots       The root map: eigenvalues in the complex plane, those that grow in red
    rotor       A rotor drawn as a rotor: its shaft to scale, discs by their inertia, bearings and the axis
    scene       A mode in space: where members and bodies are, how they move, and where the mode does not move
    shown       A figure that a notebook shows where it is the last thing of a cell, without magic words before
    style       What all pictures share: a figure, colours that are told apart in grey too, and axes that say their
                units
    trajectory  A run: coordinates and deflections over time, and the energy balance that proves it
"""
