"""The window in a language nobody speaks: what stands in no brackets was not looked up, or is the user's own."""

import os
import subprocess
import sys
from pathlib import Path

from tapdesk.language import PSEUDO

WALK = """
import sys
from tapdesk.language import Voice, speak, wanted_language
speak(Voice(language=wanted_language()))
import pytest
sys.exit(pytest.main(["-q", "-vv", "-p", "no:cacheprovider", "tests/gui/pseudo_walk.py"]))
"""
ROOT = Path(__file__).resolve().parents[2]


def test_panes_and_dialogs_are_in_the_language_of_the_screen_and_have_room_for_it():
    # Sentences are made at import as well: the language is chosen before anything is loaded, in a process of its own.
    done = subprocess.run(
        [sys.executable, "-c", WALK],
        cwd=ROOT,
        env=os.environ | {"TAPDESK_LANGUAGE": PSEUDO},
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-6000:]
