"""Answers as files for other programs: one file here for each format.

Files:

    netcdf  Runs as netCDF, through xarray: every history over t, fields over t and x, and the energy balance
    vtu     Deformed structures for ParaView and its like: .vtu, .vtk, .xdmf and what else meshio writes
"""
