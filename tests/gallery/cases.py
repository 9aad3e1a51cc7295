"""The files and options of the gallery: each is a table somebody could bring, or words somebody could write."""

import json
from dataclasses import dataclass
from random import Random

NAMES = {
    "chinese": ("王小明", "陳美鳳", "山田太郎", "たなか さくら", "김민준", "이서연"),
    "cyrillic": ("Иван Петров", "Анна Каренина", "Ωμέγα Παπαδοπούλου", "Γιώργος", "Łukasz Żółć", "Đorđe Šćepanović"),
    "indic": ("สมชาย ใจดี", "น้ำฝน", "प्रिया शर्मा", "क्षत्रिय", "বাংলা নাম", "தமிழ் பெயர்"),
    "leftward": ("محمد علي", "فاطمة (1)", "שרה לוי", "Rater שרה 7", "עלי", "Ana"),
    "signs": ("😀 Ana", "ᚠᚢᚦ", "a\u202eb", "x\u200by", "\ue000", "☃ 7"),
    "markup": ("<b>Ana</b>", "#let x = 1", "$x^2$", "*Ben* _Cy_", "@ref [a]", "\\LaTeX `raw`"),
}
LONG = (
    "No complication of any kind was seen by anybody during the whole stay",
    "Minor complication that needed nothing but a look at it now and then",
    "Moderate complication requiring drug treatment for more than a week",
    "Severe complication requiring an operation under general anaesthesia",
    "Life-threatening complication with a stay in the intensive care unit",
    "Death or permanent damage from whatever cause within thirty days",
)
TITLE = "Whether the panel of the spring show agrees about what it tastes, and how much of that is luck, " * 5
NOTES = {
    "committee": "<b>Committee</b> #let x = 1 & *stars* _lines_ $x^2$ @ref `raw` \\LaTeX",
    "summary": "<script>alert(1)</script> The panel *agrees*.\n#pagebreak()\n= A heading\n- a list\n$ a = b $",
    "conclusion": "Use them.\n" * 12,
    "actions": "Talk | about [it] (now) <now>\n" * 6,
    "signers": "Dr #Ana\nProf. <Ben>\n*Cy*",
    "author": "A & B <c@d.e>",
}


@dataclass(frozen=True)
class Case:
    """One report: a name, the table as CSV or the name of a sample, and the options.

    Attributes
    ----------
    codes
        Whether it holds signs that no bundled face has, which are shown by their codes.
    notes
        Words of a committee.
    pages
        How many it may have at most: ten as the samples, where names of classes do not fill them.
    """

    name: str
    table: str
    options: tuple[str, ...] = ()
    form: str = "both"
    codes: bool = False
    notes: str = ""
    pages: int = 10


def panel(raters, classes, cases=40, *, knows=0.6, gaps=0.0, subject="Case {}", seed=5):
    """Ratings of a panel that follows the case so often and guesses else, as CSV; some are missing."""
    draw = Random(seed)
    lines = [["case", *raters]]
    for at in range(cases):
        truth = draw.choice(classes)
        row = [truth if draw.random() < knows else draw.choice(classes) for _rater in raters]
        lines.append([subject.format(at + 1), *("" if draw.random() < gaps else cell for cell in row)])
    return "\n".join(",".join(f'"{cell}"' for cell in line) for line in lines) + "\n"


def numbered(count, what="Rater"):
    return tuple(f"{what} {i + 1}" for i in range(count))


TWO = ("No", "Yes")
RATERS = ("--layout", "raters")
YES = (*RATERS, "--class1", "Yes")
SEATS = "case,a,b\n" + "".join(f"{i},1,1\n" for i in range(12))
CASES: tuple[Case, ...] = (
    Case("title-400", panel(numbered(5), TWO), (*YES, "--title", TITLE[:400])),
    Case("title-one-word", panel(numbered(5), TWO), (*YES, "--title", "Donaudampfschifffahrt" * 19)),
    Case("raters-60", panel(numbered(60), TWO, 60), YES),
    Case("raters-60-long", panel(tuple(f"Prof. Dr. Maximiliane von Hohenstein-Berg {i}" for i in range(60)), TWO), YES),
    Case("raters-60-codes", panel(numbered(60), TWO), (*YES, "--rater-names", "codes", "--case-names", "codes")),
    Case(
        "classes-12-long", panel(numbered(4), tuple(f"{k}. {w}" for w in LONG for k in (1, 2)), 120), RATERS, pages=12
    ),
    Case("classes-6-counted", panel(numbered(4), LONG, 90), (*RATERS, "--class1", LONG[3])),
    Case("two-cases", panel(numbered(4), TWO, 2, seed=1), YES),
    Case("three-cases", panel(numbered(3), TWO, 3, seed=3), YES),
    Case("one-class", panel(numbered(4), ("Yes",), 30), RATERS),
    Case("two-raters", panel(numbered(2), TWO, 30), YES),
    Case("two-seats", SEATS.replace("1,1\n", "1,0\n", 2), (*RATERS, "--raters-are", "seats")),
    Case("all-agree", panel(numbered(5), TWO, 40, knows=1.0), YES),
    Case("nothing-but-luck", panel(numbered(4), TWO, 60, knows=0.0), YES),
    Case("undefined", "case,rater,rating\n" + "".join(f"c{i},r{i},{'ab'[i % 2]}\n" for i in range(8))),
    Case("half-missing", panel(numbered(6), TWO, 60, gaps=0.5), YES),
    Case("chinese", panel(NAMES["chinese"], ("好", "坏"), subject="酒 {}"), (*RATERS, "--class1", "好")),
    Case("cyrillic-greek", panel(NAMES["cyrillic"], ("Да", "Нет"), subject="Дело {}"), (*RATERS, "--class1", "Да")),
    Case("thai-hindi", panel(NAMES["indic"], ("ใช่", "नहीं"), subject="กรณี {}"), (*RATERS, "--class1", "ใช่")),
    Case("right-to-left", panel(NAMES["leftward"], ("نعم", "לא"), subject="حالة {}"), (*RATERS, "--class1", "نعم")),
    Case("odd-signs", panel(NAMES["signs"], TWO), YES, codes=True),
    Case("markup-names", panel(NAMES["markup"], ("<i>a</i>", "#b")), (*RATERS, "--class1", "#b")),
    Case("markup-notes", panel(numbered(4), TWO), YES, notes=json.dumps(NOTES)),
    Case("words-of-ours", panel(("Accuracy", "Cohen's kappa", "Total", "No", "Yes"), TWO), (*YES, "--keep-summaries")),
    Case("counts", "case,yes,no\n" + "".join(f"c{i},{i % 6},{5 - i % 6}\n" for i in range(30))),
    Case("confusion", "x,a,b,c\na,9,2,1\nb,2,8,2\nc,1,2,7\n"),
    Case("cases-2000", panel(numbered(4), TWO, 2000), YES),
    Case("ordered-numbers", panel(numbered(4), ("1", "2", "3", "4", "5"), 80, knows=0.4), RATERS),
    Case("letter-apa", "sample:audit", ("--paper", "letter", "--apa")),
    Case("panel-brief", "sample:jury-panel", ("--class1", "gold"), form="brief"),
    Case("long-cases", panel(numbered(4), TWO, 40, subject="The very long name of case {0} " * 4, knows=0.3), YES),
)
"""Of what was brought and written in bad days."""
