"""What committees of many trades call their cases, raters and questions, in six languages."""

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Trade:
    """The words of one trade in one language: what cases and raters are called, what is asked, what may be said.

    Attributes
    ----------
    raters, cases
        How many there are.
    """

    case: str
    rater: str
    rating: str
    question: str
    asked: tuple[str, ...]
    says: tuple[str, ...]
    of_case: str
    of_rater: str
    people: tuple[str, ...]
    raters: int = 4
    cases: int = 26


YES = {
    "en": ("No", "Yes"), "de": ("Nein", "Ja"), "fr": ("Non", "Oui"), "es": ("No", "Sí"), "it": ("No", "Sì"),
    "pt": ("Não", "Sim"),
}  # fmt: skip
FIVE = tuple("12345")
GRADES = ("A", "B", "C", "D")
PEOPLE = {
    "en": ("Ann", "Bob", "Cathy", "Dev", "Eve", "Finn"), "de": ("Anke", "Bernd", "Carla", "Dirk", "Elke", "Frank"),
    "fr": ("Aline", "Benoît", "Chloé", "Denis", "Élise", "Fabien"),
    "es": ("Ana", "Bruno", "Carmen", "Diego", "Elena", "Félix"),
    "it": ("Anna", "Bruno", "Chiara", "Dario", "Elena", "Fabio"),
    "pt": ("Ana", "Beto", "Clara", "Davi", "Eva", "Fábio"),
}  # fmt: skip
INITIALS = ("AK", "BM", "CS", "DT", "EV", "FW")
NUMBERED = ("1", "2", "3", "4", "5", "6")
CODED = ("R1", "R2", "R3", "R4", "R5", "R6")
# language, case, rater, rating, question, questions, classes, about the case, about the rater, raters
_ROWS: tuple[tuple[str, str, str, str, str, tuple[str, ...], tuple[str, ...], str, str, tuple[str, ...]], ...] = (
    ("en", "Patient", "Nurse", "Documented", "Item", ("Q1", "Q2", "Q3"), YES["en"], "Ward", "NurseAge", PEOPLE["en"]),
    ("en", "Record", "Abstractor", "Met", "Indicator", ("consent", "weight", "plan"), YES["en"], "Unit", "Training",
     INITIALS),
    ("en", "wine", "judge", "score", "aspect", ("nose", "palate", "finish"), FIVE, "vintage", "judge_age", CODED),
    ("en", "SubjectID", "RaterID", "Rating", "Question", ("Q1", "Q2", "Q3"), FIVE, "Year", "RaterAge", NUMBERED),
    ("en", "segment", "coder", "code", "category", ("code_01", "code_02", "code_03"), ("0", "1"), "interview",
     "experience", PEOPLE["en"]),
    ("en", "abstract", "screener", "vote", "stage", ("include", "pico", "design"), ("exclude", "maybe", "include"),
     "journal", "grade", INITIALS),
    ("de", "Akte", "Prüferin", "Urteil", "Kriterium", ("Aufklärung", "Gewicht", "Plan"), YES["de"], "Station", "Alter",
     PEOPLE["de"]),
    ("de", "Wein", "Verkoster", "Punkte", "Merkmal", ("Farbe", "Nase", "Gaumen"), FIVE, "Jahrgang", "Dienstjahre",
     INITIALS),
    ("de", "Fallnr", "Kürzel", "Befund", "Frage", ("F1", "F2", "F3"), ("gut", "mittel", "schlecht"), "Klinik",
     "Erfahrung", INITIALS),
    ("fr", "dossier", "infirmière", "réponse", "question", ("Q1", "Q2", "Q3"), YES["fr"], "service", "ancienneté",
     PEOPLE["fr"]),
    ("fr", "copie", "correcteur", "note", "critère", ("style", "grammaire", "structure"), FIVE,
     "classe_élève", "âge", CODED),
    ("fr", "image", "lecteur", "avis", "critère", ("lésion", "bord", "taille"), ("bénin", "douteux", "malin"),
     "hôpital", "années", NUMBERED),
    ("es", "expediente", "enfermera", "respuesta", "pregunta", ("P1", "P2", "P3"), YES["es"], "servicio", "antigüedad",
     PEOPLE["es"]),
    ("es", "muestra", "catador", "puntuación", "aspecto", ("olor", "sabor", "color"), FIVE, "bodega", "edad", CODED),
    ("es", "caso", "evaluador", "juicio", "criterio", ("claro", "completo", "firmado"), ("bajo", "medio", "alto"),
     "zona", "experiencia", INITIALS),
    ("it", "cartella", "infermiere", "risposta", "domanda", ("D1", "D2", "D3"), YES["it"], "reparto", "età",
     PEOPLE["it"]),
    ("it", "campione", "assaggiatore", "punteggio", "aspetto", ("colore", "profumo", "gusto"), FIVE, "annata",
     "esperienza", NUMBERED),
    ("it", "immagine", "lettore", "giudizio", "criterio", ("margine", "forma", "densità"), ("basso", "medio", "alto"),
     "ospedale", "anni", CODED),
    ("pt", "prontuário", "enfermeira", "resposta", "pergunta", ("P1", "P2", "P3"), YES["pt"], "enfermaria", "idade",
     PEOPLE["pt"]),
    ("pt", "amostra", "provador", "nota", "aspecto", ("cor", "aroma", "sabor"), FIVE, "safra", "experiência", INITIALS),
    ("pt", "lâmina", "patologista", "grau", "critério", ("margem", "mitoses", "necrose"), ("baixo", "médio", "alto"),
     "hospital", "anos", NUMBERED),
)  # fmt: skip
TRADES = tuple((row[0], Trade(*row[1:9], people=row[9])) for row in _ROWS)

# More words for what stands above cases, raters, ratings and questions, and more questions; the rows above have others.
_MORE = {
    line.split(":")[0]: [words.split() for words in line.split(":")[1].split("/")]
    for line in """\
en:chart specimen essay image item entry sample proposal tweet study/reader reviewer assessor annotator examiner rater \
juror auditor doctor observer/label answer verdict decision grade rating/criterion question aspect indicator/clarity \
dose signed Q4 Q5 aroma balance fit
de:Fall Patient Probe Bild Aufsatz Antrag/Gutachter Arzt Jurorin Bewerter Untersucher/Bewertung Note Einstufung \
Antwort/Aspekt Frage/Klarheit Dosis Unterschrift F4 Aroma
fr:cas patient vin échantillon sujet/juge évaluateur médecin examinatrice/avis jugement réponse/aspect question/clarté \
dose signature Q4 arôme
es:paciente vino imagen sujeto/juez observador médica examinadora/respuesta calificación decisión/aspecto pregunta/\
claridad dosis firma P4 aroma
it:caso paziente vino soggetto/giudice valutatore medico esaminatrice/risposta valutazione giudizio/aspetto domanda/\
chiarezza dose firma D4 aroma
pt:caso paciente vinho sujeito/juiz avaliador médica examinadora/resposta avaliação decisão/aspecto pergunta/clareza \
dose assinatura P4 aroma""".splitlines()
}
_SAYS = {
    "en": (("absent", "present"), ("mild", "moderate", "severe"), ("fail", "pass"), ("poor", "fair", "good")),
    "de": (("nein", "ja"), ("leicht", "mittel", "schwer"), ("ungenügend", "genügend")),
    "fr": (("non", "oui"), ("léger", "modéré", "sévère")), "es": (("no", "sí"), ("leve", "moderado", "grave")),
    "it": (("no", "sì"), ("lieve", "moderato", "grave")), "pt": (("não", "sim"), ("leve", "moderado", "grave")),
}  # fmt: skip
_NUMBERS = (("0", "1"), ("1", "2", "3"), ("1", "2", "3", "4"), FIVE, tuple("01234"), ("A", "B", "C", "D"))
_MOST_RATERS = 6


def drawn(seed: str) -> tuple[tuple[str, Trade], ...]:
    """As many trades as there are, made up of words of one language, for panels of many sizes.

    Parameters
    ----------
    seed
        Another seed draws other words, names, questions, classes and sizes.
    """
    rng = random.Random(seed)
    return tuple((language, _drawn(rng, language)) for language, _trade in TRADES)


def _drawn(rng: random.Random, language: str) -> Trade:
    own = [trade for of, trade in TRADES if of == language]
    cases, raters, ratings, questions, asked = _MORE[language]
    spelled = rng.choice((str, str, str.lower, str.capitalize, str.upper))

    def word(known: list[str], more: list[str]) -> str:
        return spelled(rng.choice(sorted({*known, *more})))

    every = sorted({*asked, *(q for trade in own for q in trade.asked)})
    letter = rng.choice("QFPDI")
    numbered = [f"{letter}{i + 1}" for i in range(9)]
    names = rng.sample(every, rng.randint(2, 6)) if rng.random() < 0.6 else numbered[: rng.randint(2, 9)]
    says = rng.choice((*(trade.says for trade in own), *_SAYS[language], *_NUMBERS))
    return Trade(
        word([t.case for t in own], cases),
        word([t.rater for t in own], raters),
        word([t.rating for t in own], ratings),
        word([t.question for t in own], questions),
        tuple(names),
        says,
        spelled(rng.choice(own).of_case),
        spelled(rng.choice(own).of_rater),
        _people(rng, language),
        rng.randint(2, _MOST_RATERS),
        rng.randint(12, 70),
    )


def _people(rng: random.Random, language: str) -> tuple[str, ...]:
    """Six raters: first names, names in full, initials, numbers or codes."""
    first = rng.sample(PEOPLE[language], _MOST_RATERS)
    letters = rng.sample("ABCDEFGHJKLMNPRSTW", _MOST_RATERS)
    number = rng.choice((1, 1, 11, 101))
    habits = (
        first,
        [f"{name} {letter}." for name, letter in zip(first, letters, strict=True)],
        [name.lower() for name in first],
        [a + b for a, b in zip(letters, reversed(letters), strict=True)],
        [str(number + i) for i in range(_MOST_RATERS)],
        [f"{rng.choice(('R', 'A', 'X'))}{i + 1}" for i in range(_MOST_RATERS)],
    )
    return tuple(rng.choice(habits))
