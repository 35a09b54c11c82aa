"""A batch of plans, and their rewards: what a reward server is sent, and what it answers."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from benchmark.core.options import Options
from benchmark.core.taskfiles import TaskFileError
from benchmark.inputs import MB
from benchmark.jsonlines import json_line, read_json
from benchmark.suites import suite_named
from benchmark.suites.base import AnySuite, RewardPlan

MOST_PLAN: Final = 5 * MB
"""Bytes of a plan, or of the answer that holds one."""
_TOO_LARGE: Final = f"the plan is larger than {MOST_PLAN // MB} MB; write a shorter one"
_NO_ITEMS: Final = (
    'the body is no JSON of the form {"items": [{"task": ID, "plan": PLAN or "answer": TEXT}]}; send that'
)
_HEAD = re.compile(rb'\s*\{\s*"items"\s*:\s*\[')
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*+"|[\[\]{}]', re.DOTALL)
_COMMA = re.compile(rb"\s*,?\s*")
_ITEM_DEPTH: Final = 3
"""Brackets that are open inside an item."""


class BadBatch(ValueError):
    """A body that holds no list of items."""


class ItemRefused(ValueError):
    """An item that can't be scored; the words say why, and the remedy."""


class _Unreadable(NamedTuple):
    reason: str


class Rewards:
    """The tasks of a benchmark, each prepared for many plans."""

    def __init__(self, suite: AnySuite, tasks: Mapping[str, RewardPlan]) -> None:
        self._suite = suite
        self.tasks = tasks

    @classmethod
    def load(cls, name: str, paths: Sequence[Path], options: Options) -> Rewards:
        """Read task files of a benchmark whose plans are rewarded one by one.

        Raises ValueError for files with bad lines and for an id that is there twice, OSError.
        """
        suite = suite_named(name)
        prepare = suite.training().prepare if suite.training else None
        assert prepare is not None
        tasks, origins = dict[str, RewardPlan](), dict[str, Path]()
        for path in paths:
            try:
                read = suite.tasks.files.whole(path)
            except TaskFileError as error:
                raise ValueError(f"{path}: {error}") from error
            for one in read:
                id_ = one.task.task_id
                if origins.setdefault(id_, path) != path:
                    raise ValueError(f"task {id_} is in {origins[id_]} and in {path}; keep one of them")
                tasks[id_] = prepare(one.task, options)
        if not tasks:
            raise ValueError("the files hold no task; name one with tasks")
        return cls(suite, tasks)

    def answer(self, body: bytes) -> bytes:
        """The results of a batch, in order, as JSON. Raises BadBatch."""
        return json_line({"results": [self._result(item) for item in _items(body)]})

    def _result(self, item: object) -> dict[str, Any]:
        """Never raises: a trainer has other plans in the same batch."""
        try:
            return self._score(item)
        except ItemRefused as error:
            reason = str(error)
        except Exception as error:  # one plan must not cost the rewards of the others
            traceback.print_exc()
            reason = (
                f"the rules could not be applied ({type(error).__name__}); tell the developers of this plan"
            )
        return {"reward": None, "delivered": None, "feasible": None, "reason": reason, "figures": None}

    def _score(self, item: object) -> dict[str, Any]:
        if isinstance(item, _Unreadable):
            raise ItemRefused(item.reason)
        if not isinstance(item, Mapping):
            raise ItemRefused("the item is no object; give task, and plan or answer")
        id_ = item.get("task")
        reward_plan = self.tasks.get(id_) if isinstance(id_, str) else None
        if reward_plan is None:
            raise ItemRefused(f"task: there is no {str(id_)[:80]!r}; name one of the tasks of this server")
        ratings = item.get("ratings")
        if ratings is not None and not isinstance(ratings, Mapping):
            raise ItemRefused("ratings: this is no object; give figures by name, or leave it out")
        plan, too_large = self._plan(item)
        told = reward_plan(plan, ratings or {})
        return {
            "reward": told.value,
            "delivered": told.delivered,
            "feasible": told.feasible,
            "reason": _TOO_LARGE if too_large else told.reason,
            "figures": told.figures,
        }

    def _plan(self, item: Mapping[str, Any]) -> tuple[object, bool]:
        """The plan, None where there is none, and whether it is too large to be read."""
        if "plan" not in item and "answer" not in item:
            raise ItemRefused("plan, answer: both are missing; give one of them")
        if (plan := item.get("plan")) is not None:
            return (None, True) if len(json_line(plan)) > MOST_PLAN else (plan, False)
        answer = item.get("answer")
        if answer is None:
            return None, False
        if not isinstance(answer, str):
            raise ItemRefused("answer: this is no text; give the words of the model")
        if len(answer) > MOST_PLAN or len(answer.encode(errors="replace")) > MOST_PLAN:
            return None, True
        return (self._suite.plans.find(answer, None) if self._suite.plans else None), False


def _items(body: bytes) -> Sequence[object]:
    try:
        document = orjson.loads(body)
    except ValueError:
        return [_read_item(piece) for piece in _pieces(body)]
    items = document.get("items") if isinstance(document, Mapping) else None
    if not isinstance(items, list):
        raise BadBatch(_NO_ITEMS)
    return items


def _read_item(piece: bytes) -> object:
    try:
        return orjson.loads(piece)
    except ValueError:
        pass
    try:
        return read_json(piece, strict=False)
    except ValueError as error:
        return _Unreadable(f"the item can't be read: {error}")


def _pieces(body: bytes) -> Iterator[bytes]:
    """The items of a body that is no JSON, since one of them is none: NaN, half characters, deep nesting."""
    head = _HEAD.match(body)
    if not head:
        raise BadBatch(_NO_ITEMS)
    depth, begun, ended = _ITEM_DEPTH - 1, 0, head.end()
    for token in _TOKEN.finditer(body, head.end()):
        kind = token[0][:1]
        if kind == b'"':
            continue
        depth += 1 if kind in b"[{" else -1
        if kind == b"{" and depth == _ITEM_DEPTH:
            begun = token.start()
            if not _COMMA.fullmatch(body, ended, begun):
                raise BadBatch(_NO_ITEMS)
        elif kind == b"}" and depth == _ITEM_DEPTH - 1:
            ended = token.end()
            yield body[begun:ended]
        elif depth < _ITEM_DEPTH - 1:
            if depth == 0 and not body[token.end() :].strip():
                return
            if depth < 1 or body[ended : token.start()].strip():
                break
    raise BadBatch(_NO_ITEMS)
