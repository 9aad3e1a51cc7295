"""What an issued PDF says of its own pages, so that a later change of any of them can be named.

The seal is a keyword of the file: eight digits for each page, for the structure that a screen reader follows, for the
document around the pages and for its title, and sixty-four over all of them and over everything else the keywords tell.
It proves a change, not an author: who rewrites pages can rewrite the seal, and only the project can tell then.
"""

import hashlib
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass

from tapdesk.report.issue.pdf_objects import Document, Name, Number, Ref, Stream, UnreadableError, Value

NAME = "seal"
MOST_PAGES, _EACH = 200, 8
_ALL = 64
# What a keyword holds before the pages are known: as long as the seal itself.
EMPTY = f"0000 {'0' * _EACH * 3} {'0' * _ALL} {'0' * _EACH * MOST_PAGES}"
_SEALED = re.compile(r"^(\d{4}) ([0-9a-f]{24}) ([0-9a-f]{64}) ([0-9a-f]{1600})$")
# In the place of the digest of a page that cannot be read.
DAMAGED = "damaged" + "-" * 57
# What belongs to no page's looks, or leads back to where one came from.
_ASIDE = frozenset({"Parent", "P", "StructParents", "StructParent", "Tabs", "LastModified", "PieceInfo", "Metadata"})
_OF_STREAM = frozenset({"Length", "Filter", "DecodeParms", "DL"})
_OF_TREE = frozenset({"ParentTree", "ParentTreeNextKey", "IDTree"})
_OF_CATALOG = frozenset(
    {"Pages", "Metadata", "StructTreeRoot", "AcroForm", "Perms", "DSS", "Extensions", "Version", "Type"}
)
_INHERITED = ("Resources", "MediaBox", "CropBox", "Rotate")
_HIDDEN, _UNSEEN = 2, 32
_READABLE = (UnreadableError, ValueError, KeyError, IndexError, TypeError, AttributeError, zlib.error, RecursionError)


@dataclass(frozen=True, slots=True)
class Sealed:
    """Digests of the parts of a PDF.

    Attributes
    ----------
    pages
        Of each page: what is drawn, with which fonts and pictures, and what lies on it.
    structure, around, title
        Of the structure for screen readers, of the document around the pages, of title, author and keywords.
    """

    pages: tuple[str, ...]
    structure: str
    around: str
    title: str

    def line(self, facts: dict[str, str]) -> str:
        """The seal as text, over the other facts of the file as well."""
        own = f"{self.structure}{self.around}{self.title}"
        listed = "".join(self.pages[:MOST_PAGES]).ljust(_EACH * MOST_PAGES, "0")
        return f"{len(self.pages):04d} {own} {self._over_all(facts)} {listed}"

    def _over_all(self, facts: dict[str, str]) -> str:
        others = sorted((name, value) for name, value in facts.items() if name != NAME)
        every = repr((self.pages, self.structure, self.around, self.title, others))
        return hashlib.sha256(every.encode("utf-8", "surrogatepass")).hexdigest()

    def whole(self, seal: str, facts: dict[str, str]) -> bool:
        """Whether a seal was made over just these parts and facts."""
        match = _SEALED.match(seal)
        return match is not None and match[3] == self._over_all(facts)


def sealed(seal: str) -> Sealed | None:
    """The digests in a seal; None where there is none, or a damaged one."""
    match = _SEALED.match(seal)
    if match is None or not int(match[1]):
        return None
    own = [match[2][i : i + _EACH] for i in range(0, 24, _EACH)]
    count = min(int(match[1]), MOST_PAGES)
    return Sealed(tuple(match[4][i * _EACH : (i + 1) * _EACH] for i in range(count)), own[0], own[1], own[2])


def measured(content: bytes) -> Sealed:
    """The digests of a PDF as it is now, after all its revisions.

    Raises
    ------
    UnreadableError
        When it cannot be read.
    """
    try:
        return _measured(Document(content))
    except _READABLE as error:
        raise UnreadableError(str(error)) from error


def with_seal(content: bytes, facts: Callable[[bytes], dict[str, str]]) -> bytes:
    """A PDF just made, with its seal in the place that was kept for it."""
    seal = measured(content).line(facts(content))
    for old, new in ((EMPTY.encode(), seal.encode()), (EMPTY.encode("utf-16-be"), seal.encode("utf-16-be"))):
        content = content.replace(old, new)
    return content


def _measured(document: Document) -> Sealed:
    root = document.get(document.trailer["Root"])
    leaves = _leaves(document, root["Pages"])
    places = {ref.number: i for i, (ref, _page) in enumerate(leaves) if isinstance(ref, Ref)}
    make = _Digest(document, places)
    pages = tuple(make.page(page)[:_EACH] for _ref, page in leaves)
    tree = document.get(root.get("StructTreeRoot")) or {}
    structure = make.of({k: v for k, v in tree.items() if k not in _OF_TREE})
    around = {k: v for k, v in root.items() if k not in _OF_CATALOG}
    form = document.get(root.get("AcroForm")) or {}
    around |= {k: v for k, v in form.items() if k in {"XFA", "CO"}}
    return Sealed(pages, structure[:_EACH], make.of(around)[:_EACH], _title(document, root)[:_EACH])


def _leaves(document: Document, tree: Value) -> list[tuple[Value, dict[str, Value]]]:
    """The pages in order, each with the reference to it and with what it inherits."""
    items: list[tuple[Value, dict[str, Value]]] = []
    seen: set[int] = set()

    def walk(node: Value, inherited: dict[str, Value]) -> None:
        if isinstance(node, Ref):
            if node.number in seen:
                raise UnreadableError("a page stands in two places")
            seen.add(node.number)
        held = document.get(node)
        own = inherited | {key: held[key] for key in _INHERITED if key in held}
        if "Kids" in held:
            for kid in document.get(held["Kids"]):
                walk(kid, own)
        else:
            items.append((node, own | held))

    walk(tree, {})
    return items


class _Digest:
    """Digests of objects by what they hold, not by their numbers or how they are packed."""

    def __init__(self, document: Document, pages: dict[int, int]) -> None:
        self._document, self._pages = document, pages
        self._known: dict[int, str] = {}
        self._open: set[int] = set()

    def page(self, page: dict[str, Value]) -> str:
        """Of a page."""
        get = self._document.get
        contents = get(page.get("Contents"))
        streams = [get(part) for part in contents] if isinstance(contents, list) else [contents]
        try:
            drawn = b"\n".join(self._document.decoded(s) for s in streams if isinstance(s, Stream))
        except zlib.error:
            return DAMAGED
        rest = {k: v for k, v in page.items() if k not in {*_ASIDE, "Contents", "Annots"}}
        laid = [self.of(a) for a in get(page.get("Annots")) or [] if not self._invisible_signature(get(a))]
        return _hex(
            b"\x00".join(
                [hashlib.sha256(drawn).digest(), *(part.encode("utf-8", "replace") for part in (self.of(rest), *laid))]
            )
        )

    def _invisible_signature(self, note: Value) -> bool:
        """Whether something on a page is the field of a signature that nobody sees."""
        get = self._document.get
        field = note
        for _turn in range(8):
            if not isinstance(field, dict) or "FT" in field:
                break
            field = get(field.get("Parent"))
        signs = isinstance(field, dict) and get(field.get("FT")) == "Sig" and get(note.get("Subtype")) == "Widget"
        if not signs:
            return False
        corners = [float(get(c)) for c in get(note.get("Rect")) or [0, 0, 0, 0]]
        empty = corners[0] == corners[2] or corners[1] == corners[3]
        return empty or bool(int(get(note.get("F", 0)) or 0) & (_HIDDEN | _UNSEEN))

    def of(self, value: Value) -> str:
        """Of any object."""
        if isinstance(value, Ref):
            if value.number in self._pages:
                return _hex(f"page {self._pages[value.number]}".encode())
            if value.number in self._open:
                return _hex(b"round")
            if value.number not in self._known:
                self._open.add(value.number)
                self._known[value.number] = self.of(self._document.get(value))
                self._open.discard(value.number)
            return self._known[value.number]
        if isinstance(value, Stream | dict | list):
            return _hex(self._several(value))
        kind = "name" if isinstance(value, Name) else "number" if isinstance(value, Number) else "word"
        return f"{kind} {value!r}"

    def _several(self, value: Value) -> bytes:
        if isinstance(value, Stream):
            info = {k: v for k, v in value.info.items() if k not in _OF_STREAM}
            inside = hashlib.sha256(self._document.decoded(value)).digest()
            return b"stream " + self.of(info).encode() + inside
        if isinstance(value, dict):
            rows = (f"{k} {self.of(v)}" for k, v in sorted(value.items()) if k not in _ASIDE and v is not None)
            return ("dict " + "\n".join(rows)).encode("utf-8", "surrogatepass")
        return ("list " + "\n".join(map(self.of, value))).encode("utf-8", "surrogatepass")


def _hex(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


_DUBLIN, _ADOBE = "{http://purl.org/dc/elements/1.1/}", "{http://ns.adobe.com/pdf/1.3/}"
# In the order in which the compiler writes them; a tool that signs may write them in another, or as attributes.
_SAYS = {
    f"{_DUBLIN}title": "title",
    f"{_DUBLIN}creator": "creator",
    f"{_DUBLIN}description": "description",
    f"{_DUBLIN}subject": "subject",
    f"{_ADOBE}Keywords": "Keywords",
}


def _packet_words(inside: bytes) -> list[tuple[str, str]]:
    """What the packet of metadata says, whichever way it is written; of what is no such packet its bytes."""
    from xml.etree.ElementTree import ParseError  # late: few commands seal or verify

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    if not inside:
        return []
    try:
        tree = fromstring(inside)
    except (ParseError, DefusedXmlException, ValueError):
        return [("", _hex(inside))]
    rows = []
    for at in tree.iter():
        spoken = [(at.tag, " ".join(at.itertext())), *at.attrib.items()]
        rows += [(_SAYS[tag], _unsealed(" ".join(text.split()))) for tag, text in spoken if tag in _SAYS]
    places = list(_SAYS.values())
    return sorted(rows, key=lambda row: places.index(row[0]))


def _title(document: Document, root: dict[str, Value]) -> str:
    """Of what the file says of itself, the seal left aside: in both places it is said."""
    info = document.get(document.trailer.get("Info")) or {}
    rows = [
        (key, _spoken(document.get(info.get(key)))) for key in ("Title", "Author", "Subject", "Keywords", "Creator")
    ]
    packet = document.get(root.get("Metadata"))
    inside = document.decoded(packet) if isinstance(packet, Stream) else b""
    rows += _packet_words(inside)
    return _hex(repr(rows).encode("utf-8", "surrogatepass"))


def _spoken(value: Value) -> str:
    if not isinstance(value, bytes):
        return ""
    two = value.startswith(b"\xfe\xff")
    return _unsealed(value[2:].decode("utf-16-be", "replace") if two else value.decode("latin-1"))


def _unsealed(text: str) -> str:
    return re.sub(r"tapdesk seal: [0-9a-f ]*", "", text)
