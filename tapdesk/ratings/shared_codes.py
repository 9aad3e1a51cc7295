"""What is the same in several questions of a form is asked once: a code such as 9 or n/a, spellings of an answer."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, Severity, ask, label_text, quoted_list
from tapdesk.ratings.reading import Reading
from tapdesk.ratings.texts import REASON

_CODES = {
    "missing_codes": (
        _("The code “{code}” stands in {n} questions ({names}) and usually means no rating."),
        _("If it is an answer, say so for all questions (--missing) or for one (--for-question)."),
        _("It is read as no rating."),
    ),
    "maybe_missing_word": (
        _("“{code}” stands in {n} questions ({names}) and sounds like a missing rating."),
        _(
            "If nobody rated there, name it for all questions (--missing) or for one (--for-question); if raters "
            "looked and could not say, as an abstention (--abstain)."
        ),
        _("It is kept as a class."),
    ),
    "maybe_missing_number": (
        _("“{code}” stands in {n} questions ({names}) and may be a code for a missing rating."),
        _("If nobody rated there, name it for all questions (--missing) or for one (--for-question)."),
        _("It is kept as a class."),
    ),
    "numbers_among_words": (
        _("“{code}” stands in {n} questions ({names}) among answers that are words: a code for missing, or a sum."),
        _(
            'If nobody rated there, say so for all questions (--missing "{codes}") or for one (--for-question). If it '
            "is an answer, name all classes in their order (--order), or say --keep-summaries."
        ),
        _("It is kept as a class."),
    ),
}
_MOST_NAMED = 3
_SPELLINGS = "case_space_variants"
_UNUSED = frozenset({"missing_code_unused", "abstention_unused"})


def codes_asked_once(readings: Mapping[str, Reading]) -> tuple[Mapping[str, Reading], tuple[Finding, ...]]:
    """The questions of a form by name with one finding about a code that several know, the same beside each of them.

    What such a finding is ``about``: the code; the questions that know it; all codes that are asked about in this way.

    Returns
    -------
    tuple
        The questions, and the findings about codes of several.
    """
    where: dict[tuple[str, str], list[str]] = {}
    weights: dict[str, Severity] = {}
    for name, reading in readings.items():
        for finding in reading.findings:
            if finding.code in _CODES and len(finding.about) == 1:
                weights[finding.code] = finding.severity
                for code in finding.about[0]:
                    where.setdefault((finding.code, code), []).append(name)
    every = {kind: tuple(code for known, code in where if known == kind) for kind in _CODES}
    left = {c: None for r in readings.values() for c in r.missing_by if c and not c.startswith(REASON)}
    once = {
        (kind, code): _shared_code(kind, code, tuple(names), every[kind], weights[kind], tuple(left))
        for (kind, code), names in where.items()
        if len(names) > 1
    }
    return {name: _with_once(reading, once) for name, reading in readings.items()}, tuple(once.values())


def spellings_asked_once(readings: Mapping[str, Reading]) -> tuple[Mapping[str, Reading], tuple[Finding, ...]]:
    """The same with one finding about answers that differ only in capitals or blanks, whichever question has which.

    What such a finding is ``about``: the spellings, the commonest first; the questions with more than one of them.
    """
    groups: list[tuple[set[str], list[str]]] = []
    often: Counter[str] = Counter()
    for name, reading in readings.items():
        counts = np.bincount(reading.as_read.category, minlength=len(reading.as_read.classes))
        often.update(dict(zip(reading.as_read.classes, counts.tolist(), strict=True)))
        for finding in reading.findings:
            if finding.code == _SPELLINGS and len(finding.about) == 1:
                near = [group for group in groups if group[0] & set(finding.about[0])]
                groups = [group for group in groups if group not in near]
                texts = set(finding.about[0]).union(*(group[0] for group in near))
                groups.append((texts, list(dict.fromkeys([*(n for group in near for n in group[1]), name]))))
    once = [(texts, _spellings(sorted(texts, key=lambda t: (-often[t], t)), names)) for texts, names in groups]
    shared = [(texts, finding) for texts, finding in once if len(finding.about[1]) > 1]
    made = {}
    for name, reading in readings.items():
        findings = [next((one for texts, one in shared if _is_of(f, texts)), f) for f in reading.findings]
        made[name] = replace(reading, findings=tuple(dict.fromkeys(findings)))
    return made, tuple(finding for _texts, finding in shared)


def without_codes_elsewhere(readings: Mapping[str, Reading]) -> Mapping[str, Reading]:
    """The same without the remark that no cell holds a code that was named, where another question holds it."""
    everywhere = [{str(f.message) for f in reading.findings if f.code in _UNUSED} for reading in readings.values()]
    nowhere = set.intersection(*everywhere) if everywhere else set()

    def kept(finding: Finding) -> bool:
        return finding.code not in _UNUSED or str(finding.message) in nowhere

    return {name: replace(r, findings=tuple(filter(kept, r.findings))) for name, r in readings.items()}


def _is_of(finding: Finding, texts: set[str]) -> bool:
    return finding.code == _SPELLINGS and len(finding.about) == 1 and set(finding.about[0]) <= texts


def _spellings(texts: Sequence[str], names: Sequence[str]) -> Finding:
    """The one question about spellings of an answer."""
    return ask(
        _SPELLINGS,
        "",
        _("{texts} differ only in capitals or blanks, in {n} questions ({names}).").format(
            texts=quoted_list([label_text(t) for t in texts]), n=len(names), names=quoted_list(names, _MOST_NAMED)
        ),
        _("If they are one class, merge them."),
        _("They are kept as different classes."),
        (tuple(texts), tuple(names)),
    )


def _shared_code(
    kind: str, code: str, names: tuple[str, ...], every: tuple[str, ...], severity: Severity, left: tuple[str, ...]
) -> Finding:
    """The one question about a code; ``left`` are those that count as no rating by now, and go on doing so."""
    message, fix, default = _CODES[kind]
    codes = Label(",".join(dict.fromkeys((*left, *(every if severity is Severity.BLOCK else (code,))))))
    sentence = message.format(code=Label(code), n=len(names), names=quoted_list(names, _MOST_NAMED))
    return Finding(kind, severity, "", sentence, fix.format(codes=codes), default, ((code,), names, every))


def _with_once(reading: Reading, once: Mapping[tuple[str, str], Finding]) -> Reading:
    """A reading whose findings about shared codes are those of the whole form."""
    findings: list[Finding] = []
    for finding in reading.findings:
        codes = finding.about[0] if finding.code in _CODES and len(finding.about) == 1 else ()
        together = [once[finding.code, code] for code in codes if (finding.code, code) in once]
        rest = tuple(code for code in codes if (finding.code, code) not in once)
        if not together or rest:
            findings.append(replace(finding, about=(rest,)) if together else finding)
        findings += together
    return replace(reading, findings=tuple(findings))
