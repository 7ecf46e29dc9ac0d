"""The core: what happened at a table, what the regulation says about it, and what that comes to.

Pure: nothing here reads a file, a socket or a clock, or draws lots. Events go in, settlements and findings come out,
and the same events give the same bytes on any machine, on any day.
"""
