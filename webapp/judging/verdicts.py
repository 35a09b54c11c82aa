"""What judges said of sessions, and which judge with which meta-judge said it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from itertools import zip_longest
from typing import Any

import orjson
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from benchmark.judging import Pair
from benchmark.judging.stability import Spread, spread
from benchmark.suites import first_profile
from webapp.judging.models import JudgeBatch, Judgement
from webapp.judging.selectors import VERDICT
from webapp.sessions.models import Run, Session
from webapp.sessions.selectors import scored_sessions

ROWS_AT_ONCE = 5_000


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """One judgement that rates every dimension, or of a session that counts 0 without being judged.

    asked_at: when its batch began. ratings: by dimension, empty of a session that was not judged. score (S, 0
    to 100): None where the meta-judge gave nothing that counts; meta: likewise, and where none was asked.
    """

    pair: Pair
    asked_at: datetime
    ratings: dict[str, int]
    meta: int | None
    score: float | None

    @property
    def rubric(self) -> str:
        """The name of what was asked."""
        return self.pair.rubric


Verdicts = Mapping[str, Sequence[Verdict]]
"""By session, oldest first; sessions without any are left out."""


def verdicts_of(session_ids: Collection[str]) -> Verdicts:
    """What judges said of these sessions."""
    return _verdicts(Judgement.objects.filter(session__in=session_ids))


def verdicts_in(runs: Collection[Run]) -> Verdicts:
    """The same of all sessions of some runs, in as many queries whatever their number."""
    return _verdicts(Judgement.objects.filter(session__run__in=runs))


def _verdicts(judgements: QuerySet[Judgement]) -> Verdicts:
    rated = judgements.filter(VERDICT).annotate(as_text=Cast("scores", TextField())).order_by("pk")
    names = ("batch_id", "prompts", "session_id", "as_text", "meta_score", "score")
    rows = list(rated.values_list(*names).iterator(chunk_size=ROWS_AT_ONCE))
    pairs = _pairs({(batch, prompts): session for batch, prompts, session, *_ in rows})

    @cache  # many sessions are rated alike
    def verdict(batch: str, prompts: str, ratings: str, meta: int | None, score: float | None) -> Verdict:
        return Verdict(*pairs[batch, prompts], orjson.loads(ratings), meta, score)

    verdicts: dict[str, list[Verdict]] = {}
    for batch, prompts, session, *said in rows:
        verdicts.setdefault(session, []).append(verdict(batch, prompts, *said))
    return verdicts


def _pairs(used: Mapping[tuple[str, str], str]) -> dict[tuple[str, str], tuple[Pair, datetime]]:
    """Who judged in each batch with prompts of each version, and when it began. used: with a session of these."""
    names = (
        "pk",
        "judge__name",
        "judge_setup",
        "meta_judge__name",
        "meta_setup",
        "calibrated",
        "form",
        "rubric",
        "created_at",
    )
    batches = JudgeBatch.objects.filter(pk__in={batch for batch, _ in used}).order_by()
    begun = {pk: (_models(*whom), at) for pk, *whom, at in batches.values_list(*names)}
    versions: dict[Pair, dict[str, datetime]] = {}
    for batch, prompts in used:
        pair, at = begun[batch]
        known = versions.setdefault(pair, {})
        known[prompts] = max(at, known.get(prompts, at))
    languages = _languages({prompts: session for (_, prompts), session in used.items()}, versions.values())
    pairs = {
        (pair, prompts): replace(pair, prompts=together)
        for pair, known in versions.items()
        for prompts, together in _editions(known, languages).items()
    }
    return {(batch, prompts): (pairs[begun[batch][0], prompts], begun[batch][1]) for batch, prompts in used}


def pair_of(batch: JudgeBatch) -> Pair:
    """Who judges a batch, whatever the prompts."""
    judge, meta_judge = batch.judge.name, batch.meta_judge.name
    return _models(
        judge, batch.judge_setup, meta_judge, batch.meta_setup, batch.calibrated, batch.form, batch.rubric
    )


def _models(
    judge: str,
    setup: Mapping[str, Any],
    meta_judge: str,
    meta: Mapping[str, Any],
    calibrated: bool,
    form: str,
    rubric: str,
) -> Pair:
    meta_names = (meta_judge, meta.get("model", "")) if calibrated else ("", "")
    return Pair(judge, meta_names[0], 0, setup.get("model", ""), meta_names[1], form=form, rubric=rubric)


def _languages(sessions: Mapping[str, str], versions: Iterable[Collection[str]]) -> dict[str, str]:
    """The language of each version, read only where somebody had prompts of several. sessions: one of each."""
    if all(len(known) == 1 for known in versions):
        return {}
    languages = Session.objects.filter(pk__in=sessions.values()).order_by()
    spoken = dict(languages.values_list("pk", "task__language"))
    return {version: spoken[session] for version, session in sessions.items()}


def _editions(used: Mapping[str, datetime], languages: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """By version of prompts, the versions that are the same prompts in other languages.

    A version is of all languages (`Prompts.edition`), or an old one: a number and a digest of one language's words.
    Of a number, the newest of each language belong together, then the ones before them. used: when each was asked
    with last.
    """
    numbers: dict[str, dict[str, list[str]]] = {}
    editions: dict[str, tuple[str, ...]] = {version: (version,) for version in used if "/" in version}
    for version in sorted(used.keys() - editions, key=lambda version: used[version], reverse=True):
        number = numbers.setdefault(version.partition("-")[0], {})
        number.setdefault(languages.get(version, ""), []).append(version)
    for by_language in numbers.values():
        for edition in zip_longest(*by_language.values()):
            there = [version for version in edition if version is not None]
            editions |= dict.fromkeys(there, tuple(sorted(filter(None, there))))
    return editions


def pairs_of(sessions: Iterable[str], verdicts: Verdicts) -> list[Pair]:
    """The pairs that judged any of these sessions: first who scored the most, of as many whoever was asked last."""
    own = [verdicts[session] for session in sessions if session in verdicts]
    rated: Counter[Pair] = Counter()
    scored: Counter[Pair] = Counter()
    for given, times in Counter(map(tuple, own)).items():
        rated.update(dict.fromkeys({verdict.pair for verdict in given}, times))
        scored.update(dict.fromkeys({verdict.pair for verdict in given if verdict.score is not None}, times))
    asked = _times_asked(own) if len(rated) > 1 else dict.fromkeys(rated)
    ordered = sorted(rated, key=lambda pair: (scored[pair], rated[pair], asked[pair]), reverse=True)
    return [replace(pair, sessions=scored[pair]) for pair in ordered]


def _times_asked(own: Iterable[Sequence[Verdict]]) -> dict[Pair, Any]:
    """When each pair was asked last."""
    counts: dict[Pair, datetime] = {}
    for given in own:
        for verdict in given:
            counts[verdict.pair] = max(verdict.asked_at, counts.get(verdict.pair, verdict.asked_at))
    return counts


def counting_pairs(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs that count, one a rubric: the first of all, then of each other rubric the first of the same judge and
    meta-judge, or of anybody where these rated nothing by it. pairs: in the order of `pairs_of`.
    """
    chosen: dict[str, Pair] = {}
    for pair in [*(pair for pair in pairs if pair.models == pairs[0].models), *pairs]:
        chosen.setdefault(pair.rubric, pair)
    return list(chosen.values())


def verdicts_by(pairs: Sequence[Pair], verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Those of some pairs."""
    return [verdict for verdict in verdicts if verdict.pair in pairs]


def pairs_of_run(run: Run, verdicts: Verdicts) -> list[Pair]:
    """The pairs that count for a run, one a rubric. verdicts: of all its sessions."""
    sessions = scored_sessions([run.pk], first_profile(run.suite)).values_list("pk", flat=True)
    return counting_pairs(pairs_of(sessions, verdicts))


@dataclass(frozen=True, slots=True)
class SessionScore:
    """S of one session: over the verdicts of a pair. others: how many other pairs gave it a score."""

    pair: Pair
    spread: Spread
    others: int


def score_of(session: Session, rubric: str) -> SessionScore | None:
    """S of a session by a rubric and the pair that counts for its run, else by the pair that was asked last; None
    without any.
    """
    own = _scored_verdicts(verdicts_of([session.pk]), session, rubric)
    count: Sequence[Pair] = ()
    if len({verdict.pair for verdict in own}) > 1 and session.run:
        verdicts = verdicts_in([session.run])  # what is one pair shows in the whole run
        own, count = _scored_verdicts(verdicts, session, rubric), pairs_of_run(session.run, verdicts)
    if not own:
        return None
    newest = max(own, key=lambda verdict: verdict.asked_at).pair
    pair = next((verdict.pair for verdict in own if verdict.pair in count), newest)
    score_spread = spread(
        [verdict.score for verdict in verdicts_by([pair], own) if verdict.score is not None]
    )
    assert score_spread is not None
    return SessionScore(pair, score_spread, len({verdict.pair for verdict in own}) - 1)


def _scored_verdicts(verdicts: Verdicts, session: Session, rubric: str) -> list[Verdict]:
    own = verdicts.get(session.pk, ())
    return [verdict for verdict in own if verdict.score is not None and verdict.rubric == rubric]
