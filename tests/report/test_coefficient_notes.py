"""What is told below the table of coefficients."""

from tapdesk.agreement.coefficients import agree
from tapdesk.answers.coefficients import coefficients
from tapdesk.answers.numbers import SCREEN
from tapdesk.progress import finish

from .examples import counted


def test_a_reason_that_begins_with_the_coefficient_names_it_once():
    told = coefficients(finish(agree(counted((9, 12, 8, 14)))), SCREEN).note
    assert "Scott's pi is for two ratings of each case" in told
    assert told.count("Scott's pi") == 1
