"""Kills saving processes at drawn moments and says what was left: run as ``saver.py FOLDER KILLS SEED``.

The parent forks a child that saves project 1, 2, 3 … to one file and says each number when it is saved. A moment is a
line of what saves: before the drawn one the child says that it is there and waits; then the parent kills it with
SIGKILL and reads the file. Everything the child said must be there. How fast the machine is changes nothing.
"""

import json
import os
import pathlib
import random
import signal
import sys
from pathlib import Path

from tapdesk.errors import TapdeskError
from tapdesk.project.files import autosave, file, locks, saving
from tapdesk.project.files.autosave import Autosave, recoveries
from tapdesk.project.files.file import load, save
from tapdesk.project.project import Project
from tapdesk.ratings.reading import read_now

# What touches the disk; some four hundred lines of it are done for a number saved and kept for recovery.
WRITING = {module.__file__ for module in (autosave, file, locks, saving)}
PLACES = {"open", "write_bytes", "write_text", "rename", "replace", "unlink"}
MOMENTS = 1200


def numbered(project, number):
    return project.with_note("number", str(number))


def number_of(project):
    return int(project.notes["number"])


def stopped_before(moment, say, gate):
    """Have this process say so and wait for ever before it does the line of that number of what saves."""
    at = 0

    def trace(frame, event, _):
        nonlocal at
        code = frame.f_code
        if code.co_filename not in WRITING and not (code.co_filename == pathlib.__file__ and code.co_name in PLACES):
            return None
        if event == "line":
            at += 1
            if at == moment:
                os.write(say, b"0 here\n")
                os.read(gate, 1)
        return trace

    sys.settrace(trace)


def save_on(project, target, copies, start, say):
    """Save for ever, and keep a copy for recovery; each number is said when it is on the disk."""
    keeping = Autosave(target, copies)
    number = start
    while True:
        number += 1
        save(numbered(project, number), target)
        os.write(say, f"{number} s\n".encode())
        keeping.write(numbered(project, number))
        os.write(say, f"{number} a\n".encode())


def killed(project, target, copies, start, moment):
    """The last number saved and the last one kept for recovery of a child killed at a moment."""
    hear, say = os.pipe()
    gate, key = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(hear)
        os.close(key)
        stopped_before(moment, say, gate)
        save_on(project, target, copies, start, say)
    os.close(say)
    os.close(gate)
    said = []
    with os.fdopen(hear) as heard:
        while not said or said[-1][1] != "here":
            said.append(heard.readline().split())
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(key)
    last = {kind: max((int(n) for n, k in said if k == kind), default=0) for kind in "sa"}
    return max(last["s"], start), last["a"]


def readable(path):
    """The number of the project in a file, None when there is none; anything else is a loss."""
    try:
        return number_of(load(path))
    except TapdeskError as problem:
        if not path.exists():
            return None
        raise AssertionError(f"{path.name} cannot be read: {problem}") from problem


def main(folder, kills, seed):
    chance = random.Random(seed)
    project = Project(title="Jury").with_reading(read_now("sample:jury"))
    target, copies = folder / "jury.tapdesk", folder / "autosave"
    last, lost, unfinished, recovered, saves = 0, [], set(), 0, 0
    for _kill in range(kills):
        before = last
        last, copied = killed(project, target, copies, last, chance.randrange(1, MOMENTS))
        saves += last - before
        unfinished |= {left.name for left in folder.glob(".*.part")}
        kept = [readable(target.with_name(f"{target.name}~{i}")) for i in (1, 2, 3)]
        now = readable(target)
        # One more may be there than was said: it was put in place and the child killed before it could tell.
        if last and now not in {last, last + 1}:
            lost.append(f"saved {last}, found {now}")
        if not {n for n in range(last - 2, last + 1) if n > 0} <= {now, *kept}:
            lost.append(f"saved {last}, found {now} with versions {kept}")
        for one in recoveries(copies):
            recovered += 1
            if number_of(one.load()) < copied:
                lost.append(f"kept {copied}, recovered {number_of(one.load())}")
            one.discard()
        last = now or last
    left = sorted(p.name for p in copies.iterdir()) if copies.is_dir() else []
    told = {"lost": lost, "unfinished": len(unfinished), "recovered": recovered, "saves": saves, "left": left}
    print(json.dumps(told))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
