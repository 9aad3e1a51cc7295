"""What stands in a section of a report."""

from tapdesk.answers.content import Paragraph


def blocks(report, key, kind):
    """The blocks of one kind in a section of a report."""
    (section,) = [s for s in report.sections if s.key == key]
    return [b for b in section.blocks if isinstance(b, kind)]


def said(report, key):
    """What the paragraphs of a section say."""
    return " ".join(b.text for b in blocks(report, key, Paragraph))
