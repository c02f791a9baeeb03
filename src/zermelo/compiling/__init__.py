"""The parts of :func:`zermelo.compile`, in the order in which they work.

layout: how states and actions lie in memory. check: random play before and after. source, rewrite,
stream, tables, program: from the user's methods to functions that Numba takes. emit: the module of
them. store: its file and the cache. runtime: what it calls. diagnose: errors in the user's lines.
game: what comes out.
"""
