"""Anomalous streaks: patterns that no single wrong explains, watched with alarms that stay honest at every look.

Every detector here is a bettor that plays against the hypothesis that all is as it should be, at odds that are fair if
it is. Its wealth, from 1 on, is an *e-process*: if all is well it has no tendency to grow, and by Ville's inequality
the chance that it ever reaches 1/a is at most a, whenever and however often one looks (J. Ville 1939; S. Howard,
A. Ramdas, J. McAuliffe, J. Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence sequences", 2021).

Wealth is a float: it is an estimate about play, not money. Only products, sums and quotients make it, which every
machine rounds alike, so that a fold gives the same wealth everywhere.
"""
