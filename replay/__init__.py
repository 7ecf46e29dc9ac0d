"""The core: what happened at a table, what the regulation says about it, and what that comes to.

Pure: nothing here reads a file, a socket or a clock, or draws lots. Events go in, settlements and findings come out,
and the same events give the same bytes on any machine, on any day.

**A line** (what a device may say, and how it is read): `events`, `event_fields`, `chip_events`, `fast`, `line`,
`strict`.

**A session** (lines in order, folded): `order`, `versions`, `corrections`, `session`, `saying`, `beside_play`,
`segment`, `counts`, `heading`, `opening`, `clocks`, `void_round`, `faults`, `at_rest`.

**Many sessions** (in whatever order their lines come, once or again): `audit`, `track`, `refold`, `revisions`,
`told`, `judging`.

**The table** (stakes, and what becomes of them): `book`, `piles`, `rules`, `money`, `currencies`, `betting`, `pots`,
`gathering`, `cards`, `hands`, `baccarat_hands`, `blackjack_hands`, `blackjack_sevens`.

**The law** (rule packs): `packs`, `pack_text`, `pack_new`, `law`, `cited`, `blackjack_law`, `alike`, `declared`,
`engine`.

**What is said** (verdicts, findings, rows, words): `results`, `codes`, `in_words`, `errors`, `tableau`, `forensics`,
`scenario`.

**What it is worth** (odds, and what is watched): `odds`, `odds_table`, `chance`, `watched`.

**Proof** (seals and keys): `evidence`, `key_scope`.

Folders: `games` (a file a game), `regulations` (the packs), `streaks` (the detectors), `bundle` (evidence bundles and
the floor's log).
"""
