"""The catalog of sentences: what translators are given is whole, and every field of it can be told from its name."""

import runpy
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from struct import pack

import pytest

from tapdesk.language import NOUN_FIELDS, Message, parts_of

TOOL = runpy.run_path(str(Path(__file__).resolve().parents[2] / "packaging" / "messages"))


@pytest.fixture(scope="module")
def found():
    return TOOL["collected"]()


def test_sentences_and_plurals_are_found_with_their_lines():
    source = 'x = _("One {a}")\ny = ngettext("{n} b", "{n} c", n).format(n=n)\nz = f("no")\n'
    assert list(TOOL["messages"](source)) == [(1, ("One {a}",)), (2, ("{n} b", "{n} c"))]


def test_the_catalog_holds_every_sentence_of_every_room_once(found):
    rooms = {place.split("/")[1] for places in found.values() for place in places}
    assert {"ratings", "agreement", "models", "fitting", "studies", "project", "report", "gui"} <= rooms
    told = TOOL["catalog"]()
    assert told.count("\nmsgid ") == len(found) + 1
    # A sentence with another plural in another place would be two entries of one name, which no catalog may have.
    firsts = [texts[0] for texts in found]
    doubled = {one for one in firsts if firsts.count(one) > 1}
    assert doubled == set()


def test_every_field_of_every_sentence_has_a_name_and_both_forms_of_a_plural_name_the_same(found):
    for texts in found:
        for text in texts:
            if all(TOOL["fields"](text)):
                parts_of(text)
        assert all(name for text in texts for name in TOOL["fields"](text)), texts
        # Where there is one of a thing, its number may be left to the words, and a noun has a form of its own.
        one, many = ({_plural(name) for name in TOOL["fields"](text)} for text in (texts[0], texts[-1]))
        assert one <= many, texts


def _plural(name):
    """A field that the voice fills in, in the form for several."""
    return f"{name}s" if name in NOUN_FIELDS and f"{name}s" in NOUN_FIELDS else name


def test_the_machine_form_of_a_translation_is_used(monkeypatch):
    catalog = {"": "Content-Type: text/plain; charset=UTF-8\n", "No {what}.": "Kein {what}."}
    monkeypatch.setattr("tapdesk.language._catalog", lambda _language: GNUTranslations(BytesIO(compiled(catalog))))
    assert Message("No {what}.", fields={"what": "x"}) == "Kein x."


def compiled(catalog):
    """A catalog as ``msgfmt`` makes it."""
    pairs = [(key.encode(), value.encode()) for key, value in sorted(catalog.items())]
    at = 28 + 16 * len(pairs)
    tables, texts = [[], []], b""
    for side in (0, 1):
        for pair in pairs:
            tables[side].append(pack("<II", len(pair[side]), at + len(texts)))
            texts += pair[side] + b"\0"
    head = pack("<7I", 0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, 0)
    return head + b"".join([*tables[0], *tables[1]]) + texts
