"""A finding that was answered is told as decided on paper, on the terminal and as JSON; paper names no option."""

from tapdesk.answers import terminal
from tapdesk.answers.content import Table
from tapdesk.answers.fit_tables import findings
from tapdesk.cli.analyses import reading_of
from tapdesk.cli.json_output import answer_head
from tapdesk.project.review_state import findings_now
from tapdesk.ratings.findings import Finding, Severity
from tapdesk.report.build import build
from tests.project.fixing import TWELVE, chosen

CODE, MERGED = "case_space_variants", "'yes', 'YES' and 'yes ' are one class, 'yes'."


def noticed(project):
    """The rows of the report about what reading noticed."""
    section = next(s for s in build(project).sections if s.key == "data")
    return next(b for b in section.blocks if isinstance(b, Table) and "Things to know" in b.title).rows


def test_an_answered_finding_is_decided_everywhere_with_what_was_done(project_from):
    before = project_from(TWELVE.replace("c1,yes", "c1,YES").replace("c2,yes", 'c2,"yes "'))
    assert any(row[0] == "still open" for row in noticed(before))
    after = chosen(before, CODE, "Merge as “yes”")
    (told,) = [row for row in noticed(after) if row[0] == "you decided"]
    assert told[3] == MERGED
    assert not any(row[0] == "still open" and row[2] == told[2] for row in noticed(after))
    (found,) = [f for f in findings_now(after) if f.severity is Severity.DECIDED]
    assert (found.code, found.default, found.fix) == (CODE, MERGED, "")
    lines = terminal.check(reading_of(after))
    assert "decided:" in lines
    assert MERGED in " ".join(lines.split())
    (record,) = [f for f in answer_head("check", reading_of(after))["findings"] if f["code"] == CODE]
    assert (record["severity"], record["decided"], record["default"]) == ("note", True, MERGED)
    assert not any(f["decided"] for f in answer_head("check", reading_of(before))["findings"])


def test_paper_names_no_option_of_the_command_line():
    def finding(fix):
        return Finding("x", Severity.ASK, "", "Something.", fix, "Kept.", ())

    rows = findings(
        (
            finding("Name them as missing codes (--missing)."),
            finding("If not, say --keep-summaries."),
            finding("Mend it."),
        )
    ).rows
    assert [row[3] for row in rows] == [
        "Kept. To change it: Name them as missing codes.",
        "Kept.",
        "Kept. To change it: Mend it.",
    ]
