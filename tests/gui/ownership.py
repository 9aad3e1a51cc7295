"""What Python knows of the objects of Qt: whether it still holds what it should, and calls nothing dead that lives."""

import re

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QButtonGroup
from shiboken6 import Shiboken, dump, isValid

PARENT = re.compile(r"^parent\.+ <.* at (0x[0-9a-f]+)>", re.MULTILINE)
# What may have gone by itself: it is asked whether it is still there before it is used (the last one by its library).
MAY_GO = {
    "_target",
    "_around",
    "_areas",
    "_in_dialogs",
    "_window",
    "menu",
    "window",
    "_box",
    "_worker",
    "centralLayout",
}


def living():
    """Every object of Qt in the windows of the program."""
    found = {}
    for top in QApplication.topLevelWidgets():
        for one in (top, *top.findChildren(QObject)):
            if isValid(one):
                found[id(one)] = one
    return list(found.values())


def ours(one):
    return type(one).__module__.startswith("tapdesk.")


def inside(value):
    if isinstance(value, Shiboken.Object):
        return [value]
    if isinstance(value, dict):
        return [one for part in value.values() for one in inside(part)]
    if isinstance(value, list | tuple):
        return [one for part in value for one in inside(part)]
    return []


def emptied(objects):
    """Objects whose Python half is gone or has lost its attributes, while Qt still calls it."""
    found = []
    for one in objects:
        name = one.metaObject().className()
        if ours(one) and not any(key.startswith("_") or key.islower() for key in vars(one)) and own_names(type(one)):
            found.append(f"{name} has lost its attributes")
        elif not ours(one) and name in OURS:
            found.append(f"{name} is only a {type(one).__name__} any more")
        if ours(one):
            OURS.add(name)
    return found


OURS: set[str] = set()


def own_names(kind):
    """Whether the constructor of a class gives its objects attributes."""
    return any("self" in part.__init__.__code__.co_varnames and part.__init__.__code__.co_names for part in kind.__mro__
               if part.__module__.startswith("tapdesk.") and "__init__" in vars(part))  # fmt: skip


def dead(objects):
    """What an object of ours holds and would call, though it is called deleted."""
    return [
        f"{type(one).__name__}.{name} holds a deleted {type(held).__name__}"
        for one in objects
        if ours(one)
        for name, value in vars(one).items()
        if name not in MAY_GO
        for held in inside(value)
        if not isValid(held)
    ]


def misplaced(objects):
    """Objects that would be called deleted with another one than that in which they stand."""
    found = []
    # A group of buttons is as old as what it stands in.
    groups = {id(one) for one in objects if isinstance(one, QButtonGroup)}
    for one in objects:
        match = PARENT.search(dump(one))
        if match is None:
            continue
        above, chain = one.parent(), set()
        holder = int(match[1], 16)
        while above is not None:
            chain.add(id(above))
            above = above.parent()
        if holder not in chain | groups:
            found.append(f"{type(one).__name__} {one.objectName()} goes with {match[0]}")
    return found


def faults():
    """All that is wrong now."""
    objects = living()
    return [*emptied(objects), *dead(objects), *misplaced(objects)]
