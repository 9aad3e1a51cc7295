"""One of anything is told as one."""

import numpy as np
import pytest

from tapdesk.answers.figures.designs import plan_needs
from tapdesk.answers.question import QUESTIONS, Guesses
from tapdesk.fitting.em import ExactEM
from tapdesk.gui.runs.expert_options import ExpertOptions
from tapdesk.gui.runs.plan import Plan, cases, size, what
from tapdesk.gui.shell.status_texts import raters
from tapdesk.models import model as catalog
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings


def ratings_of(rows, classes=("No", "Yes"), *, known=True):
    """Ratings from a row of codes for each case; -1 for none."""
    codes = np.array(rows)
    subject, rater = np.nonzero(codes >= 0)
    return Ratings.of(
        subject,
        rater,
        codes[subject, rater],
        [f"c{i}" for i in range(codes.shape[0])],
        [f"r{j}" for j in range(codes.shape[1])],
        classes,
        raters_known=known,
    )


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([[0]], "1 case with 1 rating each"),
        ([[0], [1]], "2 cases with 1 rating each"),
        ([[0, 1]], "1 case with 2 ratings each"),
        ([[0, 1], [1, -1]], "2 cases with 1 to 2 ratings each"),
    ],
)
def test_the_size_of_the_data_is_counted_in_words(rows, told):
    assert size(ratings_of(rows)) == told


def test_a_case_a_rater_a_seat_and_a_category_are_not_several():
    assert (cases(1), cases(2)) == ("1 case", "2 cases")
    assert raters(ratings_of([[0]])) == "1 rater"
    assert raters(ratings_of([[0]], known=False)) == "1 seat"
    assert raters(ratings_of([[0, 1]], known=False)) == "2 seats"
    assert what(ratings_of([[0]], classes=("Yes",))) == "<b>1 class</b>"
    assert what(ratings_of([[0, 1, 2]], classes=("a", "b", "c"))) == "<b>3 classes</b>"


def test_with_one_category_no_line_is_promised():
    lines = next(q for q in QUESTIONS if q.key == "lines")
    one = ratings_of([[0, 0], [0, 0]], classes=("Yes",))
    assert lines.refuses(one, one).startswith("Every rating is “Yes”")
    two = ratings_of([[0, 1], [1, 0]])
    assert "only two classes" in lines.refuses(two, two)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.key)
@pytest.mark.parametrize("guesses", [Guesses.OWN, Guesses.TIED])
@pytest.mark.parametrize("interval", ["profile", "none"])
def test_the_run_is_one_sentence_with_every_place_filled_in(question, guesses, interval):
    ratings = ratings_of([[0, 1, 1], [1, 0, 1]])
    told = Plan(question=question, guesses=guesses, interval=interval, seed=7).sentence(ratings)
    # Of awards, and of known answers, the numbers of the model only stand beside.
    first = {"awards": "Work out what each case is worth", "known": "Hold each rater against the known answers"}
    assert told.startswith(first.get(question.key, "Estimate <i>t</i>"))
    assert told.endswith("random start <b>7</b>.")
    assert ": counting <b>“Yes”</b>, 2 cases with 3 ratings each, " in told
    assert ("assuming <i>p</i> = <i>t</i>" in told) is (
        # The fit beside awards shares its guesses whatever is chosen.
        question.key == "awards" or (guesses is Guesses.TIED and question.tied)
    )
    assert ("no intervals" in told) is (interval == "none")
    assert not {"{what}", "{size}", "{intervals}"} & set(told.split())


@pytest.mark.parametrize(
    ("named", "told"),
    [
        (
            ExpertOptions(model="t-ak-p"),
            "Fit the model <b>t-ak-p</b> by exact E-M: <b>3 classes</b>, 1 case with 3 ratings",
        ),
        (ExpertOptions(estimator="moment-em"), "Fit the model <b>t-a-p</b> by moment E-M: <b>3 classes</b>, 1 case"),
        (
            ExpertOptions(estimator="posterior"),
            "Find what can be believed of the numbers of the model <b>t-a-p</b> with <b>flat priors</b>: ",
        ),
        (
            ExpertOptions(estimator="posterior", priors="a=beta(2,5); t=beta(1,1)"),
            (
                "Find what can be believed of the numbers of the model <b>t-a-p</b> with the priors "
                "<b>a=beta(2,5), t=beta(1,1)</b>: "
            ),
        ),
    ],
)
def test_a_run_chosen_by_name_is_told_by_its_name(named, told):
    assert Plan(named=named).sentence(ratings_of([[0, 1, 2]], classes=("a", "b", "c"))).startswith(told)


def test_a_label_cannot_smuggle_marks_into_the_sentence():
    told = Plan().sentence(ratings_of([[0, 1, 1]], classes=("no", "<b>{seed}</b>")))
    assert "&lt;b&gt;{seed}&lt;/b&gt;" in told


@pytest.mark.parametrize(
    ("place", "class1", "first", "last"),
    [
        (0, ("no medal", "bronze"), "Find the best fit", "Resample the wines"),
        (1, ("no medal", "bronze"), "Find the best fit", "Intervals"),
        (4, ("no medal", "bronze"), "Find what to believe", "Check the answer"),
        (4, (), "Find the best fit", "Intervals"),
    ],
)
def test_before_a_run_its_phases_stand_there_and_no_others(jury, qtbot, place, class1, first, last):
    jury.session.choose_class1(class1)
    jury.session.choose(question=QUESTIONS[place])
    qtbot.waitUntil(lambda: jury.session.ready and jury.session.judgement is not None, timeout=240_000)
    words = jury.model.running.phases.accessibleDescription().split(". ")
    assert (words[0], words[-1]) == (first, last)
    assert not jury.session.fitting.running


def test_answers_that_were_merged_for_a_blank_or_a_capital_are_told_once():
    ratings = ratings_of([[0, 1], [1, 2], [3, 4]], ("No", "Yes", "Yes ", "yes", "Maybe"))
    merged = ratings.dichotomised(("Yes", "Yes ", "yes", "Maybe"), ("No",))
    assert what(merged) == "counting <b>“Yes”, “Maybe”</b> as one class"


def test_what_cannot_be_planned_is_refused_before_a_run_not_after_it(window, qtbot, tmp_path):
    sheet = tmp_path / "many.csv"
    rows = (f"c{i}," + ",".join(f"k{(i + (i * j) // 9 % 3) % 6 + 1}" for j in range(4)) for i in range(60))
    sheet.write_text("case,A,B,C,D\n" + "\n".join(rows) + "\n")
    with qtbot.waitSignal(window.session.reading.done, timeout=240_000):
        window.open_file(str(sheet))
    qtbot.waitUntil(lambda: window.session.ready, timeout=240_000)
    window.go(1)
    card = window.model.cards[5]
    assert not card.isEnabled()
    assert card.about.text() == "With more than 4 classes this would take very long: choose a counted class first."
    ratings = window.session.document.ratings
    fit = ExactEM().run(catalog.model("t-a-p"), ratings, 1)
    # A plan lists the patterns of classes, whatever their number, as long as they can be listed.
    assert "classes" not in (plan_needs(finish(fit), ratings) or "")
    window.session.choose_class1(("k1", "k2"))
    qtbot.waitUntil(lambda: window.session.ready and card.isEnabled(), timeout=240_000)
