"""Seconds from the start of a program to its first picture and to its window, looked at from outside.

The first picture is the card that says that the program is opening; the window is there when the screen shows more than
a few colours.

python3 packaging/smoke_paint.py [-n RUNS] [--cold] [--memory] PROGRAM [ARGUMENTS ...]

Needs an X display with nothing else on it (DISPLAY). `--cold` empties the system's file caches before each run (root).
`--memory` also tells, three seconds after the first paint, the proportional and the resident memory in MB.
"""

import argparse
import ctypes
import os
import subprocess
import sys
import time
from pathlib import Path

PATIENCE = 60.0
MANY_COLOURS = 12
Z_PIXMAP = 2


class Screen:
    """The pixels of the whole screen, through Xlib."""

    def __init__(self) -> None:
        self._x = x = ctypes.CDLL("libX11.so.6")
        x.XOpenDisplay.restype = ctypes.c_void_p
        x.XOpenDisplay.argtypes = [ctypes.c_char_p]
        x.XDefaultRootWindow.restype = ctypes.c_ulong
        x.XDefaultRootWindow.argtypes = [ctypes.c_void_p]
        x.XGetImage.restype = ctypes.c_void_p
        x.XGetImage.argtypes = [ctypes.c_void_p, ctypes.c_ulong, *[ctypes.c_int] * 2, *[ctypes.c_uint] * 2]
        x.XGetImage.argtypes += [ctypes.c_ulong, ctypes.c_int]
        x.XGetPixel.restype = ctypes.c_ulong
        x.XGetPixel.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
        x.XDestroyImage.argtypes = [ctypes.c_void_p]
        x.XDisplayWidth.argtypes = x.XDisplayHeight.argtypes = [ctypes.c_void_p, ctypes.c_int]
        self._display = x.XOpenDisplay(None)
        if not self._display:
            sys.exit("There is no display to look at.")
        self._size = x.XDisplayWidth(self._display, 0), x.XDisplayHeight(self._display, 0)
        self._root = x.XDefaultRootWindow(self._display)

    def colours(self) -> int:
        """How many colours some thousand points of the screen have."""
        wide, high = self._size
        image = self._x.XGetImage(self._display, self._root, 0, 0, wide, high, 2**32 - 1, Z_PIXMAP)
        if not image:
            return 0
        seen = {self._x.XGetPixel(image, x, y) for y in range(3, high, 31) for x in range(3, wide, 37)}
        self._x.XDestroyImage(image)
        return len(seen)


def first_paint(screen: Screen, command: list[str]) -> tuple[float, float, subprocess.Popen[bytes]]:
    """Start a program; the seconds until the screen shows anything, and until it shows a window; and the program."""
    before = screen.colours()
    if before >= MANY_COLOURS:
        sys.exit("Something else is on the screen.")
    began = time.monotonic()
    card = None
    running = subprocess.Popen(command)
    while (seen := screen.colours()) < MANY_COLOURS:
        if seen > before and card is None:
            card = time.monotonic() - began
        if running.poll() is not None:
            sys.exit(f"The program ended with {running.returncode} before it painted anything.")
        if time.monotonic() - began > PATIENCE:
            running.kill()
            sys.exit(f"Nothing was painted within {PATIENCE:.0f} seconds.")
        time.sleep(0.02)  # looking costs as well
    window = time.monotonic() - began
    return window if card is None else card, window, running


def processor(pid: int) -> float:
    """Seconds of processor time a program has used; unlike the clock it is nearly the same on a busy machine."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> str:
    """Proportional and resident memory of a process in MB."""
    rows = Path(f"/proc/{pid}/smaps_rollup").read_text("utf-8").splitlines()
    told = {row.split(":")[0]: int(row.split()[1]) / 1024 for row in rows[1:]}
    return f"{told['Pss']:.0f} MB proportional, {told['Rss']:.0f} MB resident"


def _listed(times: list[float]) -> str:
    return ", ".join(f"{seconds:.2f}" for seconds in times)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=5, metavar="RUNS")
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--most", type=float, metavar="SECONDS", help="fail when every first picture takes longer")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    screen = Screen()
    cards, times, work = [], [], []
    for _ in range(args.n):
        if args.cold:
            subprocess.run(["sync"], check=True)
            Path("/proc/sys/vm/drop_caches").write_text("3\n", "utf-8")
        card, seconds, running = first_paint(screen, args.command)
        cards.append(card)
        times.append(seconds)
        work.append(processor(running.pid))
        if args.memory:
            time.sleep(3)
            print(memory(running.pid))
        running.terminate()
        running.wait()
        while screen.colours() >= MANY_COLOURS:
            time.sleep(0.01)
    load = Path("/proc/loadavg").read_text("utf-8").split()[0]
    kind = "cold" if args.cold else "warm"
    print(f"first picture {kind}: {_listed(cards)} s")
    print(f"window {kind}: {_listed(times)} s; processor time until then {_listed(work)} s (load {load})")
    if args.most is not None and min(cards) > args.most:
        sys.exit(f"The fastest run took more than {args.most} s.")


if __name__ == "__main__":
    main()
