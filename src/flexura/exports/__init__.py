"""Answers, systems and equations as files for other programs: `fx.export`, one file here for each format.

Files:

    c_code            C functions from trees: straight-line code, long lists cut into pieces that compilers take quickly
    c_file            A system as one self-contained C file: mass, forcing, residual, Jacobians, constraints, outputs,
                      rates
    casadi_functions  `fx.to_casadi(thing)`: the functions of a system in CasADi, for optimal control and estimation
    csv_file          Tables as .csv: a line of names, then numbers with all their digits
    driven            Motions that are inputs, in code: what comes in is their acceleration, and displacement and rate
                      are states
    fmu_file          A system as an FMU, for FMI 2.0 and 3.0, model exchange and co-simulation: C inside, with an
                      integrator of its own
    formula_file      Equations of motion as formulas: LaTeX (.tex), Typst (.typ) and MathML (.mml), each row of its own
    json_file         Answers, systems and equations as .json
    mat_file          Matrices, state space and answers as MATLAB's .mat (version 5)
    matlab_file       A system as a MATLAB file of functions, or a state space as one of matrices
    modelica_file     A system as a Modelica model: parameters, inputs, states and equations as text, without any
                      library
    netcdf            Runs as netCDF, through xarray: every history over t, fields over t and x, and the energy balance
    parquet_file      Tables as .parquet, through pyarrow
    python_control    `fx.to_control(thing)`: python-control's StateSpace of a model, equations, matrices, or a state
                      space
    python_file       A system as Python source: NumPy functions that need nothing of this package, or SymPy's own
                      expressions
    registry          `fx.export(thing, path)`: the ending says the format; one file here writes each of them
    straight_line     Trees as straight-line code: each branch that is used more than once has a name, in any language
    systems           What is exported as code: a model, equations or matrices as trees, with outputs, parameters and a
                      start
    tables            Answers as tables: columns of equal length by name, complex ones as two
    vtu               Deformed structures for ParaView and its like: .vtu, .vtk, .xdmf and what else meshio writes
    fmi/              The C around a model in an FMU: its state, its own integrator, and the functions of FMI 2.0 and
                      3.0
"""
