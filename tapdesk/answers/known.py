"""Each rater held against the answers that are known: the share that is right, and what it is within each class."""

import numpy as np

from tapdesk.agreement.known import LEAST, CommonError, KnownShare, KnownShares, common_errors, known_shares
from tapdesk.answers import cells, numbers
from tapdesk.answers.charts import forest
from tapdesk.answers.content import Align, Block, Column, Paragraph, Picture, Table, Tone
from tapdesk.answers.figure import Role
from tapdesk.answers.fit_words import known_by
from tapdesk.answers.part import About, Answer, Content, Part
from tapdesk.language import CaseName, Label, RaterName, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import Ratings

_ROW, _EDGE = 21.0, 50.0
_MOST_ERRORS = 20  # more rows than this fold
_MOST_CLASSES = 5  # more columns than this are not read across


def known_content(answer: Answer) -> Content | None:
    """How often the raters say what is known to be true; None where nothing is known."""
    ratings = answer.ratings
    shares = known_shares(ratings)
    if shares is None or not shares.everyone.ratings:
        return None
    blocks: list[Block] = [Paragraph(_headline(shares)), *_within(ratings, shares)]
    named = [*shares.raters, shares.everyone] if shares.raters else [shares.everyone]
    rows = [(_name(ratings, row), row.share, Role.CLASSICAL) for row in named]
    note = _note(ratings, shares)
    title = _("How often each {rater} says what is known")
    figure = forest(rows, answer.style, kind="known", title=title, note=note)
    blocks.append(Picture(title, (figure,), note, height=_EDGE + _ROW * len(figure.y.ticks)))
    blocks.append(_table(answer, shares, named, note))
    sentence = _("The known answers may be wrong too: ask who wrote them.")
    if ratings.known_by:
        sentence = joined(known_by(ratings), _("The known answers may be wrong too."))
    blocks.append(Paragraph(sentence, Tone.BODY, _("What this does not say.")))
    return Content(tuple(blocks))


def _headline(shares: KnownShares) -> str:
    """How often a rating is right, and on how many cases that rests."""
    share = shares.everyone.share
    sentence = ngettext(
        "Held against the known answer of {n} {subjects} (“{column}”), {a_rating} is right {often}.",
        "Held against the known answers of {n} {subjects} (“{column}”), {a_rating} is right {often}.",
        shares.everyone.cases,
    ).format(
        n=numbers.count(shares.everyone.cases),
        column=Label(shares.column),
        often=numbers.often(share.value or 0.0, share.low, share.high),
    )
    return joined(sentence, share.no_interval or "")


def in_common(ratings: Ratings, errors: tuple[CommonError, ...]) -> str:
    """On how many of the known cases most raters gave the same wrong rating, and which where it is always one.

    Parameters
    ----------
    ratings
        With a key.
    errors
        At least one, of `tapdesk.agreement.known.common_errors`.
    """
    key = ratings.known_classes()
    known = 0 if key is None else int((key >= 0).sum())
    kinds = {(one.known, one.given) for one in errors}
    if len(errors) > 1 and len(kinds) == 1:
        ((true, given),) = kinds
        return _(
            "On {part} most {raters} gave the same wrong {rating}, always “{given}” where “{true}” is known."
        ).format(
            part=numbers.of_all(len(errors), known, "subjects"),
            given=Label(ratings.classes[given]),
            true=Label(ratings.classes[true]),
        )
    return ngettext(
        "On {part} most {raters} gave the same wrong {rating}.",
        "On {part} most {raters} gave the same wrong {rating}.",
        known,
    ).format(part=numbers.of_all(len(errors), known, "subjects"))


def ratings_of(ratings: Ratings, error: CommonError) -> tuple[tuple[int, int], ...]:
    """The rater and the class of every rating of a case, by raters.

    Parameters
    ----------
    ratings
        It was found in.
    error
        Of `tapdesk.agreement.known.common_errors`.
    """
    rows = np.flatnonzero(ratings.subject == error.case)
    return tuple(sorted((int(ratings.rater[row]), int(ratings.category[row])) for row in rows))


def errors_content(answer: Answer) -> Content | None:
    """The cases of a known class that most raters got wrong alike; None where there are none."""
    ratings = answer.ratings
    errors = common_errors(ratings)
    if not errors:
        return None
    title = ngettext("Wrong together: {n} {subjects}", "Wrong together: {n} {subjects}", len(errors)).format(
        n=numbers.count(len(errors))
    )
    return Content((Paragraph(in_common(ratings, errors)), _errors_table(ratings, errors)), title=title)


def _errors_table(ratings: Ratings, errors: tuple[CommonError, ...]) -> Table:
    """The cases that most raters got wrong alike."""
    columns = (
        Column(_("{Subject}"), wide=True),
        Column(_("Known")),
        Column(_("Most {raters} say")),
        Column(_("{Ratings}"), Align.RIGHT),
    )
    body = tuple(
        (
            CaseName(ratings.subjects[one.case]),
            Label(ratings.classes[one.known]),
            Label(ratings.classes[one.given]),
            _("{count} of {all}").format(count=numbers.count(one.count), all=numbers.count(one.ratings)),
        )
        for one in errors
    )
    note = _("Look at these: what do they have in common? The known answer may be the one that is wrong.")
    return Table(_("The same wrong {rating} from most {raters}"), columns, body, note, most=_MOST_ERRORS)


def _within(ratings: Ratings, shares: KnownShares) -> list[Block]:
    """The same within each class."""
    if len(ratings.classes) > _MOST_CLASSES:
        return []
    sentences = [
        _("When it is known to be “{label}”, {often}.").format(
            label=Label(label), often=numbers.often(share.value, share.low, share.high)
        )
        for label, share in zip(ratings.classes, shares.everyone.by_class, strict=True)
        if share.value is not None
    ]
    return [Paragraph(joined(*sentences))] if len(sentences) > 1 else []


def _name(ratings: Ratings, row: KnownShare) -> str:
    return _("All {raters}") if row.rater is None else RaterName(ratings.raters[row.rater])


def _note(ratings: Ratings, shares: KnownShares) -> str:
    """On what the shares rest, and what their intervals are."""
    key, texts = ratings.known_classes(), ratings.known_texts()
    note = _("N = {n} {subjects} with a known answer. 95 % score intervals; none below {least} {subjects}.").format(
        n=numbers.count(shares.everyone.cases), least=LEAST
    )
    strange = 0 if key is None or texts is None else sum(bool(t) and k < 0 for t, k in zip(texts, key, strict=True))
    if strange:
        more = ngettext(
            "{n} known answer is no class of these {ratings} and is passed over.",
            "{n} known answers are no classes of these {ratings} and are passed over.",
            strange,
        ).format(n=strange)
        note = joined(note, more)
    return joined(note, _("A share right counts lucky guesses too."))


def _table(answer: Answer, result: KnownShares, rows: list[KnownShare], note: str) -> Table:
    """One row for each rater, with the share right in all and within each class."""
    ratings, style = answer.ratings, answer.style
    classes = list(enumerate(ratings.classes)) if len(ratings.classes) <= _MOST_CLASSES else []
    columns = [
        Column(_("{Rater}"), wide=True),
        Column(_("{Subjects} known"), Align.RIGHT),
        Column(_("{Ratings}"), Align.RIGHT),
        Column(_("Right"), Align.RIGHT),
        Column(_("Share right"), Align.RIGHT),
        Column(_("95 % interval"), Align.RIGHT),
    ]
    for k, label in classes:
        heading = _heading(len(ratings.classes), k).format(label=Label(label), n=int(result.per_class[k]))
        columns += [Column(heading, Align.RIGHT), Column(_("95 % interval"), Align.RIGHT)]
    body = []
    for row in rows:
        shares = [row.share, *(row.by_class[k] for k, _label in classes)]
        counts = (cells.count(row.cases), cells.count(row.ratings), cells.count(row.right))
        sentences = [cell for share in shares for cell in (cells.value(share, style), cells.interval(share, style))]
        body.append((_name(ratings, row), *counts, *sentences))
    return Table(_("The {raters} held against the known answers"), tuple(columns), tuple(body), note)


def _heading(classes: int, k: int) -> str:
    """What the share right within a class is called: of two classes the last is the one that is looked for."""
    if classes != 2:
        return _("Right of “{label}” ({n})")
    return _("Sensitivity (“{label}”, {n})") if k == 1 else _("Specificity (“{label}”, {n})")


KNOWN = Part(
    "known",
    "agreement",
    _("How often are the {raters} right?"),
    _(
        "Of some {subjects} the answer is known from elsewhere, such as a laboratory or an expert. Each "
        "{rater} is held against it: the share of the {ratings} that say what is known, in all and among "
        "the {subjects} known to be of each class. With two classes these are sensitivity and specificity. "
        "{Subjects} without a known answer do not count."
    ),
    known_content,
    about=About.RATINGS,
    commands=("agree", "fit"),
)

ERRORS = Part(
    "errors",
    "agreement",
    _("What do most {raters} get wrong alike?"),
    _(
        "{Subjects} of a known class to which most {raters} gave one and the same other class. {Raters} who err each "
        "for themselves seldom do so alike: look at what these {subjects} have in common, or whether what is known of "
        "them is right."
    ),
    errors_content,
    about=About.RATINGS,
    commands=("agree", "fit"),
)
