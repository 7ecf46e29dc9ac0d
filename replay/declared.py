"""What a class says that it wants to be told, held against its methods when the class is made.

A handler whose name is misspelt would never be called, and nobody would notice. So a class declares what it handles,
and that it does is checked when its module is imported.
"""

from __future__ import annotations

from collections.abc import Iterable

from replay.law import nearest


def declared(cls: type, name: str, known: Iterable[str], *, set_later: str = "") -> frozenset[str]:
    """The names that the class itself lists in its attribute ``name``: each is one of the ``known``, and a method of
    the class; and each method of the class with such a name is listed. ``set_later``: the attribute that lists those
    which an instance gives itself.

    Raises TypeError, for a mistake in the program.
    """
    may_be = frozenset(known)
    listed = frozenset(vars(cls).get(name, ()))
    later = frozenset(vars(cls).get(set_later, ()))
    for each in sorted(listed | later):
        if each not in may_be:
            raise TypeError(f"{cls.__name__}.{name}: there is no {each}{nearest(each, may_be)}")
        if each in listed and not callable(getattr(cls, each, None)):
            raise TypeError(f"{cls.__name__}.{name}: {each} is listed, and there is no such method")
    for each in sorted(may_be & vars(cls).keys()):
        if each not in listed and not any(each in getattr(base, name, ()) for base in cls.__mro__[1:]):
            raise TypeError(f"{cls.__name__}.{name}: there is a method {each}, which is not listed")
    return listed | later
