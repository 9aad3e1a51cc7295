"""What names of rating columns are made of: a question and a rater each, or a part that all of them share."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tapdesk.language import RaterName, joined
from tapdesk.language import gettext as _
from tapdesk.ratings import vocabulary as w
from tapdesk.ratings.findings import Finding, Groups, label_text, name_list, note, short_text
from tapdesk.ratings.layouts import roles as r
from tapdesk.ratings.layouts.profiles import Profiles
from tapdesk.ratings.layouts.two_readings import OFFERED, command, two_ways
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.table import RatingTable

_JOINS = re.compile(r"(?<=\S)[_.:|/ -]+(?=[^\s_.:|/-])")
_MARGIN = 0.6  # points by which one part of the names must be likelier the question for the other to be out of it
_SEATS = frozenset("rj")  # letters of raters and judges that stand before a number
# From an end of a name: a heading may be a whole book, and every pair of cuts is held against every other one.
_MOST_JOINS = 20
_NUMBERED = re.compile(r"[A-Za-z][ _.-]?\d{1,3}")
_INITIAL = re.compile(r"(?:^|\s)[A-ZÀ-Þ]\.$")
_SHORT_PERSON = re.compile(r"[A-ZÀ-Þ]{2,3}|[A-ZÀ-Þa-z][a-zà-ÿ]+ [A-ZÀ-Þ]\.?")
_BRACKETS = re.compile(r"\[.*\]|\(.*\)")
_MORE = re.compile(r"[_.:|/ -]+(?=\S)")
# What stands between a question and a person: a mark that is in no name, or one that a name may hold itself.
_STRONG = r"\s*[:|/]\s*|\s+[-–—]\s+|_+|\s*(?=[\[(])|(?<=\?)\s*"
_JOINT = re.compile(rf"(?P<strong>{_STRONG})|(?P<weak>\s+|[-.])")
_PERSONS = w.KINDS | w.RATER | w.RATER_PERHAPS | w.SUBJECT
_NAMED = 8
_LETTERED = re.compile(r"([A-ZÀ-Þ][a-zà-ÿ]+|[A-Za-z]+\d+)([a-d])")


@dataclass(frozen=True)
class Crossed:
    """Columns that stand for a question and a rater each.

    Attributes
    ----------
    groups
        For each question its name and its columns.
    other
        The same where the other part of the names is the question; empty where that is out of the question.
    """

    groups: Groups = ()
    other: Groups = ()


def wide_questions(names: tuple[str, ...], table: RatingTable | None = None, subject: str | None = None) -> Crossed:
    """The columns of each of several questions that were put to every rater; without groups where there is but one.

    ``R1 grade, R1 trust, R2 grade, R2 trust`` are two questions to R1 and R2; every rater must have been asked every
    question. Which part of the names is the question is told by the names, and by the answers: those to one question
    agree, and may have classes of their own. Where that does not tell, both ways are kept.

    Parameters
    ----------
    names
        The columns.
    table, subject
        What stands below them, and the column of the cases; None where only the names are known.
    """
    for pairs in _splits(names, names):
        firsts, seconds = (tuple(dict.fromkeys(p[i] for p in pairs.values())) for i in (0, 1))
        # Dr 1, Dr 2, Nurse 1 and Nurse 2 are four persons; Ana 1, Ana 2, Ben 1 and Ben 2 are two, asked twice.
        short = all(len(q) < 3 and not (r.is_like_question(q) or _NUMBERED.fullmatch(q)) for q in seconds)
        if short and any(w.KINDS.intersection(w.words(n)) for n in firsts):
            continue
        sides = tuple(
            tuple((q, *(n for n, p in pairs.items() if p[side] == q)) for q in texts)
            for side, texts in ((0, firsts), (1, seconds))
        )
        points = [_points(sides[i], table, subject) + _by_name(firsts, seconds, i, names) for i in (0, 1)]
        best = 0 if points[0] > points[1] else 1
        return Crossed(sides[best], sides[1 - best] if table and abs(points[0] - points[1]) < _MARGIN else ())
    return Crossed(_added(names) or _lettered(names))


def _lettered(names: Sequence[str]) -> Groups:
    """Names that come twice or more with a small letter behind them, ``Anaa, Anab, Bena, Benb``, by that letter."""
    pairs = [_LETTERED.fullmatch(n.strip()) for n in names]
    parts = [(m[1], m[2]) for m in pairs if m]
    stems, letters = (tuple(dict.fromkeys(p[i] for p in parts)) for i in (0, 1))
    whole = len(parts) == len(names) == len(set(parts)) == len(stems) * len(letters)
    if not whole or len(stems) < 2 or letters != tuple("abcd"[: len(letters)]) or len(letters) < 2:
        return ()
    return tuple((end, *(n for n, p in zip(names, parts, strict=True) if p[1] == end)) for end in letters)


def _splits(names: Sequence[str], every: Sequence[str]) -> Iterator[dict[str, tuple[str, str]]]:
    """The ways to split some names in two, so that all first parts stand with all second parts.

    Parameters
    ----------
    names
        All of them are split.
    every
        More names that may belong to them.

    Yields
    ------
    dict
        Of each name that is split both parts, in the order of ``every``.
    """
    cut = {n: tuple(_cuts(n.strip())) for n in every}
    seen: list[dict[str, tuple[str, str]]] = []
    for first in cut.get(names[0], ()) if names else ():
        for side in (0, 1):
            made = _split_like(cut, first[side], side)
            if made not in seen and set(names) <= set(made):
                seen.append(made)
                yield made


def _cuts(name: str) -> Iterator[tuple[str, str]]:
    """A name in two, at each place where parts of it are joined; of a long text near its ends, where people stand."""
    joins = list(_JOINS.finditer(name))
    if len(joins) > 2 * _MOST_JOINS:
        joins = joins[:_MOST_JOINS] + joins[-_MOST_JOINS:]
    for join in joins:
        # The full stop of an initial belongs to the name.
        stop = "." if join[0].startswith(".") and _INITIAL.search(f"{name[: join.start()]}.") else ""
        yield name[: join.start()] + stop, name[join.end() :]


def _split_like(cut: Mapping[str, Sequence[tuple[str, str]]], part: str, side: int) -> dict[str, tuple[str, str]]:
    """Names split where what stands with one first (0) or second part (1) stands with all; empty where nothing does."""
    rests = {pair[1 - side] for pairs in cut.values() for pair in pairs if pair[side] == part}
    made = {
        name: max(fits, key=lambda pair: len(pair[1 - side]))
        for name, pairs in cut.items()
        if (fits := [pair for pair in pairs if pair[1 - side] in rests])
    }
    often = Counter(pair[side] for pair in made.values())
    kept = {n: pair for n, pair in made.items() if often[pair[side]] == len(rests)}
    wholes = len({pair[side] for pair in kept.values()})
    good = wholes > 1 and len(rests) > 1 and len(set(kept.values())) == len(kept) == wholes * len(rests)
    return kept if good else {}


def with_all_questions(table: RatingTable, columns: tuple[str, ...], every: Sequence[str]) -> tuple[str, ...]:
    """Columns of questions and raters with those of a question that is called like a fact, as ``weight_Ann`` is.

    A further question belongs to them where every rater was asked it and it is answered as the others are.
    """
    if len(columns) < 2 or len(columns) == len(every):
        return columns
    known = frozenset().union(*(table.texts(n) for n in columns))
    for pairs in _splits(columns, every):
        more = [n for n in pairs if n not in columns]
        if more and all(table.texts(n) <= known for n in more):
            return tuple(n for n in every if n in pairs)
    return columns


def question_or_rater(table: RatingTable, found: Crossed, subject: str | None) -> Finding:
    """The question which part of the names is the question, with one cell read both ways."""
    sides = (found.groups, found.other)
    ways = [
        {"layout": Layout.RATERS, "columns": tuple(n for group in side for n in group[1:]), "only": side[0][0]}
        for side in sides
    ]
    offered = [
        (
            _("Each column is a rater; read the question “{name}”").format(name=label_text(group[0])),
            {**way, "only": group[0]},
        )
        for side, way in zip(sides, ways, strict=True)
        for group in side[:OFFERED]
    ]
    return two_ways(
        "",
        joined(*(_cell(table, side, subject) for side in sides)),
        [command({"layout": Layout.RATERS, "only": way["only"]}) for way in ways],
        offered,
        _("Shown here is each column as a rater of its own; nothing is computed before you have chosen."),
    )


def _cell(table: RatingTable, side: Groups, subject: str | None) -> str:
    """One cell as one way of reading it understands it."""
    question, *columns = side[0]
    row = table.rows // 2
    case = "" if subject is None else table.column(subject).text(row).strip()
    return _("As {n:,} questions: asked '{question}', the rater {rater} said '{given}' of {case}.").format(
        n=len(side),
        question=label_text(question),
        rater=label_text(raters_of(question, columns)[0]),
        given=label_text(table.column(columns[0]).text(row).strip()),
        case=label_text(case or str(row + 1)),
    )


def raters_of(question: str, names: Sequence[str]) -> tuple[str, ...]:
    """What is left of the names of the columns of a question without the question; as they are where that tells nobody.

    Parameters
    ----------
    question, names
        One group of `wide_questions`.
    """
    ends = ((n.strip().removeprefix(question), n.strip().removesuffix(question)) for n in names)
    sentences = tuple(_bare(min(pair, key=len)) for pair in ends)
    return sentences if all(sentences) and len(set(sentences)) == len(sentences) else tuple(names)


def turned(groups: Groups) -> Groups:
    """The columns of each rater of some questions, as if the raters were the questions; none where they differ."""
    people = {question: raters_of(question, own) for question, *own in groups}
    first = next(iter(people.values()), ())
    if len(groups) < 2 or len(first) < 2 or any(who != first for who in people.values()):
        return ()
    return tuple((who, *(own[j] for _question, *own in groups)) for j, who in enumerate(first))


def _bare(text: str) -> str:
    """What is left of a name without what joins its parts: ``Ann K.`` keeps its full stop, ``[Ann]`` no brackets."""
    left = text.lstrip("_.:|/ -")
    short = left.rstrip("_:|/ -")
    plain = short if _INITIAL.search(short) else short.rstrip("_.:|/ -")
    return plain[1:-1].strip() if _BRACKETS.fullmatch(plain) else plain


def _by_name(firsts: Sequence[str], seconds: Sequence[str], side: int, header: tuple[str, ...]) -> float:
    """What speaks for one part of the names being the question, as the names of both parts are written."""
    own, others = (firsts, seconds)[side], (firsts, seconds)[1 - side]
    initials = {word[0] for word in w.in_language(header, w.QUESTION) - w.QUESTION} | {"q"}
    persons = sum(bool(_SHORT_PERSON.fullmatch(n)) for n in own) / len(own)
    large = all(n[:1].isupper() for n in own) and not all(n[:1].isupper() for n in others)
    points = -2.0 * persons - (1.0 if large else 0.0)
    letters = {n[0].casefold() for n in own if _NUMBERED.fullmatch(n)}
    if len(letters) == 1 and all(_NUMBERED.fullmatch(n) for n in own) and not all(map(_NUMBERED.fullmatch, others)):
        # Persons have names or seats; what is numbered beside them are questions.
        points += 3.0 if letters <= initials else 2.0 if not letters <= _SEATS else -1.0
    return points


def _points(groups: Groups, table: RatingTable | None, subject: str | None) -> float:
    """What speaks for the names of some groups of columns being questions, and each group the raters of one."""
    questions = tuple(group[0] for group in groups)
    points = -4.0 if _are_raters(questions) else 0.0
    points += 3.0 * sum(r.is_like_question(q) or r.is_phrase(q) for q in questions) / len(questions)
    if table is None:
        return points
    if not all(_one_scale(table, group[1:]) for group in groups):
        return points - 4.0
    items = () if subject is None or subject not in table.names else (subject,)
    profiles = Profiles(table, table.names)
    agreed = [profiles.agreement(group[1:], items, (), by_column=False, across=False) for group in groups if items]
    return points + 4 * sum(agreed) / max(len(agreed), 1)


def _one_scale(table: RatingTable, names: Sequence[str]) -> bool:
    """Whether some columns answer on one scale."""
    return len(r.rating_columns(table, tuple(names))) == len(names)


def _added(names: tuple[str, ...]) -> Groups:
    """The same where the first question has no name of its own: ``Ana, Ana trust, Ben, Ben trust``."""
    base = [n for n in names if not any(_more(n, other) for other in names)]
    more = {b: {result: n for n in names if (result := _more(n, b))} for b in base}
    items = tuple(more[base[0]]) if base else ()
    if len(base) < 2 or not items or len(names) != len(base) * (1 + len(items)):
        return ()
    if any(tuple(sorted(outcome)) != tuple(sorted(items)) for outcome in more.values()):
        return ()
    return ((" / ".join(base), *base), *((q, *(more[b][q] for b in base)) for q in items))


def _more(name: str, base: str) -> str:
    """What a name has behind another name that it begins with; a column renamed for its number has nothing."""
    gap = _MORE.match(name, len(base)) if name.startswith(base) else None
    return name[gap.end() :] if gap and not re.fullmatch(r"\(\d+\)", name[gap.end() :]) else ""


def _are_raters(names: tuple[str, ...]) -> bool:
    """Whether names are those of raters rather than of questions; a number or a letter with one may be either."""
    return all(
        not n.isdecimal()
        and (not _NUMBERED.fullmatch(n) or n[0].casefold() in _SEATS)
        and not r.is_like_question(n)
        and (r.is_rater_column(n) or bool(w.RATER_ANYWHERE.intersection(w.words(n))))
        for n in names
    )


@dataclass(frozen=True)
class _Names:
    """Names without what they share, in their order, and what that was: before and behind them."""

    short: tuple[str, ...]
    lead: str
    trail: str


def without_shared_part(
    table: RatingTable, result: r.Roles, options: ReadingOptions, *, own: bool = False
) -> tuple[RatingTable, r.Roles]:
    """The table with its raters called without what the names of all their columns share; told, where there is such.

    So it is where a form has the columns ``p_Ana, p_Ben`` or ``Rating - Ana, Rating - Ben``. Several questions keep
    their names, and so do columns that are named like questions, until the user says that they are raters.

    Parameters
    ----------
    table
        The rows that answer the question asked.
    result
        What its columns are for.
    options
        What the user said.
    own
        Whether this program wrote the table: its columns are called as the raters are.
    """
    columns = result.columns
    if own or result.layout is not Layout.RATERS or not table.header_rows:
        return table, result
    others = [n for n in table.names if n not in columns]
    names = _names(columns)
    if names is None or len({n.casefold() for n in (*names.short, *others)}) < len(names.short) + len(others):
        return table, result
    like_questions = 2 * sum(map(r.is_phrase, columns)) > len(columns)
    if (like_questions and options.layout is Layout.AUTO) or wide_questions(columns, table, result.subject).groups:
        return table, result
    short = dict(zip(columns, names.short, strict=True))
    parts = [p for p in (names.lead, names.trail) if p]
    told = note(
        "shared_name_part",
        table.place(columns[0]),
        _("{parts} stands in the names of all rating columns, so the raters are called without it: {raters}.").format(
            parts=name_list([_("“{part}”").format(part=short_text(p, 80)) for p in parts]),
            raters=name_list([RaterName(n, 40) for n in names.short], _NAMED),
        ),
        default=_("Options take the names of the columns as well as these."),
    )
    return table.renamed(short), replace(result, columns=names.short, findings=(*result.findings, told))


def in_file_names(table: RatingTable, options: ReadingOptions) -> ReadingOptions:
    """The options with columns called as in the file, where they are called without what several columns share."""
    named = [*(options.columns or ()), *([options.known] if options.known else [])]
    named += [n for n, _value in (*options.where, *options.where_not)]
    known = {n.strip().casefold() for n in table.names}
    if all(n.strip().casefold() in known for n in named):
        return options
    families = _short_names(table.names)

    def called(name: str) -> str:
        fits = set() if name.strip().casefold() in known else families.get(name.strip().casefold(), set())
        return next(iter(fits)) if len(fits) == 1 else name

    return replace(
        options,
        columns=None if options.columns is None else tuple(map(called, options.columns)),
        known=None if options.known is None else called(options.known),
        where=tuple((called(n), value) for n, value in options.where),
        where_not=tuple((called(n), value) for n, value in options.where_not),
    )


def _short_names(names: Sequence[str]) -> dict[str, set[str]]:
    """By what is left of a name without a part that several names share: whose name it is."""
    leads: dict[str, set[str]] = {}
    trails: dict[str, set[str]] = {}
    for name in names:
        for joint in _joints(name.strip()):
            leads.setdefault(name.strip()[: joint.end()], set()).add(name)
            trails.setdefault(name.strip()[joint.start() :], set()).add(name)
    families: dict[str, set[str]] = {}
    for parts, cut in ((leads, str.removeprefix), (trails, str.removesuffix)):
        for part, own in parts.items():
            for name in own if len(own) > 1 else ():
                short = _unbracketed(cut(name.strip(), part))
                families.setdefault(short.casefold(), set()).add(name)
                # What is shared at both ends is dropped at both.
                for joint in _joints(short) if cut is str.removeprefix else ():
                    if len(trails.get(short[joint.start() :], ())) > 1:
                        families.setdefault(_unbracketed(short[: joint.start()]).casefold(), set()).add(name)
    return families


def _joints(name: str) -> list[re.Match[str]]:
    """Where parts of a name are joined; of a long text near its ends, where people stand."""
    joints = list(_JOINT.finditer(name))
    return joints if len(joints) <= 2 * _MOST_JOINS else [*joints[:_MOST_JOINS], *joints[-_MOST_JOINS:]]


def _names(columns: Sequence[str]) -> _Names | None:
    """Names without what they share before and behind; None where that is nothing, or belongs to them."""
    if len(columns) < 2:
        return None
    plain = tuple(n.strip() for n in columns)
    lead = _longest(plain, str.startswith, lambda name, joint: name[: joint.end()])
    rest = tuple(n.removeprefix(lead) for n in plain)
    trail = _longest(rest, str.endswith, lambda name, joint: name[joint.start() :])
    short = tuple(_unbracketed(n.removesuffix(trail)) for n in rest)
    dropped = w.RATING_ANYWHERE.intersection(w.words(f"{lead} {trail}"))
    names_all = all(any(map(str.isalpha, n)) and (dropped or len(n) > 1) for n in short)
    if not lead + trail or not names_all or len({n.casefold() for n in short}) < len(short):
        return None
    return _Names(short, lead.strip(), trail.strip())


def _longest(names: Sequence[str], has: Callable[[str, str], bool], part: Callable[[str, re.Match[str]], str]) -> str:
    """The longest part that all names share at one end and that is no part of a person's name."""
    found = ""
    for joint in _joints(names[0]):
        own = part(names[0], joint)
        if len(own) < len(names[0]) and len(own) > len(found) and all(len(n) > len(own) and has(n, own) for n in names):
            found = own if _is_about_ratings(own, weak=joint["weak"] is not None) else found
    return found


def _is_about_ratings(part: str, *, weak: bool) -> bool:
    """Whether what names share says what was rated, as ``Rating``, ``Q1`` or ``p_`` do, and not who rated or whom.

    First names and surnames may be shared as well: what is joined by a blank, a hyphen or a dot has to say so itself.
    """
    spoken = w.words(part)
    if _PERSONS.intersection(spoken):
        return False
    numbered = any(map(str.isdigit, part))
    if (w.QUESTION | w.QUESTION_PERHAPS).intersection(spoken) and not numbered:
        return False
    bare = part.strip(" _.:|/-–—")
    telling = w.RATING_ANYWHERE.intersection(spoken) or r.is_like_question(bare) or bare.endswith("?")
    return bool(telling) or not weak


def _unbracketed(text: str) -> str:
    """What is left of a name, without brackets around it."""
    plain = text.strip()
    return plain[1:-1].strip() if _BRACKETS.fullmatch(plain) else plain
