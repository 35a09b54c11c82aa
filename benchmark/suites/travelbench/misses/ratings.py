"""What a judge's score lost, dimension by dimension, and what of the log explains it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from benchmark.core.view import AGENT
from benchmark.misses import Miss, ToolFailure, share_points
from benchmark.suites.base import RubricMeans, split_rating
from benchmark.suites.travelbench.conversation.answers import OUT_OF_STEPS
from benchmark.suites.travelbench.judging.rubric import RUBRIC
from benchmark.suites.travelbench.misses.errors import ERROR_RATE
from benchmark.suites.travelbench.misses.reading import LostAnswer, Utterance
from benchmark.suites.travelbench.scoring.scores import HIGHEST
from benchmark.suites.travelbench.travellers.scripted.topics import TOPICS, Topic, asked_about
from benchmark.suites.travelbench.travellers.scripted.user import meant_pieces, questions
from benchmark.text import guarded

_LOWEST: Final = 1
_TINY: Final = 1e-9
_MOST_FIGURES: Final = 8
_FIGURE: Final = guarded.compile(r"[0-9]+(?:[.:][0-9]+)*")
_THOUSANDS: Final = guarded.compile(r"(?<=[0-9]),(?=[0-9]{3})")


class _Why(NamedTuple):
    cause: str
    item: str = ""
    seqs: tuple[int, ...] = ()
    failures: tuple[ToolFailure, ...] = ()


def rating_misses(session: LostAnswer, said: RubricMeans | None) -> Iterator[Miss]:
    """What the score lacks of 100: by dimension, by tool errors, and by what a meta-judge says of the judgement."""
    metric = RUBRIC.metric
    last = session.answers[-1] if session.answers else None
    shown = (last.seq,) if last else session.end
    if said is None:
        yield Miss(metric, "no_rating", "unjudged", 0.0, seqs=shown)
        return
    parts, rest = split_rating(said, _LOWEST, HIGHEST)
    if not parts:
        yield Miss(metric, "score", "no_answer", rest, seqs=session.end)
        return
    for dimension, points in parts.items():
        if points > 0:
            found = [
                Miss(
                    metric, dimension, why.cause, 0.0, "", why.item, why.seqs or shown, failures=why.failures
                )
                for why in _reasons(session, dimension, last)
            ]
            yield from share_points(found, points)
    rate = session.figures.get(ERROR_RATE)
    wrong = [call for call in session.calls if call.error_kind]
    by_errors = min(rest, (100 - sum(parts.values())) * rate) if isinstance(rate, int | float) else 0.0
    if by_errors > _TINY:
        failures = tuple(call.failure for call in wrong)
        seqs = tuple(failure.seq for failure in failures) or shown
        yield Miss(metric, "tool_errors", "tool_failed", by_errors, seqs=seqs, failures=failures)
    if rest - by_errors > _TINY:
        yield Miss(metric, "score", "meta", rest - by_errors, seqs=shown)


def _reasons(session: LostAnswer, dimension: str, last: Utterance | None) -> list[_Why]:
    """What explains a rating, the first that holds; one at least."""
    if last is None or last.failed or not last.words.strip():
        return [_Why("no_answer")]
    if last.words == OUT_OF_STEPS:
        return [_Why("out_of_steps")]
    finders = {
        "reasoning_planning": _reasoning,
        "summarization_extraction": _summary,
        "user_interaction": _interaction,
    }
    find = finders.get(dimension)
    return ([*find(session, last)] if find else []) or [_Why("judged")]


def _reasoning(session: LostAnswer, last: Utterance) -> Iterator[_Why]:
    failures = tuple(call.failure for call in session.calls if call.error_kind)
    if failures:
        yield _Why("tool_failed", seqs=tuple(failure.seq for failure in failures), failures=failures)
        return
    if not session.asked_calls:
        yield _Why("not_looked_up", seqs=(last.seq,))
        return
    made: set[str] = set()
    for seq, call in session.asked_calls:
        named = f"{call.name} {json.dumps(call.arguments, sort_keys=True, ensure_ascii=False)}"
        if named in made:
            yield _Why("repeated", call.name, (seq,))
        made.add(named)


def _summary(session: LostAnswer, last: Utterance) -> Iterator[_Why]:
    """Figures of the answer that nothing before it has."""
    told = [call.result for call in session.calls] + [
        said.words for said in session.messages if said.seq < last.seq and said.role != AGENT
    ]
    known = _figures(" ".join([*told, session.opening.query, session.opening.context, session.opening.time]))
    strange = [figure for figure in _figures(last.words) if len(figure) > 1 and figure not in known]
    if strange:
        yield _Why("unsourced", ", ".join(strange[:_MOST_FIGURES]), (last.seq,))
    elif not any(not call.error_kind for call in session.calls):
        yield _Why("not_looked_up", seqs=(last.seq,))


def _figures(text: str) -> Counter[str]:
    return Counter(_FIGURE.findall(_THOUSANDS.sub("", text)))


def _interaction(session: LostAnswer, last: Utterance) -> Iterator[_Why]:
    """What was meant and is not in the query, that the agent did not ask about, or was not told of."""
    asked: dict[str, int] = {}
    seen: set[str] = set()
    for said in session.answers:
        for question in questions(said.words):
            if question in seen:
                yield _Why("repeated", question, (said.seq,))
                return
            seen.add(question)
            for topic in asked_about(question):
                asked.setdefault(topic.name, said.seq)
    heard = " ".join(said.words for said in session.messages if said.role != AGENT)
    for topic in TOPICS:
        hidden = [piece for piece in _hidden_pieces(session, topic) if piece not in heard]
        if hidden and topic.name not in asked:
            yield _Why("never_asked", " / ".join(hidden), (last.seq,))
        elif hidden:
            yield _Why("not_told", " / ".join(hidden), (asked[topic.name],))


def _hidden_pieces(session: LostAnswer, topic: Topic) -> list[str]:
    """What was meant about a topic on which the query says nothing."""
    if topic.answer_words.search(session.opening.query):
        return []
    return meant_pieces(session.task.intent, topic)
