"""A set of tasks that a generator draws and a model may put into words, written with a report beside it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from benchmark.jsonlines import json_line
from benchmark.making import ModelStep, Row, Unusable
from benchmark.metrics import gettext_noop as _
from benchmark.outputs import open_output
from benchmark.remarks import Remark
from benchmark.synthesis import Ask, Progress
from benchmark.unfinished_set import Partial
from sandbox.tools.language import Language

Raw = Mapping[str, Any]
"""A task as it stands in a file."""
_NOT_WRITTEN = _("%(id)s keeps its words by rule, because the model's can't be used: %(why)s")


class WordedTask(Protocol):
    """What a task needs so that models can be asked about it."""

    @property
    def task_id(self) -> str: ...

    @property
    def language(self) -> Language: ...


T = TypeVar("T", bound=WordedTask)


@dataclass(frozen=True)
class TaskRow(Generic[T]):
    """A task with the object that it stands in a file as; what models are asked about."""

    task: T
    raw: Raw

    @property
    def key(self) -> str:
        """The task's id."""
        return self.task.task_id

    @property
    def language(self) -> Language:
        """Of its words."""
        return self.task.language


def files_beside(out: Path) -> dict[str, Path]:
    """Where the report of a set goes."""
    return {"report": out.with_name(f"{out.name.removesuffix('.jsonl')}.report.json")}


@dataclass(frozen=True)
class Wording:
    """How a model puts tasks into words. row: of a task; put: a task with the words that `step` reads."""

    step: ModelStep
    row: Callable[[Raw], Row]
    put: Callable[[Raw, Mapping[str, Any]], Raw]

    def ask_words(self, raw: Raw, ask: Ask) -> dict[str, Any]:
        """`words` for a task, or `failures` where no answer can be used. Raises ModelFailure."""
        row = self.row(raw)
        failures: list[str] = []
        for _attempt in range(self.step.tries):
            try:
                words = self.step.read(row, ask(self.step.request(row)).text)
                return {"words": dict(words), "failures": []}
            except Unusable as error:
                failures.append(str(error))
        kept = Remark(_NOT_WRITTEN, {"id": row.key, "why": "; ".join(dict.fromkeys(failures))})
        return {"words": {}, "failures": [kept.as_json()]}

    def sample_places(
        self, tasks: Sequence[Raw], ask: Ask | None, progress: Progress | None
    ) -> list[dict[str, Any]]:
        """What a preview shows of each task. Raises ModelFailure."""
        places = []
        for raw in tasks:
            made = self.ask_words(raw, ask) if ask is not None else {"words": {}, "failures": []}
            places.append({"task": self.put(raw, made["words"]), "failures": made["failures"]})
            if progress:
                progress(len(places), len(tasks), "queries")
        return places

    def write_set(
        self,
        out: Path,
        tasks: Sequence[Raw],
        order: Raw,
        report_on: Callable[[Sequence[Raw]], dict[str, Any]],
        *,
        ask: Ask | None,
        workers: int,
        progress: Progress,
    ) -> tuple[list[Path], dict[str, Any]]:
        """Write the tasks to `out`, which appears whole, and a report beside it; both, and what the report says.

        What a model has written before it was broken off stays in `out`.part. order: all on which the file depends.

        Raises:
            BadOrder: what is half done is of another order.
            OSError, ModelFailure: as they come.
        """
        partial = Partial(out, order)
        with partial.hold():
            if ask is not None:
                partial.fill(len(tasks), lambda at: self.ask_words(tasks[at], ask), workers, progress)
            answers = [partial.slots.get(at, {"words": {}, "failures": []}) for at in range(len(tasks))]
            written = [self.put(raw, made["words"]) for raw, made in zip(tasks, answers, strict=True)]
            report = {**report_on(written), "failures": _all_failures(answers)}
            files = [out, files_beside(out)["report"]]
            with open_output(out) as file:
                file.writelines(map(json_line, written))
            with open_output(files[1]) as file:
                file.write(json.dumps(report, ensure_ascii=False, indent=1).encode())
            partial.remove()
        return files, report


def _all_failures(answers: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [remark for made in answers for remark in made["failures"]]
