"""Scales whose order everyone knows."""

import re
from collections.abc import Sequence

# Each scale lists its steps lowest first; texts of one step are other words for it.
SCALES: tuple[tuple[tuple[str, ...], ...], ...] = (
    (
        ("no", "n", "false", "nein", "non", "não", "nao", "nee", "nej", "nei", "nie", "ne", "нет", "いいえ"),
        ("yes", "y", "true", "ja", "oui", "sí", "si", "sì", "sim", "tak", "ano", "да", "はい"),
    ),
    (
        ("false", "falsch", "faux", "falso", "fałsz", "onwaar", "ложь", "偽"),
        ("true", "wahr", "vrai", "verdadero", "verdadeiro", "vero", "prawda", "waar", "истина", "真"),
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
    # Agreement, frequency, quality and satisfaction as questionnaires ask for them in other languages.
    (
        ("stimme überhaupt nicht zu", "stimme gar nicht zu", "trifft überhaupt nicht zu", "trifft gar nicht zu"),
        ("stimme nicht zu", "trifft nicht zu", "lehne ab"),
        ("stimme eher nicht zu", "trifft eher nicht zu"),
        ("teils/teils", "teils teils", "teils, teils", "teils-teils", "weder noch", "neutral", "unentschieden"),
        ("stimme eher zu", "trifft eher zu"),
        ("stimme zu", "trifft zu"),
        ("stimme voll und ganz zu", "stimme voll zu", "stimme völlig zu", "trifft voll und ganz zu", "trifft voll zu"),
    ),
    (("nie", "niemals"), ("selten",), ("manchmal", "gelegentlich"), ("oft", "häufig"), ("sehr oft",), ("immer",)),
    (("sehr unzufrieden",), ("unzufrieden",), ("neutral", "teils/teils"), ("zufrieden",), ("sehr zufrieden",)),
    (("ungenügend",), ("mangelhaft",), ("ausreichend",), ("befriedigend",), ("gut",), ("sehr gut",)),
    (
        ("pas du tout d'accord", "tout à fait en désaccord"),
        ("pas d'accord", "en désaccord"),
        ("plutôt pas d'accord",),
        ("ni d'accord ni pas d'accord", "ni d'accord, ni pas d'accord", "neutre", "sans opinion"),
        ("plutôt d'accord",),
        ("d'accord",),
        ("tout à fait d'accord",),
    ),
    (("jamais",), ("rarement",), ("parfois", "quelquefois"), ("souvent",), ("très souvent",), ("toujours",)),
    (
        ("très insatisfait", "très insatisfaite"),
        ("insatisfait", "insatisfaite"),
        ("neutre",),
        ("satisfait", "satisfaite"),
        ("très satisfait", "très satisfaite"),
    ),
    (("insuffisant",), ("passable",), ("assez bien",), ("bien",), ("très bien",), ("excellent",)),
    (
        ("totalmente en desacuerdo", "muy en desacuerdo"),
        ("en desacuerdo",),
        ("ni de acuerdo ni en desacuerdo", "neutral", "indiferente"),
        ("de acuerdo",),
        ("totalmente de acuerdo", "muy de acuerdo"),
    ),
    (("nunca",), ("rara vez", "raramente"), ("a veces", "algunas veces"), ("a menudo", "frecuentemente"), ("siempre",)),
    (
        ("per niente d'accordo", "fortemente in disaccordo", "completamente in disaccordo", "del tutto in disaccordo"),
        ("in disaccordo", "non d'accordo", "poco d'accordo"),
        ("né d'accordo né in disaccordo", "neutrale", "neutro", "indifferente"),
        ("d'accordo", "abbastanza d'accordo"),
        ("molto d'accordo", "fortemente d'accordo", "completamente d'accordo", "del tutto d'accordo"),
    ),
    (("mai",), ("raramente",), ("a volte", "qualche volta", "talvolta"), ("spesso",), ("sempre",)),
    (
        ("pessimo", "pessima"),
        ("scarso", "scarsa", "insufficiente"),
        ("sufficiente", "discreto", "discreta"),
        ("buono", "buona"),
        ("ottimo", "ottima", "eccellente"),
    ),
    (
        ("helemaal mee oneens", "helemaal oneens", "zeer mee oneens", "zeer oneens"),
        ("mee oneens", "oneens"),
        ("neutraal", "niet eens, niet oneens", "noch eens, noch oneens", "noch eens noch oneens"),
        ("mee eens", "eens"),
        ("helemaal mee eens", "helemaal eens", "zeer mee eens", "zeer eens"),
    ),
    (("nooit",), ("zelden",), ("soms",), ("vaak",), ("altijd",)),
    (("zeer slecht",), ("slecht",), ("matig", "redelijk", "voldoende"), ("goed",), ("zeer goed",), ("uitstekend",)),
    (
        ("zdecydowanie się nie zgadzam", "zdecydowanie nie zgadzam się", "zdecydowanie nie"),
        ("nie zgadzam się",),
        ("raczej się nie zgadzam", "raczej nie zgadzam się", "raczej nie"),
        ("ani się zgadzam, ani nie zgadzam", "trudno powiedzieć", "nie mam zdania"),
        ("raczej się zgadzam", "raczej zgadzam się", "raczej tak"),
        ("zgadzam się",),
        ("zdecydowanie się zgadzam", "zdecydowanie zgadzam się", "zdecydowanie tak"),
    ),
    (("nigdy",), ("rzadko",), ("czasami", "czasem"), ("często",), ("zawsze",)),
    (
        ("bardzo źle", "bardzo zły", "bardzo zła"),
        ("źle", "zły", "zła"),
        ("średnio", "średni", "średnia", "dostateczny"),
        ("dobrze", "dobry", "dobra"),
        ("bardzo dobrze", "bardzo dobry", "bardzo dobra"),
    ),
    (
        ("полностью не согласен", "полностью не согласна", "совершенно не согласен", "категорически не согласен"),
        ("не согласен", "не согласна"),
        ("скорее не согласен", "скорее не согласна"),
        ("нейтрально", "затрудняюсь ответить", "ни то ни другое"),
        ("скорее согласен", "скорее согласна"),
        ("согласен", "согласна"),
        ("полностью согласен", "полностью согласна", "совершенно согласен"),
    ),
    (("никогда",), ("редко",), ("иногда",), ("часто",), ("всегда",)),
    (("очень плохо",), ("плохо",), ("удовлетворительно", "средне"), ("хорошо",), ("очень хорошо", "отлично")),
    (
        ("全くそう思わない", "まったくそう思わない", "強く反対"),
        ("そう思わない", "反対"),
        ("あまりそう思わない", "やや反対"),
        ("どちらともいえない", "どちらとも言えない"),
        ("ややそう思う", "やや賛成"),
        ("そう思う", "賛成"),
        ("とてもそう思う", "強くそう思う", "非常にそう思う", "強く賛成"),
    ),
    (
        ("全くない", "まったくない"),
        ("めったにない", "ほとんどない"),
        ("ときどき", "時々"),
        ("よく", "しばしば"),
        ("いつも", "常に"),
    ),
    (("非常に悪い", "とても悪い"), ("悪い",), ("普通",), ("良い", "よい"), ("非常に良い", "とても良い", "とてもよい")),
    (
        ("discordo totalmente", "discordo plenamente", "discordo fortemente"),
        ("discordo",),
        ("discordo parcialmente",),
        ("nem concordo nem discordo", "não concordo nem discordo", "neutro", "indiferente"),
        ("concordo parcialmente",),
        ("concordo",),
        ("concordo totalmente", "concordo plenamente", "concordo fortemente"),
    ),
    (("nunca",), ("raramente",), ("às vezes", "as vezes"), ("frequentemente", "muitas vezes"), ("sempre",)),
    (
        ("muito ruim", "muito mau", "péssimo", "péssima"),
        ("ruim", "mau", "má"),
        ("regular", "razoável"),
        ("bom", "boa"),
        ("muito bom", "muito boa"),
        ("ótimo", "ótima", "excelente"),
    ),
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
        step = {word.casefold(): i for i, words in enumerate(scale) for word in words}
        if all(p in step for p in plain) and len({step[p] for p in plain}) > 1:
            order = sorted(range(len(plain)), key=lambda i: step[plain[i]])
            return tuple(labels[i] for i in order)
    return None


def largest_part(labels: Sequence[str]) -> tuple[str, ...]:
    """The labels of the known scale that holds most of them, lowest first; empty where none holds two of them."""
    best: list[str] = []
    for scale in SCALES:
        words = {word.casefold() for step in scale for word in step}
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
