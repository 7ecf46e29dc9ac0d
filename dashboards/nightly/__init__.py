"""The nightly reconciliation: what the count room counted, what the rules give, and why the two differ.

`gather` asks the store and works the figures out; `files` writes them as a page, as CSV and as JSON. Money is an int
of minor units until it is printed, expectations are exact fractions until they are rounded to one.
"""

from dashboards.nightly.files import files, stated
from dashboards.nightly.gathering import gather, required
from dashboards.nightly.words import WordsError, languages, wording

__all__ = ["WordsError", "files", "gather", "languages", "required", "stated", "wording"]
