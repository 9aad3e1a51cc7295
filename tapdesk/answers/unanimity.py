"""On how many cases all agree: the first thing a committee asks, and one no coefficient says."""

from tapdesk.answers import cells, numbers
from tapdesk.answers.charts import forest
from tapdesk.answers.content import Align, Column, Paragraph, Picture, Table
from tapdesk.answers.figure import Role
from tapdesk.answers.numbers import counted
from tapdesk.answers.part import About, Answer, Content, Part
from tapdesk.estimate import Estimate
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import Ratings

_ROW, _EDGE = 21.0, 50.0


def unanimous_cases(ratings: Ratings) -> tuple[int, int, int]:
    """Cases with two ratings or more: all of one class, a majority for one class, and none for any.

    Parameters
    ----------
    ratings
        Repeats of a rater count as ratings; a case that stands for several counts as many times.
    """
    counts, weight = ratings.counts(), ratings.subject_weights()
    each, most = counts.sum(axis=1), counts.max(axis=1, initial=0)
    several = each > 1
    alike = several & (most == each)
    majority = several & ~alike & (2 * most > each)
    groups = (alike, majority, several & ~alike & ~majority)
    alike_count, majority_count, split_count = (round(float(weight[group].sum())) for group in groups)
    return alike_count, majority_count, split_count


def unanimity_content(answer: Answer) -> Content | None:
    """How many cases all raters class alike, how many most of them, and how many are split."""
    cases = unanimous_cases(answer.ratings)
    every = sum(cases)
    if not every:
        return None
    names = (_("All give the same class"), _("Most give one class"), _("No class has a majority"))
    shares = [count / every for count in cases]
    sentence = _("All {ratings} agree on {part} ({share}); on {split} no class has a majority.").format(
        part=numbers.of_all(cases[0], every, "subjects"),
        share=numbers.percent(shares[0]),
        split=numbers.count(cases[2]),
    )
    note = _("N = {size}. Only {subjects} with two {ratings} or more count. Luck is in here as well.").format(
        size=counted(answer.ratings.subject_count, answer.ratings.rating_count)
    )
    rows = [(name, Estimate(share), Role.CLASSICAL) for name, share in zip(names, shares, strict=True)]
    title = _("Share of the {subjects} on which all agree, most, or no majority")
    figure = forest(rows, answer.style, kind="unanimity", title=title, note=note)
    table = Table(
        _("On how many {subjects} all agree"),
        (Column("", wide=True), Column(_("{Subjects}"), Align.RIGHT), Column(_("Share"), Align.RIGHT)),
        tuple(
            (name, cells.count(count), cells.percent(share))
            for name, count, share in zip(names, cases, shares, strict=True)
        ),
        note,
    )
    picture = Picture(title, (figure,), note, height=_EDGE + _ROW * len(figure.y.ticks))
    return Content((Paragraph(sentence), picture, table))


UNANIMITY = Part(
    "unanimity",
    "agreement",
    _("On how many {subjects} do all agree?"),
    _(
        "{Subjects} whose {ratings} are all of one class, those where more than half of them are, and "
        "those where no class has a majority. The more {ratings} {a_subject} has, the harder it is for all "
        "to agree, and a class that is given often is also agreed on often by luck."
    ),
    unanimity_content,
    about=About.RATINGS,
    commands=("agree",),
)
