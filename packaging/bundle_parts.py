"""What the spec needs besides PyInstaller: fewer libraries, the icon of each system, the version for Windows."""

import os
import re
import struct
import sys
from pathlib import Path
from typing import Any

ACCENT, GROUND = "#14607A", "#ffffff"
ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)
ICNS_KINDS = {b"ic07": 128, b"ic08": 256, b"ic09": 512, b"ic10": 1024}
# Parts of Qt nothing here uses: other screens than X11 and Wayland, networks, picture formats, translations.
UNUSED = re.compile(
    r"PySide6/(Qt/)?("
    r"translations/|resources/|qml/|metatypes/|"
    r"plugins/(egldeviceintegrations|generic|networkinformation|tls|qmltooling|sqldrivers|"
    r"platforms/(lib)?q(eglfs|vnc|linuxfb|minimalegl|vkkhrdisplay|direct2d)|"
    r"platformthemes/libqgtk3|"
    r"imageformats/(lib)?q(tiff|webp|pdf|icns|tga|wbmp|gif|jp2|mng))|"
    r"lib/libQt6(Eglfs|Network|Qml|Quick|Pdf|VirtualKeyboard)|"
    r"Qt6(Network|Qml|Quick|Pdf|VirtualKeyboard)|opengl32sw|d3dcompiler)"
)


def used(entries: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """The files of a bundle without the parts of Qt nobody uses."""
    return [entry for entry in entries if not UNUSED.search(entry[0].replace("\\", "/"))]


def reachable(binaries: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """The binaries without the system's libraries that only parts left out have asked for (Linux).

    PyInstaller looks for libraries before the parts nobody uses are left out. A library of the system lies at the top
    of the bundle; it stays when something that stays links against it.
    """
    if not sys.platform.startswith("linux"):
        return binaries
    from PyInstaller.depend.bindepend import get_imports

    libraries = {name: source for name, source, _ in binaries if "/" not in name and ".so" in name}
    asked = [source for name, source, kind in binaries if name not in libraries and kind != "SYMLINK"]
    # The interpreter itself is asked for by the program that starts the bundle.
    asked += [source for name, source in libraries.items() if name.startswith("libpython")]
    kept = {name for name in libraries if name.startswith("libpython")}
    while asked:
        for wanted, _ in get_imports(asked.pop()):
            name = Path(wanted).name
            if name in libraries and name not in kept:
                kept.add(name)
                asked.append(libraries[name])
    return [entry for entry in binaries if entry[0] not in libraries or entry[0] in kept]


def icon_file(drawing: Path, folder: Path) -> str | None:
    """The program's icon as this system wants it; Linux takes it from the desktop entry."""
    if sys.platform not in {"win32", "darwin"}:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    windows = sys.platform == "win32"
    target = folder / ("tapdesk.ico" if windows else "tapdesk.icns")
    svg = drawing.read_text("utf-8").replace("currentColor", ACCENT).replace('"white"', f'"{GROUND}"')
    target.write_bytes(ico(svg) if windows else icns(svg))
    return str(target)


def ico(svg: str) -> bytes:
    """An icon for Windows: a directory, then one PNG of each size."""
    pictures = [png(svg, size) for size in ICO_SIZES]
    at = 6 + 16 * len(pictures)
    entries = b""
    for size, picture in zip(ICO_SIZES, pictures, strict=True):
        entries += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(picture), at)
        at += len(picture)
    return struct.pack("<HHH", 0, 1, len(pictures)) + entries + b"".join(pictures)


def icns(svg: str) -> bytes:
    """An icon for macOS: one PNG of each size, each with its kind and length."""
    parts = [(kind, png(svg, size)) for kind, size in ICNS_KINDS.items()]
    body = b"".join(kind + struct.pack(">I", len(picture) + 8) + picture for kind, picture in parts)
    return b"icns" + struct.pack(">I", len(body) + 8) + body


def png(svg: str, size: int) -> bytes:
    """A drawing as a square PNG."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    picture = QImage(size, size, QImage.Format.Format_ARGB32)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    QSvgRenderer(QByteArray(svg.encode())).render(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")
    return bytes(buffer.data().data())


def version_resource(version: str) -> Any:
    """What Windows shows under Properties; only Windows can make it."""
    from PyInstaller.utils.win32 import versioninfo as v

    numbers = tuple(int(part) for part in version.split("+", maxsplit=1)[0].split("."))
    four = (*numbers, 0, 0, 0, 0)[:4]
    words = {
        "CompanyName": "the tapdesk authors",
        "FileDescription": "tapdesk",
        "FileVersion": version,
        "InternalName": "tapdesk",
        "LegalCopyright": "the tapdesk authors; MIT licence",
        "ProductName": "tapdesk",
        "ProductVersion": version,
    }
    table = v.StringTable("040904B0", [v.StringStruct(key, value) for key, value in words.items()])
    return v.VSVersionInfo(
        ffi=v.FixedFileInfo(filevers=four, prodvers=four),
        kids=[v.StringFileInfo([table]), v.VarFileInfo([v.VarStruct("Translation", [0x409, 1200])])],
    )
