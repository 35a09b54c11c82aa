"""The weights of the reward (Table 5), what other weights make of the same plans (appendix C.3), and training."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import ne
from typing import Any, Final

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Cell, Column, Note, Part, PartWords, Report, SessionFigures, Table
from benchmark.suites.tripscore.metrics import CONSTRAINTS, FEASIBLE, PREFERENCE, SOFT
from benchmark.suites.tripscore.report.results import feasible_pairs
from benchmark.suites.tripscore.report.rewards import figure, highest, parameters_of
from benchmark.suites.tripscore.scoring.parameters import USER, WISHES, Parameters
from benchmark.suites.tripscore.scoring.reward import highest_of, reward_of_worth
from benchmark.suites.tripscore.tasks.task import REAL, SYNTHETIC

FACTORS: Final = (1.0, 0.5, 1.5, 2.0)
"""As they are, then half, one and a half, and twice: the paper's (0.5, 0.05) · {2, 1, 3, 4}."""
TEMPERATURES: Final = (0.5, 2.0, None)
_PLACES: Final = 9


def _weights(report: Report) -> Table:
    """A row a weight, and a run where some have chosen others: for synthetic queries, and for a person's words."""
    by_run = {run.label: parameters_of(run) for run in report.runs}
    alike = len({repr(own) for own in by_run.values()}) == 1
    shown = {"": next(iter(by_run.values()))} if alike else by_run
    rows = [[label, *row] for label, own in shown.items() for row in _weight_rows(own)]
    columns = [Column("run", "name"), Column("weight", "name"), Column("figure", "name")]
    return Table([*columns, Column(SYNTHETIC), Column(REAL)], rows)


def _weight_rows(own: Parameters) -> Iterator[list[Cell]]:
    for key in CONSTRAINTS[SOFT]:
        yield ["w1", key, *2 * [own.w1.get(key, 0.0)]]
    for key in CONSTRAINTS[PREFERENCE]:
        weight = own.w2.get(key, 0.0)
        yield ["w2", key, *([None, weight] if key == USER else [weight, None])]
    yield ["w3", "", float(own.w3), float(own.w3)]
    yield ["w4", "", own.w4.get(SYNTHETIC, 0.0), own.w4.get(REAL, 0.0)]
    for name, rated in (("highest", False), ("highest_rated", True)):
        yield ["", name, *(highest_of(kind, own, wished=WISHES, rated=rated) for kind in (SYNTHETIC, REAL))]


def variations(own: Parameters) -> Iterator[tuple[str, Parameters]]:
    """Other weights by name: both multipliers scaled together, and the weights of each group tempered.

    Tempered weights stand on the simplex: each is raised to 1/temperature, and a group's sum to 1; None: all equal.
    """
    for factor in FACTORS:
        w4 = {kind: factor * weight for kind, weight in own.w4.items()}
        yield f"scaled_{factor:g}", own.model_copy(update={"w3": factor * own.w3, "w4": w4})
    for name, temperature in (("simplex", 1.0), *((f"temperature_{t}", t) for t in TEMPERATURES)):
        tempered = {key: _temper(getattr(own, key), temperature) for key in ("w1", "w2")}
        yield name, own.model_copy(update=tempered)


def _temper(weights: Mapping[str, float], temperature: float | None) -> dict[str, float]:
    raised = {
        key: (w ** (1 / temperature) if temperature else 1.0) if w else 0.0 for key, w in weights.items()
    }
    whole = sum(raised.values()) or 1.0
    return {key: value / whole for key, value in raised.items()}


def _reward_by(session: SessionFigures, parameters: Parameters) -> float:
    """The reward by rules of a feasible plan under other weights, from its figures."""
    values = session.values
    soft = {key: values.get(key) for key in CONSTRAINTS[SOFT]}
    # A wish that is stated and has no figure is not told from one that nobody has: both leave the mean.
    wished = {key: value for key in CONSTRAINTS[PREFERENCE] if (value := values.get(key)) is not None}
    return reward_of_worth(soft, wished, str(session.facets.get("type", SYNTHETIC)), parameters)


def _sensitivity(report: Report) -> Table:
    """A row a choice of weights: the CondR of each run, and how many pairs of plans change their order."""
    plans = {
        run.label: {(own.task_id, own.trial): own for own in run.sessions if own.values.get(FEASIBLE)}
        for run in report.runs
    }
    choices = {run.label: dict(variations(parameters_of(run))) for run in report.runs}
    pairs, rows = list(feasible_pairs(report)), list[list[Cell]]()

    usual: list[int] = []
    for name in choices[report.runs[0].label] if any(plans.values()) else ():
        rewards = {
            label: {key: _reward_by(plan, choices[label][name]) for key, plan in own.items()}
            for label, own in plans.items()
        }
        orders = [
            _sign(
                rewards[one.label][plan.task_id, plan.trial] - rewards[other.label][plan.task_id, plan.trial]
            )
            for one, plan, other, _second in pairs
        ]
        usual = orders if name == "scaled_1" else usual
        means = [figure([*rewards[run.label].values()], len(run.sessions)) for run in report.runs]
        tops = [
            highest(plan.facets, choices[run.label][name], rated=False)
            for run in report.runs
            for plan in plans[run.label].values()
        ]
        rows.append([name, *means, max(tops), sum(map(ne, orders, usual)), len(pairs)])
    columns = [
        *(Column("weights", "name"), *(Column(run.label, places=3, label=run.label) for run in report.runs)),
        *(Column("highest", places=3), Column("changed", "count"), Column("pairs", "count")),
    ]
    return Table(columns, rows, [] if rows else [Note("none_feasible")])


def _sign(difference: float) -> int:
    rounded = round(difference, _PLACES)
    return (rounded > 0) - (rounded < 0)


_TRAINING: Final[Mapping[str, Mapping[str, Any]]] = {
    "SFT": {"rate": "1e-5", "schedule": "cosine", "batch": 1, "epochs": 3, "warm_up": "0.1", "length": "115000"},
    "RFT": {"rate": "1e-5", "schedule": "cosine", "batch": 1, "epochs": 3, "warm_up": "0.1", "length": "115000"},
    "GRPO": {
        "rate": "1e-6", "schedule": "constant", "batch": 24, "epochs": 1, "temperature": "1.2", "rollouts": 8,
        "length": "79000 + 7000",
    },
}  # fmt: skip
"""Table 7 and appendix D.1 of the paper. length: tokens; of GRPO of prompt and answer."""
_SETTINGS: Final = {
    "rate": _("learning rate"),
    "schedule": _("schedule"),
    "batch": _("batch size"),
    "epochs": _("epochs"),
    "warm_up": _("share of steps that warm up"),
    "temperature": _("temperature of rollouts"),
    "rollouts": _("rollouts of a query"),
    "length": _("longest, tokens"),
}


def _training(_report: Report) -> Table:
    """A row a setting, a column a way of training."""
    rows: list[list[Cell]] = [
        [setting, *(str(own.get(setting, "–")) for own in _TRAINING.values())] for setting in _SETTINGS
    ]
    columns = [Column("setting", "name"), *(Column(name, "name", label=name) for name in _TRAINING)]
    return Table(columns, rows)


WEIGHTS = Part(
    "weights",
    _weights,
    own_tasks=True,
    words=PartWords(
        _("Weights of the reward"),
        _("2 + w3 · the mean of soft constraints by w1 + w4 · the mean of the stated wishes by w2."),
        columns={"weight": _("weight"), SYNTHETIC: _("synthetic"), REAL: _("a person's words")},
        values={
            "weight": {"": "–"},
            "figure": {
                "": "–",
                "highest": _("highest reward by rules"),
                "highest_rated": _("highest reward, rated"),
            },
        },
    ),
)
SENSITIVITY = Part(
    "sensitivity",
    _sensitivity,
    words=PartWords(
        _("Sensitivity to the weights"),
        _(
            "CondR of each run by rules under other weights, and how many pairs of plans for one query change "
            "their order. A study of pairs tells what weights do to the agreement with people."
        ),
        columns={
            "weights": _("weights"),
            "highest": _("highest reward by rules"),
            "changed": _("pairs in another order"),
            "pairs": _("pairs"),
        },
        values={
            "weights": {
                **{f"scaled_{factor:g}": f"(w3, w4) × {factor:g}" for factor in FACTORS},
                "simplex": _("each group's weights sum to 1"),
                "temperature_0.5": _("the same, temperature 0.5: large weights count more"),
                "temperature_2.0": _("the same, temperature 2: large weights count less"),
                "temperature_None": _("all weights of a group equal"),
            }
        },
        notes={"none_feasible": _("No plan of these runs is feasible.")},
    ),
)
TRAINING = Part(
    "training",
    _training,
    own_tasks=True,
    words=PartWords(
        _("Settings of training"),
        _("What the paper trains its models with; the sets made here are for the same ways of training."),
        columns={"setting": _("setting")},
        values={"setting": _SETTINGS},
    ),
)
