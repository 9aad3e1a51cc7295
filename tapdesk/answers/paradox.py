"""The kappa paradox in sentences."""

from dataclasses import dataclass

import numpy as np

from tapdesk.answers import numbers
from tapdesk.answers.numbers import REPORT, Style
from tapdesk.language import Number, joined
from tapdesk.language import gettext as _
from tapdesk.studies.paradox import Paradox, masses

# A reading is called noise, or nearly always right, where its middle accuracy is within this of 0 or 1.
_NOISE = 0.15

HEADLINE = _("These {ratings} fit two opposite stories, and they cannot tell us which one is true.")


def low_kappa(most: str, share: float, agreement: float | None, kappa: float | None, style: Style = REPORT) -> str:
    """Why kappa is low although raters agree, and what to do.

    Parameters
    ----------
    most, share
        The commonest class and its share of the ratings.
    agreement, kappa
        Raw agreement and Fleiss' kappa.
    style
        How numbers are written.
    """
    return _(
        "Most {ratings} are “{most}” ({share}), so kappa is low even though {raters} agree on {agreed} of 100 "
        "{subjects}. Look at the three numbers together: raw agreement, kappa {kappa} and AC1. None of them alone is "
        "the answer."
    ).format(
        most=numbers.short(most),
        share=numbers.percent(share),
        kappa=numbers.decimal(kappa, style),
        agreed="–" if agreement is None else numbers.about(agreement),
    )


@dataclass(frozen=True, slots=True)
class Story:
    """One of two ways to understand the same ratings.

    Attributes
    ----------
    heading, words
        In a few words, and in sentences.
    mass
        Its share of the posterior.
    belief
        How much of the posterior lies in the last tenth of the scale of the accuracy on its side.
    knows
        Whether in this story the raters know.
    """

    heading: str
    words: str
    mass: float
    belief: float
    knows: bool


def stories(paradox: Paradox) -> tuple[Story, ...]:
    """Both readings of an accuracy with a peak near 0 and one near 1, the heavier first; else none."""
    readings = paradox.one.readings
    if len(readings) != 2 or len(paradox.one.summary("a").modes) != 2:
        return ()
    curve = next(curve for name, curve in paradox.one.marginals.items() if name.name == "a")
    shares = masses(curve, np.array([0.0, 0.1, 0.9, 1.0]))
    other, one = (numbers.short(label) for label in paradox.classes)
    medians = [{s.name.name: s.median for s in reading.summaries} for reading in readings]
    reach = sorted(m["a"] for m in medians)
    if reach[0] > _NOISE or reach[1] < 1 - _NOISE:
        # Neither noise nor certainty: the readings of the posterior itself say what is known.
        return ()
    sentences = []
    for reading, median in zip(readings, medians, strict=True):
        knows = median["a"] == max(m["a"] for m in medians)
        if knows:
            heading = _("The {raters} are nearly always right")
            words = _(
                "About {t} {subjects} are truly “{one}”. {Raters} follow the {subject} almost every time, and where "
                "they differ it "
                "is a slip."
            ).format(t=_rate(median["t"]), one=one)
        else:
            heading = _("The answers are noise")
            words = _(
                "{Raters} say “{one}” in about {p} {ratings}, whatever the {subject}. They agree because nearly "
                "everybody says "
                "the same to nearly everything; their answers tell a “{one}” from a “{other}” no better than luck."
            ).format(one=one, other=other, p=_rate(median["p"]))
        sentences.append(Story(heading, words, reading.mass, float(shares[2 if knows else 0]), knows))
    return tuple(sentences)


def _rate(share: float) -> str:
    """A share as so many of a round number."""
    if share < 0.0005:
        return _("none of 1,000")
    if share < 0.01:
        return _("{n} of 1,000").format(n=Number(f"{1000 * share:.0f}"))
    return _("{n} of 100").format(n=Number(f"{100 * share:.0f}"))


def decide(paradox: Paradox) -> str:
    """What would choose between two readings."""
    return _(
        "What would decide it: have the same {raters} judge some 40 {subjects} of which about half are expected to be "
        "“{one}”."
    ).format(one=numbers.short(paradox.classes[1]))


def open_readings(paradox: Paradox) -> str:
    """The readings with their shares, or that there is one only."""
    words = stories(paradox)
    if words:
        return _("{head} {stories} {decide}").format(
            head=HEADLINE,
            stories=joined(
                *(
                    _("{heading} ({share}): {words}").format(
                        heading=t.heading, share=numbers.percent(t.mass), words=t.words
                    )
                    for t in words
                )
            ),
            decide=decide(paradox),
        )
    if len(paradox.one.readings) > 1:
        return _("{head} {stories}").format(
            head=HEADLINE,
            stories=joined(
                *(
                    _("{share}: {words}").format(share=numbers.percent(r.mass), words=r.words)
                    for r in paradox.one.readings
                )
            ),
        )
    if len(paradox.one.summary("a").modes) > 1:
        # Several peaks of one reading: where they are stands above the picture.
        return _("What can be believed of the accuracy has more than one peak, so no single one is reported.").format()
    return _("Only one reading of the accuracy is left by these data.")


def explained(paradox: Paradox, style: Style = REPORT) -> str:
    """All of it: why kappa is low where it is, and what is left open."""
    if not paradox.shows:
        return open_readings(paradox)
    sentence = low_kappa(paradox.most, paradox.share, paradox.agreement, paradox.kappa, style)
    return joined(sentence, open_readings(paradox))
