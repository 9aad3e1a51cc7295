"""What may be written where: no file that is read, and nothing but what this program wrote itself, unless forced.

Everything that leaves the program is written through `Outputs`, by the command line and by the window.
"""

import errno
import hashlib
import io
import json
import os
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

from tapdesk.errors import UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.project.files import saving
from tapdesk.project.files.recognition import FORM
from tapdesk.project.files.saving import save_all
from tapdesk.ratings.findings import name_list
from tapdesk.ratings.formats.kinds import BROKEN_ZIP

DRAFT = "Draft, not signed"
"""The status of a report that was not issued, as its own record tells it."""
SAV_LABEL = "tapdesk selftest"
"""The label of an SPSS file of ours."""
_LARGEST = 1 << 29
_KEYWORDS = re.compile(rb"<pdf:Keywords>(.*?)</pdf:Keywords>", re.DOTALL)
_PDF_MARK = re.compile(r"tapdesk mark: (\w+)( issued)?")
_SEAL = re.compile(r"tapdesk (\w+)( issued)? ([0-9a-f]{64})")
_COMMENT = re.compile(rb"<!-- (tapdesk \w+(?: issued)? [0-9a-f]{64}) -->\n\Z")
_ANSWER = re.compile(rb'\s*\{\s*"tapdesk": "[^"\n]*",\s*"schema": \d+,\s*"command": ')
_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_END = struct.pack(">I", 0) + b"IEND" + struct.pack(">I", zlib.crc32(b"IEND"))
_CORE = "docProps/core.xml"
_CORE_KEYWORDS = re.compile(rb"<cp:keywords>(.*?)</cp:keywords>", re.DOTALL)


class OutputKind(Enum):
    """What a file that leaves the program is; the value stands in its mark."""

    PROJECT = "project"
    REPORT = "report"
    LETTER = "letter"
    FIGURE = "figure"
    ANSWER = "answer"
    PAGE = "page"
    RATINGS = "ratings"
    SHEETS = "sheets"
    AWARDS = "awards"
    DISCUSSION = "discussion"
    DOSSIER = "dossier"

    @property
    def words(self) -> str:
        """The kind in a sentence, with its article."""
        return _KINDS[self]


_KINDS = {
    OutputKind.PROJECT: _("a project"),
    OutputKind.REPORT: _("a report"),
    OutputKind.LETTER: _("a private letter"),
    OutputKind.FIGURE: _("a figure"),
    OutputKind.ANSWER: _("an answer as JSON"),
    OutputKind.PAGE: _("a page about figures"),
    OutputKind.RATINGS: _("a table of ratings"),
    OutputKind.SHEETS: _("a set of rating sheets"),
    OutputKind.AWARDS: _("a list of awards"),
    OutputKind.DISCUSSION: _("a discussion sheet"),
    OutputKind.DOSSIER: _("a validation dossier"),
}


@dataclass(frozen=True, slots=True)
class OutputMark:
    """What a file of ours says of itself.

    Attributes
    ----------
    kind
        What it is.
    form
        As which kind of file: ``pdf``, ``html``, ``xlsx``, ``docx``, ``png``, ``svg``, ``json``, ``md``, ``sav`` or
        ``tapdesk``.
    issued
        Whether it is a report that was issued.
    signed
        Whether something was added behind what was written: an electronic signature, or notes.
    changed
        Whether it is no longer as it was written.
    """

    kind: OutputKind
    form: str
    issued: bool = False
    signed: bool = False
    changed: bool = False

    def same_kind(self, other: "OutputMark") -> bool:
        """Whether another file is of the same kind and form."""
        return (self.kind, self.form) == (other.kind, other.form)


def mark_at(path: Path) -> OutputMark | None:
    """The mark of a file; None where this program did not write it, or it cannot tell (CSV, or not readable)."""
    try:
        if path.stat().st_size > _LARGEST:
            return None
        return mark_in(path.read_bytes())
    except OSError:
        return None


def mark_in(content: bytes) -> OutputMark | None:
    """The mark in the bytes of a file; None where there is none."""
    if content.startswith(b"%PDF-"):
        return _in_pdf(content)
    if content.startswith(_PNG):
        return _in_png(content)
    if content.startswith(b"PK"):
        return _in_zip(content)
    if content.startswith(b"$FL2"):
        return OutputMark(OutputKind.RATINGS, "sav") if SAV_LABEL.encode() in content[:200] else None
    if _ANSWER.match(content[:500]):
        return OutputMark(OutputKind.ANSWER, "json")
    return _in_text(content)


# Writing --------------------------------------------------------------------------------------------------------


def seal(content: bytes, kind: OutputKind, *, issued: bool = False) -> bytes:
    """A picture (PNG, SVG) or a page of text (HTML, Markdown) with its mark, the same bytes for the same content."""
    seal = _seal(kind, content, issued=issued).encode()
    if content.startswith(_PNG):
        body = content.removesuffix(_PNG_END)
        chunk = b"tEXt" + b"Software\x00" + _seal(kind, body, issued=issued).encode()
        return body + struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) + _PNG_END
    return content + b"<!-- " + seal + b" -->\n"


def unseal(content: bytes) -> bytes:
    """A page of text or an SVG without the mark at its end, as it was before it was `seal`."""
    return _COMMENT.sub(b"", content)


def sealed_workbook(parts: Iterable[tuple[str, bytes]], kind: OutputKind, *, issued: bool = False) -> bytes:
    """A workbook or document made of its parts, with its mark among its properties and no trace of the clock."""
    made = dict(parts)
    seal = _seal(kind, _parts_summary((n, zlib.crc32(c), len(c)) for n, c in made.items() if n != _CORE), issued=issued)
    core = _CORE_KEYWORDS.sub(b"", made[_CORE])
    made[_CORE] = core.replace(
        b"</cp:coreProperties>", f"<cp:keywords>{seal}</cp:keywords></cp:coreProperties>".encode()
    )
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in made.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return whole.getvalue()


def pdf_mark(kind: OutputKind, *, issued: bool = False) -> tuple[str, str]:
    """The mark of a PDF as a name and a value for its keywords."""
    return "mark", f"{kind.value} issued" if issued else kind.value


def _seal(kind: OutputKind, content: bytes, *, issued: bool) -> str:
    return f"tapdesk {kind.value}{' issued' if issued else ''} {hashlib.sha256(content).hexdigest()}"


# Recognising ----------------------------------------------------------------------------------------------------


def _kind(word: str) -> OutputKind | None:
    return next((kind for kind in OutputKind if kind.value == word), None)


def _of_seal(seal: str, form: str, content: bytes) -> OutputMark | None:
    """The mark that a seal tells about the content it was made of."""
    match = _SEAL.fullmatch(seal)
    kind = _kind(match.group(1)) if match else None
    if match is None or kind is None:
        return None
    changed = hashlib.sha256(content).hexdigest() != match.group(3)
    return OutputMark(kind, form, issued=bool(match.group(2)), changed=changed)


def _in_pdf(content: bytes) -> OutputMark | None:
    hits = _KEYWORDS.search(content)
    words = unescape(hits.group(1).decode("utf-8", "replace")) if hits else ""
    text = _PDF_MARK.search(words)
    kind = _kind(text.group(1)) if text else None
    issued = bool(text and text.group(2))
    if kind is None and "tapdesk data: " in words:
        # Written before files carried marks: what it says of its status stands among its choices.
        kind, issued = OutputKind.REPORT, f'"status": "{DRAFT}"'.replace(",", "%2C") not in words
    if kind is None:
        return None
    added = content.count(b"%%EOF") != 1 or not content.rstrip().endswith(b"%%EOF") or b"/ByteRange" in content
    return OutputMark(kind, "pdf", issued=issued, signed=added)


def _in_png(content: bytes) -> OutputMark | None:
    body = content.removesuffix(_PNG_END)
    at = body.rfind(b"tEXtSoftware\x00tapdesk ")
    if at < 4:
        return None
    (length,) = struct.unpack(">I", body[at - 4 : at])
    seal = body[at + len(b"tEXtSoftware\x00") : at + 4 + length].decode("ascii", "replace")
    mark = _of_seal(seal, "png", body[: at - 4])
    behind = len(body) - (at + 4 + length + 4)
    return mark if mark is None or not behind else OutputMark(mark.kind, "png", issued=mark.issued, changed=True)


def _in_zip(content: bytes) -> OutputMark | None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
            form = "docx" if "word/document.xml" in names else "xlsx"
            if "project.json" in names:
                with archive.open("project.json") as part:
                    start = part.read(200)
                return (
                    OutputMark(OutputKind.PROJECT, "tapdesk")
                    if f'"form":{json.dumps(FORM)}'.encode() in start
                    else None
                )
            if _CORE not in names or archive.getinfo(_CORE).file_size > 1 << 16:
                return None
            core = archive.read(_CORE)
            rest = _parts_summary((i.filename, i.CRC, i.file_size) for i in archive.infolist() if i.filename != _CORE)
    except (*BROKEN_ZIP, OSError):
        return None
    hits = _CORE_KEYWORDS.search(core)
    return _of_seal(hits.group(1).decode("utf-8", "replace"), form, rest) if hits else None


def _parts_summary(parts: Iterable[tuple[str, int, int]]) -> bytes:
    """Names, checksums and sizes of the parts of an archive, as bytes."""
    return json.dumps(sorted(parts)).encode()


def _in_text(content: bytes) -> OutputMark | None:
    hits = _COMMENT.search(content[-400:])
    if hits is None:
        return None
    body = content[: len(content) - len(hits.group(0))]
    start = body[:200].lstrip().lower()
    form = "html" if start.startswith(b"<!doctype html") else "svg" if start.startswith((b"<svg", b"<?xml")) else "md"
    return _of_seal(hits.group(1).decode("ascii"), form, body)


if TYPE_CHECKING:
    # Loaded where a project is written, not with everything that writes.
    from tapdesk.project.project import Project


class InTheWayError(UsageError):
    """A file stands where another is to be written, and it is not for this program to replace it unasked.

    Parameters
    ----------
    paths
        The files, one or more.
    what
        Why they are not replaced, in sentences that name them.
    """

    def __init__(self, paths: tuple[Path, ...], what: str) -> None:
        one = len(paths) == 1
        super().__init__(
            what,
            fix=_("Choose another name, or add --force to replace it.")
            if one
            else _("Choose another name or folder, or add --force to replace them."),
        )
        self.paths = paths


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where files may be written.

    Attributes
    ----------
    inputs
        Files that are read: never written over.
    sources
        Files that the projects among them were made from: never written over.
    force
        Whether other files may be replaced that this program would not replace by itself.
    agreed
        Files of which the user said that they may be replaced.
    """

    inputs: tuple[Path, ...] = ()
    sources: tuple[Path, ...] = ()
    force: bool = False
    agreed: tuple[Path, ...] = ()

    def replacing(self, *paths: Path) -> "Outputs":
        """The same, and some files that stand in the way may be replaced."""
        return replace(self, agreed=(*self.agreed, *paths))

    def refuse(self, path: Path, mark: OutputMark | None) -> None:
        """Refuse a place before any work is done for it.

        Parameters
        ----------
        path
            Where a file is to be written.
        mark
            What it will say of itself; None for a file that cannot, as CSV.

        Raises
        ------
        UsageError
            When the place is a file that is read.
        InTheWayError
            When a file stands there that may not be replaced unasked.
        TapdeskError
            When nothing can be written there.
        """
        if saving.stream(path):
            return
        self.refuse_inputs(path)
        fault = _unfit(path)
        if fault is not None:
            raise saving.write_refusal(fault, path)
        if path.exists() and not self.force and not any(same_file(one, path) for one in self.agreed):
            why = _in_the_way(path.name, mark_at(path), mark)
            if why:
                raise InTheWayError((path,), why)

    def save(self, path: Path, content: bytes, *, keep: int = 0) -> None:
        """Write one file whole, or refuse; ``keep`` earlier versions stay beside it.

        Raises
        ------
        UsageError
            As `refuse`.
        TapdeskError
            When it cannot be written; what stood there is untouched.
        """
        self.refuse(path, mark_in(content))
        saving.save(path, content, keep=keep)

    def save_project(self, path: Path, project: "Project") -> None:
        """Write a project, as `tapdesk.project.files.file.save` does, or refuse.

        Raises
        ------
        UsageError
            As `refuse`.
        TapdeskError
            When it cannot be written; what stood there is untouched.
        """
        from tapdesk.project.files.file import save

        self.refuse(path, OutputMark(OutputKind.PROJECT, "tapdesk"))
        save(project, path)

    def save_all(self, files: Iterable[tuple[Path, bytes]]) -> None:
        """Write all of several files, or none.

        Raises
        ------
        UsageError
            As `refuse`, and where two of them are the same file.
        TapdeskError
            When one cannot be written; what stood there is untouched.
        """
        ready = tuple(files)
        refuse_twice(path for path, _content in ready)
        refused: list[InTheWayError] = []
        for path, content in ready:
            try:
                self.refuse(path, mark_in(content))
            except InTheWayError as error:
                refused.append(error)
        if len(refused) == 1:
            raise refused[0]
        if refused:
            paths = tuple(path for error in refused for path in error.paths)
            sentence = (
                _("{what} {n} more files are in the way: {names}.")
                if len(paths) > 2
                else _("{what} {names} is in the way, too.")
            )
            names = name_list([f"“{path.name}”" for path in paths[1:]], 5)
            raise InTheWayError(paths, sentence.format(what=refused[0].what, n=len(paths) - 1, names=names))
        save_all(ready)

    def refuse_inputs(self, path: Path) -> None:
        """Refuse a place that is read.

        Raises
        ------
        UsageError
            It names the file.
        """
        if any(same_file(one, path) for one in self.inputs):
            what = _("“{name}” is read here, so nothing is written over it.")
        elif any(same_file(one, path) for one in self.sources):
            what = _("“{name}” holds the ratings that the project was made from, so nothing is written over it.")
        else:
            return
        raise UsageError(what.format(name=path.name), fix=_("Choose another name for what is written."))


CAREFUL = Outputs()
"""Nothing is replaced that this program did not write."""


def same_file(one: Path, other: Path) -> bool:
    """Whether two names stand for one file, through links of either kind; also where it is not there yet."""
    try:
        return one.samefile(other)
    except OSError:
        return os.path.normcase(os.path.realpath(one)) == os.path.normcase(os.path.realpath(other))


def refuse_twice(paths: Iterable[Path]) -> None:
    """Refuse two outputs that are one file.

    Raises
    ------
    UsageError
        It names the file.
    """
    known: list[Path] = []
    for path in paths:
        if saving.stream(path):
            continue
        if any(same_file(path, other) for other in known):
            raise UsageError(
                _("Two different things would be written to “{name}”.").format(name=path.name),
                fix=_("Give each a name of its own."),
            )
        known.append(path)


def make_folder(path: Path) -> Path:
    """A folder for files that are written, made where it is missing.

    Raises
    ------
    TapdeskError
        When it cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise saving.write_refusal(NotADirectoryError(errno.ENOTDIR, "file", str(path)), path) from error
    except OSError as error:
        raise saving.write_refusal(error, path) from error
    return path


def _unfit(path: Path) -> OSError | None:
    """Why nothing can be written at a place, as far as can be seen beforehand."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        parent = saving.real_path(path).parent
        code = 0 if parent.is_dir() else errno.ENOTDIR if parent.exists() else errno.ENOENT
        if not code and not os.access(parent, os.W_OK | os.X_OK):
            code = errno.EACCES
    except OSError as error:
        return error
    else:
        code = errno.EISDIR if stat.S_ISDIR(mode) else 0 if stat.S_ISREG(mode) else errno.ENODEV
        if not code and not os.access(path, os.W_OK):
            code = errno.EACCES
    return OSError(code, os.strerror(code)) if code else None


def _in_the_way(name: str, there: OutputMark | None, new: OutputMark | None) -> str:
    """Why a file is not replaced unasked, a sentence; empty where it may be."""
    if there is None and new is None:
        sentence = _("“{name}” is there already, and a table of this kind does not tell who wrote it.")
    elif there is None:
        sentence = _("“{name}” is there already, and tapdesk did not write it.")
    elif there.signed:
        sentence = _("“{name}” is {kind} that was signed, or to which something was added since.")
    elif there.issued:
        sentence = _("“{name}” is {kind} that was issued.")
    elif there.changed:
        sentence = _("“{name}” is {kind} that was changed since tapdesk wrote it.")
    elif new is None or not there.same_kind(new):
        sentence = _("“{name}” is there already and is {kind}, not what would be written.")
    else:
        return ""
    return sentence.format(name=name, kind="" if there is None else there.kind.words)


FORMS = {
    ".pdf": "pdf",
    ".html": "html",
    ".xlsx": "xlsx",
    ".docx": "docx",
    ".png": "png",
    ".svg": "svg",
    ".json": "json",
}


def expected_mark(kind: OutputKind, path: Path) -> OutputMark | None:
    """The mark a file of a kind will have, by the ending of its name; None where it can have none."""
    form = FORMS.get(path.suffix.lower())
    return None if form is None else OutputMark(kind, form)


def refuse_ending(path: Path, suffixes: Sequence[str], words: str) -> None:
    """Refuse a name of a file that ends in nothing that can be written.

    Parameters
    ----------
    path, suffixes
        The name, and the endings there are.
    words
        That it is no such name; ``{name}`` stands for it.

    Raises
    ------
    UsageError
        It names the endings there are.
    """
    if path.suffix.lower() not in suffixes:
        raise UsageError(
            words.format(name=Label(path.name)),
            fix=_("Let it end in {suffixes}.").format(suffixes=_(" or ").join(suffixes)),
        )
