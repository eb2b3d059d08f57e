"""What users assemble besides members: bodies, connections, springs and dampers, loads.

Each part is frozen data that checks itself; what it means for the motion is decided in `model/`. A new part is one
class here and one rule there.

Files:

    axes         Directions as users write them: "x", "-y", or a vector
    bodies       Ground, particles and rigid bodies, and the points fixed in them
    contacts     Dry friction and one-sided contact between two places
    control      What belongs to a controller or a material beside its motion: first-order states, and controllers
                 that sample
    description  What a user described: the arguments of `fx.Model` as data, kept with the energies that were
                 written from them
    connections  What every connection is: two places, a name, and how q stands to p
    fibres       The stress in a fibre of a member, as an output: sigma = N/A - M_z y/I_z + M_y z/I_y
    gears        Gears, belts, racks and screws: one coordinate is a multiple of another
    joints       Connections that hold: supports inside one frame, and joints with large motion between two
    loads        Loads, gravity and constraints
    nodes        Nodes of frames, how members stand on them, and supports that hold some of their motions;
                 `fx.frame` makes them
    sections     Cross-sections and materials by name: "tube 60x3 mm" of "steel" as the properties that members take
    rolling      Wheels, discs and spheres that roll without slipping
    spatial_joints  Joints of more than one coordinate: ball, universal, cylindrical and planar joints
    rides        A body that travels along a member: a vehicle on a bridge, a trolley on a rail
    springs      Springs and dampers between two places
    members/     Flexible elements, one per file: fields, energy densities, and what the ends carry
"""
