"""Samples of exports, true to the format of each program: answers are simulated, the frame is as the program writes it.

Where the frames come from is told in the modules of `tapdesk.ratings.trades`.
"""

import csv
import io
import json
import random

PEOPLE = ("Ana", "Ben", "Cleo")
CASES = tuple(f"REC-{i:03d}" for i in range(1, 61))


def answer(case: str, rater: str, question: str = "", classes=("No", "Yes")) -> str:
    """What a rater says of a case: mostly what is true of it."""
    true = random.Random(f"{case}{question}").randrange(len(classes))
    own = random.Random(f"{case}{rater}{question}")
    return classes[true if own.random() < 0.7 else own.randrange(len(classes))]


def text(rows, delimiter: str = ",", *, quoted: bool = False) -> str:
    """Rows as the text of a table."""
    file = io.StringIO()
    csv.writer(
        file, delimiter=delimiter, quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL, lineterminator="\n"
    ).writerows(rows)
    return file.getvalue()


QUALTRICS = (
    ("StartDate", "Start Date", "startDate"), ("EndDate", "End Date", "endDate"),
    ("Status", "Response Type", "status"), ("IPAddress", "IP Address", "ipAddress"),
    ("Progress", "Progress", "progress"), ("Duration (in seconds)", "Duration (in seconds)", "duration"),
    ("Finished", "Finished", "finished"), ("RecordedDate", "Recorded Date", "recordedDate"),
    ("ResponseId", "Response ID", "_recordId"), ("RecipientLastName", "Recipient Last Name", "recipientLastName"),
    ("RecipientFirstName", "Recipient First Name", "recipientFirstName"),
    ("RecipientEmail", "Recipient Email", "recipientEmail"),
    ("ExternalReference", "External Data Reference", "externalDataReference"),
    ("LocationLatitude", "Location Latitude", "locationLatitude"),
    ("LocationLongitude", "Location Longitude", "locationLongitude"),
    ("DistributionChannel", "Distribution Channel", "distributionChannel"),
    ("UserLanguage", "User Language", "userLanguage"),
)  # fmt: skip


def qualtrics(questions, responses, *, status="IP Address") -> list[list[str]]:
    """An export of Qualtrics: names, texts, ImportIds and responses; ``questions`` are pairs of name and text."""
    zone = {"timeZone": "America/Denver"}
    codes = [*(i for _n, _t, i in QUALTRICS), *(f"QID{i + 1}" for i in range(len(questions)))]
    told = [{"ImportId": i, **(zone if i.endswith("Date") else {})} for i in codes]
    ids = [json.dumps(one, separators=(",", ":")) for one in told]
    rows = [
        [*(n for n, _t, _i in QUALTRICS), *(n for n, _t in questions)],
        [*(t for _n, t, _i in QUALTRICS), *(t for _n, t in questions)],
        ids,
    ]
    for i, given in enumerate(responses):
        day = f"2025-03-{i % 28 + 1:02d}"
        meta = [
            f"{day} 09:0{i % 10}:11", f"{day} 09:1{i % 10}:40", status, f"10.0.0.{i}", "100", str(300 + i), "True",
            f"{day} 09:1{i % 10}:41", f"R_{i:05d}xYz", "", "", "", "", "51.5", "-0.12", "anonymous", "EN",
        ]  # fmt: skip
        rows.append([*meta, *given])
    return rows


def google_forms(first: str, questions, responses) -> list[list[str]]:
    """An export of Google Forms as its sheet is downloaded."""
    stamps = (f"{i // 60 % 12 + 1}/{i % 28 + 1}/2025 10:{i % 60:02d}:07" for i in range(len(responses)))
    return [[first, *questions], *([stamp, *given] for stamp, given in zip(stamps, responses, strict=True))]


def microsoft_forms(questions, responses, who, head=("ID", "Start time", "Completion time", "Email", "Name")):
    """An export of Microsoft Forms."""
    rows = [[*head, *questions]]
    for i, (given, name) in enumerate(zip(responses, who, strict=True)):
        address = "anonymous" if name is None else f"{name.lower()}@hospital.example"
        times = [f"3/{i % 28 + 1}/25 12:{i % 60:02d}:45", f"3/{i % 28 + 1}/25 12:{i % 60:02d}:59"]
        rows.append([str(i + 1), *times, address, name or "", *given])
    return rows


def limesurvey(questions, responses, *, token=None) -> list[list[str]]:
    """An export of LimeSurvey with question codes as its headings."""
    head = ["id", "submitdate", "lastpage", "startlanguage", "seed", *(["token"] if token else [])]
    rows = [[*head, *questions]]
    for i, given in enumerate(responses):
        meta = [str(i + 1), f"2025-03-{i % 28 + 1:02d} 10:{i % 60:02d}:00", "2", "en", str(112233445 + i)]
        rows.append([*meta, *([token[i]] if token else []), *given])
    return rows


def forms() -> tuple[list[list[str]], list[str]]:
    """Responses in which each person fills in one form for each case, and who did: case, person, answer."""
    pairs = [(case, who) for case in CASES for who in PEOPLE]
    return [[case, who, answer(case, who)] for case, who in pairs], [who for _case, who in pairs]


def truth() -> set[tuple[str, str, str]]:
    """What these forms say: case, rater, rating."""
    return {(case, who, answer(case, who)) for case in CASES for who in PEOPLE}


REDCAP_LABELS = {
    "record_id": "Record ID", "redcap_event_name": "Event Name", "redcap_repeat_instrument": "Repeat Instrument",
    "redcap_repeat_instance": "Repeat Instance", "outcome": "Was the outcome met?", "reviewer": "Reviewer",
    "rating_form_complete": "Complete?",
}  # fmt: skip


def redcap_events(events=("rater_1_arm_1", "rater_2_arm_1", "rater_3_arm_1"), more=()) -> list[list[str]]:
    """An export of REDCap in which each rater has an event; ``more`` are further questions."""
    rows = [["record_id", "redcap_event_name", "outcome", *more, "rating_form_complete"]]
    for case in CASES:
        for event, who in zip(events, PEOPLE, strict=True):
            others = [answer(case, who, q, ("0", "1")) for q in more]
            rows.append([case, event, answer(case, who, "", ("0", "1")), *others, "2"])
    return rows


def redcap_repeats(*, named: bool) -> list[list[str]]:
    """An export of REDCap in which a form is repeated for each rating, below a row of the record itself."""
    head = ["record_id", "redcap_repeat_instrument", "redcap_repeat_instance", "age", "record_complete"]
    rows = [[*head, *(["reviewer"] if named else []), "outcome", "rating_form_complete"]]
    for i, case in enumerate(CASES):
        rows.append([case, "", "", str(40 + i), "2", *([""] if named else []), "", ""])
        for j, who in enumerate(PEOPLE):
            own = [who] if named else []
            rows.append([case, "rating_form", str(j + 1), "", "", *own, answer(case, who, "", ("0", "1")), "2"])
    return rows


def redcap_entered_twice() -> list[list[str]]:
    """An export of REDCap in which two persons enter each record."""
    rows = [["record_id", "outcome", "rating_form_complete"]]
    rows += [[f"{c}--{j + 1}", answer(c, w, "", ("0", "1")), "2"] for c in CASES for j, w in enumerate(PEOPLE[:2])]
    return rows


def redcap_labels(rows: list[list[str]]) -> list[list[str]]:
    """The same export with labels in place of raw names and codes."""
    head = [REDCAP_LABELS.get(n, n) for n in rows[0]]
    said = {"0": "No", "1": "Yes", "2": "Complete", "": ""}
    events = {f"rater_{j}_arm_1": f"Rater {j}" for j in (1, 2, 3)} | {"rating_form": "Rating form"}
    plain = {"Record ID", "Repeat Instance", "age"}
    return [
        head,
        *([c if n in plain else events.get(c, said.get(c, c)) for n, c in zip(head, r, strict=True)] for r in rows[1:]),
    ]
