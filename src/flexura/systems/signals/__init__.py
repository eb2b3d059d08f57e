"""What functions of x and t are like: bounds, jumps, how finely they must be looked at.

Files:

    breaks      Where trees are not smooth: conditions, absolute values and signs change over there, and steps and
                elements end
    curves      Motions that are given as numbers or functions: with their rates and accelerations, which inertia
                answers to
    features    What drives a motion, as far as steps in time must know it: where it jumps, and how short its
                features are
    functions   Functions of x that a user wrote: for an array of places, or for one place at a time
    intervals   Bounds of trees over intervals: what a function can be at most and at least, however narrow its
                features
    memory      Whether a function remembers what it was asked before: a counter, a filter in a closure, random
                numbers
    poles       Where a formula goes to infinity, so that what it drives has no answer
    projection  Loads along a line as values at its Gauss points that do to every shape what the load does, wherever
                it jumps
    resolution  How finely a function must be looked at: pieces on which it is nearly straight, found by bounds, not
                by luck
    sampled     A tree in x as a function of an array
    scales      How long steps may be, so that none reaches across what drives a motion: a pulse of 3 ms in 10 s is
                met
    signal      What users give as a function of time: a number, text or an expression in t, a function, or an array
                on t
    tables      Tables over time: how they are given, and where they are not smooth, so that no step reaches across
    travelling  A unit load that travels along a line, as values at its Gauss points that do to every shape what the
                load does
"""
