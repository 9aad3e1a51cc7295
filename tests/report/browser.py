"""A report in a real browser: what axe-core finds, how wide it is, what the keyboard reaches; nothing where none is."""

import base64
import html
import json
import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

AXE = Path(__file__).parents[2] / "packaging" / "browser" / "node_modules" / "axe-core" / "axe.min.js"
_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")

# The frame is as wide as a telephone or a desk, which a window of a browser without a screen cannot be.
_PAGE = """<!DOCTYPE html><html><body><iframe id="f" width="{width}" height="900" style="border:0"></iframe>
<pre id="told"></pre><script>
const page = new TextDecoder().decode(Uint8Array.from(atob("{page}"), c => c.charCodeAt(0)));
const frame = document.getElementById("f");
frame.onload = async () => {{
  const inside = frame.contentDocument, view = frame.contentWindow;
  const script = inside.createElement("script");
  script.textContent = new TextDecoder().decode(Uint8Array.from(atob("{axe}"), c => c.charCodeAt(0)));
  inside.head.append(script);
  const found = await view.axe.run(inside, {{ iframes: false }});
  const seen = e => e.getClientRects().length > 0;
  const texts = [...inside.querySelectorAll("figure svg text")].filter(seen);
  const sizes = texts.map(e => {{
    const m = e.getScreenCTM(); return parseFloat(view.getComputedStyle(e).fontSize) * Math.hypot(m.a, m.b); }});
  const wide = [...inside.querySelectorAll("*")].filter(e =>
    seen(e) && e.scrollWidth > e.clientWidth + 1 && ["auto", "scroll"].includes(view.getComputedStyle(e).overflowX));
  const stops = [];
  for (const e of inside.querySelectorAll("a[href], [tabindex]")) {{ e.focus();
    if (inside.activeElement === e) stops.push(e.className || e.getAttribute("href")); }}
  document.getElementById("told").textContent = JSON.stringify({{
    violations: found.violations.map(v => [v.id, v.impact, v.nodes.map(n => n.html.slice(0, 160))]),
    passes: found.passes.length,
    width: inside.documentElement.scrollWidth,
    smallest: Math.min(...sizes), drawings: texts.length,
    scrolled: wide.map(e => [e.tabIndex, e.getAttribute("aria-label")]),
    stops: stops,
    links: [...inside.querySelectorAll("nav a")].map(a => [a.getAttribute("href"),
      inside.querySelector(a.getAttribute("href")) !== null]),
    asked: view.performance.getEntriesByType("resource").map(e => e.name),
  }});
}};
frame.srcdoc = page;
</script></body></html>
"""


@cache
def browser():
    """The command of a browser that needs no screen; the test is skipped, with the reason, where it cannot run."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.skip(f"no browser is installed here: one of {', '.join(_NAMES)} is looked for")
    if not AXE.exists():
        pytest.skip("axe-core is not installed: (cd packaging/browser && npm ci)")
    return found


def looked_at(page, folder, width):
    """What a page of HTML, as bytes, is in a frame of a width in pixels."""
    command = browser()
    place = folder / f"frame-{width}.html"
    inside = {"page": page, "axe": AXE.read_bytes()}
    coded = {key: base64.b64encode(value).decode() for key, value in inside.items()}
    place.write_text(_PAGE.format(width=width, **coded), encoding="utf-8")
    options = ["--headless", "--disable-gpu", f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=60000"]
    # A browser refuses to shut itself in where everything is allowed to its user.
    options += ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    result = subprocess.run(
        [command, *options, "--dump-dom", place.as_uri()], capture_output=True, text=True, check=False
    )
    told = re.search(r'<pre id="told">(.+?)</pre>', result.stdout, re.DOTALL)
    assert told is not None, result.stderr[-2000:]
    return json.loads(html.unescape(told[1]))
