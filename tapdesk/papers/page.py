"""The page of the papers' figures: what each paper says, what we find, and the picture."""

from collections.abc import Sequence

from tapdesk.answers.svg.sheet import Sheet
from tapdesk.papers.reproduction import Reproduction

_HEAD = """# The papers, reproduced

Every figure below was computed and drawn by this program. All of them again, into a folder of yours:

    tapdesk study paper --figure all -o FOLDER

One of them, its numbers and its picture:

    tapdesk study paper --figure NAME -o NAME.csv --picture NAME.svg

Simulations start from seed 1 and give the same numbers whatever the number of `--workers`. Where the papers' ratings
are not public, or their settings are not printed, ours are named as *ours*.
"""
_OWN = "It can be drawn of your own ratings: `tapdesk study paper --figure {name} FILE -o {name}.svg`."


def page(made: Sequence[tuple[Reproduction, Sheet]]) -> str:
    """The page as Markdown.

    Parameters
    ----------
    made
        Each figure and the sheet drawn of it; its picture stands beside the page as ``NAME.png``.
    """
    parts = [_HEAD, *(f"- [{row.title}](#{row.name})" for row, _sheet in made), ""]
    for row, sheet in made:
        parts += [
            f'## <a id="{row.name}"></a>{row.title}',
            "",
            f"- *Source:* {row.source}.",
            f"- *The paper:* {_joined(row.says)}",
            f"- *We find:* {sheet.title}.",
            "",
            f"![{_plain(sheet.alt)}]({row.name}.png)",
            "",
            *([sheet.note, ""] if sheet.note else []),
            *([_OWN.format(name=row.name), ""] if row.own else []),
        ]
    return "\n".join(parts)


def _joined(says: str) -> str:
    """What the paper says, and ours set apart."""
    return says.replace(" Ours: ", "\n- *Ours:* ")


def _plain(alt: str) -> str:
    """Words for a picture, without signs that mean something in Markdown."""
    return alt.replace("[", "(").replace("]", ")").replace("*", "×")
