"""The C around a model in an FMU: its state, its own integrator, and the functions of FMI 2.0 and 3.0.

`core.c` holds an instance and moves it; `fmi2.c` and `fmi3.c` are the two interfaces. They are text here, and are put
behind the code of a model (`../fmu_file.py`).

Files:

    description  modelDescription.xml of FMI 2.0 and 3.0, and what sources are built from
    events       What jumps or has a kink in a system: functions whose zeros are events, and the system between them
    variables    The variables of an FMU: parameters, inputs, states, their rates, outputs, by their value references
"""
