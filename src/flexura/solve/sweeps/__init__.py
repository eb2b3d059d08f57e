"""`fx.sweep`: one question asked at many points of its parameters, on the processes of this machine or on Dask.

Files:

    answers   What a question may answer, a number, an array or several by name, and how that stands in a file
    kept      A file of answers that a sweep fills as it goes, and goes on from when it was stopped
    points    Where a question is asked: the full grid of some values, a Latin hypercube, or random points
    table     What a sweep found: answers by name over the parameters, as arrays, a data frame or an xarray
    workers   Who answers: this process, some processes of this machine, or a Dask cluster; a dead one loses nothing
"""
