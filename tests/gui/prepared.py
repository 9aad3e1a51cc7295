"""A window is made once, and every test gets it as it was: each runs in a process forked from the one that holds it.

What takes longest in a test of the window is what comes before it: the window itself, the sample that is opened in it,
the run whose results are looked at. These three are made once, each in a process of its own that does nothing else and
is a fork of the one before (`STAGES`). A test that asks for ``window``, ``jury`` or ``fitted`` runs in a fork of the
process that holds it, and its reports come back: it finds exactly what every other test finds, whatever they do to it,
in whatever order they run.

What a fork would share with its sisters is not made before it: no thread runs, no file is held, no copy of the work is
kept (`conftest.settle`). What a test says comes back whole: its reports with all that was printed and logged, what
only the collection of its objects brings up, and where it stood when its process ended before its time.

Where something a test asks for comes before the window (a locale, a place of its own), where it asks for values that
are worked out for several tests, where there is no fork (macOS, Windows) and with ``--pdb``, a test runs in the process
of pytest itself, and its fixtures make the window anew.
"""

import faulthandler
import gc
import os
import pickle
import signal
import socket
import sys
import tempfile
import threading
import traceback
import warnings
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from _pytest.runner import SetupState, runtestprotocol

# Seconds after which a test tells where it stands, and ends: before the suite does (packaging/test).
HANGS = 240
# What may come before the window in a test and has no part in it.
NEUTRAL = {
    *("request", "qtbot", "qapp", "qapp_args", "qapp_cls", "pytestconfig", "monkeypatch", "tmp_path", "capsys"),
    *("tmp_path_factory", "dressed", "theme", "quiet_after", "closed_here", "qtlog", "_window_home"),
}


@dataclass
class Held:
    """What this process holds for the tests that are forked from it.

    Attributes
    ----------
    stage
        The name of the last stage; empty in the process of pytest itself.
    home
        A folder for what they keep.
    app, theme, window
        The application, its window and the theme.
    test
        Whether this is the process of a test.
    """

    stage: str = ""
    home: Path = Path()
    app: object = None
    theme: object = None
    window: object = None
    test: bool = False

    def has(self, stage: str) -> bool:
        """Whether a stage has been reached here."""
        names = list(STAGES)
        return self.test and names.index(stage) <= names.index(self.stage)


HELD = Held()
STAGES = {}  # name: how it is made of the one before


def stage(name):
    """Have a stage made by a function, from the one before it; a fixture of the same name gives it to the tests."""

    def of(make):
        STAGES[name] = make
        return make

    return of


class Printed:
    """What is raised inside is printed and goes no further, but for the end of whoever asks."""

    def __enter__(self):
        self.problem = None
        return self

    def __exit__(self, _kind, problem, _trace):
        self.problem = problem
        if problem is not None and not isinstance(problem, EOFError | ConnectionError):
            traceback.print_exception(problem, file=sys.__stderr__)
            sys.__stderr__.flush()
        return True


def alone():
    """Whether no other thread runs in this process, which a fork would lose."""
    try:
        return sum(1 for _thread in Path("/proc/self/task").iterdir()) == 1
    except OSError:
        return threading.active_count() == 1


def send(way, value):
    """One value to the process at the other end."""
    content = pickle.dumps(value)
    way.sendall(len(content).to_bytes(8, "big") + content)


def receive(way):
    """The next value from the process at the other end; EOFError where it has ended."""

    def of(count):
        parts = []
        while count:
            part = way.recv(min(count, 1 << 20))
            if not part:
                raise EOFError
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    return pickle.loads(of(int.from_bytes(of(8), "big")))


class Holder:
    """The process that holds a stage, as the one before it knows it."""

    def __init__(self, session, name):
        self._way, other = socket.socketpair()
        self.pid = os.fork()
        if self.pid:
            other.close()
            return
        self._way.close()
        with Printed():
            _serve(session, name, other)
        os._exit(0)

    def run(self, asked):
        """The reports of a test by its number, run in a fork of the holder of a stage; None where that cannot be."""
        try:
            send(self._way, asked)
            return receive(self._way)
        except (EOFError, ConnectionError):
            return None

    def end(self):
        """Let go of the process."""
        self._way.close()
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)


def _serve(session, name, way):
    """Make a stage and answer until nobody asks any more."""
    # Nothing that pytest had set up for the process before is taken down in this one.
    session._setupstate = SetupState()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    made, after = None, None
    try:
        while True:
            wanted, number = receive(way)
            if made is None:
                made = _made(name)
            if not made:
                send(way, None)
            elif wanted == name:
                send(way, _forked(session.items[number]))
            else:
                after = after or Holder(session, list(STAGES)[list(STAGES).index(name) + 1])
                send(way, after.run((wanted, number)))
    finally:
        if after is not None:
            after.end()


def _made(name):
    """Make a stage; whether that went well: else the tests make it themselves, and say what is wrong with it."""
    wrong, before = [], sys.excepthook
    sys.excepthook = lambda *raised: wrong.append(raised[1])
    with Printed() as made, warnings.catch_warnings():
        warnings.simplefilter("error")
        STAGES[name](HELD)
        HELD.stage = name
        assert wrong == []
    sys.excepthook = before
    if made.problem is not None:
        return False
    gc.collect()
    gc.freeze()
    return alone()


def _forked(item):
    """The reports of one test, run in a fork of this process; words where it ended without them."""
    read, write = os.pipe()
    with tempfile.TemporaryFile("w+") as stood:
        pid = os.fork()
        if not pid:
            with Printed():
                os.close(read)
                # As in any other process: what it starts itself may be interrupted.
                signal.signal(signal.SIGINT, signal.default_int_handler)
                _run_here(item, write, stood)
            os._exit(0)
        os.close(write)
        with os.fdopen(read, "rb") as answer:
            content = answer.read()
        _pid, status = os.waitpid(pid, 0)
        if status == 0 and content:
            return pickle.loads(content)
        stood.seek(0)
        return f"The process of the test ended with status {status}.\n{stood.read()}"


def _run_here(item, write, stood):
    """Run a test in this process, which is its own, and write its reports."""
    faulthandler.enable(stood)
    faulthandler.dump_traceback_later(HANGS, exit=True, file=stood)
    HELD.test = True
    reports = runtestprotocol(item, log=False, nextitem=None)
    turned = [item.config.hook.pytest_report_to_serializable(config=item.config, report=r) for r in reports]
    with os.fdopen(write, "wb") as out:
        pickle.dump(turned, out)


class Forks:
    """Runs the tests that ask for a window in forks of the processes that hold one."""

    def __init__(self, session):
        self._numbers = {item: number for number, item in enumerate(session.items)}
        # Before any test has done anything in this process.
        HELD.home = session.config._tmp_path_factory.mktemp("held")
        self._holder = Holder(session, next(iter(STAGES)))

    def run(self, item):
        """The reports of a test; None where it has to be run here."""
        wanted = _stage_of(item)
        found = None if wanted is None else self._holder.run((wanted, self._numbers[item]))
        if found is None:
            return None
        if isinstance(found, str):
            return [_fault(item, found)]
        return [item.config.hook.pytest_report_from_serializable(config=item.config, data=data) for data in found]

    def end(self):
        """Let go of all processes."""
        self._holder.end()


def _stage_of(item):
    """The stage a test begins with; None where it makes its window itself."""
    names = getattr(item, "fixturenames", ())
    if "window" not in names or any(name not in NEUTRAL for name in _before(item, "window")):
        return None
    # Another fixture of the same name, nearer to the test, is another thing.
    if any(name in names and len(_definitions(item)[name]) > 1 for name in STAGES):
        return None
    return [name for name in STAGES if name in names][-1]


def _definitions(item):
    """What the fixtures of a test are by their names."""
    return item._fixtureinfo.name2fixturedefs


def _before(item, wanted):
    """The fixtures that are made before one of them, without the parameters of the test."""
    made, parameters = [], set(item.callspec.params) if hasattr(item, "callspec") else set()

    def make(name):
        for needed in _definitions(item)[name][-1].argnames if name in _definitions(item) else ():
            if wanted not in made and needed not in made:
                make(needed)
        if wanted not in made:
            made.append(name)

    for name in item.fixturenames:
        if name not in made:
            make(name)
    return [name for name in made if name != wanted and name not in parameters]


def _fault(item, words):
    """The report of a test whose process ended."""
    return pytest.TestReport(item.nodeid, item.location, {}, "failed", words, "call")


def possible(session):
    """Whether tests can be forked here, and several ask for it."""
    options = session.config.option
    if sys.platform != "linux" or options.usepdb or options.collectonly:
        return False
    return sum(_stage_of(item) is not None for item in getattr(session, "items", ())) > 1
