"""The project file: a zip of ``project.json`` and one ``npy`` file for each array, nothing in it compressed.

Nothing is compressed, so that a file is never larger in memory than on the disk, whoever wrote it. Times and orders are
fixed, so that the same project makes the same bytes. Every file is read back before it takes its place.
"""

import io
import json
import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.project.files import saving
from tapdesk.project.files.codec import DamagedError, Reader, UnknownPartError, Writer, pack, unpack
from tapdesk.project.files.contents import StoredProject, restored_project, stored_project
from tapdesk.project.files.recognition import DOCUMENT, FORM
from tapdesk.project.project import Project
from tapdesk.ratings.formats.files import file_bytes
from tapdesk.ratings.formats.kinds import BROKEN_ZIP
from tapdesk.version import VERSION

Document: TypeAlias = dict[str, Any]
"""The JSON of a project; see ``files``."""

FORMAT = 3
"""The number of the format this program writes. It grows when a change would make this program with an older file
read something else than what was written; an added part with a default needs no new number. An older program of the
same number refuses a file with a part it does not know, for numbers may mean something else with it, and says that a
newer one wrote it; only the names of notes and records are free, and those it does not know it keeps."""

_TITLES_1: Mapping[str, str] = MappingProxyType(
    {
        "How much of the agreement is knowledge, how much luck?": "knowledge",
        "Who differs?": "raters",
        "How sure is each case?": "cases",
        "Which grade line is hardest?": "lines",
        "Is one answer easier than the others?": "classes",
        "Do we have enough data?": "enough",
    }
)
"""Titles of questions as analyses were named after them in format 1; they never change, whatever they are by now."""


def _from_1(document: Document) -> Document:
    """Analyses hold the key of their question instead of its title, and issued reports are records, no notes.

    What is not as format 1 has it is left as it is, for the reader to refuse.
    """
    project = document.get("project")
    if not isinstance(project, dict):
        return document
    analyses, notes = project.get("analyses"), project.get("notes")
    after = dict(project)
    if isinstance(analyses, list):
        after["analyses"] = [_with_key(one) for one in analyses]
    if isinstance(notes, list):
        issued = [pair for pair in notes if isinstance(pair, list) and pair[:1] == ["issued"]]
        after["notes"] = [pair for pair in notes if pair not in issued]
        after.setdefault("records", issued)
    return document | {"project": after}


def _with_key(analysis: Any) -> Any:
    """An analysis of format 1 with the key of the question its name began with."""
    if not isinstance(analysis, dict) or not isinstance(analysis.get("name"), str):
        return analysis
    name = analysis["name"]
    title, _between, label = name.partition(" \N{EN DASH} ")
    key = _TITLES_1.get(title, "")
    rest = {part: value for part, value in analysis.items() if part != "name"}
    return rest | {"question": key, "label": label if key else name}


def _from_2(document: Document) -> Document:
    """Sentences are templates with fields where a program made them; those of format 2 stay the texts they are."""
    return document


MIGRATIONS: Mapping[int, Callable[[Document], Document]] = MappingProxyType({1: _from_1, 2: _from_2})
"""From the number of a format to the function that makes the next one of it."""


def lift(
    document: Document,
    number: int,
    *,
    to: int = FORMAT,
    steps: Mapping[int, Callable[[Document], Document]] = MIGRATIONS,
) -> Document:
    """A document of an earlier format as one of a later format.

    Parameters
    ----------
    document, number
        The document and its format.
    to, steps
        The format wanted, and the step from each number to the next.

    Raises
    ------
    KeyError
        When a step is missing.
    """
    for at in range(number, to):
        document = steps[at](document)
    return document


KEPT_VERSIONS = 3
_PART = re.compile(r"arrays/(0|[1-9][0-9]{0,8})\.npy")
_DAY_ONE = (1980, 1, 1, 0, 0, 0)


def save(project: Project, path: str | Path, *, versions: int = KEPT_VERSIONS, private: bool = False) -> None:
    """Write a project; whatever happens meanwhile, the place holds the old or the new file, whole.

    Parameters
    ----------
    project
        What to keep.
    path
        Where to.
    versions
        How many earlier files stay beside it, as ``NAME.tapdesk~1`` (the newest) to ``~3``.
    private
        Whether the file is for its owner alone.

    Raises
    ------
    TapdeskError
        When the place cannot be written, or holds a project of a newer tapdesk.
    RuntimeError
        When what would be written could not be read again; nothing is written then.
    """
    target = Path(path)
    content = encode(project)
    try:
        decode(content, target.name)
    except TapdeskError as problem:
        # No fault of the user's: a value this program made does not fit what it declares.
        raise RuntimeError(f"the project would not open again: {problem.what}") from problem
    _refuse_to_replace_a_newer_one(target)
    saving.save(target, content, keep=versions, private=private)


def load(path: str | Path) -> Project:
    """The project in a file, which is only read.

    Raises
    ------
    TapdeskError
        When the file cannot be opened, is no project, is damaged, or comes from a newer tapdesk.
    """
    place = Path(path)
    kept = saving.versions(place)
    try:
        return decode(file_bytes(place), place.name)
    except TapdeskError as problem:
        if not kept:
            raise
        names = ", ".join(p.name for p in kept)
        fix = _("{fix} Earlier versions stand beside it: {names}.").format(fix=problem.fix, names=names)
        raise TapdeskError(problem.what, problem.where, fix) from problem


def encode(project: Project) -> bytes:
    """The bytes of a project file."""
    writer = Writer()
    document = {"form": FORM, "format": FORMAT, "program": VERSION, "project": writer.plain(stored_project(project))}
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as parts:
        # Names of files may hold what is no proper character; they come back as they were.
        _put(parts, DOCUMENT, text.encode("utf-8", "surrogatepass"))
        for name, array in writer.arrays.items():
            _put(parts, name, pack(array))
    return file.getvalue()


def _put(parts: zipfile.ZipFile, name: str, content: bytes) -> None:
    info = zipfile.ZipInfo(name, _DAY_ONE)
    info.external_attr = 0o644 << 16
    parts.writestr(info, content)


def decode(content: bytes, name: str) -> Project:
    """The project in the bytes of a file; ``name`` is told when there is none.

    Raises
    ------
    TapdeskError
        When the bytes are no project this program can read.
    """
    document: Document = {}
    try:
        parts = _parts(content)
        document = _document(parts)
        return _project(parts, lift(document, _format(document, name)))
    except DamagedError as problem:
        if isinstance(problem, UnknownPartError) and document["program"] != VERSION:
            raise _of_another_version(name, str(document["program"])) from problem
        if not content.startswith(b"PK"):
            raise _no_project(name) from problem
        raise _damaged(name, str(problem)) from problem


def _project(parts: Mapping[str, bytes], document: Document) -> Project:
    for name in parts:
        if name != DOCUMENT and not _PART.fullmatch(name):
            raise DamagedError(f"its part '{name[:40]}' does not belong there")
    reader = Reader(lambda at: unpack(_part(parts, at), at))
    return restored_project(reader.value(document.get("project"), StoredProject))


def _parts(content: bytes) -> Mapping[str, bytes]:
    """The parts of a file by their names, each as large as it says and with the checksum it says."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            infos = archive.infolist()
            for i in infos:
                if i.compress_type != zipfile.ZIP_STORED or i.flag_bits & 1 or i.file_size != i.compress_size:
                    raise DamagedError("it holds packed or locked parts")
            if sum(i.file_size for i in infos) > len(content):
                raise DamagedError("its parts are larger than the whole")
            parts = {i.filename: archive.read(i) for i in infos}
    except (*BROKEN_ZIP, OSError) as problem:
        raise DamagedError("it is not whole") from problem
    if len(parts) != len(infos):
        raise DamagedError("a part stands twice")
    return parts


def _part(parts: Mapping[str, bytes], name: str) -> bytes:
    if name not in parts:
        raise DamagedError(f"its part '{name[:40]}' is missing")
    return parts[name]


def _document(parts: Mapping[str, bytes]) -> Document:
    """The JSON, plain values only."""
    try:
        text = _part(parts, DOCUMENT).decode("utf-8", "surrogatepass")
        document = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as problem:
        raise DamagedError(f"its part '{DOCUMENT}' cannot be read") from problem
    if not isinstance(document, dict) or document.get("form") != FORM:
        raise DamagedError(f"its part '{DOCUMENT}' does not say what it is")
    return document


def _no_constant(text: str) -> float:
    raise ValueError(text)


def _format(document: Document, name: str) -> int:
    """The number of the format, if this program knows it."""
    number, program = document.get("format"), document.get("program")
    if type(number) is not int or number < 1 or not isinstance(program, str):
        raise DamagedError("it does not say of which format it is")
    if number > FORMAT:
        raise TapdeskError(
            _("This project was saved by a newer tapdesk ({program}, project format {number}).").format(
                program=program[:20], number=min(number, 10**6)
            ),
            name,
            _("Open it with that version; this one reads formats up to {known}. The file was not changed.").format(
                known=FORMAT
            ),
        )
    return number


def _refuse_to_replace_a_newer_one(target: Path) -> None:
    """What a newer program wrote is not put aside by an older one."""
    try:
        if not target.is_file():
            return
        with zipfile.ZipFile(target) as archive:
            if archive.getinfo(DOCUMENT).file_size > target.stat().st_size:
                return
            document = _document({DOCUMENT: archive.read(DOCUMENT)})
    except (*BROKEN_ZIP, OSError, KeyError, DamagedError):
        return
    number = document.get("format")
    if type(number) is int and number > FORMAT:
        raise TapdeskError(
            _("At this place stands a project of a newer tapdesk; it is not replaced."),
            str(target),
            _("Choose another name."),
        )


def _no_project(name: str) -> TapdeskError:
    return TapdeskError(_("This is not a tapdesk project."), name, _("Choose a file whose name ends in .tapdesk."))


def _of_another_version(name: str, program: str) -> TapdeskError:
    return TapdeskError(
        _("This project was saved by tapdesk {program}, which keeps more in a project than this one knows.").format(
            program=program[:20]
        ),
        name,
        _("Open it with that version; this one is {version}. The file was not changed.").format(version=VERSION),
    )


def _damaged(name: str, what: str) -> TapdeskError:
    return TapdeskError(
        _("The project file is damaged: {what}.").format(what=what),
        name,
        _("Open a copy or an earlier version of it; this file was not changed."),
    )
