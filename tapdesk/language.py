"""The language of the sentences a user reads: one catalog of translations, looked for once.

The standard library's own ``gettext`` looks for its catalog on the disk at every call while there is none, and a window
of some hundred sentences then waits for the disk at every change.
"""

from gettext import translation

from tapdesk.resources import folder

_CATALOG = translation("tapdesk", folder() / "locale", fallback=True)


def gettext(sentence: str) -> str:
    """The sentence in the user's language, or as it is where no translation of it is known."""
    return _CATALOG.gettext(sentence)


def ngettext(one: str, many: str, n: int) -> str:
    """The one of two sentences that fits a number, in the user's language."""
    return _CATALOG.ngettext(one, many, n)
