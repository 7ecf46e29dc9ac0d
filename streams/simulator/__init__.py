"""A casino floor that plays by itself: tables, players, dealers, cage, and the wrongs that people do.

Everything is drawn from one seed, so that the same seed gives the same bytes. The dealers of this floor settle by their
own arithmetic, written down here for each game and not taken from the rules engine that audits them: where the two
agree over a month of play, they agree for a reason.

`floor` opens tables and merges by time what they tell. `table` is one table's day and `players` who sits there;
`gateway` makes lines of its events, `wrongs` says what is planted at it, and `truth` keeps that and compares it with
what an audit found. `games` has a module a game, and what several games do alike stands beside it. `cheats` are
patterns that no single event gives away; `cheating` is what a table asks them.
"""
