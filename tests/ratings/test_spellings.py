"""Answers written in other languages or ways: recognised in their order, or asked about."""

import random

import pytest

from tapdesk.ratings.vocabulary import SCALES, known_scale
from tests.ratings.telling import codes, told

LIKERT = {
    "de": ["stimme gar nicht zu", "stimme eher nicht zu", "teils/teils", "stimme eher zu", "stimme voll und ganz zu"],
    "de often": ["nie", "selten", "manchmal", "oft", "immer"],
    "fr": ["pas du tout d'accord", "plutôt pas d'accord", "neutre", "plutôt d'accord", "tout à fait d'accord"],
    "fr often": ["jamais", "rarement", "parfois", "souvent", "toujours"],
    "it": ["per niente d'accordo", "in disaccordo", "neutrale", "d'accordo", "molto d'accordo"],
    "it quality": ["pessimo", "scarso", "sufficiente", "buono", "ottimo"],
    "nl": ["helemaal mee oneens", "mee oneens", "neutraal", "mee eens", "helemaal mee eens"],
    "nl often": ["nooit", "zelden", "soms", "vaak", "altijd"],
    "pl": ["zdecydowanie nie", "raczej nie", "trudno powiedzieć", "raczej tak", "zdecydowanie tak"],
    "pl quality": ["bardzo źle", "źle", "średnio", "dobrze", "bardzo dobrze"],
    "ru": ["полностью не согласен", "не согласен", "нейтрально", "согласен", "полностью согласен"],
    "ru often": ["никогда", "редко", "иногда", "часто", "всегда"],
    "ja": ["全くそう思わない", "そう思わない", "どちらともいえない", "そう思う", "とてもそう思う"],
    "pt": ["discordo totalmente", "discordo", "nem concordo nem discordo", "concordo", "concordo totalmente"],
    "pt often": ["nunca", "raramente", "às vezes", "frequentemente", "sempre"],
    "es": ["totalmente en desacuerdo", "en desacuerdo", "indiferente", "de acuerdo", "totalmente de acuerdo"],
}


@pytest.mark.parametrize("labels", LIKERT.values(), ids=LIKERT)
def test_the_answers_of_a_questionnaire_stand_in_their_order(text, labels):
    mixed = [x.capitalize() for x in labels]
    random.Random(4).shuffle(mixed)
    rows = "".join(f"w{i};{mixed[i % 5]};{mixed[(i // 2) % 5]}\n" for i in range(15))
    reading = text("case;Ana;Ben\n" + rows)
    assert [c.casefold() for c in reading.ratings.classes] == labels
    assert "order_unknown" not in codes(reading)


def test_no_scale_names_a_step_twice():
    for scale in SCALES:
        steps = [word for step in scale for word in step]
        assert len(steps) == len(set(steps))
        # German capitals change a letter: MÄSSIG is mäßig.
        for change in (str, str.upper, str.capitalize):
            shown = [change(step[0]) for step in scale]
            letters = all(len(x) == 1 for x in shown)
            assert letters or known_scale(shown[::-1]) == tuple(shown)


@pytest.mark.parametrize("word", ["weiß nicht", "WEISS NICHT", "Weiß nicht"])
def test_a_word_for_no_rating_is_known_in_capitals(text, word):
    assert "maybe_missing_word" in codes(text(f"case,Ana,Ben\nw1,ja,nein\nw2,{word},nein\nw3,ja,ja\n"))


@pytest.mark.parametrize(("yes", "no"), [("WAHR", "FALSCH"), ("TRUE", "FALSE"), ("VRAI", "FAUX"), ("да", "нет")])
def test_true_is_class_one_in_any_language(text, yes, no):
    reading = text(f"case,Ana,Ben\nw1,{yes},{no}\nw2,{no},{no}\nw3,{yes},{yes}\n")
    assert reading.ratings.class1 == (yes,)
    assert "order_unknown" not in codes(reading)


def test_true_and_false_of_a_workbook_are_in_order(book):
    reading = book([["case", "Ana", "Ben"], ["w1", True, False], ["w2", False, False], ["w3", True, True]])
    assert reading.ratings.class1 == ("TRUE",)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1", "1 = mild"),
        ("1 = mild", "1: mild"),
        ("2", "2*"),
        ("2", "2 †"),
        ("€10", "10 €"),
        ("10", "$10"),
        ("WAHR", "TRUE"),
    ],
)
def test_a_number_with_a_label_a_mark_or_a_currency_is_offered_as_the_number(text, one, other):
    table = f"case,Ana,Ben\nw1,{one},5\nw2,{other},{one}\nw3,5,{other}\nw4,5,{one}\n"
    assert set(told(text(table), "same_meaning").about[0]) == {one, other}


def test_a_date_kept_as_a_number_among_scores_is_asked_about(text):
    rows = "".join(f"w{i},{1 + i % 5},{'45293' if i == 3 else 1 + i % 4}\n" for i in range(12))
    finding = told(text("case,Ana,Ben\n" + rows), "serial_dates")
    assert "45293 = 2024-01-02" in finding.message
    assert finding.where == "cell C5"


@pytest.mark.parametrize("numbers", [("45293", "45294", "45300"), ("38000", "52000", "41000"), ("1", "2", "12")])
def test_other_numbers_are_no_dates(text, numbers):
    rows = "".join(f"w{i},{numbers[i % 3]},{numbers[(i // 2) % 3]}\n" for i in range(12))
    assert "serial_dates" not in codes(text("case,Ana,Ben\n" + rows))


def test_who_gave_a_rating_written_behind_it_in_brackets_is_no_class_of_its_own(text):
    def sheet(*answers):
        lines = [f"c{i},{answers[i % len(answers)]},{answers[(i + i // 3) % len(answers)]}\n" for i in range(24)]
        return text("case,Ana,Ben\n" + "".join(lines))

    reading = sheet("yes (AB)", "no (AB)", "no (CD)", "yes (CD)", "yes")
    groups = {frozenset(f.about[0]) for f in reading.findings if f.code == "remark_behind"}
    assert groups == {frozenset({"yes (AB)", "yes (CD)", "yes"}), frozenset({"no (AB)", "no (CD)"})}
    # What only one class has behind it explains the class.
    assert "remark_behind" not in codes(sheet("1 (mild)", "2 (severe)", "3 (fatal)"))
    assert "remark_behind" not in codes(sheet("T1 (a)", "T2 (a)", "T3"))
