"""Values that a benchmark makes of a session's figures together with what one judge says by several rubrics."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import product
from typing import Any, Final

from django.db.models import OuterRef, Subquery, Value
from django.db.models.functions import Coalesce

from benchmark.judging import Pair
from benchmark.suites import joint_metrics, suite_named
from benchmark.suites.base import JoinRatings, Ratings, RubricMeans
from webapp.judging.models import Judgement, Rater
from webapp.judging.raters import judge_under, shorten_name
from webapp.judging.verdicts import pair_of
from webapp.sessions.models import MetricValue, Run, Score, Session

Editions = Mapping[str, Mapping[str, Sequence[Judgement]]]
"""The verdicts of one judge on a session, by rubric and by the version of its prompts."""


def store_joint_values(session: Session) -> bool:
    """Store what the benchmark makes of each judge's ratings under each profile, in place of what it made before;
    whether there is anything. Call it within a transaction that has locked the session's row.
    """
    suite = suite_named(session.suite)
    if (join := suite.scoring.join_ratings) is None:
        return False
    stored = Score.objects.filter(session=session).exclude(code_version="").order_by("profile")
    figures = dict(stored.values_list("profile", "figures"))
    keys = [metric.key for metric in joint_metrics(session.suite)]
    values = [
        MetricValue(session=session, profile=profile, rater=rater.key or "", key=key, value=value)
        for rater, ratings in _opinions(session)
        for profile, key, value in _values(join, figures, ratings, keys)
    ]
    old, _ = MetricValue.objects.filter(session=session, key__in=keys).delete()
    MetricValue.objects.bulk_create(values)
    return bool(old or values)


def _values(
    join: JoinRatings, figures: Mapping[str, Mapping[str, Any]], ratings: Ratings, keys: Collection[str]
) -> Iterator[tuple[str, str, float]]:
    for profile, own in figures.items():
        for key, value in join(own, ratings).items():
            if key not in keys:
                raise ValueError(
                    f"the benchmark declares no metric {key} of raters beside those of its rubrics"
                )
            yield profile, key, value


def _opinions(session: Session) -> Iterator[tuple[Rater, Ratings]]:
    """What each judge says by all rubrics, once for each combination of versions of its prompts."""
    rows = Judgement.objects.filter(session=session, score__isnull=False).order_by("pk")
    judges: dict[tuple[str, ...], dict[str, dict[str, list[Judgement]]]] = {}
    for row in rows.select_related("batch__judge", "batch__meta_judge"):
        own = judges.setdefault(pair_of(row.batch).models, {})
        own.setdefault(row.batch.rubric, {}).setdefault(row.prompts, []).append(row)
    for editions in judges.values():
        yield from _combine_editions(editions)


EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""When a judge had spoken of a session that none has rated."""


def last_verdict_at(session: str = "pk") -> Coalesce:
    """A column of a query of sessions: when a judge spoke last of each. session: the column that names it."""
    spoken = Judgement.objects.filter(session=OuterRef(session), score__isnull=False, ended_at__isnull=False)
    newest = spoken.order_by("-ended_at").values("ended_at")[:1]
    return Coalesce(Subquery(newest), Value(EPOCH))


def newest_ratings(session: Session) -> tuple[str, Ratings]:
    """The name of the judge that spoke last of a session, and what it says by all rubrics; ("", {}) without any."""
    rows = Judgement.objects.filter(session=session, score__isnull=False).order_by("ended_at", "pk")
    judged = list(rows.select_related("batch__judge", "batch__meta_judge"))
    if not judged:
        return "", {}
    newest = pair_of(judged[-1].batch)
    by_rubric: dict[str, list[Judgement]] = {}
    for row in judged:
        if pair_of(row.batch).models == newest.models:
            by_rubric.setdefault(row.batch.rubric, []).append(row)
    return newest.judge_label, {
        rubric: _means([row for row in rows if row.prompts == rows[-1].prompts])
        for rubric, rows in by_rubric.items()
    }


def _combine_editions(editions: Editions) -> Iterator[tuple[Rater, Ratings]]:
    rubrics = sorted(editions)
    for chosen in product(*(editions[rubric] for rubric in rubrics)):
        verdicts = {
            rubric: editions[rubric][prompts] for rubric, prompts in zip(rubrics, chosen, strict=True)
        }
        batch = verdicts[rubrics[0]][0].batch
        yield (
            judge_under(_joint_key(pair_of(batch), chosen), batch),
            {rubric: _means(own) for rubric, own in verdicts.items()},
        )


def _means(verdicts: Sequence[Judgement]) -> RubricMeans:
    scores = [verdict.score or 0.0 for verdict in verdicts]
    names = dict.fromkeys(name for verdict in verdicts for name in verdict.scores)
    ratings = {name: [row.scores[name] for row in verdicts if name in row.scores] for name in names}
    return RubricMeans(
        {name: sum(own) / len(own) for name, own in ratings.items()}, sum(scores) / len(scores)
    )


def _joint_key(pair: Pair, prompts: Iterable[str]) -> str:
    """`wise (m) on published input, stern (n), prompts 1/0f3a9c21 + 1/77ab0e31`; prompts: in the order of rubrics."""
    return shorten_name(f"{pair.judge_label}, {pair.meta_label}, prompts {' + '.join(prompts)}")


def joint_names(pairs: Iterable[Pair]) -> dict[str, str]:
    """By each name under which joint values of these judges may stand, the one with the prompts of all their rubrics.

    A session has values of the rubrics by which it was rated, so that one judge has several names. A judge that was
    asked by several versions of a rubric's prompts is several, and is left out.
    """
    judges: dict[tuple[str, ...], list[Pair]] = {}
    for pair in sorted(pairs, key=lambda pair: pair.rubric):
        judges.setdefault(pair.models, []).append(pair)
    names: dict[str, str] = {}
    for own in judges.values():
        if len({pair.rubric for pair in own}) == sum(len(pair.prompts) for pair in own):
            whole = _joint_key(own[0], (version for pair in own for version in pair.prompts))
            names |= dict.fromkeys(_joint_keys(own), whole)
    return names


def joint_values_by(
    pairs: Sequence[Pair], runs: Collection[Run], profile: str
) -> dict[str, dict[str, float]]:
    """The joint values of the judge of these pairs, one a rubric, under a profile: by session and metric.

    Nothing where the pairs are of several judges. A session that the judge rated by some rubrics alone has the values
    that the benchmark makes of these.
    """
    return _by_session(pairs, MetricValue.objects.filter(session__run__in=runs, profile=profile))


def joint_values_of(session: Session, pairs: Sequence[Pair], profile: str) -> dict[str, float]:
    """The same of one session, by metric."""
    values = MetricValue.objects.filter(session=session, profile=profile)
    return _by_session(pairs, values).get(session.pk, {})


def _by_session(pairs: Sequence[Pair], values: Any) -> dict[str, dict[str, float]]:
    given: dict[str, dict[str, float]] = {}
    if names := _joint_keys(pairs):
        for session, key, value in (
            values.filter(rater__in=names).order_by().values_list("session", "key", "value")
        ):
            given.setdefault(session, {})[key] = value
    return given


def _joint_keys(pairs: Sequence[Pair]) -> set[str]:
    """Whatever one judge's values may stand under: of a session, those of the rubrics by which it was rated."""
    if len({pair.models for pair in pairs}) != 1:
        return set()
    versions = [(None, *pair.prompts) for pair in sorted(pairs, key=lambda pair: pair.rubric)]
    return {_joint_key(pairs[0], filter(None, chosen)) for chosen in product(*versions) if any(chosen)}
