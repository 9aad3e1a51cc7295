"""Damaged, truncated, newer and hostile project files: each is refused with a sentence, and none is touched."""

import io
import json
import random
import tracemalloc
import zipfile
from copy import deepcopy

import numpy as np
import pytest

from tapdesk.errors import TapdeskError
from tapdesk.project.files import file
from tapdesk.project.files.file import decode, encode, load, save
from tapdesk.project.project import Project
from tests.project.examples import fitted, same

JSON = "project.json"


@pytest.fixture(scope="module")
def good():
    return encode(fitted())


def parts_of(content):
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        return {name: parts.read(name) for name in parts.namelist()}


def packed(parts, how=zipfile.ZIP_STORED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", how) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def refusal(content):
    """The sentence a file is refused with."""
    with pytest.raises(TapdeskError) as caught:
        decode(content, "wine.tapdesk")
    assert caught.value.where == "wine.tapdesk"
    assert caught.value.fix
    return caught.value.what


def changed(good, **changes):
    """The file with parts of its document replaced."""
    parts = parts_of(good)
    return packed(parts | {JSON: json.dumps(json.loads(parts[JSON]) | changes).encode()})


def with_project(good, change):
    """The file with its project changed by a function of the JSON."""
    parts = parts_of(good)
    document = json.loads(parts[JSON])
    change(document["project"])
    return packed(parts | {JSON: json.dumps(document).encode()})


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"%PDF-1.7", b"PK\x03\x04", b"\x00" * 1000])
def test_other_files_are_no_projects(content):
    assert "not a tapdesk project" in refusal(content) or "damaged" in refusal(content)


def test_another_zip_is_told(good):
    assert "damaged: its part 'project.json' is missing" in refusal(packed({"word/document.xml": b"<x/>"}))
    assert "does not say what it is" in refusal(packed({JSON: b"{}"}))
    assert decode(good, "x") is not None


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_truncated_file_is_not_whole(good, share):
    assert "it is not whole" in refusal(good[: int(len(good) * share)])


def test_a_flipped_bit_is_noticed_wherever_it_matters(good):
    chance = random.Random(1)
    whole = decode(good, "x")
    for _try in range(300):
        bad = bytearray(good)
        bad[chance.randrange(len(bad))] ^= 1 << chance.randrange(8)
        try:
            read = decode(bytes(bad), "x")
        except TapdeskError:
            continue
        # Dates and rights inside the zip say nothing about the project.
        assert same(read, whole)


def test_a_newer_format_is_named_and_not_replaced(good, tmp_path):
    newer = changed(good, format=file.FORMAT + 1, program="9.1.0", project={"~": "Something new"})
    newer = packed(parts_of(newer) | {"something/new.bin": b"1"})
    assert f"newer tapdesk (9.1.0, project format {file.FORMAT + 1})" in refusal(newer)
    target = tmp_path / "wine.tapdesk"
    target.write_bytes(newer)
    with pytest.raises(TapdeskError, match="it is not replaced"):
        save(Project(), target)
    with pytest.raises(TapdeskError, match="The file was not changed"):
        load(target)
    assert target.read_bytes() == newer
    assert [p.name for p in tmp_path.iterdir()] == ["wine.tapdesk"]


@pytest.mark.parametrize("number", [0, -1, 1.0, "1", None, True, 10**30])
def test_a_format_that_is_no_number_is_refused(good, number):
    assert refusal(changed(good, format=number))


@pytest.mark.parametrize(
    "name", ["../../evil", "/etc/passwd", "C:\\x", "arrays/../x.npy", "arrays/01.npy", "arrays/0.npy/x", "ratings.pkl"]
)
def test_a_part_that_does_not_belong_there_is_refused(good, name):
    assert "does not belong there" in refusal(packed(parts_of(good) | {name: b"x"}))


def test_a_bomb_is_refused_before_it_is_unpacked():
    bomb = packed({JSON: b'{"form": "tapdesk project"}', "arrays/0.npy": bytes(200_000_000)}, zipfile.ZIP_DEFLATED)
    assert len(bomb) < 1_000_000
    tracemalloc.start()
    assert "packed or locked parts" in refusal(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000


def test_a_part_that_stands_twice_is_refused(good):
    file = io.BytesIO(good)
    with zipfile.ZipFile(file, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr(JSON, b"{}")
    assert "a part stands twice" in refusal(file.getvalue())


def test_entries_led_to_the_same_bytes_are_refused():
    honest = packed({"arrays/0.npy": bytes(100_000), "arrays/1.npy": b"", JSON: b"{}"})
    with zipfile.ZipFile(io.BytesIO(honest)) as archive:
        second = archive.infolist()[1].header_offset.to_bytes(4, "little")
    directory = honest.index(b"PK\x01\x02")
    assert honest[directory:].count(second) == 1
    assert "it is not whole" in refusal(honest[:directory] + honest[directory:].replace(second, bytes(4)))


@pytest.mark.parametrize(
    ("shape", "kind"),
    [((10**18,), "<f8"), ((2**62, 2**62), "<f8"), ((-1,), "<f8"), ((1,) * 40, "|i1"), ((5,), "|O"), ((5,), "<M8[s]")],
)
def test_an_array_of_another_size_or_kind_than_its_bytes_is_refused_without_taking_memory(good, shape, kind):
    header = repr({"descr": kind, "fortran_order": False, "shape": shape}).encode()
    header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
    content = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + b"x" * 40
    assert "arrays/0.npy" in refusal(packed(parts_of(good) | {"arrays/0.npy": content}))


BROKEN = ("{'descr': (", "{'descr': '<i8', 'fortran_order': False, 'shape': (", '"""', "{" * 50)


@pytest.mark.parametrize("header", BROKEN)
def test_an_array_whose_header_breaks_off_is_refused(good, header):
    line = header.encode() + b" " * (63 - (10 + len(header)) % 64) + b"\n"
    content = b"\x93NUMPY\x01\x00" + len(line).to_bytes(2, "little") + line + b"x" * 40
    assert "arrays/0.npy is no array" in refusal(packed(parts_of(good) | {"arrays/0.npy": content}))


def test_an_array_of_python_objects_is_never_unpickled(good):
    file = io.BytesIO()
    np.save(file, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    assert "kind that does not belong there" in refusal(packed(parts_of(good) | {"arrays/0.npy": file.getvalue()}))


@pytest.mark.parametrize(
    "text",
    [b"[" * 100_000, b'{"form": NaN}', b"\xff\xfe", b"1" * 10_000, b'{"form": "tapdesk project"', b"[]", b"null"],
)
def test_a_document_that_is_no_document_is_refused(good, text):
    assert "project.json" in refusal(packed(parts_of(good) | {JSON: text}))


@pytest.mark.parametrize(
    "change",
    [
        lambda p: p.update(undone=5),
        lambda p: p.update(undone=-1),
        lambda p: p.update(undone=1 << 200),
        lambda p: p.update(undone=True),
        lambda p: p.update(title=5),
        lambda p: p.update(reading=None),
        lambda p: p.update(extra=1),
        lambda p: p.pop("~"),
        lambda p: p.pop("reading"),
        lambda p: p.pop("decisions"),
        lambda p: p["notes"].append(["summary", "twice"]),
        lambda p: p["notes"].append("x"),
        lambda p: p["decisions"].append({"~": "__import__", "id": 1}),
        lambda p: p["reading"].pop("as_read"),
        lambda p: p["reading"]["as_read"].update(classes=["only"]),
        lambda p: p["reading"]["as_read"].update(classes=["x"] * 2),
        lambda p: p["reading"]["as_read"].update(subject={"~": "array", "at": "arrays/99999.npy"}),
        lambda p: p["reading"]["as_read"].update(subject={"~": "array", "at": ["x"]}),
        lambda p: p["reading"]["source"].update(layout="SPIRAL"),
        lambda p: p["reading"]["source"].update(layout=["LONG"]),
        lambda p: p["reading"]["source"].update(path="a\0b"),
        lambda p: p["reading"]["options"].update(class1=["nobody"]),
        lambda p: p["analyses"][0]["request"].update(level=7),
        lambda p: p["analyses"][0]["request"].update(seed=-1),
        lambda p: p["analyses"][0]["request"].update(priors=[{"~": "Prior", "name": "a", "alpha": -1, "beta": 1}]),
        lambda p: p["analyses"][0]["request"].update(priors=[{"~": "Path", "name": "a"}]),
        lambda p: p["analyses"][0]["fit"].update(posterior={"~": "Popen", "args": "x"}),
        lambda p: p["analyses"][0]["fit"].update(classes=["a", "b", "c"]),
        lambda p: p["analyses"][0]["fit"].update(log_likelihood=1e999),
        lambda p: p["analyses"][0]["fit"]["slots"][0].update(part="__class__"),
        lambda p: p["analyses"][0]["fit"]["slots"][0].update(index=[9]),
        lambda p: p["analyses"][0]["fit"]["estimates"][0]["estimate"].update(value={"~": "number", "is": "nan"}),
        lambda p: p["analyses"][0]["fit"]["estimates"][0]["estimate"].update(value={"~": "number", "is": ["nan"]}),
        lambda p: p["analyses"][0]["fit"]["estimates"][0]["estimate"].update(value=10**300),
        lambda p: p["analyses"][0]["fit"]["parameters"].update(truth=p["reading"]["as_read"]["subject"]),
    ],
)
def test_a_value_that_cannot_be_is_refused(good, change):
    assert refusal(with_project(good, change)).startswith("The project file is damaged: ")


def test_a_damaged_file_names_the_earlier_versions_beside_it(tmp_path):
    target = tmp_path / "wine.tapdesk"
    save(Project(title="1"), target)
    save(Project(title="2"), target)
    target.write_bytes(target.read_bytes()[:-30])
    with pytest.raises(TapdeskError) as caught:
        load(target)
    assert "wine.tapdesk~1" in caught.value.fix
    assert load(tmp_path / "wine.tapdesk~1").title == "1"


def test_a_missing_file_and_a_folder_are_told(tmp_path):
    with pytest.raises(TapdeskError, match="no such file"):
        load(tmp_path / "gone.tapdesk")
    with pytest.raises(TapdeskError, match="folder"):
        load(tmp_path)


WILD = [None, True, -1, 0, 1, 1.5, 10**40, "", "x", "gold", [], {}, [[]], {"~": "array", "at": "arrays/0.npy"},
        {"~": "number", "is": "inf"}, ["a"], {"~": "Fit"}, {"~": "texts", "values": ["a"], "codes": None}]  # fmt: skip


def fuzzed(good, seed):
    """The file with a few places of its document replaced by something wild."""
    chance = random.Random(seed)
    parts = parts_of(good)
    document = json.loads(parts[JSON])
    for _change in range(chance.randint(1, 3)):
        at = document["project"]
        while True:
            keys = list(at) if isinstance(at, dict) else list(range(len(at)))
            if not keys:
                break
            key = chance.choice(keys)
            if isinstance(at[key], dict | list) and chance.random() < 0.85:
                at = at[key]
                continue
            if isinstance(at, dict) and chance.random() < 0.2:
                del at[key]
            else:
                at[key] = deepcopy(chance.choice(WILD))
            break
    return packed(parts | {JSON: json.dumps(document).encode()})


def survives(good, seed):
    """Whether a fuzzed file is refused with a sentence, or is a project that can be saved again."""
    try:
        project = decode(fuzzed(good, seed), "x")
    except TapdeskError:
        return
    again = decode(encode(project), "x")
    assert same(again, project)
    if project.reading is None:
        assert not project.analyses
        return
    assert again.fingerprint == project.fingerprint
    assert len(project.log) == len(project.in_force)


def test_wild_values_are_refused_or_harmless(good):
    for seed in range(400):
        survives(good, seed)


@pytest.mark.slow
def test_many_wild_values_are_refused_or_harmless(good):
    for seed in range(1000, 21_000):
        survives(good, seed)
