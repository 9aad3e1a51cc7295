"""Why this model: one page about what is run, what it assumes, and what else could be run."""

from collections.abc import Sequence

from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from tapdesk.answers import fit_words as words
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.running.judging import Judgement
from tapdesk.gui.running.plan import Plan
from tapdesk.gui.widgets.basic import button, plain, scrolled, text
from tapdesk.gui.widgets.told import Told
from tapdesk.gui.widgets.window_size import WindowSize
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy

REASONS: dict[str, str] = {
    "knowledge": _(
        "Raters can agree because they know, or because they happen to pick the same answer. This model takes every "
        "rating as one or the other, and finds the mixture that makes ratings like yours most likely. So it can tell "
        "how often a rating follows the case itself, which no percentage of agreement can."
    ),
    "raters": _(
        "To see who differs, every rater gets an accuracy and a way of picking of their own. A rater is judged by how "
        "well the ratings fit what all the others together say about the same cases."
    ),
    "cases": _(
        "How sure one can be of a case depends on how much a single rating tells. The model finds that first, and "
        "then weighs the ratings of each case with it: three equal answers of accurate raters say more than three "
        "equal answers of raters who often guess."
    ),
    "lines": _(
        "Ordered grades hold several questions at once: is it at least bronze, at least silver, and so on. The same "
        "model is fitted at every line between two grades, so that the lines can be set side by side."
    ),
    "classes": _(
        "Cases of one class may be easier than cases of another. Each class gets an accuracy of its own, while what "
        "raters pick when they do not know stays one thing. Of two classes many such numbers fit equally well; then "
        "all of them are weighed, and what is told is how far they may be believed."
    ),
    "enough": _(
        "How far the interval would shrink depends on the numbers themselves, so they are found first. Then data sets "
        "with more and with fewer cases and ratings are made from them, and it is seen how wide the interval gets."
    ),
}
NAMED = _("You chose this model by name under More options; it stands above the question.")
ELSE: dict[str, str] = {
    "t-a-p": _(
        "With p = t you assume that raters who do not know pick each answer as often as it is true. That needs only "
        "two ratings of each case, but you have to believe it. A model with an accuracy for each rater needs at least "
        "three named raters."
    ),
    "t-a-t": _(
        "Without p = t the way of picking is estimated as well. That needs three ratings of each case, or three "
        "answers to choose from."
    ),
}
ELSE_OTHER = _(
    "The model t-a-p has fewer numbers, so they are known more surely: compare the two under Several analyses. Where "
    "both tell the same story, the simpler one is the better one to report."
)


def explained(plan: Plan, judgement: Judgement | None) -> list[tuple[str, str]]:
    """What about, and the sentences.

    Parameters
    ----------
    plan
        As it is run.
    judgement
        Of the design; None while it is not known.
    """
    model = plan.model
    rows = [
        (_("What was asked"), plan.question.title),
        (_("Why this model answers it"), NAMED if plan.named.model else REASONS[plan.question.key]),
        (_("What it assumes"), model.about),
    ]
    if judgement is not None and not judgement.refused:
        rows.append((_("What your design allows"), judgement.used.words))
        if judgement.forced:
            rows.append((_("Why p = t is assumed"), judgement.own.words))
    if model.accuracy is Accuracy.PER_RATER:
        rows.append(
            (
                _("What to keep in mind"),
                _("An accuracy of each rater rests on that rater’s ratings alone, so its interval is wide."),
            )
        )
    rows.append((_("What else could be run"), ELSE.get(model.name, ELSE_OTHER)))
    rows.append((_("What no model can say"), words.not_said()))
    return rows


class Why(QDialog):
    """A window beside the main one with the explanation."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Why this model?"))
        WindowSize(self, theme, 520, 520)
        self.title = text("", "card", wrap=True)
        self.told = Told(_("Why this model?"))
        foot = plain(across=True)
        foot.box.addStretch(1)
        foot.add(button(_("Close"), self.hide, name=_("Close the explanation")))
        box = QVBoxLayout(self)
        box.addWidget(self.title)
        box.addWidget(scrolled(self.told), 1)
        box.addWidget(foot)

    def explain(self, plan: Plan, judgement: Judgement | None) -> None:
        """Show the page about a plan."""
        self.title.setText(_("Why the model {model}?").format(model=plan.model.name))
        self.rows: Sequence[tuple[str, str]] = explained(plan, judgement)
        self.told.say(self.rows)
        self.show()
