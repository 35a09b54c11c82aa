"""Cassettes that somebody has tampered with: they are refused in words, or every page still shows."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Iterator
from copy import deepcopy
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client

from benchmark.cassettes import CassetteError, read_cassette, write_cassette
from benchmark.cassettes.files import LONGEST_LINE, MOST_UNPACKED
from tests.properties import examples_from, examples_share
from webapp.cassettes.selectors import cassette_of
from webapp.cassettes.services import keep
from webapp.forms import ChoiceRefused
from webapp.sessions.models import Session
from webapp.sessions.scoring import score_session

pytestmark = pytest.mark.django_db

Line = dict[str, Any]
Place = tuple[int, tuple[Any, ...]]
LONG = "x" * 500
IN_A_LIST = 25
"""So many sessions stand in the list beside each other when it is looked at."""
OF_THE_ROW = frozenset(
    {"cassette", "participant_joined", "session_finished", "session_forked", "session_opened", "turn_granted"}
)
"""The lines of a cassette that a session's row is made of."""


@pytest.fixture
def lines(eventful: Session, tmp_path: Path) -> list[Line]:
    """The cassette of a session with every kind of event; the session itself is not here."""
    path = tmp_path / "whole.jsonl"
    write_cassette(cassette_of(eventful), path)
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def places(lines: list[Line]) -> Iterator[Place]:
    """Every value of the cassette once: of events of one type, the first that has it."""
    seen: set[tuple[Any, ...]] = set()
    for number, line in enumerate(lines):
        for path in _paths(line):
            shape = (line["kind"], line.get("type"), *("[]" if isinstance(p, int) else p for p in path))
            if shape not in seen:
                seen.add(shape)
                yield number, path


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inner:
        yield from _paths(below, (*path, key))


def tampered_lines(lines: list[Line], place: Place, value: Any, name: str) -> list[Line]:
    """The lines with one value changed; those that stay as they are are the same objects."""
    changed = [{**lines[0], "session": name}, *lines[1:]]
    changed[place[0]] = at = deepcopy(changed[place[0]])
    for key in place[1][:-1]:
        at = at[key]
    at[place[1][-1]] = value
    return changed


def nasty(value: Any) -> list[Any]:
    if isinstance(value, str):
        return ["\x00", LONG]
    if isinstance(value, bool) or value is None:
        return ["x"]
    return [-1, 10**30] if isinstance(value, int | float) else [[], None]


def tamperings(lines: list[Line], *kinds: type) -> Iterator[tuple[Any, list[Line]]]:
    """What is changed to what, and the lines with it; kinds: of the values that are changed, all of them without."""
    tried = 0
    for place in places(lines):
        value = _value(lines, place)
        for other in nasty(value) if not kinds or isinstance(value, kinds) else ():
            tried += 1
            changed = tampered_lines(lines, place, other, f"c{tried}")
            yield (changed[place[0]].get("type") or changed[place[0]].get("kind"), place[1], other), changed


def _value(lines: list[Line], place: Place) -> Any:
    found: Any = lines[place[0]]
    for key in place[1]:
        found = found[key]
    return found


def import_lines(path: Path, lines: list[Line]) -> Session | None:
    """The session made from these lines, None where they are refused in words."""
    try:
        return keep(read_cassette(write_lines(path, lines)))
    except (CassetteError, ChoiceRefused) as refusal:
        assert str(refusal)
        return None


@pytest.mark.slow
@pytest.mark.timeout(2700)  # thousands of cassettes, beside other work
def test_whatever_is_changed_in_a_cassette_it_is_refused_or_every_page_shows(
    as_researcher: Client, lines: list[Line], tmp_path: Path
) -> None:
    """The trial before it is kept builds the parts of its page. The whole page is asked for wherever the
    change may be in a session's row, of which the trial knows nothing, and once for every other type of event.
    Each run tries a share of all changes.
    """
    kept, tried, bad, opened = 0, 0, list[str](), set[str]()
    every = examples_from(tamperings(lines))
    while batch := list(islice(every, IN_A_LIST)):
        with transaction.atomic():
            for what, changed in batch:
                tried += 1
                try:
                    with transaction.atomic():
                        session = import_lines(tmp_path / "c.jsonl", changed)
                        if session is not None:
                            kept += 1
                            score_session(session=session)
                            if what[0] in OF_THE_ROW or what[0] not in opened:
                                opened.add(what[0])
                                page = as_researcher.get(f"/sessions/{session.pk}/?tab=plan")
                                assert page.status_code == 200
                except Exception as error:
                    bad.append(f"{what}: {type(error).__name__} {error}"[:300])
            assert as_researcher.get("/sessions/").status_code == 200
            transaction.set_rollback(True)
    assert not bad, f"{len(bad)} of {tried}, {kept} kept:\n" + "\n".join(bad[:60])
    assert kept > 50 * examples_share() < tried - kept


@pytest.mark.both_engines
@pytest.mark.storage
@pytest.mark.skipif(connection.vendor == "sqlite", reason="the test above does more of it")
def test_no_text_and_no_number_in_a_cassette_is_more_than_the_database_takes(
    lines: list[Line], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What pages make of it is not asked here, so that the database gets what they would refuse as well."""
    monkeypatch.setattr("webapp.cassettes.services.show", lambda session, events: None)
    kept, tried, bad = 0, 0, list[str]()
    for what, changed in examples_from(tamperings(lines, str, int, float)):
        tried += 1
        try:
            with transaction.atomic():
                kept += import_lines(tmp_path / "c.jsonl", changed) is not None
                transaction.set_rollback(True)
        except Exception as error:
            bad.append(f"{what}: {type(error).__name__} {error}"[:300])
    assert not bad, f"{len(bad)} of {tried}, {kept} kept:\n" + "\n".join(bad[:60])
    assert kept > 20 * examples_share() < tried - kept


@pytest.mark.parametrize(
    "name", ["", "a/b", "..", "x" * 13, "UPPER", "a b", "\x00", "?", "abc\n", "é", "<script>", "x" * 500]
)
def test_an_id_that_no_address_holds_is_refused(lines: list[Line], tmp_path: Path, name: str) -> None:
    before = Session.objects.count()
    lines[0]["session"] = name
    with pytest.raises(CassetteError, match="line 1, session"):
        read_cassette(write_lines(tmp_path / "c.jsonl", lines))
    assert Session.objects.count() == before


@pytest.mark.parametrize("seat", ["Agent", "User1"])
def test_a_seat_of_an_unknown_kind_is_refused(lines: list[Line], tmp_path: Path, seat: str) -> None:
    before = Session.objects.count()
    joined = next(line["payload"] for line in lines if line.get("payload", {}).get("seat") == seat)
    joined["kind"] = "of_a_later_version"
    with pytest.raises(ChoiceRefused, match="of_a_later_version"):
        keep(read_cassette(write_lines(tmp_path / "c.jsonl", lines)))
    assert Session.objects.count() == before


def test_a_cassette_with_a_part_that_cannot_be_shown_is_not_kept(lines: list[Line], tmp_path: Path) -> None:
    """Its page would have an error in place of that part, so that the test of all changes would not see it."""
    before = Session.objects.count()
    opened = next(line for line in lines if line.get("type") == "session_opened")
    opened["payload"]["sandbox"]["cache"] = "\x00"  # no address of a cache's page has it
    with pytest.raises(ChoiceRefused, match="can't be shown"):
        keep(read_cassette(write_lines(tmp_path / "c.jsonl", lines)))
    assert Session.objects.count() == before


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("\ud800", "half of a character"),
        (float("nan"), "not a number"),
        (float("-inf"), "not a number"),
    ],
)
def test_what_no_database_or_page_takes_is_refused_wherever_it_is(
    lines: list[Line], tmp_path: Path, value: Any, words: str
) -> None:
    for number, line in enumerate(lines):
        changed = [*lines[:number], {**line, "further": [{"deep": value}]}, *lines[number + 1 :]]
        with pytest.raises(CassetteError, match=f"line {number + 1}: .*{words}"):
            read_cassette(write_lines(tmp_path / "c.jsonl", changed))


@pytest.mark.parametrize("name", ["bomb.jsonl", "bomb.jsonl.gz"])
def test_a_line_or_a_file_beyond_all_measure_is_refused_before_it_is_in_memory(
    lines: list[Line], tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    longest = b'{"kind": "text", "value": "' + b"x" * (LONGEST_LINE + 10) + b'"}\n'
    path.write_bytes(compress_by_name(name, json.dumps(lines[0]).encode() + b"\n" + longest))
    tracemalloc.start()
    with pytest.raises(CassetteError, match="line 2: longer than 16 MB"):
        read_cassette(path)
    assert tracemalloc.get_traced_memory()[1] < 4 * LONGEST_LINE
    tracemalloc.stop()


def test_a_bomb_is_refused(lines: list[Line], tmp_path: Path) -> None:
    path = tmp_path / "bomb.jsonl.gz"
    text = {"kind": "text", "digest": "a" * 32, "value": {"content": "x" * (LONGEST_LINE - 1000)}}
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(json.dumps(lines[0]).encode() + b"\n")
        for number in range(MOST_UNPACKED // LONGEST_LINE + 1):
            file.write(json.dumps({**text, "digest": f"{number:032x}"}).encode() + b"\n")
    assert path.stat().st_size < MOST_UNPACKED / 50
    with pytest.raises(CassetteError, match="at most 128 MB"):
        read_cassette(path)


def compress_by_name(name: str, data: bytes) -> bytes:
    return gzip.compress(data) if name.endswith(".gz") else data


def write_lines(path: Path, lines: list[Line]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path
