"""What somebody waits for on the command line: processor time of whole processes, beside one that only loads Python."""

import resource
import subprocess
import sys

import pytest

PROGRAM = ("-m", "tapdesk")
BARE = ("-c", "pass")
# What no answer can do without.
LIBRARIES = ("-c", "import numpy, scipy.special")


def seconds(*arguments, times=5):
    """Least processor time of a process in some runs; the first, in which Python may compile, does not count."""
    taken = []
    for _turn in range(times + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(taken[1:])


@pytest.mark.benchmark
@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_the_first_page_takes_little_longer_than_python_itself(argument):
    page, bare = seconds(*PROGRAM, argument), seconds(*BARE)
    print(f"{argument}: {page:.3f} s, {page / bare:.1f} times an empty program")
    assert page <= 0.08
    assert page <= 2.5 * bare


@pytest.mark.benchmark
def test_a_plain_fit_takes_few_times_what_its_libraries_take():
    fit, libraries = seconds(*PROGRAM, "fit", "sample:jury"), seconds(*LIBRARIES)
    print(f"fit: {fit:.2f} s, {fit / libraries:.1f} times its libraries")
    assert fit <= 3.5 * libraries


@pytest.mark.benchmark
def test_who_differs_takes_few_times_a_plain_fit():
    who = ("fit", "sample:jury-panel", "--class1", "silver", "--model", "t-aj-pj")
    differs, plain = seconds(*PROGRAM, *who, times=2), seconds(*PROGRAM, "fit", "sample:jury")
    print(f"who differs: {differs:.2f} s, {differs / plain:.1f} times a plain fit")
    assert differs <= 9 * plain
