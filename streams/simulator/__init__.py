"""A casino floor that plays by itself: tables, players, dealers, cage, and the wrongs that people do.

Everything is drawn from one seed, so that the same seed gives the same bytes. The dealers of this floor settle by their
own arithmetic, written down here for each game and not taken from the rules engine that audits them: where the two
agree over a month of play, they agree for a reason.
"""
