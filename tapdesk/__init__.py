"""tapdesk: how much of the agreement between raters is knowledge and how much is luck.

For notebooks and scripts ``tapdesk.Panel`` is the way in, and ``tapdesk.plots`` names the pictures; they are loaded
when they are first asked for, as the program itself starts without them.

Examples
--------
>>> import tapdesk
>>> panel = tapdesk.Panel.from_file("sample:jury", class1="gold")
>>> panel.fit()  # doctest: +NORMALIZE_WHITESPACE
About 57 of 100 ratings follow the wine (42 to 71) if all wines are equally hard;
7 to 91 if some are harder than others.
"""

from typing import Any

__all__ = ["Panel", "plots"]


def __getattr__(name: str) -> Any:
    """The public names, on first use."""
    if name == "Panel":
        from tapdesk.notebook.panel import Panel

        return Panel
    if name == "plots":
        from tapdesk.notebook.shown import plots

        return plots
    raise AttributeError(f"module 'tapdesk' has no attribute '{name}'")
