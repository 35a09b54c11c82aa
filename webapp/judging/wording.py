"""Judgements in words."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.text import Truncator
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from benchmark.core.events import ModelCalled
from benchmark.judging import PUBLISHED, Dimension, Pair, Rubric
from benchmark.judging.citations import find_brackets, ranges
from benchmark.judging.stability import Spread
from benchmark.suites import DEFAULT_SUITE, suite_named
from webapp import clock
from webapp.jobs.selectors import open_job
from webapp.judging.jobs import JUDGEMENT
from webapp.judging.models import Judgement
from webapp.judging.selectors import JUDGE, META, Figures, LeftOut, metric_of
from webapp.wording.models import call_tokens
from webapp.wording.numbers import number_words

_FAULTS: dict[str, Promise] = {
    "no_json": _("the answer contains no JSON object"),
    "repaired": _("the answer's JSON was broken and had to be repaired"),
    "ambiguous": _("the answer contains several different ratings, so none of them counts"),
    "twice": _("is written more than once, so it does not count"),
    "cut_off": _("the answer reached its length limit"),
    "over_limit": _("the request is longer than the model's context"),
    "missing": _("is missing"),
    "wrong_type": _("is not a whole number"),
    "out_of_range": _("is not between %(lowest)s and %(highest)s"),
    "no_rationale": _("has no rationale"),
    "no_citation": _("cites no turn"),
    "unknown_turn": _("cites turns that do not exist"),
    "no_xml": _("the answer contains no readable XML"),
    "no_word": _("is not one of the five words"),
}
_SEATS: dict[str, Promise] = {JUDGE: _("judge"), META: _("meta-judge")}
SHORT_NAME = 24
"""Letters of a judge's name where there is little room."""
_PARTS = re.compile(r"(\d+)")


def dimension_words(name: str, suite: str = DEFAULT_SUITE) -> str:
    """A dimension by the name that its benchmark gives it; an unknown one as it is."""
    labels = {dimension.key: dimension.label for dimension in suite_named(suite).rating.asked_dimensions}
    return _now(labels[name]) if name in labels else name


class ShownList(NamedTuple):
    """label: of what the judge lists."""

    label: str
    entries: Sequence[str]


def rating_lists(rating: Mapping[str, Any], name: str, suite: str) -> list[ShownList]:
    """What a judge lists beside its rationale, in the order of the dimension."""
    found: Mapping[str, Sequence[str]] = rating.get("lists", {})
    labels = {each.key: dict(each.lists) for each in suite_named(suite).rating.dimensions}.get(name, {})
    return [ShownList(_now(labels[key]) if key in labels else key, own) for key, own in found.items()]


def rubric_words(name: str, suite: str) -> str:
    """A rubric by what its metric is called; "" of one that is a benchmark's only one, an unknown one as it is."""
    rating = suite_named(suite).rating
    try:
        return _now(metric_of(suite, rating.rubric(name)).name) if len(rating.rubrics) > 1 else ""
    except KeyError:
        return name


def source_words(row: Judgement) -> str:
    """Where the ratings were taken from without asking; "" of those that were asked for."""
    if not row.source_session:
        return ""
    if row.source_session == row.session_id:
        return _now("re-used from an earlier judgement of this session")
    return _now("re-used from session %(session)s, which shows the judge the same") % {
        "session": row.source_session
    }


def scale_words(rubric: Rubric) -> str:
    """What ratings by a rubric, S and means of a batch are."""
    scales = dict.fromkeys((dimension.lowest, dimension.highest) for dimension in rubric.dimensions)
    if len(scales) == 1:
        [(lowest, highest)] = scales
        words = _now("Ratings from %(lowest)s to %(highest)s, S from 0 to 100. Means over sessions.")
        return words % {"lowest": lowest, "highest": highest}
    each = [
        _now("%(what)s from %(lowest)s to %(highest)s")
        % {"what": _now(dimension.label), "lowest": dimension.lowest, "highest": dimension.highest}
        for dimension in rubric.dimensions
    ]
    return _now("Ratings: %(each)s; S from 0 to 100. Means over sessions.") % {"each": ", ".join(each)}


def seat_words(seat: str) -> str:
    """Who was asked."""
    return str(_SEATS.get(seat, seat))


def faults_words(faults: Iterable[Mapping[str, Any]], suite: str = DEFAULT_SUITE) -> list[str]:
    """What is wrong with an answer, dimensions with the same fault together:
    `interaction quality, conflict coordination: cites turns that do not exist (11)`.
    """
    words: dict[str, list[str]] = {}
    for fault in faults:
        whose = words.setdefault(_fault_words(fault, suite), [])
        whose += [dimension_words(fault["dimension"], suite)] if fault["dimension"] else []
    return [f"{', '.join(whose)}: {fault}" if whose else fault for fault, whose in words.items()]


def _fault_words(fault: Mapping[str, Any], suite: str) -> str:
    words = str(_FAULTS.get(fault["kind"], fault["kind"]))
    if fault["kind"] == "out_of_range":
        known = suite_named(suite).rating.dimensions
        rated = next((each for each in known if each.key == fault["dimension"]), Dimension("", ""))
        words %= {"lowest": rated.lowest, "highest": rated.highest}
    detail = "" if fault["kind"] == "missing" else dimension_words(fault["detail"], suite)
    return f"{words} ({detail})" if detail else words


def spread_words(spread: Spread | None, places: int = 2) -> str:
    """`3.67 ± 0.58`; without the deviation where there is only one value, a dash for none."""
    mean = number_words(spread.mean if spread else None, places)
    if spread is None or spread.std is None:
        return mean
    return _now("%(mean)s ± %(std)s") % {"mean": mean, "std": number_words(spread.std, places)}


def pair_words(pair: Pair) -> str:
    """A judge and its meta-judge, short: `wise, meta-judge stern`, `wise` where it is both, or that there is none.

    What it was shown is told where that is not the published input.
    """
    judge, meta = (Truncator(name).chars(SHORT_NAME) for name in (pair.judge, pair.meta_judge))
    if not pair.meta_judge:
        judge = _now("%(judge)s, no meta-judge") % {"judge": judge}
    elif pair.judge != pair.meta_judge:
        judge = _now("%(judge)s, meta-judge %(meta)s") % {"judge": judge, "meta": meta}
    if pair.form != PUBLISHED:
        judge = _now("%(judge)s, %(form)s input") % {"judge": judge, "form": pair.form}
    return judge


def score_words(pair: Pair, verdicts: int, others: int) -> str:
    """Whose score that is and of what, in full. others: how many other pairs gave one."""
    given = {"judge": pair.full_label, "meta": pair.meta_label, "v": ", ".join(pair.prompts)}
    sentences = [_now("Judged by %(judge)s, calibrated by %(meta)s, prompts %(v)s.") % given]
    sentences.append(
        ngettext("%(n)s judgement.", "The mean of %(n)s judgements.", verdicts) % {"n": verdicts}
    )
    if others:
        words = ngettext(
            "%(n)s other pair of judge and meta-judge scored it too.",
            "%(n)s other pairs of judge and meta-judge scored it too.",
            others,
        )
        sentences.append(words % {"n": others})
    return " ".join(sentences)


def left_out_words(left: LeftOut) -> str:
    """How many sessions of a run are not judged, and why; "" where all are."""
    parts = []
    if left.stopped:
        words = ngettext(
            "%(n)s session is left out, since a researcher stopped it",
            "%(n)s sessions are left out, since a researcher stopped them",
            left.stopped,
        )
        parts.append(words % {"n": left.stopped})
    if left.going:
        words = ngettext(
            "%(n)s session is left out, since it has not ended",
            "%(n)s sessions are left out, since they have not ended",
            left.going,
        )
        parts.append(words % {"n": left.going})
    if left.by_rules:
        words = ngettext(
            "%(n)s session is left out, since its task is scored by rules alone",
            "%(n)s sessions are left out, since their tasks are scored by rules alone",
            left.by_rules,
        )
        parts.append(words % {"n": left.by_rules})
    return "; ".join(parts)


def counted_words(figures: Figures) -> str:
    """Of how many judgements figures are."""
    rated = ngettext(
        "%(n)s judgement rates every dimension and counts in the means of dimensions",
        "%(n)s judgements rate every dimension and count in the means of dimensions",
        figures.rated,
    ) % {"n": figures.rated}
    empty = ngettext(
        "%(n)s session crashed without a conversation and counts 0",
        "%(n)s sessions crashed without a conversation and count 0",
        figures.empty,
    ) % {"n": figures.empty}
    scored = ngettext(
        "%(n)s also has a calibration by the meta-judge and counts in S",
        "%(n)s also have a calibration by the meta-judge and count in S",
        figures.scored,
    ) % {"n": figures.scored}
    unasked = (
        figures.meta is None and 0 < figures.rated == figures.scored
    )  # no meta-judge is asked in this batch
    counts = [rated, *([] if unasked else [scored]), *([empty] if figures.empty else [])]
    return f"{'; '.join(counts)}."


def waiting_words(row: Judgement) -> str:
    """What becomes of a judgement whose request failed: it is asked again now, in so many seconds, or in its turn."""
    now, job = clock.now(), open_job(JUDGEMENT, str(row.pk))
    if job is not None and job.expires_at is not None and job.expires_at > now:
        return _now("being asked again")
    if job is None or job.due_at is None or job.due_at <= now:
        return _now("asked again when there is a place")
    seconds = math.ceil((job.due_at - now).total_seconds())
    return _now("asked again in %(n)s s") % {"n": seconds}


def call_words(stored: Mapping[str, Any]) -> str:
    """The tokens of one request, in and out, from a stored call."""
    return call_tokens(ModelCalled.load(dict(stored), ModelCalled.version))


@dataclass(frozen=True, slots=True)
class Piece:
    """Text, or a cited turn where `turn` is given. exists: whether the turn exists."""

    text: str
    turn: int | None = None
    exists: bool = True


def pieces(rationale: str, turns: list[int], unknown: list[int]) -> Iterator[Piece]:
    """A rationale with its citations taken out, and after it those that only the judge's list names."""
    end, named = 0, set[int]()
    for bracket in find_brackets(rationale):
        yield Piece(rationale[end : bracket.start()])
        for part in _PARTS.split(bracket.group()):
            cited = int(part) if part.isdecimal() and len(part) < 10 else None
            if cited in turns:
                named.add(cited)
                yield Piece(part, cited, cited not in unknown)
            else:
                yield Piece(part)
        end = bracket.end()
    yield Piece(rationale[end:])
    spans = list(ranges(rationale))
    rest = [
        turn
        for turn in turns
        if turn not in named and not any(first <= turn <= last for first, last in spans)
    ]
    for number, turn in enumerate(rest):
        yield Piece(" · " if number == 0 else ", ")
        yield Piece(str(turn), turn, turn not in unknown)
