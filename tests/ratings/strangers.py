"""Sheets as strangers bring them: columns of scores, sums, means, prices and people's facts among the ratings.

Each has a truth per case that its raters follow with some probability, so it shows what a real one would show.
"""

import random
import statistics
from collections.abc import Callable, Iterator, Sequence

from tapdesk.ratings.options import Layout
from tests.ratings.corpus import Sheet, written

LONG, RATERS, QUESTIONS, SUBJECTS = Layout.LONG, Layout.RATERS, Layout.QUESTIONS, Layout.SUBJECTS
Answers = dict[tuple[str, str], str]


class Maker:
    """Draws cases, people and what each said of each."""

    def __init__(self, seed: str) -> None:
        self.rng = random.Random(seed)

    def cases(self, pattern: str, low: int = 24, high: int = 60) -> list[str]:
        """Names of some cases."""
        return [pattern.format(i=i + 1, j=1000 + 7 * i) for i in range(self.rng.randint(low, high))]

    def said(self, cases: Sequence[str], people: Sequence[str], classes: Sequence[str], gaps: float = 0.0) -> Answers:
        """Who said what: each follows the truth with a probability, and steps of a scale err to their neighbours."""
        rng, made = self.rng, {}
        accuracy = rng.uniform(0.6, 0.85)
        weights = [rng.uniform(0.6, 1.6) for _ in classes]
        for case in cases:
            true = rng.choices(range(len(classes)), weights)[0]
            for who in people:
                given = true if rng.random() < accuracy else rng.choices(range(len(classes)), weights)[0]
                if len(classes) > 4:
                    given = min(max(true + rng.choice((-1, 0, 0, 0, 1)), 0), len(classes) - 1)
                if rng.random() >= gaps:
                    made[case, who] = classes[given]
        return made

    def form(
        self, cases: Sequence[str], people: Sequence[str], questions: Sequence[tuple[str, Sequence[str]]]
    ) -> dict[str, Answers]:
        """The same for each of several questions."""
        return {q: self.said(cases, people, classes) for q, classes in questions}


YN, YNA, FIVE, TEN = ("No", "Yes"), ("Met", "Partly", "Not met"), tuple("12345"), tuple(map(str, range(1, 11)))
GRADES = ("A", "B", "C", "D")

# Header of the case, its pattern, header of the rater, people, questions, further columns of the single row.
FORMS: tuple[tuple[str, str, str, str, tuple[tuple[str, Sequence[str]], ...]], ...] = (
    ("Record", "R{i:03d}", "Auditor", "Okafor Haddad Lindqvist",
     (("Consent signed", YN), ("Pain assessed", YN), ("Fluid chart complete", YN), ("Score", FIVE))),
    ("Patient", "P{i}", "Nurse", "Mary Tom Joyce", (("Q1", YN), ("Q2", YN), ("Q3", YN), ("Rating", FIVE))),
    ("Essay", "E{i:02d}", "Marker", "KL MB TS", (("Structure", FIVE), ("Argument", FIVE), ("Grade", GRADES))),
    ("Chart ID", "{j}", "Abstractor", "abs1 abs2 abs3 abs4",
     (("Aspirin given", YNA), ("ECG within 10 min", YNA), ("Overall rating", FIVE))),
    ("Akte", "A-{i}", "Prüfer", "Krüger Vormbrock Meisel",
     (("Einwilligung", ("ja", "nein")), ("Schmerz erfasst", ("ja", "nein")), ("Note", FIVE))),
    ("dossier", "D{i:03d}", "évaluateur", "Lefèvre Rousseau Cazeneuve",
     (("consentement", ("oui", "non")), ("douleur", ("oui", "non")), ("note", FIVE))),
    ("expediente", "X{i}", "evaluador", "Lucía Javier Pilar",
     (("consentimiento", ("sí", "no")), ("dolor", ("sí", "no")), ("puntuación", FIVE))),
    ("cartella", "C{i:02d}", "valutatore", "Giulia Marco Paola",
     (("consenso", ("sì", "no")), ("dolore", ("sì", "no")), ("voto", FIVE))),
    ("prontuário", "PR{i}", "avaliador", "João Beatriz Tiago",
     (("consentimento", ("sim", "não")), ("dor", ("sim", "não")), ("nota", FIVE))),
    ("Wine", "W{i:02d}", "Judge", "Ana Ben Cleo Dan",
     (("Nose", FIVE), ("Palate", FIVE), ("Finish", FIVE), ("Score", TEN))),
    ("Response", "resp-{i}", "Annotator", "ann_1 ann_2 ann_3",
     (("Helpful", YN), ("Harmless", YN), ("Honest", YN), ("Rating", FIVE))),
    ("Application", "App {i:03d}", "Panel member", "Prof. Hart;Dr Osei;Dr Lund",
     (("Originality", FIVE), ("Feasibility", FIVE), ("Impact", FIVE), ("Grade", GRADES))),
)  # fmt: skip
SUMS = (
    "Total", "Total score", "Sum", "Mean", "Average", "Overall %", "Summe", "Mittelwert", "moyenne", "suma", "media",
    "Gesamtpunkte", "Points", "Σ", "Final mark", "Subtotal",
)  # fmt: skip


def people_of(text: str) -> list[str]:
    return text.split(";") if ";" in text else text.split()


def forms(make: Maker) -> Iterator[Sheet]:
    """A row for each case and rater, questions beside each other, one of which is called like a rating."""
    for n, (case, pattern, rater, names, questions) in enumerate(FORMS):
        cases, people = make.cases(pattern), people_of(names)
        said = make.form(cases, people, questions)
        beside = make.rng.choice(("", "date", "remark", "ward"))
        places = list(range(len(questions)))
        if make.rng.random() < 0.5:
            make.rng.shuffle(places)
        order = [questions[k][0] for k in places]
        head = [case, rater, *order, *([beside] if beside else [])]
        rows = []
        for i, c in enumerate(cases):
            for who in people:
                more = {
                    "date": f"2025-03-{i % 28 + 1:02d}", "remark": make.rng.choice(("", "", "see notes", "late")),
                    "ward": "NSE"[i % 3],
                }.get(beside)  # fmt: skip
                rows.append([c, who, *(said[q][c, who] for q in order), *([more] if beside else [])])
        turned = make.rng.choice(("plain", "turned", "last"))
        yield Sheet(
            f"form with a score; {n} {case}; {turned} {beside}", written(head, rows, turned), (QUESTIONS,), said
        )


def sums_in_forms(make: Maker) -> Iterator[Sheet]:
    """A form of scores whose last column is computed from the others, whatever it is called."""
    for n, name in enumerate(SUMS):
        case, pattern, rater, names = (
            ("Record", "R{i:03d}", "Auditor", "Okafor Haddad Lindqvist"),
            ("Wine", "W{i}", "Judge", "Ana Ben Cleo"), ("Lesson", "L{i:02d}", "Observer", "JS MK TB"),
        )[n % 3]  # fmt: skip
        cases, people = make.cases(pattern), people_of(names)
        questions = tuple((q, FIVE) for q in ("Opening", "Content", "Pace", "Closing")[: 3 + n % 2])
        said = make.form(cases, people, questions)
        mean = any(part in name.casefold() for part in ("mean", "average", "mittel", "moyenne", "media", "%"))
        rows = []
        for c in cases:
            for who in people:
                own = [said[q][c, who] for q, _ in questions]
                total = sum(map(int, own))
                rows.append([c, who, *own, f"{total / len(own):.2f}" if mean else str(total)])
        head = [case, rater, *(q for q, _ in questions), name]
        yield Sheet(f"form with a sum; {name}", written(head, rows), (QUESTIONS,), said, riddle=True)


PANELS = (
    ("Wine", "W{i:02d}", "Anna Jonas Klara Tobias", TEN), ("Patient", "P{i:03d}", "JS MK TB", FIVE),
    ("Photo", "IMG_{j}", "Adams Chen Davies Lopez", YN), ("Beer", "{i}", "Judge 1;Judge 2;Judge 3", TEN),
    ("Fall", "F{i}", "Krüger;Meisel;Obermüller", ("gut", "mittel", "schlecht")),
    ("vin", "V{i}", "Marie Luc Sophie", FIVE), ("Slide", "S-{i}", "Dr Patel;Dr Weiss;Dr Osei", ("0", "1+", "2+", "3+")),
    ("caso", "C{i}", "Lucía Javier Pilar", ("leve", "moderado", "grave")),
    ("Bild", "B{i:03d}", "Bewerter 1;Bewerter 2;Bewerter 3", FIVE),
    ("abstract", "{j}", "screener_a screener_b", ("exclude", "include", "maybe")),
    ("vino", "V{i:02d}", "Giulia Marco Paola Luca", TEN), ("amostra", "A{i}", "João Beatriz Tiago", FIVE),
)  # fmt: skip


def _facts(make: Maker, kind: str, i: int) -> str:
    rng = make.rng
    return {
        "Sex": rng.choice(("m", "f")), "Gender": rng.choice(("male", "female")), "Age": str(rng.randint(18, 90)),
        "Price": f"{rng.randint(5, 40)}", "Price (EUR)": f"{rng.uniform(5, 40):.2f}", "Alter": str(rng.randint(18, 90)),
        "Vintage": str(rng.choice((2018, 2019, 2020, 2021))), "sexe": rng.choice(("H", "F")),
        "Geschlecht": rng.choice(("m", "w")), "prix": str(rng.randint(5, 40)), "edad": str(rng.randint(18, 90)),
        "Alcohol": f"{rng.uniform(11, 15):.1f}", "BMI": str(rng.randint(18, 40)), "Weight": str(rng.randint(45, 120)),
        "Flight": str(1 + i // 6), "Ward": rng.choice("ABC"), "Region": rng.choice(("Rioja", "Douro", "Mosel")),
        "smoker": rng.choice(("No", "Yes")), "Diabetes": rng.choice(YN), "ICU": rng.choice(("0", "1")),
        "Length of stay": str(rng.randint(1, 10)), "ASA": rng.choice("1234"), "sesso": rng.choice(("M", "F")),
        "idade": str(rng.randint(18, 90)), "Year": str(rng.choice((2022, 2023, 2024))),
    }[kind]  # fmt: skip


FACTS = (
    ("Sex",), ("Age",), ("Price",), ("Sex", "Age"), ("Price (EUR)", "Vintage"), ("Alter", "Geschlecht"), ("sexe",),
    ("prix",), ("edad",), ("Alcohol",), ("BMI",), ("Weight", "Sex"), ("Flight",), ("Ward",), ("Region", "Vintage"),
    ("smoker",), ("Diabetes",), ("ICU",), ("Length of stay",), ("ASA",), ("sesso", "idade"), ("Year",), ("Gender",),
)  # fmt: skip


def facts_among_raters(make: Maker) -> Iterator[Sheet]:
    """A panel with columns about the case before, between or behind those of its raters."""
    for n, facts in enumerate(FACTS):
        case, pattern, names, classes = PANELS[(n * 5 + make.rng.randrange(12)) % len(PANELS)]
        cases, people = make.cases(pattern), people_of(names)
        said = make.said(cases, people, classes, gaps=make.rng.choice((0, 0, 0.05)))
        where = make.rng.choice(("before", "between", "behind"))
        at = {"before": 0, "between": 1 + len(people) // 2, "behind": len(people)}[where]
        head = [*people[:at], *facts, *people[at:]]
        rows = []
        for i, c in enumerate(cases):
            cells = [said.get((c, who), "") for who in people]
            rows.append([c, *cells[:at], *(_facts(make, f, i) for f in facts), *cells[at:]])
        key = f"facts among raters; {'+'.join(facts)} {where}; {case}"
        yield Sheet(key, written([case, *head], rows), (RATERS,), {"": said})


def shared_facts_in_long(make: Maker) -> Iterator[Sheet]:
    """One rating in each row, with what is known of the case or the rater in every row."""
    for n, facts in enumerate(FACTS):
        case, pattern, names, classes = PANELS[(n * 7 + make.rng.randrange(12)) % len(PANELS)]
        cases, people = make.cases(pattern), people_of(names)
        said = make.said(cases, people, classes)
        rater, rating = make.rng.choice((("Rater", "Rating"), ("Judge", "Score"), ("reviewer", "decision")))
        of_rater = make.rng.random() < 0.4
        known: dict[str, list[str]] = {}
        rows = []
        for i, c in enumerate(cases):
            for j, who in enumerate(people):
                about = who if of_rater else c
                values = known.setdefault(about, [_facts(make, f, j if of_rater else i) for f in facts])
                rows.append([c, who, *values, said[c, who]])
        key = f"shared facts; {'+'.join(facts)} of {'rater' if of_rater else 'case'}; {case}"
        yield Sheet(key, written([case, rater, *facts, rating], rows), (LONG,), {"": said})


COMPUTED: tuple[tuple[str, Callable[[list[float]], float]], ...] = (
    ("Mean", statistics.mean), ("Average score", statistics.mean), ("Ø", statistics.mean),
    ("Median", statistics.median),
    ("Schnitt", statistics.mean), ("Total", sum), ("Gesamt", sum), ("moyenne", statistics.mean), ("Punkte", sum),
    ("Final", statistics.mean), ("Result", statistics.median), ("Max", max), ("media", statistics.mean),
    ("Endnote", statistics.mean), ("Panel", statistics.median), ("Overall", statistics.mean), ("SD", statistics.pstdev),
    ("Range", lambda x: max(x) - min(x)),
)  # fmt: skip


def jury_with_summary(make: Maker) -> Iterator[Sheet]:
    """A jury's sheet of scores with a column worked out from them, perhaps rounded, perhaps with the place or medal."""
    for n, (name, work) in enumerate(COMPUTED):
        case, pattern, names = (
            ("Wine", "W{i:02d}", "Anna Jonas Klara Tobias"), ("Wein", "Nr. {i}", "Krüger Meisel Vormbrock"),
            ("Beer", "B{i}", "Judge 1;Judge 2;Judge 3"), ("Cheese", "C{i:02d}", "AL BM CK DT EW"),
        )[n % 4]  # fmt: skip
        cases, people = make.cases(pattern), people_of(names)
        said = make.said(cases, people, TEN)
        rounded = make.rng.random() < 0.3
        values = {c: work([float(said[c, who]) for who in people]) for c in cases}
        places = {c: str(1 + sum(v > values[c] for v in values.values())) for c in cases}
        medals = {c: "gold" if values[c] > 7 else "silver" if values[c] > 4 else "none" for c in cases}
        more = make.rng.choice(("", "Place", "Medal", "Rank"))
        rows = []
        for c in cases:
            value = f"{values[c]:.0f}" if rounded else f"{values[c]:.2f}".rstrip("0").rstrip(".")
            extra = [] if not more else [medals[c] if more == "Medal" else places[c]]
            rows.append([c, *(said[c, who] for who in people), value, *extra])
        key = f"jury with a summary; {name} {'rounded' if rounded else ''} {more}"
        yield Sheet(key, written([case, *people, name, *([more] if more else [])], rows), (RATERS,), {"": said})


SCREENERS = (
    (("Reviewer 1", "Reviewer 2"), ("exclude", "include")), (("Ana decision", "Ben decision"), ("No", "Yes", "Maybe")),
    (("R1", "R2", "R3"), ("0", "1")), (("Screener A", "Screener B"), ("out", "in")),
    (("First reviewer", "Second reviewer"), ("Exclude", "Include", "Unclear")),
)  # fmt: skip
FINALS = (
    "Final decision",
    "Consensus",
    "Conflict",
    "Outcome",
    "Adjudicated",
    "Resolution",
    "Agreed",
    "Entscheidung",
    "",
)


def screening(make: Maker) -> Iterator[Sheet]:
    """An export of a screening: titles, years, journals, the reviewers, and what came of it."""
    for n, final in enumerate(FINALS):
        people, classes = SCREENERS[(n + make.rng.randrange(5)) % len(SCREENERS)]
        cases = make.cases("{j}", 40, 80)
        said = make.said(cases, people, classes, gaps=make.rng.choice((0, 0.05)))
        rows = []
        for i, c in enumerate(cases):
            own = [said.get((c, who), "") for who in people]
            agree = len({x for x in own if x}) == 1
            last = {"Conflict": "no" if agree else "yes", "Agreed": "yes" if agree else "no"}.get(
                final, own[0] if agree or not own[1] else make.rng.choice([x for x in own if x])
            )
            title = f"Effect of {make.rng.choice(('tea', 'salt', 'light'))} on {i} outcomes in {2 * i + 3} adults"
            year = str(2010 + i % 14)
            rows.append([c, title, f"Smith {i}, Lee {i + 1}", year, *own, *([last] if final else [])])
        head = ["Study ID", "Title", "Authors", "Year", *people, *([final] if final else [])]
        yield Sheet(f"screening; {final or 'no outcome'}; {people[0]}", written(head, rows), (RATERS,), {"": said})


TURNED = (
    ("Judge", "Wine {i}", "Ana Ben Cleo Dan", TEN), ("Rater", "P{i:02d}", "JS MK TB AL", FIVE),
    ("Prüfer", "Akte {i}", "Krüger Meisel Vormbrock", ("ja", "nein")), ("", "Case {i}", "Rater A;Rater B;Rater C", YN),
    ("évaluateur", "dossier {i}", "Marie Luc Sophie", ("oui", "non")), ("Name", "Item {i}", "Ana Ben Cleo Dan", FIVE),
    ("Reviewer", "{j}", "R1 R2 R3", ("exclude", "include")),
    ("Reader", "scan_{i:03d}", "Dr Patel;Dr Weiss;Dr Osei", YN),
    ("Juez", "Vino {i}", "Lucía Javier Pilar", TEN), ("giudice", "vino {i}", "Giulia Marco Paola", TEN),
)  # fmt: skip


def transposed(make: Maker) -> Iterator[Sheet]:
    """A row for each rater and a column for each case."""
    for head, pattern, names, classes in TURNED:
        cases, people = make.cases(pattern, 12, 40), people_of(names)
        said = make.said(cases, people, classes)
        rows = [[who, *(said[c, who] for c in cases)] for who in people]
        key = f"transposed; {head or 'no head'}; {pattern}"
        yield Sheet(key, written([head, *cases], rows), (SUBJECTS,), {"": said})


CODED = (
    ("segment", "s{i:03d}", "coder", "KL MB", ("trust", "fear", "cost", "access")),
    ("Quote", "Q-{i}", "Coder", "Ines Paul", ("Barrier", "Facilitator", "Neutral")),
    ("utterance", "u{i}", "annotator", "a1 a2 a3", ("code_01", "code_02", "code_03", "code_04")),
    ("Textstelle", "T{i}", "Kodierer", "Eva Max", ("Angst", "Kosten", "Scham")),
    ("post", "{j}", "labeler", "x17 y03 z11", ("hate", "spam", "satire")),
    ("Interview", "Int{i:02d}", "Person", "Ruth Omar", ("Theme 1", "Theme 2", "Theme 3")),
    ("extrait", "E{i}", "codeur", "Marie Luc", ("peur", "coût", "accès")),
    ("fragmento", "F{i}", "codificador", "Lucía Javier", ("miedo", "coste", "acceso")),
    ("brano", "B{i}", "codificatore", "Giulia Marco", ("paura", "costo", "accesso")),
    ("trecho", "T{i}", "codificador", "João Beatriz", ("medo", "custo", "acesso")),
)  # fmt: skip


def codes(make: Maker) -> Iterator[Sheet]:
    """A codebook: 0 and 1 for each code, segment and coder, perhaps with the length of the segment and a count."""
    for n, (case, pattern, rater, names, questions) in enumerate(CODED):
        cases, people = make.cases(pattern, 30, 60), people_of(names)
        marks = (("0", "1"), ("", "x"), ("no", "yes"))[n % 3] if n % 3 != 1 else ("0", "1")
        said = make.form(cases, people, [(q, marks) for q in questions])
        count = n % 4 == 2
        rows = []
        for c in cases:
            for who in people:
                own = [said[q][c, who] for q in questions]
                ticked = sum(x == marks[1] for x in own)
                rows.append([c, who, *own, *([str(ticked)] if count else [])])
        head = [case, rater, *questions, *(["n codes"] if count else [])]
        yield Sheet(f"codes; {case}; {count}", written(head, rows), (QUESTIONS,), said, riddle=count)


CROSSED = ("{q}_{w}", "{w}_{q}", "{w} {q}", "{q} - {w}", "{q} ({w})", "{w}: {q}", "{q}.{w}", "{q} {w}", "{w}-{q}")


def crossed(make: Maker) -> Iterator[Sheet]:
    """A column for each question and rater."""
    for n, pattern in enumerate(CROSSED):
        case, name, names, questions = (
            ("Patient", "P{i}", "Ana Ben Cy", ("Q1", "Q2", "Q3")), ("Wine", "W{i}", "J1 J2 J3", ("nose", "palate")),
            ("Record", "R{i:03d}", "Okafor Haddad", ("Consent", "Pain", "Fluids")),
            ("Akte", "A{i}", "Eva Max", ("Hygiene", "Schmerz")),
        )[n % 4]  # fmt: skip
        cases, people = make.cases(name), people_of(names)
        said = make.form(cases, people, [(q, FIVE if case == "Wine" else YN) for q in questions])
        outer = make.rng.random() < 0.5
        pairs = [(q, w) for q in questions for w in people] if outer else [(q, w) for w in people for q in questions]
        rows = [[c, *(said[q][c, w] for q, w in pairs)] for c in cases]
        head = [case, *(pattern.format(q=q, w=w) for q, w in pairs)]
        yield Sheet(f"crossed; {pattern}; {case} {outer}", written(head, rows), (RATERS,), said)


ROUNDS = (
    ("{w} T1", "{w} T2"), ("{w}_1", "{w}_2"), ("{w} pre", "{w} post"), ("{w} first", "{w} second"),
    ("{w} (1st)", "{w} (2nd)"), ("{w} Runde 1", "{w} Runde 2"), ("{w} avant", "{w} après"), ("{w}a", "{w}b"),
)  # fmt: skip


def rounds(make: Maker) -> Iterator[Sheet]:
    """Each rater twice, in two columns: nothing tells that they are the same people but the names."""
    for one, two in ROUNDS:
        cases, people = make.cases("P{i:02d}"), ["Ana", "Ben", "Cleo"]
        heads = [form.format(w=w) for w in people for form in (one, two)]
        said = make.said(cases, heads, YN)
        rows = [[c, *(said[c, h] for h in heads)] for c in cases]
        ends = [form.replace("{w}", "").strip(" _") for form in (one, two)]
        # The rounds one by one are a right reading too: one of them is chosen before anything is computed.
        each = {
            end: {(c, w): said[c, form.format(w=w)] for c in cases for w in people}
            for end, form in zip(ends, (one, two), strict=True)
        }
        yield Sheet(f"rounds; {one} {two}", written(["Patient", *heads], rows), (RATERS,), each)


SURE = ("confidence", "Certainty (1-5)", "seconds", "Sicherheit", "attempt", "duration", "device", "session")


def with_confidence(make: Maker) -> Iterator[Sheet]:
    """One rating in each row, and beside it how sure the rater was, or how long it took."""
    for n, beside in enumerate(SURE):
        cases, people = make.cases("img{j}"), ["ann1", "ann2", "ann3"]
        said = make.said(cases, people, FIVE if n % 2 else YN)
        rows = []
        for c in cases:
            for k, who in enumerate(people):
                more = {
                    "seconds": str(make.rng.randint(3, 300)), "duration": str(make.rng.randint(1, 20)), "attempt": "1",
                    "device": make.rng.choice(("phone", "laptop")), "session": str(1 + (k + len(rows)) % 3),
                }.get(beside, make.rng.choice(FIVE))  # fmt: skip
                rows.append([c, who, said[c, who], more])
        key = f"with confidence; {beside}"
        yield Sheet(key, written(["image", "annotator", "label", beside], rows), (LONG,), {"": said})


def three_names(make: Maker) -> Iterator[Sheet]:
    """A row for each case, part of a case and rater: who answered about which prompt, patient at a visit, station."""
    for n, (case, part, parts, rater) in enumerate(
        (
            ("prompt_id", "model", ("gpt", "claude", "llama"), "judge"), ("Patient", "Visit", ("1", "2"), "Rater"),
            ("Student", "Station", ("A", "B", "C", "D"), "Examiner"), ("Patient", "Side", ("left", "right"), "Reader"),
            ("Patient", "Eye", ("OD", "OS"), "grader"), ("Tier", "Zeitpunkt", ("vor", "nach"), "Beobachter"),
            ("Video", "Segment", ("1", "2", "3"), "coder"), ("Wine", "Glass", ("a", "b"), "Taster"),
        )
    ):  # fmt: skip
        cases, people = make.cases("{i:03d}" if n % 2 else "K{j}", 15, 30), ["KL", "MB", "TS"]
        said = {p: make.said(cases, people, FIVE) for p in parts}
        rows = [[c, p, who, said[p][c, who]] for c in cases for p in parts for who in people]
        yield Sheet(f"three names; {case} {part}", written([case, part, rater, "score"], rows), (LONG,), said)


def annotations(make: Maker) -> Iterator[Sheet]:
    """What was annotated stands in full beside its number, and the labels of each annotator in a row or a column."""
    for n, wide in enumerate((False, True, False, True)):
        cases, people = make.cases("{i}" if n < 2 else "doc_{j}"), ["amara", "bo", "chidi"]
        said = make.said(cases, people, ("neg", "neu", "pos"))
        text = {c: f"The {make.rng.choice(('train', 'food', 'room'))} number {c} was fine, {c}" for c in cases}
        if wide:
            rows = [[c, text[c], *(said[c, who] for who in people)] for c in cases]
            yield Sheet(f"annotations; wide {n}", written(["id", "text", *people], rows), (RATERS,), {"": said})
        else:
            rows = [[c, text[c], who, said[c, who]] for c in cases for who in people]
            head = ["id", "text", "annotator", "label"]
            yield Sheet(f"annotations; long {n}", written(head, rows), (LONG,), {"": said})


def question_rows(make: Maker) -> Iterator[Sheet]:
    """A row for each case and question, a column for each rater, perhaps with rows of totals."""
    for case, question, total in (
            ("Record", "Item", ""), ("Patient", "Criterion", "Total"), ("Akte", "Frage", ""), ("Wine", "Aspect", "Sum"),
            ("dossier", "question", ""), ("Essay", "Dimension", "Mean"),
    ):  # fmt: skip
        cases, people, questions = make.cases("N{i:02d}"), ["Ana", "Ben", "Cleo"], ("clarity", "style", "content")
        said = make.form(cases, people, [(q, FIVE) for q in questions])
        rows = []
        for c in cases:
            rows += [[c, q, *(said[q][c, who] for who in people)] for q in questions]
            if total:
                sums = [sum(int(said[q][c, who]) for q in questions) for who in people]
                rows.append([c, total, *(f"{x / 3:.2f}" if total == "Mean" else str(x) for x in sums)])
        key = f"question rows; {case} {total}"
        yield Sheet(key, written([case, question, *people], rows), (RATERS,), said, riddle=bool(total))


def places(make: Maker) -> Iterator[Sheet]:
    """A panel with a second column that names things: the ward, the number on the form, what the case is called."""
    for first, second in (
            ("No.", "Patient"), ("ID", "Name of wine"), ("Form no", "Record"), ("Site", "Case"), ("#", "Photo"),
            ("Lfd. Nr.", "Probe"), ("Nº", "vino"), ("row", "abstract"),
    ):  # fmt: skip
        cases, people = make.cases("K-{j}"), ["Anna", "Jonas", "Klara"]
        said = make.said(cases, people, FIVE)
        lead = [str(i + 1) if first != "Site" else "NS"[i % 2] for i in range(len(cases))]
        rows = [[lead[i], c, *(said[c, who] for who in people)] for i, c in enumerate(cases)]
        # Where the first column numbers the rows, the number is as good a name of the case.
        yield Sheet(f"places; {first} {second}", written([first, second, *people], rows), (RATERS,), {"": said})


def turned_with_mean(make: Maker) -> Iterator[Sheet]:
    """A row for each rater, and one below them that sums them up."""
    for last in ("Mean", "Total", "Consensus", "Mittelwert", "Median", "Gold", "Ergebnis", "SD"):
        cases, people = make.cases("Wine {i}", 12, 30), ["Ana", "Ben", "Cleo", "Dan"]
        said = make.said(cases, people, TEN)
        rows = [[who, *(said[c, who] for c in cases)] for who in people]
        own = [[int(said[c, who]) for who in people] for c in cases]
        work = {"Total": sum, "SD": statistics.pstdev, "Median": statistics.median}.get(last, statistics.mean)
        rows.append([last, *(f"{work(x):.1f}" for x in own)])
        yield Sheet(f"turned with a mean; {last}", written(["Judge", *cases], rows), (SUBJECTS,), {"": said})


FAMILIES: tuple[Callable[[Maker], Iterator[Sheet]], ...] = (
    forms, sums_in_forms, facts_among_raters, shared_facts_in_long, jury_with_summary, screening, transposed, codes,
    crossed, rounds, with_confidence, three_names, annotations, question_rows, places, turned_with_mean,
)  # fmt: skip


def strangers(seed: str) -> Iterator[Sheet]:
    """All sheets of a seed."""
    for family in FAMILIES:
        yield from family(Maker(f"{seed} {family.__name__}"))
