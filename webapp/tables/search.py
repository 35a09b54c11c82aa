"""The full-text index over what sessions hold, on either database.

The grams of a session's texts (see `benchmark.text.grams`) stand ready-cut in a table of FTS5 or a tsvector, so
that no tokenizer of a database cuts them anew; Django knows neither of both. A gram stands there once as it is, of
all parts but the results of tools, and once for each part with the part's mark before it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, connections, transaction
from django.db.models import BooleanField, F, Func

from benchmark.text.grams import fold, grams
from benchmark.text.search_query import PARTS, USUAL_PARTS, Part
from webapp.sessions.models import ENDED_STATUSES, Session
from webapp.tables.models import ResultText, SaidText, SessionSearchIndex
from webapp.tables.search_lines import SearchLine, bound_lines, lines_of, rationales_of

BATCH = 20
"""Sessions whose texts are in memory at once."""
LOOKED_UP_AT_ONCE = 500
FILLED_AT_ONCE = 200
"""Sessions that are read into the index while a migration waits; a job reads the others."""
MOST_GRAM_BYTES = 900_000
"""Of a session; a vector of PostgreSQL takes no more than 1 MB."""
PART_MARKS: Mapping[Part, str] = dict(zip(PARTS, "\x81\x82\x83\x84\x85", strict=True))
SPEAKER, TOOL, ERROR, CALL = "\x86\x87\x88\x89"
"""Before the name of a speaker, of a tool that was called, of an error that a call ended in, and of both together."""
_SEPARATOR, _ODD = "\x8e\x8f"
"""No text has these characters in a gram: they are neither letters nor digits."""
STORE_STATEMENTS = {
    "sqlite": "INSERT OR REPLACE INTO tables_said_grams (grams, rowid) VALUES (%s, %s)",
    "postgresql": "UPDATE tables_said SET grams = array_to_tsvector(string_to_array(%s, ' ')) WHERE id = %s",
}


def refresh_said(ids: Iterable[str]) -> None:
    """Have sessions found once they have ended; their logs say nothing new after that."""
    wanted = list(ids)
    for begin in range(0, len(wanted), LOOKED_UP_AT_ONCE):
        some = wanted[begin : begin + LOOKED_UP_AT_ONCE]
        SessionSearchIndex.objects.filter(session__in=some).exclude(
            session__status__in=ENDED_STATUSES
        ).delete()
        rows = Session.objects.filter(pk__in=some, status__in=ENDED_STATUSES, search_index=None).order_by()
        ended = list(rows.values_list("pk", flat=True))
        for first in range(0, len(ended), BATCH):
            lines = lines_of(ended[first : first + BATCH])
            with transaction.atomic():
                store_lines(lines)


def refresh_sent(sender: Any, *, session_ids: Collection[str], **told: Any) -> None:
    """Refresh what a signal names."""
    refresh_said(session_ids)


def refresh_rated(sender: Any, *, session_id: str, **told: Any) -> None:
    """Have a session found by what judges say of it now."""
    row = SessionSearchIndex.objects.filter(session=session_id, complete=True).first()
    if row is not None:
        kept = [line for line in stored_lines(row) if line.part != "rationales"]
        _write([row], {session_id: [*kept, *bound_lines(rationales_of(session_id))]})


def refresh_removed(sender: Any, *, session_ids: Collection[str], **told: Any) -> None:
    """Have sessions found by what is left of their texts; FTS5 keeps deleted grams until it is told not to."""
    SessionSearchIndex.objects.filter(session__in=session_ids).delete()
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO tables_said_grams (tables_said_grams) VALUES ('optimize')")
    refresh_said(session_ids)


def fill_after_migration(sender: Any, *, using: str, **told: Any) -> None:
    """Have sessions found that ended before there was a search, or came by a bulk load: of very many, some."""
    if ResultText._meta.db_table in connections[using].introspection.table_names():
        missing = missing_sessions().values_list("pk", flat=True)
        refresh_said(list(missing[:FILLED_AT_ONCE]))
        complete_some(FILLED_AT_ONCE)


def missing_sessions() -> Any:
    """Ended sessions of which nothing is searched, the oldest first, so that later rows are of later sessions."""
    missing = Session.objects.filter(search_index=None, status__in=ENDED_STATUSES)
    return missing.order_by("created_at", "pk")


def incomplete_rows() -> Any:
    """Rows of which messages alone are searched."""
    return SessionSearchIndex.objects.filter(complete=False)


def complete_some(most: int) -> int:
    """Read the logs of so many sessions of which messages alone were searched, the newest; how many there were."""
    rows = list(incomplete_rows().order_by("-pk")[:most])
    for begin in range(0, len(rows), BATCH):
        batch = rows[begin : begin + BATCH]
        lines = lines_of(row.session_id for row in batch)
        with transaction.atomic():
            _write(batch, lines)
    return len(rows)


def store_lines(lines: Mapping[str, Sequence[SearchLine]]) -> None:
    """Have sessions that are not yet searched found by these lines."""
    rows = SessionSearchIndex.objects.bulk_create(
        SessionSearchIndex(session_id=pk, complete=True) for pk in lines
    )
    _write(rows, lines)


def _write(rows: Sequence[SessionSearchIndex], lines: Mapping[str, Sequence[SearchLine]]) -> None:
    """Write the texts and grams of rows, in place of those that they have."""
    if not rows:
        return
    said, results = [], []
    for row in rows:
        of_results = [line for line in lines[row.session_id] if line.part == "results"]
        said.append(SaidText(index=row, **line_columns(_others(lines[row.session_id]))))
        packed = {name: zlib.compress(text.encode()) for name, text in line_columns(of_results).items()}
        results.append(ResultText(index=row, **packed))
    options: dict[str, Any] = {"update_conflicts": True, "unique_fields": ["index"]}
    SaidText.objects.bulk_create(said, update_fields=["text", "about"], **options)
    ResultText.objects.bulk_create(results, update_fields=["text", "about"], **options)
    SessionSearchIndex.objects.filter(pk__in=[row.pk for row in rows], complete=False).update(complete=True)
    found_by = [(" ".join(all_grams(lines[row.session_id])), row.pk) for row in rows]
    with connection.cursor() as cursor:
        cursor.executemany(STORE_STATEMENTS[connection.vendor], found_by)


def _others(lines: Iterable[SearchLine]) -> list[SearchLine]:
    return [line for line in lines if line.part != "results"]


def line_columns(lines: Sequence[SearchLine]) -> dict[str, str]:
    about = "\n".join(f"{line.part}\t{line.seq}\t{line.who}\t{line.error}" for line in lines)
    return {"text": "\n".join(line.text for line in lines), "about": about}


def read_lines(text: str, about: str) -> Iterator[SearchLine]:
    """The lines of stored columns."""
    if not about:
        # as rows have it that are not complete
        for line in text.split("\n") if text else ():
            seq, _tab, words = line.partition("\t")
            yield SearchLine("messages", int(seq), "", "", words)
        return
    for words, told in zip(text.split("\n"), about.split("\n"), strict=True):
        part, seq, who, error = told.split("\t")
        yield SearchLine(part, int(seq), who, error, words)  # type: ignore[arg-type]  # as it was written


def stored_lines(row: SessionSearchIndex) -> list[SearchLine]:
    """All lines of a row that is complete."""
    said = SaidText.objects.get(index=row)
    results = ResultText.objects.get(index=row)
    return [
        *read_lines(said.text, said.about),
        *read_lines(unpack_text(results.text), unpack_text(results.about)),
    ]


def unpack_text(column: bytes | memoryview) -> str:
    """A text of `ResultText`."""
    return zlib.decompress(column).decode()


# Grams.


def marked_name(mark: str, *names: str) -> str:
    """The gram of a speaker, a tool, an error or a call."""
    told = _SEPARATOR.join(fold(name) for name in names)
    return mark + "".join(char if char.isalnum() or char == _SEPARATOR else _ODD for char in told)


def all_grams(lines: Sequence[SearchLine]) -> list[str]:
    """What a session is found by, in order; of one with more than MOST_GRAM_BYTES, what comes first."""
    names: dict[str, None] = {}
    texts: dict[Part, list[str]] = {part: [] for part in PARTS}
    for line in lines:
        texts[line.part].append(line.text)
        if line.speaker:
            names[marked_name(SPEAKER, line.speaker)] = None
        if line.tool:
            names[marked_name(TOOL, line.tool)] = None
        if line.error:
            names[marked_name(ERROR, line.error)] = None
            names[marked_name(CALL, line.tool, line.error)] = None
    found = list(names)
    # results last: they are the longest, and what is said and thought must not be left out for them
    by_part = {
        part: sorted(grams("\n".join(texts[part])))
        for part in sorted(PARTS, key=lambda one: one == "results")
    }
    found += sorted({gram for part in USUAL_PARTS for gram in by_part[part]})
    found += [PART_MARKS[part] + gram for part, own in by_part.items() for gram in own]
    return found if len(" ".join(found).encode()) <= MOST_GRAM_BYTES else _first_bytes(found)


def _first_bytes(found: Iterable[str]) -> list[str]:
    kept, left = [], MOST_GRAM_BYTES
    for gram in found:
        left -= len(gram.encode()) + 1
        if left < 0:
            break
        kept.append(gram)
    return kept


# Conditions.


class AmongValues(Func):
    """Whether a column's value is one of these: one parameter, however many they are."""

    output_field = BooleanField()
    conditional = True

    def __init__(self, column: str, values: Collection[Any], **extra: Any) -> None:
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


@dataclass(frozen=True, slots=True)
class OneOfGrams:
    """Any of some grams. whole: as they are; beginnings: any gram that begins so."""

    whole: tuple[str, ...] = ()
    beginnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GramCondition:
    """What the grams of a row must be: one of each of `all_of`, none of any of `none_of`."""

    all_of: tuple[OneOfGrams, ...] = ()
    none_of: tuple[OneOfGrams, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.all_of or self.none_of)


class HasGrams(Func):
    """Whether the grams of a row of `SessionSearchIndex` are such.

    most: of so many rows alone, where no other condition takes rows away; FTS5 then stops looking for more.
    """

    output_field = BooleanField()
    conditional = True

    def __init__(self, condition: GramCondition, most: int = -1, **extra: Any) -> None:
        super().__init__(F("pk"), **extra)
        self.condition, self.most = condition, most

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, tuple[Any, ...]]:
        """Among the rows that FTS5 finds; it knows no "not" alone."""
        column, params = compiler.compile(self.source_expressions[0])
        wanted = " AND ".join(f"({_fts5(one)})" for one in self.condition.all_of)
        unwanted = " OR ".join(map(_fts5, self.condition.none_of))
        asked, word = (f"{wanted} NOT ({unwanted})" if unwanted else wanted), "IN"
        if not wanted:
            asked, word = unwanted, "NOT IN"
        sql = "SELECT rowid FROM tables_said_grams WHERE tables_said_grams MATCH %s LIMIT %s"
        return f"{column} {word} ({sql})", (*params, asked, self.most if wanted else -1)

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, tuple[Any, ...]]:
        """By its vector; what must not be there alone, by the rows that have it: the index knows no others."""
        key: Any = self.source_expressions[0]
        alias = compiler.quote_name_unless_alias(key.alias)
        if not self.condition.all_of:
            unwanted = " | ".join(map(_tsquery, self.condition.none_of))
            sql = "SELECT id FROM tables_said WHERE grams @@ %s::tsquery"
            return f"{alias}.id NOT IN ({sql})", (unwanted,)
        asked = [
            *(f"({_tsquery(one)})" for one in self.condition.all_of),
            *(f"!({_tsquery(one)})" for one in self.condition.none_of),
        ]
        return f"{alias}.grams @@ %s::tsquery", (" & ".join(asked),)


def _fts5(one: OneOfGrams) -> str:
    return " OR ".join([*(f'"{gram}"' for gram in one.whole), *(f'"{gram}"*' for gram in one.beginnings)])


def _tsquery(one: OneOfGrams) -> str:
    return " | ".join([*(f"'{gram}'" for gram in one.whole), *(f"'{gram}':*" for gram in one.beginnings)])
