"""Scales whose order everyone knows."""

import re
from collections.abc import Sequence

# Each scale lists its steps lowest first; texts of one step are other words for it.
SCALES: tuple[tuple[tuple[str, ...], ...], ...] = (
    (
        ("no", "n", "false", "nein", "non", "não", "nao", "nee", "nej", "nei", "nie", "ne"),
        ("yes", "y", "true", "ja", "oui", "sí", "si", "sì", "sim", "tak", "ano"),
    ),
    (("no", "n"), ("maybe", "perhaps", "unsure", "uncertain", "partly"), ("yes", "y")),
    (("absent",), ("possible", "equivocal", "uncertain"), ("present",)),
    (("negative", "neg", "-"), ("equivocal", "borderline", "indeterminate"), ("positive", "pos", "+")),
    (("negativ", "négatif", "negativo"), ("grenzwertig", "douteux", "dudoso"), ("positiv", "positif", "positivo")),
    (("normal",), ("borderline", "suspicious"), ("abnormal",)),
    (("unauffällig",), ("grenzwertig", "verdächtig"), ("auffällig",)),
    (("fail", "failed"), ("borderline",), ("pass", "passed"), ("merit",), ("distinction",)),
    (("incorrect", "wrong"), ("partly correct", "partially correct"), ("correct", "right")),
    (("reject", "rejected"), ("revise", "major revision"), ("minor revision",), ("accept", "accepted")),
    (("not met", "unmet"), ("partly met", "partially met"), ("met", "fully met")),
    (("no medal", "none", "no award", "nothing"), ("bronze",), ("silver",), ("gold",), ("platinum", "grand gold")),
    (("keine medaille",), ("bronze",), ("silber",), ("gold",), ("großes gold", "platin")),
    (("sans médaille",), ("bronze",), ("argent",), ("or",), ("grand or", "platine")),
    (("sin medalla",), ("bronce",), ("plata",), ("oro",), ("gran oro", "platino")),
    (("nessuna medaglia",), ("bronzo",), ("argento",), ("oro",), ("gran oro", "platino")),
    (("sem medalha",), ("bronze",), ("prata",), ("ouro",), ("grande ouro", "platina")),
    (("very low",), ("low",), ("medium", "moderate", "mid"), ("high",), ("very high",)),
    (("none", "no", "absent"), ("mild", "slight", "minimal"), ("moderate",), ("severe",), ("very severe", "extreme")),
    (("keine", "kein", "nicht vorhanden"), ("leicht", "gering"), ("mittel", "mäßig"), ("schwer", "stark")),
    (("aucun", "aucune", "absent"), ("léger", "légère"), ("modéré", "modérée"), ("sévère", "grave")),
    (("ninguno", "ninguna", "ausente"), ("leve",), ("moderado", "moderada"), ("grave", "severo", "severa")),
    (("nessuno", "nessuna", "assente"), ("lieve",), ("moderato", "moderata"), ("grave",)),
    (("nenhum", "nenhuma", "ausente"), ("leve", "ligeiro"), ("moderado", "moderada"), ("grave", "severo")),
    (("sehr schlecht",), ("schlecht", "mangelhaft"), ("mittel", "mäßig", "ausreichend"), ("gut",), ("sehr gut",)),
    (("très mauvais",), ("mauvais", "mauvaise"), ("moyen", "passable"), ("bon", "bonne"), ("très bon", "très bonne")),
    (("muy malo",), ("malo", "mala"), ("regular",), ("bueno", "buena"), ("muy bueno", "muy buena", "excelente")),
    (("sehr niedrig",), ("niedrig",), ("mittel",), ("hoch",), ("sehr hoch",)),
    (("très faible",), ("faible",), ("moyen", "moyenne"), ("élevé", "élevée"), ("très élevé", "très élevée")),
    (("muy bajo",), ("bajo", "baja"), ("medio", "media"), ("alto", "alta"), ("muy alto",)),
    (("very small", "tiny"), ("small",), ("medium",), ("large",), ("very large", "huge")),
    (("never",), ("rarely", "seldom"), ("sometimes", "occasionally"), ("often", "frequently"), ("always",)),
    (
        ("strongly disagree",),
        ("disagree",),
        ("somewhat disagree", "slightly disagree"),
        ("neutral", "neither", "neither agree nor disagree", "undecided"),
        ("somewhat agree", "slightly agree"),
        ("agree",),
        ("strongly agree",),
    ),
    (("very poor", "very bad"), ("poor", "bad"), ("fair", "average", "ok"), ("good",), ("very good",), ("excellent",)),
    (("unacceptable",), ("poor",), ("acceptable", "adequate", "satisfactory"), ("good",), ("excellent",)),
    (("very dissatisfied",), ("dissatisfied",), ("neutral",), ("satisfied",), ("very satisfied",)),
    (("very unlikely",), ("unlikely",), ("neutral", "possible", "possibly"), ("likely", "probable"), ("very likely",)),
    (("benign",), ("atypical", "suspicious"), ("malignant",)),
    (("ia",), ("ib",), ("iia",), ("iib",), ("iii",), ("iv",)),
    (("0",), ("i",), ("ii",), ("iii",), ("iv",), ("v",), ("vi",)),
    (("first",), ("second",), ("third",), ("fourth",), ("fifth",)),
    (
        ("f",),
        ("e",),
        ("d-",),
        ("d",),
        ("d+",),
        ("c-",),
        ("c",),
        ("c+",),
        ("b-",),
        ("b",),
        ("b+",),
        ("a-",),
        ("a",),
        ("a+",),
    ),
)

# A number and what it means: "1 = mild", "2: moderate", "3 severe".
_LED = re.compile(r"(\d{1,3})\s*(?:[=:.)–-]\s*|\s)[^\W\d]")


def recognised(labels: Sequence[str]) -> tuple[str, ...] | None:
    """The labels in the order of a known scale, lowest first; None when no scale holds them all.

    Labels that mean the same step keep the order in which they came.
    """
    plain = [" ".join(label.casefold().split()) for label in labels]
    # A lone letter means a grade only in company that can be nothing else: A and B alone are two groups.
    if len(plain) < 2 or (all(len(p) == 1 and p.isalpha() for p in plain) and not _are_grades(plain)):
        return None
    counted = _counted(plain)
    if counted is not None:
        return tuple(labels[i] for i in sorted(range(len(plain)), key=lambda i: counted[i]))
    for scale in SCALES:
        step = {word: i for i, words in enumerate(scale) for word in words}
        if all(p in step for p in plain) and len({step[p] for p in plain}) > 1:
            order = sorted(range(len(plain)), key=lambda i: step[plain[i]])
            return tuple(labels[i] for i in order)
    return None


def largest_part(labels: Sequence[str]) -> tuple[str, ...]:
    """The labels of the known scale that holds most of them, lowest first; empty where none holds two of them."""
    best: list[str] = []
    for scale in SCALES:
        words = {word for step in scale for word in step}
        held = [label for label in labels if " ".join(label.casefold().split()) in words]
        best = held if len(held) > len(best) else best
    return recognised(best) or ()


def _are_grades(plain: Sequence[str]) -> bool:
    """Whether single letters are school grades (F is there, or no and yes)."""
    letters = set(plain)
    return letters <= {"n", "y"} or ("f" in letters and letters <= set("abcdef") and len(letters) >= 4)


def _counted(plain: Sequence[str]) -> list[int] | None:
    """How many stars, or points out of so many, or which number each label leads with; None where not all do."""
    stars = [p.rstrip("☆") for p in plain]
    if all(s and len(set(s)) == 1 and s[0] in "★⭐*" for s in stars) and len({s[0] for s in stars}) == 1:
        return [len(s) for s in stars]
    led = [_LED.match(p) for p in plain]
    if all(led):
        numbers = [int(m.group(1)) for m in led if m]
        return numbers if len(set(numbers)) == len(numbers) else None
    points = [p.replace(" ", "").split("/") for p in plain]
    if all(len(p) == 2 and p[0].isdecimal() and p[1].isdecimal() for p in points) and len({p[1] for p in points}) == 1:
        return [int(p[0]) for p in points]
    return None
