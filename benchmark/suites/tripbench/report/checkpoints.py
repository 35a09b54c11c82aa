"""Verdicts along a training: runs of one model's checkpoints, by their steps (Figure 6)."""

from __future__ import annotations

from typing import Final, NamedTuple

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Cell, Chart, Column, Note, Part, PartWords, Report, RunFigures, Table
from benchmark.suites.tripbench.report.sessions import mode_of, share_of
from benchmark.suites.tripbench.report.trials import VERDICTS
from benchmark.text import guarded

_STEP: Final = guarded.compile(
    r"(?P<model>.*?)(?:^|[-_/@.: ]+)(?:global_?step|checkpoint|ckpt|step)[-_ ]?(?P<step>[0-9]{1,9})$",
    guarded.IGNORECASE,
)
"""As TRL (checkpoint-120), verl (global_step_120) and people (model-step-120) name them."""


class Checkpoint(NamedTuple):
    """A model at a step of its training."""

    model: str
    step: int


def read_checkpoint(name: str) -> Checkpoint | None:
    """What a model's name says of its training; None where it names no step."""
    found = _STEP.match(name.strip())
    return found and Checkpoint(found["model"] or "-", int(found["step"]))


def _table(report: Report) -> Table:
    """A row a verdict and run of a checkpoint, by model and step."""
    known = [(read_checkpoint(run.cast.get("agent_model", "")), run) for run in report.runs if run.sessions]
    found = sorted(((checkpoint, run) for checkpoint, run in known if checkpoint), key=lambda pair: pair[0])
    rows = [_row(verdict, *pair) for verdict in VERDICTS for pair in found]
    names = [Column(key, "name") for key in ("verdict", "model", "mode")]
    columns = [*names, Column("step", "count"), Column("share", places=1), Column("run", "name")]
    return Table(columns, rows, [] if rows else [Note("no_checkpoints")])


def _row(verdict: str, checkpoint: Checkpoint, run: RunFigures) -> list[Cell]:
    share = share_of(run.sessions, verdict)
    return [verdict, checkpoint.model, mode_of(run), checkpoint.step, share, run.label]


PART = Part(
    "checkpoints",
    _table,
    Chart("lines", x="step", y="share", series="model", facet="verdict"),
    own_tasks=True,
    words=PartWords(
        _("Verdicts along a training"),
        _(
            "Of the plan after the last turn, in per cent of the tasks, where the name of a run's model ends with a "
            "step of its training: checkpoint-120, global_step_120, step-120."
        ),
        columns={
            "verdict": _("verdict"),
            "mode": _("conversation"),
            "step": _("step of the training"),
            "share": "%",
        },
        values={"verdict": VERDICTS},
        notes={"no_checkpoints": _("No run here has a model whose name ends with a step.")},
    ),
)
