"""A project of a text."""

import pytest

from tapdesk.project.project import Project
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read_now


@pytest.fixture
def project_from(tmp_path):
    """Read a text file and open a project of it."""

    def make(content, **options):
        path = tmp_path / "ratings.csv"
        path.write_text(content, encoding="utf-8")
        return Project().with_reading(read_now(path, ReadingOptions(**options)))

    return make
