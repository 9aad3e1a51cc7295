"""The program, which sends itself a signal at a counted moment: ``interrupted.py MOMENT SIGNAL ARGUMENT …``.

Moments are imports, files that are opened, renamed or removed, and steps of long work, as they come; so no clock is
needed, and the same number is the same place. Where fewer come, the number of all is the last line on standard error.
"""

import os
import signal
import sys

EVENTS = {"import", "open", "os.rename", "os.remove", "os.link", "os.mkdir", "shutil.copyfile"}


def run() -> int:
    """Count, and be the program."""
    at, number = int(sys.argv[1]), int(sys.argv[2])
    sys.argv[:] = ["tapdesk", *sys.argv[3:]]
    # What runs in the background of a shell is started with Ctrl-C ignored, and so would this be.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    from tapdesk import progress
    from tapdesk.__main__ import main

    came = 0

    def count() -> None:
        nonlocal came
        came += 1
        if came == at:
            os.kill(os.getpid(), number)

    def heard(event: str, _arguments: object) -> None:
        if event in EVENTS:
            count()

    made = progress.Step.__init__

    def step(self: object, *values: object, **named: object) -> None:
        made(self, *values, **named)
        count()

    progress.Step.__init__ = step
    sys.addaudithook(heard)
    status = main()
    if status == 0:
        sys.stderr.write(f"{came}\n")
    return status


if __name__ == "__main__":
    sys.exit(run())
