"""Reports in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from benchmark.metrics import Metric, of_runs
from benchmark.reports import Cell, Column, Estimate, Note, RunFigures, Spread
from benchmark.suites import FIRST, metrics_of
from webapp.judging.wording import dimension_words
from webapp.suites.grouptravel.wording.issues import type_words
from webapp.wording.metrics import percent_label
from webapp.wording.numbers import number_words

TITLES: Mapping[str, tuple[Promise, Promise]] = {
    "runs": (
        gettext_lazy("Runs"),
        gettext_lazy(
            "How far each run is. Counted here are sessions that finished or crashed and have scores; one that was "
            "stopped says nothing of the agent."
        ),
    ),
    "main_results": (
        gettext_lazy("Main results"),
        gettext_lazy("Means over tasks; below the table it says what the figures are."),
    ),
    "differences": (
        gettext_lazy("Differences to the first run"),
        gettext_lazy("Over the tasks that both have, task by task."),
    ),
    "group_size": (
        gettext_lazy("Scores by size of the group"),
        gettext_lazy(
            "The size is that of the whole group, young children without a preference table too, as the paper's N; "
            "bars are 95 % intervals over tasks; a single task has none."
        ),
    ),
    "stability": (
        gettext_lazy("Stability over trials"),
        gettext_lazy(
            "Mean ± standard deviation of the figures of single trials, over the tasks that all have."
        ),
    ),
    "interaction": (gettext_lazy("Interaction"), gettext_lazy("Means a session.")),
    "completion": (gettext_lazy("How sessions ended"), gettext_lazy("Percentage of a run's sessions.")),
    "validity_issues": (
        gettext_lazy("Validity issues by type"),
        gettext_lazy("All issues of all scored plans; each line of the scale is ten times the one before."),
    ),
    "compromises": (
        gettext_lazy("Compromises a task"),
        gettext_lazy("Percentage of tasks by their mean number of applied compromises over trials."),
    ),
    "tool_calls": (
        gettext_lazy("Tool calls a task"),
        gettext_lazy("Percentage of tasks by their mean number of tool calls over trials."),
    ),
    "tools_and_utility": (
        gettext_lazy("Tool calls against group utility"),
        gettext_lazy("A point a run; with fewer than three runs, a point a task."),
    ),
    "offline_online": (
        gettext_lazy("Offline against online"),
        gettext_lazy(
            "Runs with the same participants, isolated and online, over the tasks that both played."
        ),
    ),
    "judges": (
        gettext_lazy("Who judged"),
        gettext_lazy(
            "One pair of judge and meta-judge counts; another model, another input or other prompts are another pair."
        ),
    ),
    "judge_dimensions": (
        gettext_lazy("The judge's score by dimension"),
        gettext_lazy(
            "0 to 100, calibrated by the meta-judge if one was asked; bars are 95 % intervals over tasks; "
            "a single task has none."
        ),
    ),
    "judge_ratings": (
        gettext_lazy("How the judge rated"),
        gettext_lazy("Percentage of verdicts with each rating of 1 to 5."),
    ),
    "meta_judge": (
        gettext_lazy("How the meta-judge calibrated"),
        gettext_lazy("Verdicts by their calibration score of 1 to 5."),
    ),
    "judge_and_people": (
        gettext_lazy("The judge and human annotators"),
        gettext_lazy("Mean absolute errors of ratings of 1 to 5."),
    ),
}
"""By the name of the part: its heading, and what it shows."""

_COLUMNS: Mapping[str, Promise] = {
    "run": gettext_lazy("run"),
    "against": gettext_lazy("against"),
    "difficulty": gettext_lazy("difficulty"),
    "tasks": gettext_lazy("tasks"),
    "judged": gettext_lazy("tasks judged"),
    "name": gettext_lazy("name"),
    "id": gettext_lazy("id"),
    "ended": gettext_lazy("sessions ended"),
    "planned": gettext_lazy("sessions in all"),
    "counted": gettext_lazy("sessions counted here"),
    "judged_sessions": gettext_lazy("sessions judged"),
    "sessions": gettext_lazy("sessions"),
    "judge": gettext_lazy("judge"),
    "other": gettext_lazy("Other"),
    "rules": gettext_lazy("mean of PC, GF, PV"),
    "figure": gettext_lazy("figure"),
    "difference": gettext_lazy("difference"),
    "effect": gettext_lazy("effect (d)"),
    "wins": gettext_lazy("better on % of tasks"),
    "p": gettext_lazy("p"),
    "size": gettext_lazy("people in the group"),
    "value": gettext_lazy("value"),
    "trials": gettext_lazy("trials"),
    "compromises": gettext_lazy("compromises"),
    "calls": gettext_lazy("tool calls"),
    "rounds": gettext_lazy("rounds"),
    "plans": gettext_lazy("plans %"),
    "reason": gettext_lazy("ended"),
    "share": gettext_lazy("%"),
    "issue": gettext_lazy("issue"),
    "issues": gettext_lazy("issues"),
    "plans_with": gettext_lazy("plans with it"),
    "a_plan": gettext_lazy("a plan"),
    "bin": gettext_lazy("a task"),
    "point": gettext_lazy("point"),
    "offline": gettext_lazy("offline"),
    "online": gettext_lazy("online"),
    "gu_offline": gettext_lazy("GU offline"),
    "gu_online": gettext_lazy("GU online"),
    "other_offline": gettext_lazy("Other offline"),
    "other_online": gettext_lazy("Other online"),
    "judged_offline": gettext_lazy("tasks judged offline"),
    "judged_online": gettext_lazy("tasks judged online"),
    "hits_offline": gettext_lazy("hits % offline"),
    "hits_online": gettext_lazy("hits % online"),
    "calls_offline": gettext_lazy("tool calls offline"),
    "calls_online": gettext_lazy("tool calls online"),
    "dimension": gettext_lazy("dimension"),
    "score": gettext_lazy("score"),
    "rating": gettext_lazy("rating"),
    "verdicts": gettext_lazy("verdicts"),
    "judge_human": gettext_lazy("judge from human"),
    "human_human": gettext_lazy("human from median"),
    "judge_name": gettext_lazy("judge"),
    "judge_model": gettext_lazy("its model"),
    "meta_name": gettext_lazy("meta-judge"),
    "meta_model": gettext_lazy("its model"),
    "own_tasks": gettext_lazy("tasks"),
    "shared_tasks": gettext_lazy("tasks shared by all"),
    "contract": gettext_lazy("travellers asked again for"),
    "judge_input": gettext_lazy("shown to the judge"),
    "prompts": gettext_lazy("prompts"),
    "in_figures": gettext_lazy("in the figures"),
}

_AXES: Mapping[tuple[str, str], Promise] = {
    ("completion", "share"): gettext_lazy("% of sessions"),
    ("compromises", "bin"): gettext_lazy("compromises a task"),
    ("compromises", "share"): gettext_lazy("% of tasks"),
    ("tool_calls", "bin"): gettext_lazy("tool calls a task"),
    ("tool_calls", "share"): gettext_lazy("% of tasks"),
    ("tools_and_utility", "calls"): gettext_lazy("tool calls a task"),
    ("tools_and_utility", "gu"): gettext_lazy("GU, points"),
    ("judge_dimensions", "score"): gettext_lazy("score, 0 to 100"),
    ("judge_ratings", "share"): gettext_lazy("% of verdicts"),
    ("group_size", "gu"): gettext_lazy("points"),
    ("group_size", "pc"): gettext_lazy("%"),
    ("group_size", "gf"): gettext_lazy("%"),
}
"""Titles of axes, by part and column; of a column with all figures, by part and figure."""

_REASONS: Mapping[str, Promise] = {
    "plan_generated": gettext_lazy("plan proposed"),
    "max_turn_reached": gettext_lazy("round limit"),
    "multiple_repeated_tool_calls": gettext_lazy("same call three times"),
    "consecutive_repeated_tool_calls": gettext_lazy("calls repeated two turns running"),
    "context_overflow": gettext_lazy("context full"),
    "connection_error": gettext_lazy("model out of reach"),
    "rate_limit": gettext_lazy("rate limit"),
    "runtime_error": gettext_lazy("error"),
}
_FIGURES: Mapping[str, Promise] = {
    "judge": gettext_lazy("judge"),
    "other": gettext_lazy("Other"),
}
_DIFFICULTIES: Mapping[str, Promise] = {
    "all": gettext_lazy("all"),
    "easy": gettext_lazy("easy"),
    "medium": gettext_lazy("medium"),
    "hard": gettext_lazy("hard"),
}
_ANSWERS: Mapping[str, Promise] = {"yes": gettext_lazy("yes"), "no": gettext_lazy("no")}
_BIN = re.compile(r"((?:> )?[\d.]+) to < ([\d.]+)")
"""A bin of a histogram, as the report names it."""
_VALUES = {"reason": _REASONS, "figure": _FIGURES, "difficulty": _DIFFICULTIES, "in_figures": _ANSWERS}

_NOTES: Mapping[str, Promise] = {
    "intervals": gettext_lazy(
        "Small: the 95 % interval of a bootstrap over tasks; over fewer than ten tasks it is too narrow."
    ),
    "no_judge": gettext_lazy("No judge has rated these sessions; what needs one is empty."),
    "not_calibrated": gettext_lazy(
        "%(judge)s has rated, but %(meta)s has calibrated nothing, so there is no score."
    ),
    "judged_by": gettext_lazy(
        "Judged by %(judge)s, calibrated by %(meta)s. Several verdicts on a session, of one batch or of several, "
        "count as their mean; sessions without one count as not judged."
    ),
    "judged": ngettext_lazy(
        "%(run)s: %(n)s of %(sessions)s session judged.",
        "%(run)s: %(n)s of %(sessions)s sessions judged.",
        "sessions",
    ),
    "judged_alone": gettext_lazy(
        "Not every session was judged: the judge's figure and Other are over the judged ones alone, with the PC, GF "
        "and PV of just these, so that Other need not be the mean of the columns beside it."
    ),
    "other_judges": ngettext_lazy(
        "%(judge)s with %(meta)s has judged %(n)s session too, which does not count here.",
        "%(judge)s with %(meta)s has judged %(n)s sessions too, which does not count here.",
        "n",
    ),
    "prompts": gettext_lazy("Their prompts have the version %(prompts)s."),
    "other_prompts": ngettext_lazy(
        "%(judge)s with %(meta)s and prompts %(prompts)s has judged %(n)s session too, which does not count here.",
        "%(judge)s with %(meta)s and prompts %(prompts)s has judged %(n)s sessions too, which does not count here.",
        "n",
    ),
    "shared": ngettext_lazy(
        "Over the %(n)s task that all these runs have.", "Over the %(n)s tasks that all these runs have.", "n"
    ),
    "left_out": ngettext_lazy(
        "Left out: %(n)s task of %(run)s that not all of them have.",
        "Left out: %(n)s tasks of %(run)s that not all of them have.",
        "n",
    ),
    "nothing_shared": gettext_lazy(
        "These runs have no task in common, so nothing of them stands side by side. Report on each of them alone."
    ),
    "going": gettext_lazy("%(run)s is still going: its figures will change."),
    "no_sessions": gettext_lazy("No session of these runs has ended and been scored."),
    "mean_of_shares": gettext_lazy(
        "All runs: the mean of the runs' percentages, whatever their numbers of tasks."
    ),
    "pooled": gettext_lazy("All runs: the verdicts of all runs together."),
    "over_trials": gettext_lazy("Standard deviations with n − 1, n being the number of trials."),
    "unfinished_trials": ngettext_lazy(
        "%(run)s: %(n)s task is left out, since a trial of it has not ended or has no scores.",
        "%(run)s: %(n)s tasks are left out, since a trial of them has not ended or has no scores.",
        "n",
    ),
    "without_issues": gettext_lazy("%(run)s has no issue, and no bar."),
    "without_plans": gettext_lazy("%(run)s has no plan that could have an issue."),
    "differing_world": gettext_lazy("%(offline)s and %(online)s were played over different worlds."),
    "differing_seed": gettext_lazy("%(offline)s and %(online)s were played with different seeds."),
    "one_run": gettext_lazy("A report of two runs or more compares them here."),
    "no_pairs": gettext_lazy("These runs have no task in common."),
    "paired": gettext_lazy(
        "Over the tasks that both have: the mean difference with its 95 %% interval, bootstrapped (%(times)s "
        "resamples), and p of a permutation test. d: the mean difference in standard deviations of the differences."
    ),
    "one_trial": gettext_lazy("A run needs at least two trials of its tasks."),
    "no_scored_plan": gettext_lazy("No plan has been scored."),
    "no_issues": ngettext_lazy(
        "The %(n)s plan that has been scored has no issue.",
        "None of the %(n)s plans that have been scored has an issue.",
        "n",
    ),
    "log": gettext_lazy("Logarithmic scale from 0.5; an issue that a run does not have has no bar."),
    "mean_of": ngettext_lazy(
        "%(run)s: mean %(mean)s, standard deviation (n − 1) %(std)s, over %(n)s task.",
        "%(run)s: mean %(mean)s, standard deviation (n − 1) %(std)s, over %(n)s tasks.",
        "n",
    ),
    "over_runs": ngettext_lazy(
        "Pearson's r over %(n)s run: %(r)s.", "Pearson's r over %(n)s runs: %(r)s.", "n"
    ),
    "over_tasks": ngettext_lazy(
        "%(run)s: Pearson's r over %(n)s task: %(r)s.", "%(run)s: Pearson's r over %(n)s tasks: %(r)s.", "n"
    ),
    "no_online": gettext_lazy(
        "No two of these runs have the same agent, users, models and protocol and a task in common, one of them in "
        "the mode isolated and one in the mode online. Runs in the mode world have no cache and stay out of this."
    ),
    "labels_unknown": ngettext_lazy(
        "People rated %(n)s session (%(names)s) that is none of this report: none of its runs' sessions that "
        "finished or crashed and have scores.",
        "People rated %(n)s sessions (%(names)s) that are none of this report: none of its runs' sessions that "
        "finished or crashed and have scores.",
        "n",
    ),
    "labels_unjudged": ngettext_lazy(
        "People rated %(n)s session (%(names)s) on which the judge has no verdict to compare with.",
        "People rated %(n)s sessions (%(names)s) on which the judge has no verdict to compare with.",
        "n",
    ),
    "no_labels": gettext_lazy(
        "There are no human ratings here. The command report takes them from a file: --labels FILE, a JSON object "
        "a line with session, dimension, score (1 to 5) and annotator."
    ),
}


def title_of(part: str) -> str:
    """The heading of a part."""
    return str(TITLES[part][0])


def about(part: str) -> str:
    """What a part shows."""
    return str(TITLES[part][1])


def label_of(key: str) -> str:
    """The head of a column."""
    return str(_COLUMNS[key]) if key in _COLUMNS else percent_label(_metrics()[key])


def _metrics() -> dict[str, Metric]:
    return {metric.key: metric for metric in of_runs(metrics_of(FIRST))}


def axis_words(part: str, key: str, facet: str) -> str:
    """The title of an axis: a quantity with its unit."""
    return str(_AXES.get((part, facet if key == "value" else key)) or label_of(key))


def value_words(key: str, value: str) -> str:
    """A name in a column as it is shown; an unknown one as it is."""
    if key == "run" and value == "":
        return _("all runs")
    if key == "dimension":
        return _("average") if value == "all" else dimension_words(value)
    if key == "figure" and value not in _FIGURES:
        metric = _metrics()[value]
        return f"{_(metric.label)}, {_(metric.short or metric.of_runs or metric.name)}"
    if bounds := _BIN.fullmatch(value):
        return _("%(low)s to < %(high)s") % {"low": bounds[1], "high": bounds[2]}
    return type_words(value) if key == "issue" else str(_VALUES.get(key, {}).get(value, value))


def note_words(note: Note) -> str:
    """A note as a sentence."""
    given = {name: _plain(value) for name, value in note.given.items()}
    sentence: Any = _NOTES[note.key]
    return str(sentence % given if given else sentence)


def _plain(value: Cell) -> str | int:
    """Whole numbers stay such: they decide between singular and plural."""
    if isinstance(value, int):
        return value
    return number_words(value, 2) if isinstance(value, float) or value is None else str(value)


_UNKNOWN: Mapping[str, Promise] = {
    "run": gettext_lazy("There is no run %(name)s."),
    "profile": gettext_lazy("There is no profile %(name)s."),
    "judge": gettext_lazy("No session of these runs has a verdict of %(name)s."),
}


def unknown_words(what: str, name: str) -> str:
    """That there is no such run or profile, or no verdict of such a judge."""
    return str(_UNKNOWN[what]) % {"name": name}


def too_many_words(names: Sequence[str], most: int) -> str:
    """Which runs had no room."""
    given = {"most": most, "names": ", ".join(names)}
    return _("A report holds at most %(most)s runs; left out: %(names)s.") % given


def sessions_words(run: RunFigures) -> str:
    """How many of its sessions count, and how far it is: `5 sessions counted, 6 of 6 ended`."""
    counted = ngettext("%(n)s session counted", "%(n)s sessions counted", len(run.sessions)) % {
        "n": len(run.sessions)
    }
    return _("%(counted)s, %(ended)s of %(planned)s ended") % {
        "counted": counted,
        "ended": run.ended,
        "planned": run.planned,
    }


def cell_words(column: Column, cell: Cell) -> tuple[str, str]:
    """A cell as it is shown: its words, and what stands small beside them, "" for nothing."""
    match cell:
        case Estimate():
            return number_words(cell.value, column.places, signed=column.signed), _interval(column, cell)
        case Spread():
            return _spread(column, cell), ""
        case str():
            return value_words(column.key, cell), ""
        case int():
            return number_words(cell, 0), ""
    return number_words(cell, column.places, signed=column.signed), ""


def _interval(column: Column, cell: Estimate) -> str:
    if cell.low is None or cell.high is None:
        return ""
    low, high = (number_words(end, column.places, signed=column.signed) for end in (cell.low, cell.high))
    return _("%(low)s to %(high)s") % {"low": low, "high": high}


def _spread(column: Column, cell: Spread) -> str:
    mean, std = (number_words(value, column.places) for value in (cell.mean, cell.std))
    return mean if cell.std is None else f"{mean} ± {std}"
