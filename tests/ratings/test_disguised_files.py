"""Files that are not what their names say (bad_input.md 47, 48): told by their content."""

import io
import zipfile

import pytest

from tapdesk.errors import TapdeskError
from tapdesk.ratings.reading import read_now
from tests.ratings.telling import codes, told


def ole(stream):
    """The head of an older Office file that names a stream."""
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 1000 + stream.encode("utf-16-le") + b"\x00" * 1000


def test_47_a_password_is_said_in_plain_words(text):
    with pytest.raises(TapdeskError, match="has a password") as caught:
        text(ole("EncryptedPackage"), name="ratings.xlsx")
    assert "remove the password" in caught.value.fix


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"%PDF-1.7 ...", "This is a PDF"),
        (rb"{\rtf1\ansi case, A}", "text document"),
        (b"\x1f\x8b\x08\x00packed", "compressed"),
        (b"7z\xbc\xaf\x27\x1cpacked", "compressed"),
        (b"SQLite format 3\x00 pages", "database"),
        (b"PAR1 columns", "another program"),
        (b' ["yes", "no", 3]', "no list of records"),
        (b'{"case": 1, "A": "yes"}', "no list of records"),
        (b'<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Table/>', "old XML"),
        (b"\x89PNG\r\n\x1a\n....", "photo or picture"),
        (b"\xff\xd8\xff\xe0 jpeg", "photo or picture"),
        (b'{"url": "https://docs.google.com/open?id=1"}', "shortcut to a Google Sheet"),
        (ole("WordDocument"), "older Office program"),
        (b"<html><body><p>Sign in</p></body></html>", "web page without a table"),
    ],
)
def test_48_files_in_disguise_are_told_by_their_content(text, raw, said):
    with pytest.raises(TapdeskError, match=said) as caught:
        text(raw, name="ratings.xlsx")
    assert caught.value.fix


def packed(**parts):
    """A zip of some parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), content)
    return out.getvalue()


def test_48_numbers_documents_and_other_zips_are_told_apart(text):
    with pytest.raises(TapdeskError, match="Apple Numbers"):
        text(packed(Index__Document_dot_iwa="x"), name="a.xlsx")
    with pytest.raises(TapdeskError, match="zip file without a workbook"):
        text(packed(readme="x"), name="a.xlsx")
    with pytest.raises(TapdeskError, match="text document or a presentation"):
        text(packed(word__document_dot_xml="x"), name="a.xlsx")


def test_48_html_saved_as_xls_is_read(text):
    page = "<html><table><tr><td>case<td>A<td>B</tr><tr><td>w1<td>1<td>2</tr><tr><td>w2<td>2<td>2</tr></table></html>"
    reading = text(page, name="export.xls")
    assert reading.ratings.rating_count == 4
    assert "web_page" in codes(reading)


def test_48_ods_is_read_and_what_cannot_be_seen_is_said(tmp_path):
    content = (
        '<?xml version="1.0"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
        '<table:table table:name="S">'
        + "".join(
            "<table:table-row>"
            + "".join(
                f'<table:table-cell office:value-type="string"><text:p>{c}</text:p></table:table-cell>' for c in row
            )
            + "</table:table-row>"
            for row in [["case", "Ana", "Ben"], ["w1", "a", "b"], ["w2", "b", "b"]]
        )
        + "</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    mime = "application/vnd.oasis.opendocument.spreadsheet"
    with zipfile.ZipFile(tmp_path / "x.ods", "w") as archive:
        archive.writestr("mimetype", mime)
        archive.writestr("content.xml", content)
        archive.writestr(
            "META-INF/manifest.xml",
            '<?xml version="1.0"?><manifest:manifest '
            'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
        )
    reading = read_now(tmp_path / "x.ods")
    assert reading.ratings.rating_count == 4
    assert "cannot be seen" in told(reading, "format_hides").message
