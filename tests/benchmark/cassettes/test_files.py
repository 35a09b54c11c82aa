"""Cassettes as files: what is written is read again, and what is damaged is named."""

from __future__ import annotations

import gzip
import json
import resource
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.cassettes import Cassette, CassetteError, GrowingCassette, read_cassette, write_cassette
from benchmark.cassettes.storage import (
    ExchangePacker,
    as_text,
    pack_exchange,
    rewrite_reply,
    unpack_exchange,
)
from benchmark.models import FAILURES, ChatRequest, Reply, RequestedCall, Usage
from benchmark.models.exchange import Exchange, Failure
from benchmark.models.tokens import Token, TokenLog
from tests.benchmark.cassettes.script import recorded_cassette
from tests.properties import examples

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
OBJECTS = st.dictionaries(st.text(), JSON, max_size=4)
SECONDS = st.floats(0, 1e6)
REQUESTS = st.builds(
    ChatRequest,
    messages=st.lists(OBJECTS, max_size=4).map(tuple),
    tools=st.lists(OBJECTS, max_size=2).map(tuple),
    temperature=st.floats(0, 2),
    json_object=st.booleans(),
    top_p=st.none() | st.floats(0, 1),
)
REPLIES = st.builds(
    Reply,
    text=st.text(),
    calls=st.lists(st.builds(RequestedCall, st.text(), st.text(), st.text()), max_size=2).map(tuple),
    reasoning=st.text(),
    finish_reason=st.text(),
    usage=st.none() | st.builds(Usage, *[st.integers(0, 10**9)] * 4),
    model=st.text(),
    latency_ms=SECONDS,
    first_ms=st.none() | SECONDS,
    tokens=st.none() | st.lists(st.builds(Token, st.binary(), st.none()), min_size=1).map(TokenLog.of),
)
FAILED_ANSWERS = st.builds(
    Failure,
    kind=st.sampled_from(FAILURES),
    message=st.text(),
    status=st.none() | st.integers(100, 599),
    retry_after_s=st.none() | SECONDS,
    answering=st.booleans(),
    latency_ms=SECONDS,
)


SEATS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=60)


@st.composite
def exchanges(draw: st.DrawFn) -> tuple[Exchange, ...]:
    pool = draw(st.lists(REQUESTS, min_size=1, max_size=3))
    came = draw(st.lists(st.tuples(st.sampled_from(pool), SEATS, REPLIES | FAILED_ANSWERS), max_size=5))
    return tuple(
        Exchange(n, seat, request, got, None)
        if isinstance(got, Reply)
        else Exchange(n, seat, request, None, got)
        for n, (request, seat, got) in enumerate(came, 1)
    )


@settings(max_examples=examples(80))
@given(kept=exchanges(), suffix=st.sampled_from([".jsonl", ".jsonl.gz"]))
def test_whatever_was_exchanged_survives_a_file(
    kept: tuple[Exchange, ...], suffix: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / f"any{suffix}"
    cassette = Cassette("abc", "llm", "llm", (), kept)
    write_cassette(cassette, path)
    assert read_cassette(path) == cassette


@settings(max_examples=examples(80))
@given(kept=exchanges())
def test_the_stored_form_of_an_exchange_gives_it_back(kept: tuple[Exchange, ...]) -> None:
    for exchange in kept:
        by, values = pack_exchange(exchange)
        assert (
            unpack_exchange(by, {digest: json.loads(as_text(value)) for digest, value in values.items()})
            == exchange
        )


@settings(max_examples=examples(80))
@given(kept=exchanges())
def test_the_stored_form_does_not_depend_on_the_exchange_before(kept: tuple[Exchange, ...]) -> None:
    packer = ExchangePacker()
    for exchange in kept:
        assert packer.pack(exchange) == pack_exchange(exchange)


def test_messages_that_are_equal_and_no_texts_keep_their_own_digests() -> None:
    packer = ExchangePacker()
    requests = [ChatRequest(({"role": "user", "content": content},)) for content in (1, True, "1")]
    packed = [packer.pack(Exchange(1, "Agent", request, Reply("")))[0] for request in requests]
    assert len({kept.request.messages for kept in packed}) == 3


def test_half_a_character_does_not_break_a_cassette(tmp_path: Path) -> None:
    request = ChatRequest(({"role": "user", "content": "a\ud83d"},))
    write_cassette(
        Cassette("s", "", "", (), (Exchange(1, "Agent", request, Reply("b\udc00")),)), tmp_path / "c"
    )
    read = read_cassette(tmp_path / "c").exchanges[0]
    assert read.request.messages[0]["content"] == "a\ufffd"
    assert read.reply is not None and read.reply.text == "b\ufffd"


def write_step_by_step(cassette: Cassette, path: Path) -> None:
    """As a session does that goes on."""
    grown = GrowingCassette(path, cassette.session, cassette.agent, cassette.users)
    for event in cassette.log:
        grown.keep([((event,), ())])
    for exchange in cassette.exchanges:
        grown.keep([((), (exchange,))])


@pytest.mark.parametrize("write", [write_cassette, write_step_by_step])
def test_a_whole_session_survives_a_file_and_repeats_no_message_in_it(
    write: Callable[[Cassette, Path], None], tmp_path: Path
) -> None:
    cassette = recorded_cassette()
    write(cassette, tmp_path / "c.jsonl")
    assert read_cassette(tmp_path / "c.jsonl") == cassette
    lines = [json.loads(line) for line in (tmp_path / "c.jsonl").read_bytes().splitlines()]
    digests = [line["digest"] for line in lines if line["kind"] == "text"]
    asked = [digest for line in lines if line["kind"] == "exchange" for digest in line["request"]["messages"]]
    assert len(digests) == len(set(digests)) < len(asked) / 2


def test_a_cassette_that_finds_no_room_has_no_gap_once_there_is_some(tmp_path: Path) -> None:
    """What did not fit is taken back whole, and written with what comes next."""
    cassette, path = recorded_cassette(), tmp_path / "c.jsonl"
    grown = GrowingCassette(path, cassette.session, cassette.agent, cassette.users)
    grown.keep([(cassette.log[:3], ())])
    size, limits = path.stat().st_size, resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            grown.keep([(cassette.log[3:9], cassette.exchanges)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.stat().st_size == size
    grown.keep([(cassette.log[9:], ())])
    assert read_cassette(path) == cassette


def test_a_name_in_gz_is_compressed(tmp_path: Path) -> None:
    write_cassette(recorded_cassette(), tmp_path / "c.jsonl.gz")
    first = json.loads(gzip.decompress((tmp_path / "c.jsonl.gz").read_bytes()).splitlines()[0])
    assert (first["kind"], first["version"]) == ("cassette", 1)


Damage = Callable[[list[dict[str, Any]]], object]


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda lines: lines[0].pop("kind"), "line 1, kind: not a cassette"),
        (lambda lines: lines[0].update(version=9), "line 1, version: 9, and this version of Caravan reads 1"),
        (lambda lines: lines[0].pop("agent"), "line 1, agent: Field required"),
        (
            lambda lines: lines.pop(),
            "line 1, exchanges: 19 are promised and the file holds 18; is it cut off?",
        ),
        (lambda lines: lines.pop(1), "line 2, seq: event 1 is needed here, found 2"),
        (
            lambda lines: lines[1].update(type="told_later"),
            "line 2, type: this version knows no event 'told_later'",
        ),
        (lambda lines: lines[1]["payload"].update(max_turn="x"), "line 2, payload.max_turn: Input should be"),
        (lambda lines: lines[2].update(kind="note"), "line 3: Input tag 'note'"),
        (
            lambda lines: of(lines, "exchange")["reply"].update(text=7),
            "reply.text: Input should be a valid string",
        ),
        (lambda lines: of(lines, "exchange").update(reply=None), "either a reply or a failure is needed"),
        (lambda lines: of(lines, "exchange").update(number=4), "number: exchange 1 is needed here, found 4"),
        (lambda lines: lines.remove(of(lines, "text")), "request: no line before it holds text"),
    ],
)
def test_damage_is_told_with_line_and_field(tmp_path: Path, damage: Damage, words: str) -> None:
    path = tmp_path / "c.jsonl"
    write_cassette(recorded_cassette(), path)
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    damage(lines)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(CassetteError) as error:
        read_cassette(path)
    assert words in str(error.value)
    assert str(error.value).startswith("line ")


def of(lines: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    return next(line for line in lines if line["kind"] == kind)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("c.jsonl", b"", "line 1: not valid JSON"),
        ("c.jsonl", b"[]\n", "line 1, kind: not a cassette"),
        ("c.jsonl", b'{"kind": "cassette", \xff', "line 1: not valid JSON"),
        ("c.jsonl.gz", b"{}", "not a whole gzip file"),
        ("c.jsonl.gz", gzip.compress(b'{"kind": "cassette"}' * 99, mtime=0)[:-9], "not a whole gzip file"),
    ],
)
def test_what_is_no_cassette_is_refused(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CassetteError, match=words):
        read_cassette(tmp_path / name)


def test_a_cassette_holds_the_name_of_a_keys_variable_and_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_MODELS_KEY", "sk-very-secret")
    write_cassette(replace(recorded_cassette(), session="x"), tmp_path / "c")
    text = (tmp_path / "c").read_text()
    assert "sk-very-secret" not in text and "uthorization" not in text


def test_damaged_tokens_are_refused_with_their_line(tmp_path: Path) -> None:
    request, log = ChatRequest(({"role": "user", "content": "a"},)), TokenLog.of([Token(b"yes", -1.0)])
    kept = (Exchange(1, "Agent", request, Reply("yes", tokens=log)),)
    write_cassette(Cassette("s", "", "", (), kept), tmp_path / "c")
    written = (tmp_path / "c").read_text()
    (tmp_path / "c").write_text(written.replace('"count":1', '"count":7'))
    with pytest.raises(CassetteError, match=r"line 3, reply\.tokens\.columns: it does not hold the tokens"):
        read_cassette(tmp_path / "c")


def test_answers_without_tokens_are_written_as_before_there_were_any(tmp_path: Path) -> None:
    request = ChatRequest(({"role": "user", "content": "a"},))
    write_cassette(Cassette("s", "", "", (), (Exchange(1, "Agent", request, Reply("b")),)), tmp_path / "c")
    assert "tokens" not in (tmp_path / "c").read_text().splitlines()[-1]


def test_a_reply_that_loses_words_loses_its_tokens() -> None:
    """They hold the same words, in pieces that no search finds."""
    log = TokenLog.of([Token(b"Ask An", -1.0), Token(b"ton.", -1.0)])
    plain = {"text": "Ask Anton.", "tokens": {"count": log.count, "columns": log.columns}}

    def rewrite(value: Any) -> Any:
        return {name: hide(each) for name, each in value.items()}

    def hide(text: str) -> str:
        return text.replace("Anton", "P1").replace("=", "P2")

    assert rewrite_reply(plain, rewrite, hide) == {"text": "Ask P1."}
    elsewhere = {**plain, "text": "Ask them."}
    assert rewrite_reply(elsewhere, rewrite, hide) == {"text": "Ask them."}, "the tokens alone have the name"
    assert rewrite_reply({**plain, "text": "x"}, rewrite, lambda text: text)["tokens"] == plain["tokens"]
    assert rewrite_reply({"text": "Anton"}, rewrite, hide) == {"text": "P1"}
