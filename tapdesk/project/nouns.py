"""What cases, raters and ratings are called in a project: as its file heads them, or as the user wants it.

A word of a header is taken only where its plural is known, so that no sentence comes to hold a name, a number or half a
phrase.
"""

from collections.abc import Iterable, Mapping
from dataclasses import astuple
from types import MappingProxyType

from tapdesk.language import Nouns
from tapdesk.project.project import Project
from tapdesk.ratings.reading import Reading
from tapdesk.ratings.vocabulary import NAMING, words

PLACE = "nouns"
"""Of the user's own words in the notes of a project; none where the file speaks for itself."""


def _table(text: str) -> Mapping[str, tuple[str, str]]:
    """By a word in small letters the word and its plural: ``essay`` takes an s, ``bus/buses`` tells its own."""
    pairs = (word.partition("/")[::2] for word in text.split())
    return MappingProxyType({one.lower(): (one, many or f"{one}s") for one, many in pairs})


# Words of trades. Small words say too little about what they head (id, item, unit), and what stands for another thing
# in our own sentences (class, code, decision, value) would be read as that. What English shares with another language
# is English.
_CASES = _table(
    "case patient wine beer essay task sample specimen image document slide film record student candidate person text "
    "segment passage excerpt snippet utterance "
    "lesion scan biopsy/biopsies tumour tumor tweet comment article abstract study/studies paper proposal application "
    "portfolio chart tooth/teeth song photo photograph picture video recording interview transcript dish/dishes cheese "
    "coffee oil Fall/Fälle Probe/Proben Wein/Weine Bild/Bilder Akte/Akten Aufsatz/Aufsätze"
)
_RATERS = _table(
    "rater judge annotator coder reader observer reviewer auditor assessor examiner grader labeller labeler clinician "
    "pathologist radiologist juror panelist panellist taster anaesthetist anesthetist expert referee evaluator "
    "interviewer scorer marker nurse doctor physician surgeon consultant teacher tutor abstractor screener inspector "
    "therapist dentist radiographer midwife/midwives specialist vet sommelier worker Bewerter/Bewerter Prüfer/Prüfer "
    "Gutachter/Gutachter Jurorin/Jurorinnen Verkoster/Verkoster Arzt/Ärzte Richter/Richter"
)
_RATINGS = _table(
    "rating score grade medal diagnosis/diagnoses answer judgement judgment verdict assessment award "
    "Bewertung/Bewertungen Urteil/Urteile Antwort/Antworten Medaille/Medaillen Diagnose/Diagnosen"
)
# Programs whose files head no column by what is judged, or by a number of it: what their users call it.
_SCREENING = ("article", "articles"), ("reviewer", "reviewers")
_PROGRAMS = MappingProxyType({"Rayyan": _SCREENING, "Covidence": _SCREENING, "ASReview": _SCREENING})


def nouns_of(project: Project) -> Nouns:
    """What cases, raters and ratings are called: as the user wants it, else as the file heads them."""
    own = _own(project.notes.get(PLACE, ""))
    if own is not None:
        return own
    return Nouns() if project.reading is None else nouns_read(project.reading)


def with_nouns(project: Project, own: Nouns | None) -> Project:
    """The project with the user's own words for things; None for those of the file."""
    return project.with_note(PLACE, "" if own is None else "\n".join(word.strip() for word in astuple(own)))


def nouns_read(reading: Reading) -> Nouns:
    """What a file calls cases, raters and ratings: by the heads of its columns, and by what its raters are called.

    Where each rater has a column, its name is the head: ``Judge 1``, ``Judge 2``. An export of a program for screening
    is of articles and reviewers, as is said of it where it is read.
    """
    plain, roles = Nouns(), reading.source.roles
    export = next((f.about[0][0] for f in reading.findings if f.code == "known_export" and f.about), "")
    case, rater = _PROGRAMS.get(export, (None, None))
    case = case or _known(roles.get("subject", ""), _CASES)
    rater = rater or _known(roles.get("rater", ""), _RATERS) or _shared(reading.source.rating_columns, _RATERS)
    rating = _known(roles.get("rating", ""), _RATINGS)
    return Nouns(
        *(case or (plain.subject, plain.subjects)),
        *(rater or (plain.rater, plain.raters)),
        *(rating or (plain.rating, plain.ratings)),
    )


def _known(head: str, table: Mapping[str, tuple[str, str]]) -> tuple[str, str] | None:
    """The word a column is headed by, where all others only say that it is a number or a name: ``Patient ID``."""
    telling = [word for word in words(head) if word not in NAMING]
    return table.get(telling[0]) if len(telling) == 1 else None


def _shared(heads: Iterable[str], table: Mapping[str, tuple[str, str]]) -> tuple[str, str] | None:
    """The word that all columns are headed by, each with a number or a letter of its own."""
    sentences = {_known(" ".join(word for word in words(head) if len(word) > 1), table) for head in heads}
    return sentences.pop() if len(sentences) == 1 else None


def _own(kept: str) -> Nouns | None:
    """The user's own words; None where there are none, or where one is missing."""
    sentence = kept.split("\n")
    return (
        Nouns(*sentence) if len(sentence) == len(astuple(Nouns())) and all(word.strip() for word in sentence) else None
    )
