"""Reading what judges write: JSON in fences or prose, broken JSON as a last resort, every fault by its name.

Nothing is guessed: where an answer says two things, whether the judge changed its mind or quoted what somebody asked
it to answer, neither counts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from benchmark.judging.citations import Citations, citations
from benchmark.judging.json_objects import JsonObject, objects_in, plain, repair_objects, suiting
from benchmark.judging.rubric import Dimension
from benchmark.judging.verdict import HIGHEST, Calibration, Fault, Judgement, Rating
from benchmark.models.answers import storable
from benchmark.text import guarded

_READ = ("score", "rationale", "turns")
_SCORE = guarded.compile(r"\s*(-?\d{1,9})(?:\.0+)?\s*(?:/\s*(\d{1,9})\s*)?", guarded.ASCII)
_DETAIL = 120


def _key(*names: str) -> guarded.Pattern:
    """A key before its colon, in JSON or in whatever was meant to be JSON."""
    written = "|".join(guarded.sub("[ _]", r"[\\s_\\-]*", name) for name in names)
    return guarded.compile(
        rf"(?<!\w)({written})(?:\s*[(（][^)）]{{0,40}}[)）])?[\"'“”‘’\\\s]*[:：]", guarded.IGNORECASE
    )


_SCORE_KEY = _key("score")


def read_judgement(
    text: str, dimensions: Sequence[Dimension], turns: Collection[int], *, cut_off: bool = False
) -> Judgement:
    """A judge's answer. turns: the numbers that the transcript has; cut_off: the answer reached its limit."""
    asked = _ratings_reader(tuple(dimensions))
    answer = _answer(text, asked.form)
    faults = [*_cut(cut_off), *answer.faults]
    if answer.value is None:
        return Judgement(text, faults=tuple(faults))
    ratings: dict[str, Rating] = {}
    for name, values in asked.by_dimension(answer.value).items():
        rating, own = _rating(asked.dimensions[name], values, turns)
        faults += own
        if rating is not None:
            ratings[name] = rating
    complete = sum(rating.score is not None for rating in ratings.values()) == len(dimensions)
    return Judgement(text, ratings, tuple(faults), complete)


def read_calibration(text: str, turns: Collection[int], *, cut_off: bool = False) -> Calibration:
    """A meta-judge's answer; the arguments as in `read_judgement`. Without reasoning its score does not count."""
    answer = _answer(text, _CALIBRATION)
    faults = [*_cut(cut_off), *answer.faults]
    if answer.value is None:
        return Calibration(text, faults=tuple(faults))
    score, wrong = _score(answer.value, _META)
    reasoning = _text(answer.value.get("reasoning"))
    cited = citations(reasoning, None, turns)
    faults += [*([] if reasoning else [Fault("no_rationale")]), *wrong, *_unknown_citations("", cited)]
    counts = score if reasoning else None
    return Calibration(text, counts, reasoning, cited.turns, cited.unknown_turns, tuple(faults))


@dataclass(frozen=True, slots=True)
class JsonReading:
    """JSON objects with a score, a rationale and cited turns a dimension."""

    json_object: bool = True

    def judgement(
        self, text: str, dimensions: Sequence[Dimension], turns: Collection[int], *, cut_off: bool = False
    ) -> Judgement:
        """As `read_judgement`."""
        return read_judgement(text, dimensions, turns, cut_off=cut_off)

    def calibration(self, text: str, turns: Collection[int], *, cut_off: bool = False) -> Calibration:
        """As `read_calibration`."""
        return read_calibration(text, turns, cut_off=cut_off)


JSON_READING = JsonReading()


@dataclass(frozen=True, slots=True)
class _Form:
    """What an answer is looked for by. suits: whether an object is one; content: what must not differ between two of
    them; repeats: what a broken text says more than once; mention: whether it says anything of the kind.
    """

    suits: Callable[[JsonObject], bool]
    content: Callable[[JsonObject], Any]
    repeats: Callable[[str], str]
    mention: guarded.Pattern


@dataclass(frozen=True, slots=True)
class _Answer:
    """value: the object that is the answer, None where there is none, or no telling which."""

    value: JsonObject | None
    faults: tuple[Fault, ...] = ()


def _answer(text: str, form: _Form) -> _Answer:
    """The object of a text that suits; several must say the same."""
    objects = objects_in(text)
    whole = list(suiting(objects.whole, form.suits))
    repaired = list(suiting(repair_objects(objects.broken_text), form.suits)) if objects.broken_text else []
    if whole or repaired:
        doubt = _doubt(whole, repaired, objects.broken_text, form)
        mark = () if whole else (Fault("repaired"),)
        return _Answer(None, (*mark, doubt)) if doubt else _Answer([*whole, *repaired][0], mark)
    return _Answer(objects.whole[-1]) if objects.whole else _Answer(None, (Fault("no_json"),))


def _doubt(
    whole: Sequence[JsonObject], repaired: Sequence[JsonObject], broken: str, form: _Form
) -> Fault | None:
    """Why there is no telling which of several answers counts: they differ, or a repair met a key twice."""
    first, *others = [form.content(each) for each in (*whole, *repaired)]
    if any(other != first for other in others) or (whole and not repaired and form.mention.search(broken)):
        return Fault("ambiguous")
    twice = form.repeats(broken)
    return Fault("ambiguous", detail=twice) if twice else None


_META = Dimension("", "")
"""What a meta-judge rates."""


def _plain_score(value: Any, highest: int = HIGHEST) -> Any:
    if not isinstance(value, dict):
        return value
    whole = _whole(value.get("score"), highest)
    return value.get("score") if whole is None else whole


def _scored_twice(broken: str) -> str:
    return "score" if len(_SCORE_KEY.findall(broken)) > 1 else ""


_CALIBRATION = _Form(
    lambda value: "score" in value or "reasoning" in value, _plain_score, _scored_twice, _SCORE_KEY
)


class _Ratings:
    """Reads what an answer says of some dimensions. names: their keys, by every name of them as `plain` gives it.
    dimensions: by key.
    """

    def __init__(self, dimensions: Sequence[Dimension]) -> None:
        self.dimensions = {dimension.key: dimension for dimension in dimensions}
        self.names = {
            plain(name): dimension.key
            for dimension in dimensions
            for name in (dimension.key, *dimension.also)
        }
        self._key = _key(*(name for dimension in dimensions for name in (dimension.key, *dimension.also)))
        self._none: dict[str, list[Any]] = {dimension.key: [] for dimension in dimensions}
        self.form = _Form(self._suits, self._rating_content, self._repeated_dimensions, self._key)

    def by_dimension(self, answer: JsonObject) -> dict[str, list[Any]]:
        """Everything that is written of each dimension, in the order of the dimensions."""
        values = {name: [*none] for name, none in self._none.items()}
        for key, value in answer.pairs:
            if key in self.names:
                values[self.names[key]].append(value)
        return values

    def _suits(self, value: JsonObject) -> bool:
        return any(key in self.names for key in value)

    def _rating_content(self, value: JsonObject) -> dict[str, list[Any]]:
        return {
            name: [_plain_score(each, self.dimensions[name].highest) for each in values]
            for name, values in self.by_dimension(value).items()
        }

    def _repeated_dimensions(self, broken: str) -> str:
        """A dimension that stands twice in a broken text, or with two scores; "" without one."""
        places = [(match.end(), self.names[plain(match[1])]) for match in self._key.finditer(broken)]
        ends = [*(end for end, _ in places[1:]), len(broken)]
        seen = set[str]()
        for (begin, name), end in zip(places, ends, strict=False):
            if name in seen or len(_SCORE_KEY.findall(broken, begin, end)) > 1:
                return name
            seen.add(name)
        return ""


_ratings_reader = lru_cache(maxsize=16)(_Ratings)


def _cut(cut_off: bool) -> list[Fault]:
    return [Fault("cut_off")] if cut_off else []


def _rating(
    dimension: Dimension, values: Sequence[Any], turns: Collection[int]
) -> tuple[Rating | None, list[Fault]]:
    name = dimension.key
    if len(values) > 1:
        return None, [Fault("twice", name)]
    written = values[0] if values else None
    if written is None:
        return None, [Fault("missing", name)]
    if not isinstance(written, JsonObject):
        return None, [Fault("wrong_type", name, _excerpt(written))]
    score, faults = _score(written, dimension)
    rationale = _text(written.get("rationale"))
    cited = citations(rationale, written.get("turns"), turns)
    if not rationale:
        faults.append(Fault("no_rationale", name))
    if turns and not cited.turns:
        faults.append(Fault("no_citation", name))
    lists = {key: found for key, _label in dimension.lists if (found := _texts(written.get(plain(key))))}
    return Rating(score, rationale, cited.turns, cited.unknown_turns, lists), [
        *faults,
        *_unknown_citations(name, cited),
    ]


def _unknown_citations(name: str, cited: Citations) -> list[Fault]:
    listed = ", ".join(map(str, cited.unknown_turns))
    return [Fault("unknown_turn", name, listed[:_DETAIL])] if listed else []


def _score(written: JsonObject, dimension: Dimension) -> tuple[int | None, list[Fault]]:
    """A score of 4.0, "4" or, of at most 5, "4/5" is a 4; words, true and halves are of the wrong type."""
    name = dimension.key
    if twice := _repeated_dimensions(written):
        return None, [Fault("twice", name, twice)]
    if "score" not in written:
        return None, [Fault("missing", name, "score")]
    score = _whole(written["score"], dimension.highest)
    if score is None:
        return None, [Fault("wrong_type", name, _excerpt(written["score"]))]
    if score not in dimension.scale:
        return None, [Fault("out_of_range", name, _excerpt(written["score"]))]
    return score, []


def _repeated_dimensions(written: JsonObject) -> str:
    return ", ".join(key for key in (*_READ, "reasoning") if key in written.repeated_keys)


def _whole(score: Any, highest: int) -> int | None:
    if isinstance(score, str):
        match = _SCORE.fullmatch(score)
        return int(match[1]) if match and match[2] in (None, str(highest)) else None
    if isinstance(score, bool) or not isinstance(score, int | float) or score != score // 1:
        return None
    return int(score)


def _text(value: Any) -> str:
    return storable(value).strip() if isinstance(value, str) else ""


def _texts(value: Any) -> tuple[str, ...]:
    """What a list holds, in words; whatever is no text as JSON."""
    found = value if isinstance(value, list) else [] if value is None else [value]
    return tuple(filter(None, (_text(each) if isinstance(each, str) else _excerpt(each) for each in found)))


def _excerpt(value: Any) -> str:
    return storable(json.dumps(value, ensure_ascii=False))[:_DETAIL]
