"""The issued files a project knows: what was saved, when, and its checksum."""

import hashlib
import json
from dataclasses import asdict, dataclass

from tapdesk.project.project import Project

# The name among the records of a project, one report a line.
PLACE = "issued"


@dataclass(frozen=True, slots=True)
class Issued:
    """One saved report.

    Attributes
    ----------
    name
        Of the file, without its folder.
    sha256
        Of its bytes.
    when
        Local date and time in ISO form.
    fingerprint
        Of the data at that time.
    """

    name: str
    sha256: str
    when: str
    fingerprint: str


def with_issued(project: Project, name: str, content: bytes, when: str) -> Project:
    """The project that remembers a saved report.

    Parameters
    ----------
    project
        The project the report was made from.
    name, content
        The file as saved.
    when
        Local date and time in ISO form.
    """
    record = Issued(name, hashlib.sha256(content).hexdigest(), when, project.fingerprint)
    lines = [*project.records.get(PLACE, "").splitlines(), json.dumps(asdict(record), sort_keys=True)]
    return project.with_record(PLACE, "\n".join(lines))


def issued(project: Project) -> tuple[Issued, ...]:
    """The reports a project remembers, oldest first; a damaged line is passed over."""
    items = []
    for line in project.records.get(PLACE, "").splitlines():
        try:
            fields = json.loads(line)
            items.append(Issued(*(str(fields[key]) for key in ("name", "sha256", "when", "fingerprint"))))
        except (ValueError, KeyError, TypeError):
            continue
    return tuple(items)
