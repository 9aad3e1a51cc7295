"""Tests that `test_prepared` has run: what each of them does no other must find, and what it says must come back."""

import logging
import os
import signal
import warnings

import pytest

from .prepared import HELD


def test_leaves_what_it_likes(window):
    window.setWindowTitle("left behind")
    window.session.naming.use(codes=True)
    os.environ["LEFT_BEHIND"] = "yes"
    print("printed in a fork")


def test_finds_what_every_test_finds(window):
    assert HELD.test
    assert window.windowTitle() == "tapdesk"
    assert not window.session.naming.codes
    assert "LEFT_BEHIND" not in os.environ


def test_fails(window):
    logging.getLogger("tapdesk").warning("logged in a fork")
    assert window is None


def test_is_skipped(window):
    pytest.skip(f"not today, {window.windowTitle()}")


@pytest.mark.xfail(reason="known")
def test_fails_as_expected(window):
    assert window is None


def test_warns(window):
    warnings.warn(f"beware of {window.windowTitle()}", stacklevel=1)


def test_leaves_what_cannot_be_collected_in_peace(window):
    class Dropped:
        def __del__(self):
            raise ValueError("said when it was collected")

    one = Dropped()
    one.itself, one.window = one, window


def test_ends_its_process(window):
    assert window is not None
    os._exit(0)


def test_crashes(window):
    assert window is not None
    os.kill(os.getpid(), signal.SIGSEGV)
