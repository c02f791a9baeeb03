"""The parts of :func:`zermelo.compile`, in the order in which they work.

layout, actioncode   how states and actions lie in memory
check                random play by the Python rules before, and by the compiled ones after
source, trees        the user's functions as syntax trees
resolve, calls, rewrite, stream, tables, widen
                     from a method to a function that Numba takes
program, emit        all functions together: the generated module
store                its file, and the cache beside it
runtime, lowlevel, memory, records, integers
                     what generated functions call; only these import Numba
diagnose             Numba's errors, in the user's lines
game                 what comes out
compiler             all of that in its order
"""
