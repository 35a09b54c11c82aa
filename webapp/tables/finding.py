"""Finding sessions by a query, and the places in them that it hits."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from django.db import connection, transaction
from django.db.models import BooleanField, ExpressionWrapper, F, Q, QuerySet, Value
from django.db.models.functions import StrIndex
from django.db.models.lookups import GreaterThan

from benchmark.text import guarded
from benchmark.text.grams import SearchTerms, terms_of
from benchmark.text.search_query import CALL_PARTS, USUAL_PARTS, Piece, SearchQuery
from webapp.sessions.models import ENDED_STATUSES, Session
from webapp.tables.models import ResultText, SaidText, SessionSearchIndex
from webapp.tables.query_words import PART_LABELS
from webapp.tables.search import (
    CALL,
    ERROR,
    PART_MARKS,
    SPEAKER,
    TOOL,
    AmongValues,
    GramCondition,
    HasGrams,
    OneOfGrams,
    incomplete_rows,
    marked_name,
    read_lines,
    unpack_text,
)
from webapp.tables.search_lines import SearchLine

MOST_COUNTED = 10_000
"""Rows that are counted; of more it is said that there are more."""
LOOKED_THROUGH = 2000
"""Sessions whose texts one search looks at."""
LOOK_S = 1.7
"""Seconds after which it stops to look at more."""
MATCH_S = 0.5
"""Processor time of an expression over one text, after which the search is given up."""
TEXTS_AT_ONCE = 100
MANY = 2000
"""Sessions that hold something, from which on looking up each of them takes longer than reading through all."""
EXCERPT_MARGIN = 40
"""Characters that are shown on either side of a hit."""
EXCERPT_LENGTH = 240


@dataclass(frozen=True, slots=True)
class Term:
    """What a text must hold, or not. grams: of a word or phrase, what the index knows of it."""

    piece: Piece
    grams: SearchTerms | None
    pattern: guarded.Pattern | None

    @property
    def negated(self) -> bool:
        """Whether no text may hold it."""
        return self.piece.negated

    @property
    def is_exact(self) -> bool:
        """Whether the index alone tells who holds it."""
        return self.grams is not None and self.grams.exact

    def is_within(self, text: str, compared: str) -> bool:
        """Whether a text holds it. compared: the same without capitals. Raises EndlessReading."""
        if self.pattern is not None:
            return self.pattern.search(text) is not None
        return self.piece.folded_value in compared


def _term(piece: Piece) -> Term:
    if piece.kind == "expression":
        flags = guarded.IGNORECASE if piece.ignores_case else guarded.NOFLAG
        return Term(piece, None, guarded.stopped_after(piece.value, flags, MATCH_S))
    return Term(piece, terms_of([piece.folded_value]), None)


class SearchPlan:
    """How a query is answered: by the index as far as it goes, by looking at texts for the rest."""

    def __init__(self, query: SearchQuery) -> None:
        self.query = query
        self.parts = query.parts
        self.terms = [_term(piece) for piece in query.terms]
        self.speakers, self.not_speakers = query.values("speaker"), query.values("speaker", negated=True)
        self.tools, self.errors = query.values("tool"), query.values("error")

    @cached_property
    def chooses_lines(self) -> bool:
        """Whether some lines alone count."""
        return bool(self.speakers or self.not_speakers or self.tools or self.errors)

    @cached_property
    def is_exact(self) -> bool:
        """Whether the index alone tells which sessions are found."""
        if not self.chooses_lines:
            return all(term.is_exact for term in self.terms) and (
                bool(self.terms) or self.parts >= USUAL_PARTS
            )
        if self.terms or self.not_speakers or (self.speakers and (self.tools or self.errors)):
            return False
        return self.parts >= (USUAL_PARTS if self.speakers else CALL_PARTS)

    @cached_property
    def condition(self) -> GramCondition:
        """What the index must say of a session that may be found."""
        wanted, unwanted = list(self._name_grams()), list(self._unwanted_calls())
        for term in self.terms:
            if term.grams is None:
                continue
            if not term.negated:
                wanted += [self._any_part(pair, whole=True) for pair in term.grams.pairs]
                wanted += [self._any_part(beginning, whole=False) for beginning in term.grams.beginnings]
            elif term.is_exact and not self.chooses_lines:
                unwanted += [self._any_part(pair, whole=True) for pair in term.grams.pairs]
                unwanted += [self._any_part(beginning, whole=False) for beginning in term.grams.beginnings]
        return GramCondition(tuple(dict.fromkeys(wanted)), tuple(dict.fromkeys(unwanted)))

    def _any_part(self, gram: str, *, whole: bool) -> OneOfGrams:
        marks = [PART_MARKS[part] for part in sorted(self.parts)]
        if self.parts >= USUAL_PARTS:
            marks = ["", *(PART_MARKS[part] for part in sorted(self.parts - USUAL_PARTS))]
        marked = tuple(mark + gram for mark in marks)
        return OneOfGrams(whole=marked) if whole else OneOfGrams(beginnings=marked)

    def _name_grams(self) -> Iterator[OneOfGrams]:
        """The names that a session must have; of several, each is enough."""
        if self.speakers:
            yield OneOfGrams(tuple(marked_name(SPEAKER, name) for name in self.speakers))
        if self.tools and self.errors:
            pairs = [(tool, error) for tool in self.tools for error in self.errors]
            yield OneOfGrams(tuple(marked_name(CALL, *pair) for pair in pairs))
        elif self.tools:
            yield OneOfGrams(tuple(marked_name(TOOL, name) for name in self.tools))
        elif self.errors:
            yield OneOfGrams(tuple(marked_name(ERROR, name) for name in self.errors))

    def _unwanted_calls(self) -> Iterator[OneOfGrams]:
        for name in self.query.values("tool", negated=True):
            yield OneOfGrams((marked_name(TOOL, name),))
        for name in self.query.values("error", negated=True):
            yield OneOfGrams((marked_name(ERROR, name),))

    def rows(self) -> QuerySet[SessionSearchIndex]:
        """The sessions that may be found, as the index tells and the fields of whole sessions."""
        rows = SessionSearchIndex.objects.all()
        if self.condition:
            rows = rows.filter(HasGrams(self.condition))
        return self._of_sessions(rows)

    @property
    def has_session_filters(self) -> bool:
        """Whether it is asked for some benchmarks or runs."""
        return any(piece.field in ("suite", "run") for piece in self.query.pieces)

    def _of_sessions(self, rows: QuerySet[SessionSearchIndex]) -> QuerySet[SessionSearchIndex]:
        suites, runs = self.query.values("suite"), self.query.values("run")
        if suites:
            rows = rows.filter(session__suite__in=suites)
        if runs:
            rows = rows.filter(_of_runs(runs))
        for suite in self.query.values("suite", negated=True):
            rows = rows.exclude(session__suite=suite)
        if unwanted := self.query.values("run", negated=True):
            rows = rows.exclude(_of_runs(unwanted))
        return rows

    def count_rows(self) -> int:
        """How many sessions the index tells of, to one above MOST_COUNTED."""
        if self.has_session_filters or not self.condition.all_of:
            return self.rows().order_by().values("pk")[: MOST_COUNTED + 1].count()
        most = MOST_COUNTED + 1
        return SessionSearchIndex.objects.filter(HasGrams(self.condition, most)).values("pk")[:most].count()

    # Looking at texts.

    @property
    def is_told_by_database(self) -> bool:
        """Whether the database itself can say which texts hold what is unsure: words of what has no capitals."""
        unsure = [term for term in self.terms if not term.is_exact]
        return (
            not self.chooses_lines
            and self.parts == USUAL_PARTS
            and all(term.grams is not None and term.grams.without_capitals for term in unsure)
        )

    def database_answer(self) -> ExpressionWrapper[Q]:
        """Of a row of `SaidText`, whether it holds what is unsure."""
        holds = Q()
        for term in self.terms:
            if not term.is_exact:
                place = GreaterThan(StrIndex("text", Value(term.piece.folded_value)), 0)
                holds &= ~Q(place) if term.negated else Q(place)
        return ExpressionWrapper(holds, BooleanField())

    @cached_property
    def is_told_by_whole_text(self) -> bool:
        """Whether all lines together tell: no line is chosen, and no expression could reach over the end of one."""
        told = bool(self.terms) and all(term.pattern is None for term in self.terms)
        return told and not self.chooses_lines and self.parts == USUAL_PARTS

    def is_in_text(self, text: str) -> bool:
        """Whether a session is found whose lines these are, one below the other."""
        compared = text.casefold()
        return all((term.piece.folded_value in compared) is not term.negated for term in self.terms)

    def counts(self, line: SearchLine) -> bool:
        """Whether a line is one of those that are looked at."""
        if line.part not in self.parts:
            return False
        if self.speakers and line.speaker.casefold() not in self.speakers:
            return False
        if line.speaker.casefold() in self.not_speakers:
            return False
        if self.tools and line.tool.casefold() not in self.tools:
            return False
        return not self.errors or line.error.casefold() in self.errors

    def is_within(self, lines: Iterable[SearchLine]) -> bool:
        """Whether a session is found whose lines these are. Raises EndlessReading."""
        missing = [term for term in self.terms if not term.negated]
        refused = [term for term in self.terms if term.negated]
        any_line = bool(self.terms) and not self.chooses_lines
        for line in filter(self.counts, lines):
            any_line = True
            compared = line.text.casefold()
            if any(term.is_within(line.text, compared) for term in refused):
                return False
            missing = [term for term in missing if not term.is_within(line.text, compared)]
            if not missing and not refused:
                return True
        return any_line and not missing


def _of_runs(names: Collection[str]) -> Q:
    """Sessions of runs of these names or ids, without the difference of capitals."""
    condition = Q()
    for name in names:
        condition |= Q(session__run__name__iexact=name) | Q(session__run=name)
    return condition


@dataclass(frozen=True, slots=True)
class Saying:
    """Sessions in which something was said. rows: of `SessionSearchIndex`, None where texts were looked at;
    searched_ids: then, the ids, the newest first.

    hit_count: how many, counted to one above MOST_COUNTED. left: how many that may be ones were not looked at, to
    one above MOST_COUNTED. last: the key of the last row that was looked at, where others are left. endless: an
    expression took too long, which ended the search.
    """

    plan: SearchPlan
    rows: QuerySet[SessionSearchIndex] | None
    searched_ids: Sequence[str]
    hit_count: int
    left: int = 0
    last: int | None = None
    endless: bool = False

    @property
    def all(self) -> bool:
        """Whether no other session may be one."""
        return not self.left

    def filter(self) -> Any:
        """The condition of an entry."""
        if self.rows is None:
            return AmongValues("session", self.searched_ids)
        return Q(session__in=self.rows.values("session_id"))

    def among_ids(self, ids: Collection[str]) -> set[str]:
        """Those of some sessions."""
        if self.rows is None:
            return {*ids} & {*self.searched_ids}
        return set(self.rows.filter(AmongValues("session", ids)).values_list("session_id", flat=True))


def saying(query: SearchQuery, *, before: int | None = None) -> Saying:
    """The ended sessions that a query finds: each of its terms stands somewhere in the lines that count.

    A word of a language with spaces is found by its beginning. What grams alone can't tell is looked at: the newest
    LOOKED_THROUGH sessions that may be ones, as far as LOOK_S goes. before: of those, only rows with a lower key.
    """
    plan = SearchPlan(query)
    may = plan.rows()
    if plan.is_exact:
        return Saying(plan, may, (), plan.count_rows())
    if before is not None:
        may = may.filter(pk__lt=before)
    # chosen first, so that texts are looked up for no others
    newest = list(newest_first(may).values_list("pk", "session")[: LOOKED_THROUGH + 1])
    found: list[str] = []
    looked, last, endless = 0, None, False
    ends_at = time.monotonic() + LOOK_S
    try:
        for key, session, answer in _answers(plan, newest[:LOOKED_THROUGH]):
            if answer if isinstance(answer, bool) else plan.is_within(answer):
                found.append(session)
            looked, last = looked + 1, key
            if time.monotonic() > ends_at:
                break
    except guarded.EndlessReading:
        endless = True
    left = len(newest) - looked
    if len(newest) > LOOKED_THROUGH:
        left = may.order_by().values("pk")[: MOST_COUNTED + LOOKED_THROUGH + 1].count() - looked
    return Saying(plan, None, found, len(found), min(left, MOST_COUNTED + 1), last if left else None, endless)


def newest_first(rows: QuerySet[SessionSearchIndex]) -> QuerySet[SessionSearchIndex]:
    """Rows in the order of their keys; not by the index of the keys on PostgreSQL.

    It takes every word for a common one there, of which a few rows from the end hold a page, and reads the vectors of
    all rows for a rare one: 7 s in place of 0.1 over 100,000.
    """
    if connection.vendor == "postgresql":
        return rows.order_by((F("pk") + 0).desc())
    return rows.order_by("-pk")


def _answers(
    plan: SearchPlan, rows: Sequence[tuple[int, str]]
) -> Iterator[tuple[int, str, bool | Iterable[SearchLine]]]:
    """Each of these rows with whether it is found, or with its lines, which tell."""
    if plan.is_told_by_database:
        texts = SaidText.objects.filter(AmongValues("index", [key for key, _session in rows]))
        told = dict(texts.values_list("index", plan.database_answer()))
        yield from ((key, session, bool(told.get(key))) for key, session in rows)
        return
    for begin in range(0, len(rows), TEXTS_AT_ONCE):
        batch = rows[begin : begin + TEXTS_AT_ONCE]
        keys = [key for key, _session in batch]
        said: dict[int, list[str]] = {}
        if plan.parts - {"results"}:
            texts = SaidText.objects.filter(AmongValues("index", keys))
            said = {key: own for key, *own in texts.values_list("index", "text", "about")}
        results: dict[int, list[bytes | memoryview]] = {}
        if "results" in plan.parts:
            packed = ResultText.objects.filter(AmongValues("index", keys))
            results = {key: own for key, *own in packed.values_list("index", "text", "about")}
        for key, session in batch:
            text, about = said.get(key, ("", ""))
            if about and plan.is_told_by_whole_text:
                yield key, session, plan.is_in_text(text)
            else:
                yield key, session, _lines(said.get(key), results.get(key))


def _lines(said: Sequence[str] | None, results: Sequence[bytes | memoryview] | None) -> Iterable[SearchLine]:
    return chain(read_lines(*said) if said else (), read_lines(*map(unpack_text, results)) if results else ())


def unread_count() -> int:
    """Ended sessions of which nothing, or their messages alone, is searched yet."""
    ended = Session.staged_too.filter(status__in=ENDED_STATUSES).count()
    return max(0, ended - SessionSearchIndex.objects.count()) + int(incomplete_rows().count())


@contextmanager
def joined_at_once(said: Saying | None) -> Iterator[None]:
    """Have PostgreSQL join what many sessions say by a hash, where it would look up each of them.

    It keeps no statistics of vectors as long as these, and takes every word for a rare one.
    """
    if connection.vendor != "postgresql" or said is None or said.rows is None or said.hit_count <= MANY:
        yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_nestloop = off")
        yield


@dataclass(frozen=True, slots=True)
class Hit:
    """A line that a query hits, and an excerpt of it. pieces: of the excerpt, each with whether it is marked."""

    line: SearchLine
    pieces: Sequence[tuple[str, bool]]

    @property
    def seq(self) -> int:
        """The number of the event, 0 of what a judge says."""
        return self.line.seq

    @property
    def part_label(self) -> str:
        """What it is of the session."""
        return str(PART_LABELS[self.line.part])


@dataclass(frozen=True, slots=True)
class SessionHits:
    """The first places of a session that a query hits, those with most of its terms. count: how many there are."""

    hits: Sequence[Hit]
    count: int

    @property
    def more(self) -> int:
        """How many are not among the first."""
        return self.count - len(self.hits)


def hits(plan: SearchPlan, sessions: Collection[str], most: int = 1) -> dict[str, SessionHits]:
    """By session, the lines that hold most of the terms, the first of such, in their order."""
    said = SaidText.objects.filter(index__session__in=sessions).values_list("index__session", "text", "about")
    texts: dict[str, list[str]] = {pk: own for pk, *own in said}
    results: dict[str, list[bytes | memoryview]] = {}
    if "results" in plan.parts:
        packed = ResultText.objects.filter(index__session__in=sessions)
        results = {pk: own for pk, *own in packed.values_list("index__session", "text", "about")}
    by_session = {pk: _hits(plan, _lines(texts[pk], results.get(pk)), most) for pk in texts}
    return {pk: own for pk, own in by_session.items() if own.hits}


def _hits(plan: SearchPlan, lines: Iterable[SearchLine], most: int) -> SessionHits:
    wanted = [term for term in plan.terms if not term.negated]
    if not wanted and not plan.chooses_lines:
        return SessionHits((), 0)
    held: list[tuple[int, SearchLine]] = []
    try:
        for line in lines:
            if plan.counts(line):
                compared = line.text.casefold()
                count = sum(term.is_within(line.text, compared) for term in wanted)
                if count or not wanted:
                    held.append((count, line))
    except guarded.EndlessReading:
        pass
    best = sorted(held, key=lambda pair: -pair[0])[:most]
    chosen = sorted((line for _count, line in best), key=lambda line: (line.seq == 0, line.seq))
    return SessionHits([Hit(line, excerpt(wanted, line.text)) for line in chosen], len(held))


def excerpt(terms: Iterable[Term], text: str) -> list[tuple[str, bool]]:
    """The text around the first terms that stand in it, in pieces, each with whether it is what was looked for."""
    spans = sorted(_spans(terms, text))
    begin = max(0, spans[0][0] - EXCERPT_MARGIN) if spans else 0
    last = begin + EXCERPT_LENGTH
    pieces: list[tuple[str, bool]] = [("…", False)] if begin else []
    at = begin
    for start, end in spans:
        if start < at or start >= last:
            continue
        end = min(end, last)
        pieces += [(text[at:start], False), (text[start:end], True)]
        at = end
    if at < last:
        pieces.append((text[at : min(last, at + EXCERPT_MARGIN * 2)], False))
        at = min(last, at + EXCERPT_MARGIN * 2)
    if at < len(text):
        pieces.append(("…", False))
    return [piece for piece in pieces if piece[0]]


def _spans(terms: Iterable[Term], text: str) -> Iterator[tuple[int, int]]:
    for term in terms:
        pattern = term.pattern or guarded.compile(guarded.escape(term.piece.folded_value), guarded.IGNORECASE)
        try:
            yield from (match.span() for match in pattern.finditer(text) if match.end() > match.start())
        except guarded.EndlessReading:
            continue
