"""Tables that come with the program: published ones typed in, and a simulated jury whose truth is known."""

from dataclasses import dataclass, fields, replace
from pathlib import Path

from tapdesk import resources
from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.ratings.options import Layout, ReadingOptions, Source

PREFIX = "sample:"
_COUNTS = ReadingOptions(layout=Layout.COUNTS)
_WINE = _(
    "Judgements of 183 wines by four judges on four classes, tallied at one cut between the "
    "classes; the counts are those printed with the truth-accuracy-guessing model for this show."
)
_MEDALS = ("no medal", "bronze", "silver", "gold")


@dataclass(frozen=True)
class Sample:
    """One table that comes with the program.

    Attributes
    ----------
    name
        What follows ``sample:``.
    file
        The file in the folder of samples.
    title
        A short title.
    citation
        Where the numbers come from.
    about
        What it is good for, one or two sentences.
    options
        How it is to be read.
    offered
        Whether a start page offers it: to try the program, not to check a published number.
    """

    name: str
    file: str
    title: str
    citation: str
    about: str
    options: ReadingOptions
    offered: bool = True


def _cut(number: int) -> Sample:
    lower = ", ".join(str(c) for c in range(1, number + 1))
    return Sample(
        f"wine-cut{number}",
        f"wine_cut{number}.csv",
        _("Wine judging, cut {low} | {high}").format(low=number, high=number + 1),
        _WINE,
        _("How many of four judges put each of 183 wines into class {lower}, tallied.").format(lower=lower),
        _COUNTS,
        offered=False,
    )


SAMPLES: tuple[Sample, ...] = (
    Sample(
        "jury",
        "jury.csv",
        _("A wine jury: 183 wines, 4 judges"),
        _("Simulated with the t-a-p model of four classes (resources/samples/simulate_jury.py); invented names."),
        _("Every judge rates every wine; four medals in order. The true medal of each wine is known."),
        ReadingOptions(layout=Layout.RATERS, subject="wine", order=_MEDALS),
    ),
    Sample(
        "audit",
        "audit.csv",
        _("A case-note audit: 120 notes, 4 auditors"),
        _("Simulated with the t-a-p model of two classes (resources/samples/simulate_jury.py); invented names."),
        _("Was pain assessed, yes or no? One auditor joined half-way. The truth is known."),
        ReadingOptions(layout=Layout.RATERS, subject="record", order=("no", "yes")),
    ),
    Sample(
        "jury-panel",
        "jury_panel.csv",
        _("A wine panel: 183 wines, 4 to 6 of 12 judges"),
        _("Simulated with one accuracy per judge (resources/samples/simulate_jury.py); invented names."),
        _("Judges differ, one is near guessing, some wines were poured twice unseen. The truth is known."),
        ReadingOptions(layout=Layout.LONG, subject="wine", rater="judge", rating="medal", order=_MEDALS),
    ),
    Sample(
        "paradox",
        "paradox.csv",
        _("The rare-disease paradox"),
        _("The smallest table of the kappa paradox: 998 subjects twice negative, 2 with one rating of each kind."),
        _("Raters agree on {n} of {all:,} subjects, and yet the data cannot tell knowledge from luck.").format(
            n=998, all=1000
        ),
        _COUNTS,
    ),
    Sample(
        "fleiss-1971",
        "fleiss_1971.csv",
        _("Psychiatric diagnoses: 30 patients, 6 ratings each"),
        _(
            "J. L. Fleiss (1971). Measuring nominal scale agreement among many raters. Psychological "
            "Bulletin 76(5), 378-382, Table 1."
        ),
        _("Counts of six diagnoses per patient over five categories; the psychiatrists are not named."),
        _COUNTS,
    ),
    Sample(
        "dawid-skene-1979",
        "dawid_skene_1979.csv",
        _("Fitness for anaesthesia: 45 patients, 5 anaesthetists"),
        _(
            "A. P. Dawid and A. M. Skene (1979). Maximum likelihood estimation of observer error-rates "
            "using the EM algorithm. Applied Statistics 28(1), 20-28, Table 1."
        ),
        _("Four classes; the first anaesthetist judged every patient three times."),
        ReadingOptions(layout=Layout.LONG, subject="patient", rater="anaesthetist", rating="rating"),
    ),
    Sample(
        "confusion-3x3",
        "confusion_3x3.csv",
        _("Two raters crossed, three classes"),
        _("The 3 x 3 confusion matrix of the truth-accuracy-guessing literature: 36 subjects, kappa .3647."),
        _("The smallest table on which Cohen's kappa is worked out."),
        ReadingOptions(layout=Layout.CONFUSION),
    ),
    _cut(1),
    _cut(2),
    _cut(3),
)


def sample(name: str) -> Sample:
    """A sample by its name.

    Raises
    ------
    TapdeskError
        When there is no such sample.
    """
    for one in SAMPLES:
        if one.name == name:
            return one
    raise TapdeskError(
        _("There is no sample '{name}'.").format(name=name),
        f"{PREFIX}{name}",
        _("The samples are {samples}.").format(samples=", ".join(s.name for s in SAMPLES)),
    )


def locate(path: str | Path, options: ReadingOptions) -> tuple[Path, ReadingOptions]:
    """The file behind a name, and for a sample the options with its own filled in where the user said nothing."""
    text = str(path)
    if not text.startswith(PREFIX):
        return Path(path), options
    one = sample(text.removeprefix(PREFIX))
    usual = ReadingOptions()
    own = {
        f.name: getattr(one.options, f.name)
        for f in fields(ReadingOptions)
        if getattr(options, f.name) == getattr(usual, f.name)
    }
    reading_options = replace(options, **own)
    if options.order is None and options.missing:
        # What the user says of a text goes before what the sample says of it.
        reading_options = reading_options.without_classes(options.missing)
    return resources.path("samples", one.file), reading_options


def source_place(source: Source) -> str:
    """Where ratings came from, as `tapdesk.ratings.reading.read` takes it."""
    if source.path is not None:
        return str(source.path)
    return PREFIX + next((row.name for row in SAMPLES if row.file == source.name), source.name)
