"""Constraints, contact, friction and control.

Files, in the order of the chapter:

    bouncing_ball          A ball comes to rest after infinitely many bounces
    dry_friction_decay     Dry friction stops a swing for good
    parcel_on_belt         A parcel is put on a conveyor belt
    colliding_trucks       Two trucks collide
    buffer                 A wagon runs into a buffer
    slider_crank           The piston of an engine
    four_bar               A four-bar linkage
    pendulum_in_x_and_y    A pendulum without its angle
    sliding_ladder         A ladder slides down a wall and leaves it
    skate_on_a_slope       A skate does not run down a slope
    ball_on_turntable      A ball on a turntable
    balanced_pole          A pole balanced on a cart
    integral_action        A servo with an integrator
    best_regulator         The best gains for a mass in space
    sampled_brake          A computer stops a cart
    not_where_it_measures  A controller that does not sit where it measures
    skyhook                A damper hung on the sky
"""
