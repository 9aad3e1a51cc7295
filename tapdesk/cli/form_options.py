"""Options about reading a form as a whole: rows of the table of options (`options`), in a file for their number.

It stands alone because that table is as long as a file may be.
"""

from tapdesk.cli.option import FILES, Option, Scope, Topic

OF_FORMS: tuple[Option, ...] = (
    Option(
        ("--without",), Topic.READING, "questions of a form that are left out, separated by commas",
        (Scope(("questions",), format=FILES), Scope(("report",), format=FILES, needs=("no --only", "no --each"))),
        takes="list", default=(), metavar="QUESTION[,QUESTION…]",
    ),
    Option(
        ("--for-question",), Topic.READING,
        "what is otherwise for one question of a form: its missing codes, order or counted classes; may be named again",
        (
            Scope(("questions",), format=FILES),
            Scope(("report",), format=FILES, needs=("no --only",)),
        ), takes="question", several=True, default=(), metavar='"Q3: missing=n/a; order=low,high"',
    ),
)  # fmt: skip
"""About reading forms as a whole; all else about reading holds for one table as well."""
