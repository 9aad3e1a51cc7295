"""Projects on the command line."""

import pytest

from tapdesk.cli.analyses import current_reading, project_of
from tapdesk.errors import TapdeskError, UsageError
from tapdesk.project.decisions.ratings import LeaveOutSubjects
from tapdesk.project.files.file import save
from tapdesk.project.project import Project
from tapdesk.ratings.options import Layout, ReadingOptions
from tests.project.examples import medals, same


def saved(tmp_path, project):
    path = tmp_path / "medals.tapdesk"
    save(project, path)
    return path


def test_the_reading_of_a_project_holds_the_ratings_as_decided(tmp_path):
    project = medals(tmp_path).decide(LeaveOutSubjects(("W0", "W1")))
    reading = current_reading(project_of(saved(tmp_path, project)))
    assert same(reading.ratings, project.ratings)
    assert (reading.left_out_subjects, reading.left_out_ratings) == (2, 6)


def test_class_1_and_order_of_the_command_line_come_on_top(tmp_path):
    path = saved(tmp_path, medals(tmp_path).with_class1(("gold",)))
    options = ReadingOptions(order=("no medal", "bronze", "silver", "gold"), class1=("gold", "silver"))
    reading = current_reading(project_of(path, options))
    assert reading.ratings.classes == ("no medal, bronze", "silver, gold")
    assert reading.options.class1 == ("gold", "silver")
    with pytest.raises(TapdeskError, match="There is no class 'tin'"):
        project_of(path, ReadingOptions(class1=("tin",)))


def test_a_project_is_not_read_in_another_way(tmp_path):
    path = saved(tmp_path, medals(tmp_path))
    with pytest.raises(UsageError, match="--layout cannot be used"):
        project_of(path, ReadingOptions(layout=Layout.LONG))
    with pytest.raises(UsageError, match="--raters-are cannot"):
        project_of(path, ReadingOptions(raters_are=object()))


def test_a_project_without_ratings_is_told(tmp_path):
    with pytest.raises(TapdeskError, match="holds no ratings"):
        current_reading(project_of(saved(tmp_path, Project())))
