"""`manage.py learn_weights PAIRS.jsonl --grid GRID.json`: weights of metrics that agree best with labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _

from benchmark.inputs import numbered_lines, open_unpacked, read_whole
from benchmark.labelling.weights import (
    LARGEST_GRID,
    LONGEST_PAIR,
    MOST_POINTS,
    Grid,
    LearnedWeights,
    Options,
    Pair,
    learn,
    read_grid,
    read_pairs,
)
from benchmark.labelling.weights.results import Agreement, Spread
from benchmark.suites import weight_grids
from benchmark.text.spelling import FieldSpellings
from webapp.commands import BAD_INPUT, INTERRUPT_CODE, UncheckedCommand, add_json, print_result
from webapp.labelling.weights import Result
from webapp.terminal import progress_bar, table, text_of
from webapp.wording.numbers import number_words, share_words
from webapp.wording.remarks import remark_words

_DEFAULT = Options()
_tau_words = partial(number_words, places=4)


class Command(UncheckedCommand):
    help = (
        "Find the weights of metrics whose scores agree best with labelled pairs, over every point of a grid. A line "
        'of PAIRS.jsonl (.gz too) is {"id", "stratum", "label": "A", "B", "tie" or "neither", "a": {metric: value}, '
        '"b": {metric: value}}, null for a missing value. A grid is {metric: [weights]} for one weighted mean, or '
        '{"groups": [{"name", "weights", "metrics": {metric: [weights]}}], "defaults"} for a weighted sum of such '
        "means. Scores that differ by 1e-12 at most are right for tie and neither. --json prints weights, agreement, "
        "landscape, tied (weights in whose place others are as good), cross_validation, bootstrap and sensitivity, "
        "null where one is undefined, and under undefined why."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("pairs", type=Path, metavar="PAIRS.jsonl")
        parser.add_argument(
            "--grid",
            required=True,
            help=f"A file, or the name of a shipped grid: {', '.join(weight_grids())}",
        )
        parser.add_argument(
            "--leave-out",
            action="append",
            default=[],
            metavar="METRIC",
            help="Take a metric of the grid out; may be given several times",
        )
        parser.add_argument(
            "--folds",
            type=int,
            default=_DEFAULT.folds,
            help="Outer and inner, by default %(default)s; 0 for none",
        )
        parser.add_argument(
            "--bootstrap",
            type=int,
            default=_DEFAULT.bootstrap,
            help="Samples, by default %(default)s; 0 for none",
        )
        parser.add_argument(
            "--seed", type=int, default=_DEFAULT.seed, help="Of folds and samples, by default %(default)s"
        )
        parser.add_argument(
            "--without-neither",
            dest="drop_neither",
            action="store_true",
            help="Leave out pairs labelled neither; else they count as ties",
        )
        parser.add_argument(
            "--no-relearning",
            dest="relearn",
            action="store_false",
            help="Do not choose weights anew without each metric, which takes a search each",
        )
        parser.add_argument(
            "--most-points", type=int, default=MOST_POINTS, help="Refuse larger grids, by default %(default)s"
        )
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            names = FieldSpellings()
            grid, pairs = _grid(options, names), _pairs(options["pairs"], names)
            with progress_bar() as report:
                learned_weights = learn(pairs, grid, _options(options), report)
        except KeyboardInterrupt:
            raise CommandError(_("stopped; nothing was learned"), returncode=INTERRUPT_CODE) from None
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}", returncode=BAD_INPUT) from error
        except ValueError as error:
            raise CommandError(str(error), returncode=BAD_INPUT) from error
        print_result(
            self, options, learned_weights.as_json(), "" if options["json"] else _words(learned_weights)
        )
        for remark in names.remarks:
            self.stderr.write(remark_words(remark), self.style.WARNING)


def _options(given: dict[str, Any]) -> Options:
    if given["seed"] < 0:
        raise ValueError(_("--seed: expected a whole number from 0, found %(n)s") % {"n": given["seed"]})
    return Options(**{field.name: given[field.name] for field in fields(Options)})


def _pairs(path: Path, names: FieldSpellings) -> list[Pair]:
    with open_unpacked(path) as file:
        try:
            return read_pairs((line for _number, line in numbered_lines(file, LONGEST_PAIR)), names)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error


def _grid(options: dict[str, Any], names: FieldSpellings) -> Grid:
    grid = _read(options["grid"], names)
    unknown = [metric for metric in options["leave_out"] if metric not in grid.metrics]
    if unknown:
        raise ValueError(
            _("--leave-out: the grid has no %(metrics)s; it has %(known)s")
            % {"metrics": ", ".join(unknown), "known": ", ".join(grid.metrics)}
        )
    rest = grid.without_metrics(options["leave_out"]) if options["leave_out"] else grid
    if rest is None:
        raise ValueError(_("--leave-out: no metric of the grid is left"))
    return rest


def _read(name: str, names: FieldSpellings) -> Grid:
    if shipped := weight_grids().get(name):
        return read_grid(shipped.read_bytes())
    with open_unpacked(Path(name)) as file:
        try:
            return read_grid(read_whole(file, LARGEST_GRID), names)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from error


def _words(learned_weights: LearnedWeights) -> str:
    parts = [
        _head(learned_weights),
        _weights(learned_weights),
        _agreement(learned_weights),
        _left_out(learned_weights),
        *_notes(learned_weights),
    ]
    return "\n".join(parts)


def _head(learned_weights: LearnedWeights) -> str:
    labels = ", ".join(f"{label} {count:,}" for label, count in learned_weights.labels.items())
    return _(
        "%(pairs)s pairs (%(labels)s); %(points)s points, the best accuracy is reached by %(best)s of them"
    ) % {
        "pairs": f"{learned_weights.pairs:,}",
        "labels": labels,
        "points": f"{learned_weights.landscape.points:,}",
        "best": f"{learned_weights.landscape.best_points:,}",
    }


def _weights(learned_weights: LearnedWeights) -> str:
    """Each weight, how many samples chose it, and which others reach the same accuracy."""
    shown = table(
        _("weight of"), _("weight"), _("chosen by samples, %"), _("as good alone"), _("as good with others")
    )
    for weight in Result(learned_weights.as_json()).weights:
        name = " / ".join(filter(None, (weight.group, weight.metric)))
        equals = [", ".join(f"{w:g}" for w in own) for own in (weight.equals_alone, weight.equals_together)]
        shown.add_row(name, f"{weight.value:g}", share_words(weight.chosen_share), *equals)
    return text_of(shown, None).rstrip()


def _agreement(learned_weights: LearnedWeights) -> str:
    shown = table(_("agreement"), _("ties in, %"), _("ties out, %"), _("tau-b"))
    shown.add_row(_("all pairs"), *_cells(learned_weights.agreement))
    if learned_weights.defaults:
        shown.add_row(_("default weights"), *_cells(learned_weights.defaults))
    if folds := learned_weights.cross_validation:
        for name, accuracy, tau in (
            (_("training pairs"), folds.train_accuracy, folds.train_tau),
            (_("validation pairs"), folds.validation_accuracy, folds.validation_tau),
        ):
            shown.add_row(name, _spread(accuracy, share_words), "", _spread(tau, _tau_words))
    if samples := learned_weights.bootstrap:
        for name, interval in (
            (_("sample, weights fixed"), samples.fixed),
            (_("sample, weights chosen again"), samples.anew),
            (_("out of bag"), samples.out_of_bag),
        ):
            if interval:
                shown.add_row(name, _range(interval.mean, interval.low, interval.high), "", "")
    simplex = learned_weights.sensitivity.simplex
    drawn = _range(simplex.mean, simplex.quantiles["2.5"], simplex.quantiles["97.5"])
    shown.add_row(_("simplex weights"), drawn, "", "")
    return text_of(shown, None).rstrip()


def _cells(agreement: Agreement) -> tuple[str, str, str]:
    shares = share_words(agreement.accuracy), share_words(agreement.accuracy_ties_out)
    return *shares, _tau_words(agreement.tau_b)


def _spread(spread: Spread, words: Callable[[float | None], str]) -> str:
    return words(spread.mean) + ("" if spread.std is None else f" ± {words(spread.std)}")


def _range(mean: float, low: float, high: float) -> str:
    return f"{share_words(mean)} [{share_words(low)}, {share_words(high)}]"


def _left_out(learned_weights: LearnedWeights) -> str:
    shown = table(_("without"), _("accuracy, %"), _("signs changed"), _("weights chosen again, %"))
    for metric in learned_weights.sensitivity.left_out:
        changed = "–" if metric.changed is None else f"{metric.changed:,}"
        shown.add_row(metric.metric, share_words(metric.accuracy), changed, share_words(metric.relearned))
    return text_of(shown, None).rstrip()


def _notes(learned_weights: LearnedWeights) -> Iterable[str]:
    if learned_weights.bootstrap or learned_weights.cross_validation:
        yield _(
            "All rows but validation and out of bag are optimistic, because the same pairs chose the "
            "weights. Intervals are of 95 %; for folds the standard deviation is shown."
        )
    if learned_weights.bootstrap:
        yield _("accuracy minus the optimism of the choice: %(share)s %%") % {
            "share": share_words(learned_weights.bootstrap.corrected)
        }
    if learned_weights.dropped:
        yield _("pairs labelled neither that were left out: %(n)s") % {"n": f"{learned_weights.dropped:,}"}
    folds = learned_weights.cross_validation
    for words, names in (
        (_("metrics that are not in the grid: %(names)s"), learned_weights.ignored_metrics),
        (_("too few pairs for every fold: %(names)s"), folds.small_cells if folds else []),
    ):
        if names:
            yield words % {"names": ", ".join(names)}
    for name, why in learned_weights.undefined.items():
        yield f"{name}: {why}"
    yield _("data version: %(digest)s") % {"digest": learned_weights.data_version}
