"""An issued PDF after somebody was at it: every change is named, and nothing changed is called unchanged."""

import io
import re

import pikepdf
import pytest
from pikepdf import Dictionary, Name, Stream

from tapdesk.progress import finish
from tapdesk.report.build import build
from tapdesk.report.forms.pdf import pdf
from tapdesk.report.issue.verify import Outcome, verify

from .examples import project_of


@pytest.fixture(scope="module")
def project(fitted, wine):
    return project_of(fitted, wine)


@pytest.fixture(scope="module")
def content(project):
    return pdf(build(project, leave_out={"technical", "checklist"}))


@pytest.fixture
def verified(tmp_path):
    """The verdict on some bytes, with or without a project."""

    def verdict(changed, project=None):
        path = tmp_path / "issued.pdf"
        path.write_bytes(changed)
        return finish(verify(path, project))

    return verdict


def changed(content, act, **options):
    """The PDF after an act of pikepdf, written anew."""
    with pikepdf.open(io.BytesIO(content)) as opened:
        act(opened)
        out = io.BytesIO()
        opened.save(out, **options)
    return out.getvalue()


def note_over(opened, page):
    """A white box over a page, drawn by an annotation."""
    look = Stream(opened, b"1 g 0 0 500 700 re f")
    look.stream_dict = Dictionary(Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 500, 700], Length=20)
    box = Dictionary(
        Type=Name.Annot,
        Subtype=Name.FreeText,
        Rect=[50, 50, 550, 750],
        AP=Dictionary(N=opened.make_indirect(look)),
        F=4,
    )
    opened.pages[page].obj["/Annots"] = opened.make_indirect(pikepdf.Array([opened.make_indirect(box)]))


def painted(opened):
    opened.pages[0].contents_add(Stream(opened, b"q 1 g 0 0 600 850 re f Q"))


def blanked(opened):
    opened.pages[1].obj["/Contents"] = Stream(opened, b"")


def other_text(opened):
    page = opened.pages[2].obj
    drawn = page.Contents.read_bytes()
    page["/Contents"] = Stream(opened, re.sub(rb"<[0-9A-Fa-f]{8,}>|\((?:\\.|[^)\\])+\)", b"()", drawn, count=1) + b" ")


def removed(opened):
    del opened.pages[3]


def swapped(opened):
    third, fourth = opened.pages[2].obj, opened.pages[3].obj
    opened.pages[2], opened.pages[3] = pikepdf.Page(fourth), pikepdf.Page(third)


def added(opened):
    opened.add_blank_page()


def retitled(opened):
    opened.docinfo["/Title"] = "Another title"


def other_alt(opened):
    def walk(node):
        if isinstance(node, pikepdf.Array):
            return any(walk(kid) for kid in node)
        if not isinstance(node, Dictionary):
            return False
        if "/Alt" in node:
            node["/Alt"] = "Nothing to see."
            return True
        return "/K" in node and walk(node.K)

    assert walk(opened.Root.StructTreeRoot.K)


def attached(opened):
    opened.attachments["evil.txt"] = b"text"


def turned(opened):
    opened.pages[0].obj["/Rotate"] = 180


ACTS = {
    painted: "Page 1 differs",
    blanked: "Page 2 differs",
    other_text: "Page 3 differs",
    removed: "Page 4 is missing",
    swapped: "Page 3 is the page that was issued as page 4",
    added: "was added",
    retitled: "title, author or keywords",
    other_alt: "structure for screen readers",
    attached: "attachments",
    turned: "Page 1 differs",
    (lambda opened: note_over(opened, 0)): "Page 1 differs",
}


@pytest.mark.parametrize(("act", "words"), ACTS.items(), ids=[getattr(a, "__name__", "?") for a in ACTS])
def test_what_was_changed_is_named_with_and_without_the_project(act, words, content, project, verified):
    tampered = changed(content, act)
    for held in (None, project):
        verdict = verified(tampered, held)
        assert verdict.outcome is Outcome.DIFFERS
        assert verdict.exit_status == 1
        assert words in verdict.words
        assert "unchanged" not in verdict.words


@pytest.mark.parametrize(
    "options", [{}, {"object_stream_mode": pikepdf.ObjectStreamMode.generate, "recompress_flate": True}], ids=str
)
def test_a_report_saved_anew_has_the_pages_that_were_issued(options, content, project, verified):
    again = changed(content, lambda _opened: None, **options)
    assert again != content
    alone, beside = verified(again), verified(again, project)
    assert (alone.outcome, alone.exit_status) == (Outcome.UNCHECKED, 0)
    assert "All pages are those that were issued" in alone.words
    assert "The data were not checked" in alone.words
    assert (beside.outcome, beside.exit_status) == (Outcome.MATCHES, 0)
    assert "every page is the same; the file itself was saved anew" in beside.words


def revision(content, objects, root_extra=b""):
    """The PDF with a revision appended: new objects by number, and the page tree as it was."""
    with pikepdf.open(io.BytesIO(content)) as opened:
        size, root, info = int(opened.trailer.Size), opened.trailer.Root.objgen[0], opened.trailer.Info.objgen[0]
        if root_extra:
            whole = opened.Root.unparse(resolved=True).rstrip().removesuffix(b">>") + root_extra + b">>"
            objects = {root: whole, **objects}
    before = re.findall(rb"startxref\s+(\d+)", content)[-1]
    out, places = bytearray(content), {}
    for number, body in objects.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    at = len(out)
    out += b"xref\n" + b"".join(b"%d 1\n%010d 00000 n \n" % (n, p) for n, p in sorted(places.items()))
    out += b"trailer\n<</Size %d/Root %d 0 R/Info %d 0 R/Prev %s>>\n" % (size + 9, root, info, before)
    out += b"startxref\n%d\n%%%%EOF\n" % at
    return bytes(out)


def signature(content, rect=b"0 0 0 0", look=b""):
    """The PDF with an electronic signature: a field on page 1, its dictionary and a form."""
    with pikepdf.open(io.BytesIO(content)) as opened:
        size, page = int(opened.trailer.Size), opened.pages[0].obj
        number = page.objgen[0]
        signed = page.unparse(resolved=True).rstrip().removesuffix(b">>") + b"/Annots[%d 0 R]>>" % size
    field = b"<</Type/Annot/Subtype/Widget/FT/Sig/T(S)/F 132/Rect[%s]/V %d 0 R%s>>" % (rect, size + 1, look)
    value = b"<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 1 2 3]/Contents<%s>>>" % (b"00" * 64)
    form = b"/AcroForm<</Fields[%d 0 R]/SigFlags 3>>" % size
    picture = b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Length 14>>stream\n1 g 0 0 9 9 re\nendstream"
    return revision(content, {number: signed, size: field, size + 1: value, size + 2: picture}, form), size + 2


def test_a_signature_nobody_sees_leaves_the_pages_unchanged(content, project, verified):
    signed, _look = signature(content)
    for held in (None, project):
        verdict = verified(signed, held)
        assert (verdict.outcome, verdict.exit_status) == (Outcome.SIGNED, 0)
        assert "Signed after issue, pages unchanged." in verdict.words


def test_a_signature_that_paints_over_a_page_is_never_unchanged(content, project, verified):
    _signed, look = signature(content)
    signed, _look = signature(content, b"50 50 550 750", b"/AP<</N %d 0 R>>" % look)
    for held in (None, project):
        verdict = verified(signed, held)
        assert verdict.outcome is Outcome.DIFFERS
        assert "Page 1 differs" in verdict.words
        assert "unchanged" not in verdict.words


def test_a_revision_that_paints_a_page_is_never_unchanged(content, project, verified):
    with pikepdf.open(io.BytesIO(content)) as opened:
        number, size = opened.pages[0].obj.objgen[0], int(opened.trailer.Size)
        page = re.sub(rb"/Contents \d+ 0 R", b"/Contents %d 0 R" % size, opened.pages[0].obj.unparse(resolved=True))
    box = b"<</Length 21>>stream\n1 g 0 0 600 850 re f \nendstream"
    for held in (None, project):
        verdict = verified(revision(content, {number: page, size: box}), held)
        assert verdict.outcome is Outcome.DIFFERS
        assert "Page 1 differs" in verdict.words


def test_a_line_after_the_end_changes_no_page(content, project, verified):
    for held in (None, project):
        verdict = verified(content + b"% a remark\n", held)
        assert (verdict.outcome, verdict.exit_status) == (Outcome.SIGNED, 0)
        assert "appended after the end of the file, pages unchanged" in verdict.words


def test_a_flipped_byte_in_a_page_is_named(content, verified):
    with pikepdf.open(io.BytesIO(content)) as opened:
        raw = opened.pages[4].Contents.read_raw_bytes()
    at = content.index(raw) + len(raw) // 2
    verdict = verified(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
    assert verdict.outcome is Outcome.DIFFERS
    assert re.search(r"Page 5 (differs|is damaged)", verdict.words)


def test_changed_facts_are_noticed_though_no_page_was_touched(content, verified):
    with pikepdf.open(io.BytesIO(content)) as opened:
        words = str(opened.docinfo["/Keywords"])
        opened.docinfo["/Keywords"] = re.sub(r"tapdesk file: .", "tapdesk file: z", words)
        out = io.BytesIO()
        opened.save(out)
    verdict = verified(out.getvalue())
    assert verdict.outcome is Outcome.DIFFERS


def test_other_data_name_the_tables_that_differ(content, project, verified):
    other = project.with_class1(("silver, gold",))
    verdict = verified(content, other)
    assert verdict.outcome is Outcome.DIFFERS
    assert "the report differs in: " in verdict.words
    assert "“What this report was made from”" in verdict.words


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        (b'<!DOCTYPE html><meta name="generator" content="tapdesk">', "a report as a web page"),
        (b"PK\x03\x04 docProps/core.xml", "a workbook"),
        (b"text", "not a PDF"),
    ],
)
def test_other_kinds_of_files_are_told_and_not_verified(inside, words, verified):
    verdict = verified(inside)
    assert (verdict.outcome, verdict.exit_status) == (Outcome.FOREIGN, 3)
    assert words in verdict.words


def told_anew(content, title):
    """The PDF with a revision of its metadata as signing tools write it: as attributes, in another order."""
    with pikepdf.open(io.BytesIO(content)) as opened:
        number, inside = opened.Root.Metadata.objgen[0], opened.Root.Metadata.read_bytes().decode()
    keywords = re.search(r"<pdf:Keywords>(.*?)</pdf:Keywords>", inside, re.DOTALL)[1].replace('"', "&quot;")
    packet = (
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        f'<r:Description xmlns:p="http://ns.adobe.com/pdf/1.3/" p:Keywords="{keywords}">'
        '<d:title xmlns:d="http://purl.org/dc/elements/1.1/"><r:Alt>'
        f'<r:li xml:lang="x-default">{title}</r:li></r:Alt></d:title></r:Description></r:RDF></x:xmpmeta>'
    ).encode()
    body = b"<</Type/Metadata/Subtype/XML/Length %d>>stream\n%s\nendstream" % (len(packet), packet)
    return revision(content, {number: body})


def test_metadata_written_another_way_say_the_same_and_a_new_title_is_named(content, project, verified):
    with pikepdf.open(io.BytesIO(content)) as opened:
        title = str(opened.docinfo["/Title"])
    for held in (None, project):
        verdict = verified(told_anew(content, title), held)
        assert (verdict.outcome, verdict.exit_status) == (Outcome.SIGNED, 0)
        assert "pages unchanged" in verdict.words
        verdict = verified(told_anew(content, "A better title"), held)
        assert verdict.outcome is Outcome.DIFFERS
        assert "The title, author or keywords of the document were changed after issue." in verdict.words
        verdict = verified(told_anew(content, "<broken"), held)
        assert verdict.outcome is Outcome.DIFFERS
