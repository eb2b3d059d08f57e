"""Large deflections, buckling and flutter.

Files, in the order of the chapter:


"""
