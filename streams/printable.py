"""Text fit to be shown on a terminal, whatever is in it: names of files and wagers are whatever somebody chose."""

from __future__ import annotations

from unicodedata import category


def printable(text: object) -> str:
    r"""Any text on one line, with what would steer a terminal (escape sequences, line ends, marks that turn the
    direction of writing) or cannot be written spelt out.

    >>> printable("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    shown = str(text)
    if shown.isprintable():
        return shown
    return "".join(
        letter if letter.isprintable() or category(letter) == "Zs" else letter.encode("unicode_escape").decode("ascii")
        for letter in shown
    )


def plain(text: object) -> str:
    """The same for a console of rich, which takes nothing in it for markup."""
    from rich.markup import escape

    return escape(printable(text))
