"""The full-text search over what was said in sessions, on either database.

The grams of a session's messages (see `benchmark.text.grams`) stand ready-cut in a table of FTS5 or a tsvector, so
that no tokenizer of a database cuts them anew; Django knows neither of both.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from django.db import connection, connections, transaction
from django.db.models import BooleanField, F, Func

from benchmark.core.events import MessagePosted
from benchmark.text.grams import SearchTerms, grams, plain
from webapp.sessions.models import ENDED_STATUSES, Event, Session
from webapp.tables.models import SaidText, SessionSearchIndex

BATCH = 100
MESSAGE_TYPE = MessagePosted.model_fields["type"].default
LONGEST_TEXT = 100_000
"""Characters of a session's messages that are searched; a vector of PostgreSQL takes the grams of no more."""
_STORE_STATEMENTS = {
    "sqlite": "INSERT INTO tables_said_grams (grams, rowid) VALUES (%s, %s)",
    "postgresql": "UPDATE tables_said SET grams = array_to_tsvector(string_to_array(%s, ' ')) WHERE id = %s",
}


def refresh_said(ids: Iterable[str]) -> None:
    """Have sessions found by what was said in them once they have ended; their logs say nothing new after that."""
    wanted = list(ids)
    for begin in range(0, len(wanted), BATCH):
        batch = wanted[begin : begin + BATCH]
        SessionSearchIndex.objects.filter(session__in=batch).exclude(
            session__status__in=ENDED_STATUSES
        ).delete()
        ended = Session.objects.filter(pk__in=batch, status__in=ENDED_STATUSES, search_index=None).order_by()
        messages: dict[str, list[tuple[int, str]]] = {pk: [] for pk in ended.values_list("pk", flat=True)}
        rows = Event.objects.filter(session__in=list(messages), type=MESSAGE_TYPE).order_by("seq")
        for pk, seq, payload in rows.values_list("session", "seq", "payload"):
            messages[pk].append((seq, str(payload.get("content", ""))))
        with transaction.atomic():
            store_said(messages)


def refresh_sent(sender: Any, *, session_ids: Collection[str], **told: Any) -> None:
    """Refresh what a signal names."""
    refresh_said(session_ids)


def refresh_removed(sender: Any, *, session_ids: Collection[str], **told: Any) -> None:
    """Have sessions found by what is left of their messages; FTS5 keeps deleted grams until it is told not to."""
    SessionSearchIndex.objects.filter(session__in=session_ids).delete()
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO tables_said_grams (tables_said_grams) VALUES ('optimize')")
    refresh_said(session_ids)


def fill_after_migration(sender: Any, *, using: str, **told: Any) -> None:
    """Have sessions found that ended before there was a search, or came by a bulk load."""
    if SessionSearchIndex._meta.db_table in connections[using].introspection.table_names():
        missing = Session.objects.filter(search_index=None, status__in=ENDED_STATUSES).order_by()
        refresh_said(missing.values_list("pk", flat=True))


def store_said(messages: Mapping[str, Iterable[tuple[int, str]]]) -> None:
    """Have sessions that are not yet searched found by these messages.

    messages: by session, the number of the event and the text of each.
    """
    rows = SessionSearchIndex.objects.bulk_create(SessionSearchIndex(session_id=pk) for pk in messages)
    texts = [_message_lines(messages[row.session_id]) for row in rows]
    SaidText.objects.bulk_create(
        SaidText(index=row, text=text) for row, text in zip(rows, texts, strict=True)
    )
    cut = (grams("\n".join(text for _, text in messages_in(text))) for text in texts)
    found_by = [(" ".join(sorted(grams)), row.pk) for row, grams in zip(rows, cut, strict=True)]
    if found_by:
        with connection.cursor() as cursor:
            cursor.executemany(_STORE_STATEMENTS[connection.vendor], found_by)


def _message_lines(messages: Iterable[tuple[int, str]]) -> str:
    """A line a message: the event's number, a tab, the text."""
    lines, left = [], LONGEST_TEXT
    for seq, text in messages:
        lines.append(f"{seq}\t{plain(text)[:left]}")
        left -= len(lines[-1])
        if left <= 0:
            break
    return "\n".join(lines)


def messages_in(stored: str) -> Iterator[tuple[int, str]]:
    """The number and the text of each message of a stored text."""
    for line in stored.split("\n") if stored else ():
        seq, _, text = line.partition("\t")
        yield int(seq), text


class AmongValues(Func):
    """Whether a column's value is one of these: one parameter, however many they are."""

    output_field = BooleanField()
    conditional = True

    def __init__(self, column: str, values: Collection[str], **extra: Any) -> None:
        super().__init__(F(column), **extra)
        self.values = [*values]

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, tuple[Any, ...]]:
        """Among those of a list in JSON."""
        column, params = compiler.compile(self.source_expressions[0])
        return f"{column} IN (SELECT value FROM json_each(%s))", (*params, json.dumps(self.values))

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, tuple[Any, ...]]:
        """Among those of an array."""
        column, params = compiler.compile(self.source_expressions[0])
        return f"{column} = ANY(%s)", (*params, self.values)


class Has(Func):
    """Whether a row of `SessionSearchIndex` may hold what is sought; surely, where that is exact.

    most: of so many rows alone, where no other condition takes rows away; FTS5 then stops looking for more.
    """

    output_field = BooleanField()
    conditional = True

    def __init__(self, what: SearchTerms, most: int = -1, **extra: Any) -> None:
        super().__init__(F("pk"), **extra)
        self.what, self.most = what, most

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, tuple[Any, ...]]:
        """Among the rows that FTS5 finds."""
        column, params = compiler.compile(self.source_expressions[0])
        wanted = [
            *(f'"{pair}"' for pair in self.what.pairs),
            *(f'"{beginning}"*' for beginning in self.what.beginnings),
        ]
        sql = "SELECT rowid FROM tables_said_grams WHERE tables_said_grams MATCH %s LIMIT %s"
        return f"{column} IN ({sql})", (*params, " AND ".join(sorted(wanted)), self.most)

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, tuple[Any, ...]]:
        """By its vector."""
        key: Any = self.source_expressions[0]
        alias = compiler.quote_name_unless_alias(key.alias)
        wanted = [
            *(f"'{pair}'" for pair in self.what.pairs),
            *(f"'{beginning}':*" for beginning in self.what.beginnings),
        ]
        return f"{alias}.grams @@ %s::tsquery", (" & ".join(sorted(wanted)),)
