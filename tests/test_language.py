"""Sentences are told again in any voice, and are text everywhere else."""

import copy
import json
import pickle
from threading import Thread

import pytest

from tapdesk.language import (
    PLAIN,
    PSEUDO,
    ByName,
    CaseName,
    Label,
    Message,
    Nouns,
    Number,
    RaterName,
    Signs,
    Voice,
    in_voice,
    joined,
    ngettext,
    plain,
    say,
    speaking,
)
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, Severity

GERMAN = Voice(signs=Signs(",", "."))
OTHER = Voice(language=PSEUDO)


class Coded(ByName):
    """Ann is A, the case 7 is C1."""

    def rater(self, name):
        return {"Ann": "A", "104233": "B"}.get(name, name)

    def case(self, name):
        return {"7": "C1"}.get(name, name)


CODED = Voice(naming=Coded())


def test_a_sentence_is_text_with_its_fields_filled_in():
    told = _("{who} rated {n:,} cases.").format(who="Ann", n=1200)
    assert told == "Ann rated 1,200 cases."
    assert isinstance(told, Message)
    assert (told.template, told.plural, dict(told.fields)) == (
        "{who} rated {n:,} cases.", None, {"who": "Ann", "n": 1200},
    )  # fmt: skip
    assert hash(told) == hash("Ann rated 1,200 cases.")
    assert json.loads(json.dumps([told])) == ["Ann rated 1,200 cases."]
    with pytest.raises(TypeError):
        told.fields["who"] = "Ben"


def test_a_copy_can_be_told_again():
    told = _("{rater} gave {label} {n:.1f} times.").format(rater=RaterName("Ann"), label=Label("1.5"), n=2.25)
    for same in (copy.copy(told), copy.deepcopy(told), pickle.loads(pickle.dumps(told))):
        assert same == told
        with speaking(Voice(signs=Signs(",", "."), naming=Coded())):
            assert say(same) == "A gave 1.5 2,2 times."


def test_what_is_made_inside_a_voice_is_right_at_once_and_what_was_kept_is_told_afresh():
    kept = _("No {what}.").format(what=_("answer"))
    with speaking(OTHER):
        assert _("No {what}.").format(what="x") == "⟦Noo x.⟧"
        assert kept == "No answer."
        assert say(kept) == "⟦Noo ⟦aansweer⟧.⟧"
        assert plain(say(kept)) == "No answer."
        assert say("plain words") == "plain words"


def test_names_are_called_as_the_voice_calls_them_and_numbers_in_a_sentence_are_no_names():
    told = _("The rater {rater} gave the case {case} 104233 of {n} ratings.").format(
        rater=RaterName("104233"), case=CaseName("7"), n=7
    )
    assert told == "The rater 104233 gave the case 7 104233 of 7 ratings."
    with speaking(CODED):
        assert say(told) == "The rater B gave the case C1 104233 of 7 ratings."
        assert say(RaterName("Ann")) == "A"


def test_a_long_name_is_shortened_after_it_is_coded():
    name = RaterName("Ann" + "e" * 60).shortened(8)
    assert name == "Anneeee…"
    assert name.whole == "Ann" + "e" * 60
    assert CaseName("two\nlines", 20) == "two⏎lines"


@pytest.mark.parametrize(("n", "english", "other"), [(1, "1 case", "⟦1 caasee⟧"), (3, "3 cases", "⟦3 caasees⟧")])
def test_a_plural_is_chosen_again_at_each_telling(n, english, other):
    told = ngettext("{n} case", "{n} cases", n).format(n=n)
    assert told == english
    with speaking(OTHER):
        assert say(told) == other


def test_numbers_are_written_in_the_signs_of_the_voice():
    told = _("{a} of {b:,.1f}, {n} in all").format(a=Number("-1,286.5"), b=1234.5, n=1098)
    assert told == "−1,286.5 of 1,234.5, 1098 in all"
    with speaking(GERMAN):
        assert say(told) == "−1.286,5 of 1.234,5, 1098 in all"
        assert say(told).fields["a"].plain == "-1,286.5"


def test_nouns_come_from_the_voice_where_they_are_not_given():
    told = _("{A_rating} of {raters}: {n} {subjects}.").format(n=3)
    assert told == "A rating of raters: 3 cases."
    wine = Voice(nouns=Nouns("wine", "wines", "judge", "judges", "award", "awards"))
    with speaking(wine):
        assert say(told) == "An award of judges: 3 wines."
        assert _("{Raters} judge.") == "Judges judge."
        assert _("{raters}").format(raters="people") == "people"


@pytest.mark.parametrize(("n", "told"), [(0, "0 wines"), (1, "1 wine"), (2, "2 wines"), (1000, "1,000 wines")])
def test_a_noun_that_is_counted_goes_with_its_number_in_every_voice(n, told):
    kept = _("Of {n} {subjects}, each by {raters} of {a_rater}.").format(n=Number(f"{n:,}"))
    with speaking(Voice(nouns=Nouns(subject="wine", subjects="wines", rater="judge", raters="judges"))):
        assert say(kept) == f"Of {told}, each by judges of a judge."
        assert _("{n:,} {subjects}").format(n=n) == told
        # What stands between number and noun keeps them apart, and no word of the user's is a number.
        assert _("{n} more {subjects}").format(n=n) == f"{n} more wines"
        assert _("{name} {subjects}").format(name=Label("1")) == "1 wines"


def test_sentences_one_after_the_other_are_one_sentence():
    told = joined(_("One."), "", _("{n} more.").format(n=2))
    assert told == "One. 2 more."
    with speaking(OTHER):
        assert say(told) == "⟦Onee.⟧ ⟦2 mooree.⟧"
    assert joined("", "") == ""
    assert joined("{", "}", sep="{}") == "{{}}"


def test_every_sentence_of_a_value_is_told_afresh():
    finding = Finding("x", Severity.NOTE, "", _("No {what}.").format(what="a"), _("Fix."), about=(("Ann",),))
    with speaking(OTHER):
        told = in_voice((finding, {"key": _("Word")}))
    assert told[0] == Finding("x", Severity.NOTE, "", "⟦Noo a.⟧", "⟦Fiix.⟧", about=(("Ann",),))
    assert told[1]["key"] == "⟦Woord⟧"
    assert in_voice(finding.about) is finding.about


@pytest.mark.parametrize("template", ["{x.__class__}", "{x[0]}", "{x!r}", "{x:>999999999}", "{x:,.999f}"])
def test_a_template_of_somebody_else_asks_for_nothing_but_fields(template):
    with pytest.raises(ValueError, match="no field of a sentence"):
        Message(template, fields={"x": 1})


def test_another_thread_speaks_plainly_meanwhile():
    heard = []
    with speaking(OTHER):
        other = Thread(target=lambda: heard.append(_("No answer.")))
        other.start()
        other.join()
    assert heard == ["No answer."]
    assert Voice() == PLAIN


def test_the_pseudo_language_leaves_marks_of_a_page_and_symbols_alone():
    with speaking(OTHER):
        assert _("<b>{n}</b> &amp; more") == "⟦<b>{n}</b> &amp; mooree⟧"
        assert _("{low} – {high}").format(low=1, high=2) == "1 – 2"
