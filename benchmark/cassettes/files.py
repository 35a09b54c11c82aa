"""Cassettes as files: JSON lines, compressed where the name ends in .gz.

The first line says what it is: {"kind": "cassette", "version": 1, …}. Then come the log's events, and before each
exchange the texts (messages and lists of tools) that no earlier one referred to, and last what was sent to inboxes.
A file that is written while its session goes on (`GrowingCassette`) has each step's lines together, and no counts.

Files come from other people: what is read fits the database's columns, tells a session, and stays within bounds.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from benchmark.cassettes.cassette import Cassette, InboxDelivery
from benchmark.cassettes.soundness import Unsound, check_log, check_value
from benchmark.cassettes.storage import ExchangePacker, StoredExchange, as_text, digests_of, unpack_exchange
from benchmark.core.actions import calls_in_text
from benchmark.core.events import Event, ParticipantJoined
from benchmark.core.participant import OUTSIDE_KINDS
from benchmark.inputs import MB, InputTooLarge, numbered_lines, open_unpacked, too_long
from benchmark.models.exchange import Exchange
from benchmark.suites import DEFAULT_SUITE, SUITES, suite_named
from benchmark.suites.base import AnySuite

VERSION = 1
LONGEST_LINE = 16 * MB
MOST_UNPACKED = 128 * MB
"""A session of a hundred long requests comes to a few megabytes; in memory a cassette takes four times its file."""


KeptStep = tuple[Sequence[Event], Sequence[Exchange]]
"""The events of a step, and what was asked of models in it."""


class CassetteError(ValueError):
    """A file that is no cassette; the message names line, field and reason."""


def _year(at: datetime) -> datetime:
    if not 1970 <= at.year <= 9000:
        raise ValueError("a year from 1970 to 9000 is needed")
    return at


Name = Annotated[str, Field(max_length=60, pattern=r"^[^\x00]*$")]
"""What the database keeps in a column of its own."""
Moment = Annotated[AwareDatetime, AfterValidator(_year)]


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Header(_Line):
    kind: Literal["cassette"] = "cassette"
    version: int = VERSION
    session: str = Field(pattern=r"^[0-9a-z]{1,12}\z")
    agent: Name
    users: Name
    events: int | None = None
    exchanges: int | None = None
    sent: int = 0

    @property
    def grows(self) -> bool:
        """Whether the file was written while its session went on, so that nobody knows how much it was to hold."""
        return self.events is None


class _Event(_Line):
    kind: Literal["event"] = "event"
    seq: int = Field(ge=1)
    type: str
    v: int = Field(ge=1)
    actor: Name
    audience: str
    at: Moment
    payload: dict[str, Any]

    @classmethod
    def of(cls, event: Event) -> _Event:
        return cls(
            seq=event.seq,
            type=event.body.type,
            v=type(event.body).version,
            actor=event.actor,
            audience=event.audience,
            at=event.at,
            payload=event.body.model_dump(mode="json", exclude={"type"}),
        )

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        return self.model_dump(mode="json", exclude={"payload"}) | {"payload": self.payload}

    def event(self, suite: AnySuite) -> Event:
        body = suite.play.kinds.load(self.type, self.v, self.payload)
        return Event(self.seq, self.actor, self.audience, body, self.at)


class _Text(_Line):
    kind: Literal["text"] = "text"
    digest: str = Field(pattern=r"^[0-9a-f]{1,64}\z")
    value: dict[str, Any] | list[dict[str, Any]]


class _Exchange(StoredExchange):
    kind: Literal["exchange"] = "exchange"
    seat: Name


class _SentLine(_Line):
    kind: Literal["sent"] = "sent"
    seat: str
    content: str | None
    taken_at_seq: int
    calls: bool = False


_READ: TypeAdapter[_Event | _Text | _Exchange | _SentLine] = TypeAdapter(
    Annotated[_Event | _Text | _Exchange | _SentLine, Field(discriminator="kind")]
)


def write_cassette(cassette: Cassette, path: Path) -> None:
    """Write a cassette; a file of that name is replaced.

    Raises:
        OSError: the file can't be written.
    """
    with gzip.open(path, "wb") if path.suffix == ".gz" else path.open("wb") as file:
        for line in _lines(cassette):
            file.write(line.encode() + b"\n")


def _lines(cassette: Cassette) -> Iterator[str]:
    header = _Header(
        session=cassette.session,
        agent=cassette.agent,
        users=cassette.users,
        events=len(cassette.log),
        exchanges=len(cassette.exchanges),
        sent=len(cassette.deliveries),
    )
    yield as_text(
        header.model_dump(exclude=None if cassette.deliveries else {"sent"})
    )  # which older versions don't know
    yield from _event_lines(cassette.log)
    yield from _ExchangeWriter().lines(cassette.exchanges)
    for sent in cassette.deliveries:
        yield as_text({"kind": "sent", **asdict(sent)})


def _event_lines(events: Iterable[Event]) -> Iterator[str]:
    return (as_text(_Event.of(event).plain()) for event in events)


class _ExchangeWriter:
    """The lines of a cassette's exchanges, before each the texts that no earlier one referred to."""

    def __init__(self) -> None:
        self._packer, self._digests = ExchangePacker(), set[str]()

    def lines(self, exchanges: Iterable[Exchange]) -> Iterator[str]:
        for exchange in exchanges:
            kept, values = self._packer.pack(exchange)
            for digest in [digest for digest in values if digest not in self._digests]:
                yield as_text({"kind": "text", "digest": digest, "value": values[digest]})
            self._digests.update(values)
            yield as_text({"kind": "exchange", **kept.plain()})


class GrowingCassette:
    """A cassette that grows with its session. What a killed process leaves of it can be read up to its last line."""

    def __init__(self, path: Path, session: str, agent: str, users: str) -> None:
        """Begin the file. Raises OSError, also where there is one of that name."""
        self.path = path
        self._exchanges = _ExchangeWriter()
        header = _Header(session=session, agent=agent, users=users)
        path.touch(exist_ok=False)
        self._lines = [as_text(header.model_dump(exclude_none=True, exclude={"sent"}))]
        self._write()

    def keep(self, steps: Iterable[KeptStep]) -> None:
        """Add what steps have brought, in one piece. Raises OSError; the next call then writes it as well."""
        for events, exchanges in steps:
            self._lines += [*_event_lines(events), *self._exchanges.lines(exchanges)]
        self._write()

    def _write(self) -> None:
        written = "".join(f"{line}\n" for line in self._lines).encode()
        with self.path.open("ab", buffering=0) as file:  # not held open: there may be hundreds
            end = file.tell()
            try:
                while written:
                    written = written[file.write(written) :]
            except OSError:
                file.truncate(end)
                raise
        self._lines = []


def read_cassette(path: Path) -> Cassette:
    """Read a cassette.

    Raises:
        CassetteError: the file is none, or it is damaged.
        OSError: the file can't be read.
    """
    try:
        with open_unpacked(path) as file:
            return _read(_lines_in(file))
    except CassetteError:
        raise
    except InputTooLarge as error:
        raise CassetteError(str(error)) from error
    except ValueError as error:
        raise CassetteError(f"not a whole gzip file ({error}); write it again") from error


def _lines_in(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines with their numbers, while they are within bounds."""
    read = 0
    for number, line in numbered_lines(file, LONGEST_LINE):
        if line is None:
            raise CassetteError(str(too_long(number, LONGEST_LINE)))
        read += len(line)
        if read > MOST_UNPACKED:
            raise CassetteError(
                f"line {number}: a cassette holds at most {MOST_UNPACKED // MB} MB; this is no session's"
            )
        yield number, line


def _read(lines: Iterator[tuple[int, bytes]]) -> Cassette:
    header = _header(next(lines, (1, b""))[1])
    log: list[Event] = []
    exchanges: list[Exchange] = []
    sent: list[InboxDelivery] = []
    values: dict[str, Any] = {}
    at: list[int] = []
    suite = suite_named(DEFAULT_SUITE)
    for number, line in lines:
        if header.grows and not line.endswith(b"\n"):
            break  # the process was killed while it wrote
        match _parse_line(line, number):
            case _Event() as event:
                suite = _suite(event, number) if not log else suite
                log.append(_event(event, suite, number, len(log) + 1))
                at.append(number)
            case _Text() as text:
                values[text.digest] = text.value
            case _Exchange() as kept:
                exchanges.append(_exchange(kept, values, number, len(exchanges) + 1))
            case _SentLine() as message:
                sent.append(_sent_message(message, log, number))
    _count("events", header.events, len(log))
    _count("exchanges", header.exchanges, len(exchanges))
    _count("sent", header.sent, len(sent))
    try:
        check_log(log, suite)
    except Unsound as error:
        raise CassetteError(f"line {at[error.seq - 1]}: {error}") from error
    return Cassette(header.session, header.agent, header.users, tuple(log), tuple(exchanges), tuple(sent))


def _header(line: bytes) -> _Header:
    plain = _json(line, 1)
    if not isinstance(plain, dict) or plain.get("kind") != "cassette":
        raise CassetteError("line 1, kind: not a cassette; write one with “cassette export”")
    if plain.get("version") != VERSION:
        raise CassetteError(
            f"line 1, version: {plain.get('version')!r}, and this version of Caravan reads {VERSION}; "
            "read it with the version that wrote it"
        )
    try:
        return _Header.model_validate(plain)
    except ValidationError as error:
        raise _line_error(error, 1) from error


def _parse_line(line: bytes, number: int) -> _Event | _Text | _Exchange | _SentLine:
    try:
        return _READ.validate_python(_json(line, number))
    except ValidationError as error:
        raise _line_error(error, number) from error


def _json(line: bytes, number: int) -> Any:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise CassetteError(f"line {number}: not valid JSON ({error}); is the file cut off?") from error
    try:
        check_value(value)
    except Unsound as error:
        raise CassetteError(f"line {number}: {error}, which no session holds") from error
    return value


def _sent_message(message: _SentLine, log: Sequence[Event], number: int) -> InboxDelivery:
    inboxes = {
        e.body.seat for e in log if isinstance(e.body, ParticipantJoined) and e.body.kind in OUTSIDE_KINDS
    }
    if message.seat not in inboxes:
        raise CassetteError(f"line {number}, seat: no seat with an inbox has this name")
    if not 1 <= message.taken_at_seq <= len(log):
        raise CassetteError(f"line {number}, taken_at_seq: the log has no such event")
    if message.calls:
        try:
            calls_in_text(message.content or "")
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise CassetteError(f"line {number}, content: no tool calls ({error})") from error
    return InboxDelivery(message.seat, message.content, message.taken_at_seq, message.calls)


def _suite(first: _Event, number: int) -> AnySuite:
    """The benchmark that a log belongs to, by its opening event."""
    name = first.payload.get("suite", DEFAULT_SUITE)
    if not isinstance(name, str) or name not in SUITES:
        raise CassetteError(f"line {number}, payload.suite: this version knows no benchmark {name!r}")
    return suite_named(name)


def _event(line: _Event, suite: AnySuite, number: int, expected: int) -> Event:
    if line.seq != expected:
        raise CassetteError(f"line {number}, seq: event {expected} is needed here, found {line.seq}")
    try:
        event = line.event(suite)
    except KeyError as error:
        raise CassetteError(f"line {number}, type: this version knows no event {line.type!r}") from error
    except ValidationError as error:
        raise _line_error(error, number, "payload.") from error
    if line.v > type(event.body).version:
        raise CassetteError(
            f"line {number}, v: this version knows {line.type!r} up to {type(event.body).version}"
        )
    if event.audience != event.body.audience():
        raise CassetteError(f"line {number}, audience: {event.body.audience()!r} is needed for this event")
    return event


def _exchange(kept: _Exchange, values: dict[str, Any], number: int, expected: int) -> Exchange:
    if kept.number != expected:
        raise CassetteError(f"line {number}, number: exchange {expected} is needed here, found {kept.number}")
    if missing := [digest for digest in digests_of(kept) if digest not in values]:
        raise CassetteError(f"line {number}, request: no line before it holds text {missing[0]}")
    if kept.reply is not None and kept.reply.tokens is not None:
        try:
            kept.reply.tokens.read()
        except ValueError as error:
            raise CassetteError(f"line {number}, reply.tokens.{error}") from error
    return unpack_exchange(kept, values)


def _line_error(error: ValidationError, number: int, below: str = "") -> CassetteError:
    first = error.errors()[0]
    kinds = ("event", "text", "exchange")
    path = [str(part) for part in first["loc"]]
    where = below + ".".join(path[1:] if path and path[0] in kinds and not below else path)
    return CassetteError(f"line {number}{', ' + where if where else ''}: {first['msg']}")


def _count(name: str, promised: int | None, held: int) -> None:
    if promised is not None and promised != held:
        raise CassetteError(
            f"line 1, {name}: {promised} are promised and the file holds {held}; is it cut off?"
        )
