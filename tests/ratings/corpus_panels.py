"""Sheets with a row for each case and plain words above the columns: lists of things to tick, and panels of people.

Nothing but what stands below the words, and whether people are called so, tells the two apart. In a list each column
has shares of its own and knows little of the others; in a panel all columns are about the same truth, be it that some
of the raters guess, turn the scale round, or belong to two camps.
"""

import random
from collections.abc import Iterator

from tapdesk.ratings.options import Layout
from tests.ratings.corpus import Sheet, written

THINGS = {
    "en": (
        "Gloves Gown Mask Goggles Apron Handwash", "Fever Cough Rash Vomiting Headache Fatigue",
        "effusion nodule pneumonia fracture oedema cardiomegaly", "Diabetes Hypertension Smoker Asthma Stroke COPD",
        "trust fear anger cost access stigma", "Irrelevant Randomised Adults English Duplicate Protocol",
        "alt_text captions contrast headings keyboard links", "Oak Tannin Acidity Fruit Sulphur Cork",
        "violence nudity spam hate satire", "Helmet Lights Brakes Bell Reflector", "Polyp Bleeding Ulcer Erosion",
    ),
    "de": (
        "Handschuhe Kittel Maske Brille Haube", "Fieber Husten Ausschlag Erbrechen Schwindel",
        "Erguss Rundherd Fraktur Stauung Infiltrat", "Vertrauen Angst Kosten Zugang Scham",
    ),
    "fr": (
        "gants blouse masque lunettes charlotte", "Fièvre Toux Éruption Vomissements Vertige", "peur coût accès honte",
    ),
    "es": ("guantes bata mascarilla gafas gorro", "Fiebre Tos Erupción Vómitos Mareo", "miedo coste acceso vergüenza"),
    "it": ("guanti camice mascherina occhiali cuffia", "Febbre Tosse Eruzione Vomito Vertigine", "paura costo accesso"),
    "pt": ("luvas avental máscara óculos touca", "Febre Tosse Erupção Vômito Tontura", "medo custo acesso vergonha"),
}  # fmt: skip
CASES = {
    "en": "Record Patient Case Image Page Segment", "de": "Akte Patient Fall Bild", "fr": "dossier patient image",
    "es": "expediente paciente caso", "it": "cartella paziente caso", "pt": "prontuário paciente caso",
}  # fmt: skip
FIRST = (
    "Anna Jonas Klara Tobias Ingrid Wolfgang", "marie luc sophie antoine camille hugo",
    "Sarah Tom Emily James Olivia Jack", "Lucía Javier Pilar Álvaro Rocío Iván",
    "Giulia Marco Francesca Luca Paola Matteo", "João Beatriz Tiago Inês Rui",
    "Priya Wei Fatima Ahmed Yuki Olga", "Anneke Pieter Sanne Bram Femke Joost", "Karin Lars Astrid Bjørn Mette Sven",
)  # fmt: skip
CODES = (
    "R1 R2 R3 R4 R5 R6", "JS MK TB AL CW HF", "Rater_A Rater_B Rater_C Rater_D", "Dr Smith;Dr Patel;Dr Okafor;Dr Weiss",
    "Ana L.;Ben K.;Cy M.;Dee R.", "judge 1;judge 2;judge 3;judge 4", "Nurse A;Nurse B;Nurse C", "1 2 3 4 5",
    "A B C D E", "Ana Lopez;Ben Carter;Cy Young;Dee Moore",
)  # fmt: skip
SURNAMES = (
    "Adams Chen Davies Lopez Novak", "Brzezinska Haddad Obuya Lindqvist Szabo",
    "Hollensteiner Krüger Vormbrock Obermüller", "Lefèvre Vauquelin Cazeneuve Rousseau",
    "Esposito Ghirlanda Bevilacqua Zanetti", "okonkwo shimizu petrenko quintanilha",
)  # fmt: skip
SCALES = (("no", "yes"), ("No", "Yes"), ("0", "1"), ("absent", "present"), ("low", "medium", "high"), tuple("12345"))
YES = {
    "en": (("no", "yes"), ("0", "1"), ("No", "Yes"), ("N", "Y"), ("absent", "present")), "de": (("nein", "ja"),),
    "fr": (("non", "oui"),), "es": (("no", "sí"),), "it": (("no", "sì"),), "pt": (("não", "sim"),),
}  # fmt: skip
WORLDS = ("good", "fair", "skewed", "guessing", "one guesses", "one turned", "camps")


def _names(text: str) -> list[str]:
    return text.split(";") if ";" in text else text.split()


def _cases(rng: random.Random, count: int) -> list[str]:
    start = rng.choice((1, 1000, 37001))
    mark = rng.choice(("", "", "P", "R-"))
    return [f"{mark}{start + i}" for i in range(count)]


def _list_of_things(rng: random.Random, language: str, shared: float) -> Sheet:
    """Things that were there or not in each case: each as common as it is, and some come together a little."""
    names = _names(rng.choice(THINGS[language]))
    names = names[: rng.randint(2, len(names))]
    says = rng.choice(YES[language])
    cases = _cases(rng, rng.randint(20, 160))
    shares = [rng.uniform(0.1, 0.9) for _ in names]
    rows, given = [], {n: {} for n in names}
    for case in cases:
        much = rng.random()
        told = [says[(much if rng.random() < shared else rng.random()) < share] for share in shares]
        rows.append([case, *told])
        for n, say in zip(names, told, strict=True):
            given[n][case, "1"] = say
    head = [rng.choice(_names(CASES[language])), *names]
    return Sheet("", written(head, rows), (Layout.QUESTIONS,), given)


def _panel(rng: random.Random, names: list[str], world: str) -> Sheet:
    """People who answered the same question, well or badly."""
    names = names[: rng.randint(2, len(names))]
    says = rng.choice(SCALES)
    cases = _cases(rng, rng.randint(20, 160))
    weights = [1.0] * len(says)
    if world == "skewed":
        weights[-1] = 8.0
    accuracy = {"good": 0.8, "fair": 0.6, "guessing": 0.0, "skewed": 0.7}.get(world, 0.75)
    own = [[w * rng.uniform(0.7, 1.4) for w in weights] for _ in names]
    rows, given = [], {}
    for case in cases:
        truth, other = rng.choices(says, weights)[0], rng.choices(says, weights)[0]
        told = []
        for j in range(len(names)):
            true = other if world == "camps" and j % 2 else truth
            follows = rng.random() < (0 if world == "one guesses" and j == 0 else accuracy)
            say = true if follows else rng.choices(says, own[j])[0]
            told.append(says[len(says) - 1 - says.index(say)] if world == "one turned" and j == 0 else say)
        rows.append([case, *told])
        given |= {(case, n): say for n, say in zip(names, told, strict=True)}
    return Sheet("", written([rng.choice(_names(CASES["en"])), *names], rows), (Layout.RATERS,), {"": given})


def lists(seed: str) -> Iterator[Sheet]:
    """Lists of things, in six languages, of which none says who looked; another seed makes others."""
    for language in THINGS:
        for number in range(12 if language == "en" else 6):
            key = f"{seed}; list; {language}; {number}"
            rng = random.Random(key)
            made = _list_of_things(rng, language, rng.choice((0.0, 0.0, 0.15, 0.3)))
            yield Sheet(key, made.text, made.layouts, made.answers)


def panels(seed: str, names: tuple[str, ...] = (*FIRST, *CODES)) -> Iterator[Sheet]:
    """Panels of people, good and bad ones; another seed makes others."""
    for number, (people, world) in enumerate((p, w) for p in names for w in WORLDS):
        key = f"{seed}; panel; {world}; {people}; {number}"
        made = _panel(random.Random(key), _names(people), world)
        yield Sheet(key, made.text, made.layouts, made.answers)
