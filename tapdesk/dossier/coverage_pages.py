"""The pages about long studies: how often intervals hold the truth, words are false, and what is said is so."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from tapdesk.answers import numbers
from tapdesk.answers.content import Align, Column, Paragraph, Table
from tapdesk.answers.numbers import REPORT
from tapdesk.dossier.study_tables import (
    FEWEST,
    KINDS,
    FalseWords,
    Row,
    Spread,
    beliefs,
    false_words,
    spread,
    study_rows,
)
from tapdesk.language import gettext as _
from tapdesk.report.report import Section

_RIGHT = Align.RIGHT
# Panels that are large enough for an interval to be judged by what is promised of it.
_LARGE = 100
_SURELY = 0.95


def _three(shares: Spread | None) -> tuple[str, str, str]:
    if shares is None:
        return (numbers.DASH,) * 3
    return (_out_of_100(shares.least), _out_of_100(shares.middle), _out_of_100(shares.most))


def _out_of_100(share: float) -> str:
    return numbers.decimal(100 * share, REPORT, 1)


def _spread_columns() -> tuple[Column, ...]:
    return (Column(_("Least"), _RIGHT), Column(_("Middle"), _RIGHT), Column(_("Most"), _RIGHT))


# Coverage -------------------------------------------------------------------------------------------------------------


def coverage() -> Section:
    """How often intervals of every kind hold the truth, tests reject, and ranks are even."""
    sentence = _(
        "An interval of 95 % should hold the true value in 95 of 100 data sets. Data sets were simulated from known "
        "values and it was counted. Least, middle and most are over the cells of a table, each a design with values of "
        "its own; with few data sets a cell, luck alone spreads them. These studies take hours: their tables come with "
        "the program (folder “help/coverage”, with the commands that make them again) and are not made again here."
    )
    tables = (_intervals(), _shares(), _members(), _tests(), _pooled(), _ranks(), _judges())
    return Section("coverage", _("How often intervals hold the truth"), (Paragraph(sentence), *tables))


def _intervals() -> Table:
    """The five kinds of intervals of the plain model."""
    rows = []
    for kind in KINDS:
        table = study_rows("coverage", kind)
        for name in ("t", "a", "p"):
            own = [row for row in table if row["parameter"] == name]
            sets = numbers.count(int(own[0]["sets"]))
            rows.append((kind, name, numbers.count(len(own)), sets, *_three(spread(own, "covered_inside"))))
    return Table(
        _("Intervals of t-a-p, of 100 data sets whose best fit is not on an edge"),
        (
            Column(_("Kind"), wide=True),
            Column(_("Number"), symbol=True),
            Column(_("Cells"), _RIGHT),
            Column(_("Data sets each"), _RIGHT),
            *_spread_columns(),
        ),
        tuple(rows),
        _("Profile intervals are what the program shows unless asked otherwise; of a they hold least right beside the "
          "edge a = 0. Near an edge Wald intervals and those of either bootstrap can fail altogether, which is why "
          "they are not the usual ones."),
    )  # fmt: skip


def _shares() -> Table:
    rows = []
    for t, group in groupby(
        sorted(study_rows("coverage", "shares"), key=lambda row: float(row["t"])), lambda r: r["t"]
    ):
        own = list(group)
        rows.append((numbers.decimal(float(t), REPORT, 1), numbers.count(len(own)), *_three(spread(own, "covered"))))
    return Table(
        _("Shares “when truly yes” and “when truly no”, of 100 panels"),
        (Column(_("True share of yes"), wide=True), Column(_("Cells"), _RIGHT), *_spread_columns()),
        tuple(rows),
        _("30 and 100 cases with three and five ratings each; 30 with three are counted through, so those are exact."),
    )


def _members() -> Table:
    """The newer models: groups, difficulty, order, repeats, known answers."""
    rows = []
    table = study_rows("coverage", "members")
    for model, group in groupby(table, lambda row: row["model"]):
        own = [row for row in group if int(row["subjects"]) >= _LARGE]
        sets = numbers.count(int(own[0]["sets"]))
        rows.append((model, numbers.count(len(own)), sets, *_three(spread(own, "covered"))))
    return Table(
        _("Profile intervals of the other models with {n} cases or more, of 100 data sets").format(n=_LARGE),
        (
            Column(_("Model"), wide=True),
            Column(_("Cells"), _RIGHT),
            Column(_("Data sets each"), _RIGHT),
            *_spread_columns(),
        ),
        tuple(rows),
        _("What lies beyond a valley of the likelihood is left out in counting: intervals hold the truth in these "
          "shares or a little oftener."),
    )  # fmt: skip


def _tests() -> Table:
    """How often tests speak where nothing differs, and where something does."""
    rows = []
    for test, group in groupby(study_rows("coverage", "tests"), lambda row: row["test"]):
        same, other = sorted(group, key=lambda row: row["truth"] != "same")
        rows.append(
            (test, _out_of_100(float(same["rejected"])), other["differs"], _out_of_100(float(other["rejected"])))
        )
    return Table(
        _("Tests at 5 %, of 100 panels of 150 cases"),
        (
            Column(_("Test"), wide=True),
            Column(_("Reject where nothing differs"), _RIGHT),
            Column(_("What differs")),
            Column(_("Reject there"), _RIGHT),
        ),
        tuple(rows),
        _("500 panels where nothing differs (standard error 1), 125 where something does (up to 4.5)."),
    )


def _pooled() -> Table:
    rows = tuple(
        (
            row["panels"], row["model"], row["how"], numbers.count(int(row["pooled"])),
            _out_of_100(float(row["covered"])), numbers.decimal(float(row["rmse"]), REPORT, 3),
        )
        for row in study_rows("coverage", "pooling")
    )  # fmt: skip
    return Table(
        _("Accuracies of raters in small panels, alone and drawn from one population"),
        (
            Column(_("Panels"), wide=True),
            Column(_("Model")),
            Column(_("How")),
            Column(_("Panels told"), _RIGHT),
            Column(_("Hold, of 100"), _RIGHT),
            Column(_("Error"), _RIGHT),
        ),
        rows,
    )


def _ranks() -> Table:
    rows = tuple(
        (
            row["beliefs"], row["number"], row["told"], numbers.decimal(float(row["mean"]), REPORT, 2),
            _out_of_100(float(row["in_90"])), numbers.decimal(float(row["p_uniform"]), REPORT, 2),
        )
        for row in study_rows("coverage", "ranks")
    )  # fmt: skip
    return Table(
        _("Beliefs that are drawn: where the truth lies among the draws"),
        (
            Column(_("Beliefs"), wide=True),
            Column(_("Number")),
            Column(_("Panels"), _RIGHT),
            Column(_("Mean rank"), _RIGHT),
            Column(_("In the middle 90 %"), _RIGHT),
            Column(_("p"), _RIGHT),
        ),
        rows,
        _(
            "Where all is well the mean rank is 0.5, the middle 90 % hold 90 of 100, and p, of a test that "
            "ranks are even, is "
            "below 0.05 in 1 row of 20. Approximations hold a little less on the whole."
        ),
    )


def _judges() -> Table:
    """Three numbers of each judge, in three kinds of juries."""
    table = study_rows("coverage", "judges")
    judges, names, kinds = (tuple(dict.fromkeys(row[key] for row in table)) for key in ("judge", "number", "scores"))
    held = {(row["judge"], row["number"], row["scores"]): _out_of_100(float(row["held"])) for row in table}
    rows = ((judge, *("; ".join(held[judge, name, kind] for kind in kinds) for name in names)) for judge in judges)
    return Table(
        _("Intervals of a judge’s numbers, of 100 that hold the truth"),
        (Column(_("Judge"), wide=True), *(Column(_plain(name), _RIGHT) for name in names)),
        tuple(rows),
        _(
            "Of juries in this order: {kinds}. A judge unlike all others is drawn towards them: severity of the harsh "
            "one, and spread of the one who guesses, lie in their intervals less often than is said."
        ).format(kinds="; ".join(kinds)),
    )


def _plain(word: str) -> str:
    return f"{word[:1].upper()}{word[1:]}"


# Words ----------------------------------------------------------------------------------------------------------------


def words() -> Section:
    """How often what reports say is false."""
    table = study_rows("words", "words")
    sets = {row["world"]: int(row["sets"]) for row in table}
    sentence = _(
        "In {worlds} simulated worlds it is known what is true. {panels} panels of them were reported as a file of "
        "yours is, and it was counted what each report said and whether that was false. Again is what other "
        "panels gave. "
        "Behind each share stands its standard error or, where nothing was false, the share that 95 of 100 such "
        "studies would have met at least once. Where no limit stands, no panel shows what is true, and nothing "
        "is promised."
    ).format(worlds=len(sets), panels=numbers.count(sum(sets.values())))
    rows = tuple(
        (str(number), one.about, _limit(one), *(_false(*counts) for counts in one.counts))
        for number, one in enumerate(false_words(), start=1)
    )
    shown = Table(
        _("What may be said falsely, and how often it is"),
        (
            Column(_("No.")),
            Column(_("What would be false"), wide=True),
            Column(_("At most"), _RIGHT),
            Column(_("Found"), _RIGHT),
            Column(_("Again"), _RIGHT),
        ),
        rows,
        _("In per cent of panels; of cases in the rows {rows}.").format(
            rows=numbers.listed([str(i) for i, one in enumerate(false_words(), start=1) if one.of_cases])
        ),
    )
    return Section("words", _("How often are our words wrong?"), (Paragraph(sentence), shown))


def _limit(one: FalseWords) -> str:
    return numbers.DASH if one.limit is None else numbers.level(one.limit)


def _false(false: int, judged: int) -> str:
    if not judged:
        return numbers.DASH
    if not false:
        # No standard error stands beside a share of 0.
        least = 1 - (1 - _SURELY) ** (1 / judged)
        return _("0: below {share}").format(share=_out_of_100(least))
    share = false / judged
    error = (share * (1 - share) / judged) ** 0.5
    return _("{share} ± {error}").format(share=_out_of_100(share), error=_out_of_100(error))


# Calibration ----------------------------------------------------------------------------------------------------------


def calibration() -> Section:
    """Whether what is said so surely is so as often."""
    sentence = _(
        "Of each case it is told how sure one can be of its class, of each entry how surely it deserves its award. In "
        "simulated panels and juries it was counted how often that is so. Right less said: below 0 more is said than "
        "is so. Beliefs hold for panels as they are named, and where the model does."
    )
    return Section("calibration", _("Is it so as often as it is said?"), (Paragraph(sentence), _beliefs(), _awards()))


def _beliefs() -> Table:
    """Right less said of every kind of panel, in three bands."""
    by_place = {(row["panel"], _band(row)): row for row in beliefs()}
    panels, bands = (tuple(dict.fromkeys(place[i] for place in by_place)) for i in range(2))
    return Table(
        _("Classes of cases: right less said, of 100"),
        (
            Column(_("Cases × ratings"), wide=True),
            *(Column(_("Said {band}").format(band=band), _RIGHT) for band in bands),
        ),
        tuple((panel, *(_belief(by_place[panel, band]) for band in bands)) for panel in panels),
        _("In brackets: of how many cases."),
    )


def _belief(row: Row) -> str:
    return _("{less} ({n})").format(
        less=_less(float(row["right"]) - float(row["said"])), n=numbers.count(int(row["cases"]))
    )


def _awards() -> Table:
    """Right less said in every band, for three kinds of juries."""
    table = study_rows("coverage", "awards")
    kinds = tuple(dict.fromkeys(row["scores"] for row in table))
    return Table(
        _("Awards: right less said, of 100"),
        (
            Column(_("What is said"), wide=True),
            Column(_("Said to be")),
            *(Column(_plain(kind), _RIGHT) for kind in kinds),
        ),
        tuple(_award_rows(table, kinds)),
        _("{juries} juries of each kind. In brackets: of fewer than {n} sayings.").format(
            juries=numbers.count(int(table[0]["sets"])), n=FEWEST
        ),
    )


def _award_rows(table: Sequence[Row], kinds: Sequence[str]) -> Iterator[tuple[str, ...]]:
    by_place = {(row["saying"], row["from"], row["to"], row["scores"]): row for row in table}
    for saying, low, high in dict.fromkeys((row["saying"], row["from"], row["to"]) for row in table):
        here = [by_place.get((saying, low, high, kind)) for kind in kinds]
        band = _band({"from": low, "to": high})
        yield saying, band, *(numbers.DASH if row is None else _award(row) for row in here)


def _award(row: Row) -> str:
    shown = _less(float(row["true"]) - float(row["said"]))
    return shown if int(row["n"]) >= FEWEST else f"({shown})"


def _less(difference: float) -> str:
    return numbers.decimal(100 * difference, REPORT, 1)


def _band(row: Row) -> str:
    low, high = (numbers.decimal(float(row[end]), REPORT, 2) for end in ("from", "to"))
    return _("{low} to {high}").format(low=low, high=high)
