"""What the program proposes: one model at a time, with the reason; the user takes it, or declines."""

from PySide6.QtCore import Slot

from tapdesk.answers.proposals import Proposal, declined_keys
from tapdesk.gui.runs.expert_options import NO_OPTIONS
from tapdesk.gui.shell.session import Session
from tapdesk.gui.widgets.controls import Frame, button, plain, text
from tapdesk.language import gettext as _
from tapdesk.language import say


class ProposalCard(Frame):
    """A card that is there only while there is something to propose, or something declined to take up again.

    Attributes
    ----------
    use, decline, back, again
        What can be done: take the model, leave it, go back to the usual one, and be asked again.
    """

    def __init__(self, session: Session) -> None:
        super().__init__("card", margins=(16, 12, 16, 12), gap=3)
        self._session = session
        self._shown: Proposal | None = None
        self.head = text("", "caption", "3")
        self.reason, self.words = text("", "card", wrap=True), text("", "body", "2", wrap=True)
        self.use = button(_("Use this model"), self._use, small=True)
        self.decline = button(_("No, leave it"), self._decline, kind="link", name=_("Decline this model"))
        self.back = button(_("Back to the usual model"), self._take_back, kind="link")
        self.again = button(_("Show what was declined"), session.propose_again, kind="link")
        acts = plain(across=True, gap=12, margins=(0, 4, 0, 0)).add(self.use, self.decline, self.back, self.again)
        acts.box.addStretch(1)
        self.add(self.head, self.reason, self.words, acts)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show what is proposed now, or what was taken; nothing while nothing is."""
        session = self._session
        every = () if session.document.empty or session.blocked else session.proposals
        taken = next((one for one in every if session.plan.named.takes(one)), None)
        gone = declined_keys(session.document.project)
        free = [one for one in every if one.key not in gone]
        self._shown = shown = taken or next(iter(free), None)
        left = any(one.key in gone for one in every)
        self.setVisible(shown is not None or left)
        for part in (self.head, self.reason, self.words):
            part.setVisible(shown is not None)
        self.use.setVisible(shown is not None and taken is None)
        self.decline.setVisible(shown is not None and taken is None)
        self.back.setVisible(taken is not None)
        self.again.setVisible(shown is None and left)
        if shown is None:
            self.setAccessibleName(_("What was proposed"))
            return
        head = _("Proposed, and used: the model {model}") if taken else _("The program proposes the model {model}")
        self.head.setText(head.format(model=shown.model))
        self.reason.setText(say(shown.reason))
        self.words.setText(say(shown.words))
        self.setAccessibleName(f"{self.head.text()}. {self.reason.text()} {self.words.text()}")

    @Slot()
    def _use(self) -> None:
        here = self.use.hasFocus()
        if self._shown is not None:
            self._session.choose(named=self._session.plan.named.taking(self._shown), label="")
        if here:
            # The button that was pressed is gone: what takes it back stands in its place.
            self.back.setFocus()

    @Slot()
    def _decline(self) -> None:
        here = self.decline.hasFocus()
        if self._shown is not None:
            self._session.decline(self._shown)
        if here:
            (self.decline if self.decline.isVisible() else self.again).setFocus()

    @Slot()
    def _take_back(self) -> None:
        here = self.back.hasFocus()
        self._session.choose(named=NO_OPTIONS, label="")
        if here:
            self.use.setFocus()
