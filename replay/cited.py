"""Where a rule stands, and whether what is cited is the text's own word.

A passage of a pack is a text, or a table that says what the text is not:

    passage = "game 4, V.1"
    passage = { cite = "13:69F-5.2", mark = "usage", source = "a dealers' manual" }

What is marked is cited with its mark wherever it is cited, so that nobody takes it for the law's word. Whoever has the
text writes the first form in place of the second, one line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final, TypeGuard

CITE: Final = "cite"
MARKS: Final[Mapping[str, tuple[str, str]]] = {
    "filled": ("", "the text is silent; filled from {}"),
    "reading": ("our reading of the text", "our reading of the text: {}"),
    "usage": ("from general usage, text not at hand", "from general usage ({}), text not at hand"),
}
"""What each mark says, without a source and with one; empty: it has to have one."""


def is_citation(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether this is a passage that stands as a table."""
    return isinstance(value, Mapping) and CITE in value


def cited(passage: object) -> str:
    """A passage as it is cited; raises `ValueError` that says what is wrong with it.

    >>> cited({"cite": "13:69F-5.2", "mark": "usage"})
    '13:69F-5.2 [from general usage, text not at hand]'
    """
    if isinstance(passage, str) and passage.strip():
        return passage
    if not isinstance(passage, Mapping):  # an empty text too
        raise ValueError("a text, or a table as in { cite = '…', mark = 'usage', source = '…' }")
    for key in passage:
        if key not in (CITE, "mark", "source"):
            raise ValueError(f"cite, mark and source, not {key}")
    cite = _words(passage.get(CITE), "cite: where in the regulation it stands")
    mark = passage.get("mark")
    if not isinstance(mark, str) or mark not in MARKS:
        near = get_close_matches(str(mark), MARKS, n=1)
        raise ValueError(f"mark: one of {', '.join(MARKS)}, not {mark!r}{f'; did you mean {near[0]}?' if near else ''}")
    alone, with_source = MARKS[mark]
    if "source" in passage:
        source = _words(passage["source"], "source: a text that says where it is from")
        return f"{cite} [{with_source.format(source)}]"
    if not alone:
        raise ValueError(f"source: is missing: where what is {mark} is from")
    return f"{cite} [{alone}]"


def marked(data: Mapping[str, Any]) -> Iterator[str]:
    """The places of a pack's tables whose passage is marked: ``wagers.basket``, ``passages.call``."""
    for key, value in data.items():
        if is_citation(value):
            yield "" if key == "passage" else key
        elif isinstance(value, Mapping):
            yield from (f"{key}.{place}".rstrip(".") for place in marked(value))


def _words(value: object, expected: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{expected}, not {value!r}" if value else expected)
    return value
