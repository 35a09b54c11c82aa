"""Reports in words."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.reports import Cell, Column, Estimate, Note, Spread
from webapp.wording.issues import type_words

TITLES: Mapping[str, tuple[Promise, Promise]] = {
    "main_results": (
        gettext_lazy("Main results"),
        gettext_lazy("GU in points, everything else 0 to 100. Other: the mean of PC, GF, PV and judge."),
    ),
    "differences": (
        gettext_lazy("Differences to the first run"),
        gettext_lazy("Over the tasks that both have, task by task."),
    ),
    "group_size": (
        gettext_lazy("Scores by size of the group"),
        gettext_lazy("Travellers with a preference table; bars are 95 % intervals over tasks."),
    ),
    "stability": (
        gettext_lazy("Stability over trials"),
        gettext_lazy("Mean ± standard deviation of the figures of single trials."),
    ),
    "interaction": (gettext_lazy("Interaction"), gettext_lazy("Means a session.")),
    "completion": (gettext_lazy("How sessions ended"), gettext_lazy("Percentage of a run's sessions.")),
    "validity_issues": (
        gettext_lazy("Validity issues by type"),
        gettext_lazy("All issues of all scored plans; each step of the scale is a factor of ten."),
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
        gettext_lazy("Runs that differ in the sandbox alone."),
    ),
    "judge_dimensions": (
        gettext_lazy("The judge's score by dimension"),
        gettext_lazy("0 to 100, calibrated by the meta-judge; bars are 95 % intervals over tasks."),
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
    "sessions": gettext_lazy("sessions"),
    "gu": gettext_lazy("GU"),
    "pc": gettext_lazy("PC"),
    "gf": gettext_lazy("GF"),
    "pv": gettext_lazy("PV"),
    "judge": gettext_lazy("judge"),
    "other": gettext_lazy("Other"),
    "rules": gettext_lazy("mean of PC, GF, PV"),
    "figure": gettext_lazy("figure"),
    "difference": gettext_lazy("difference"),
    "effect": gettext_lazy("effect (d)"),
    "wins": gettext_lazy("better on % of tasks"),
    "p": gettext_lazy("p"),
    "size": gettext_lazy("travellers"),
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
}

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
_DIMENSIONS: Mapping[str, Promise] = {
    "hallucination": gettext_lazy("hallucination"),
    "tool_use_reasoning": gettext_lazy("tool-use reasoning"),
    "interaction_quality": gettext_lazy("interaction quality"),
    "conflict_coordination": gettext_lazy("conflict coordination"),
    "plan_humanization": gettext_lazy("plan humanization"),
    "all": gettext_lazy("average"),
}
_FIGURES: Mapping[str, Promise] = {
    "gu": gettext_lazy("GU, group utility"),
    "pc": gettext_lazy("PC, completeness"),
    "gf": gettext_lazy("GF, fairness"),
    "pv": gettext_lazy("PV, valid plans %"),
    "judge": gettext_lazy("judge"),
    "other": gettext_lazy("Other"),
}
_DIFFICULTIES: Mapping[str, Promise] = {
    "all": gettext_lazy("all"),
    "easy": gettext_lazy("easy"),
    "medium": gettext_lazy("medium"),
    "hard": gettext_lazy("hard"),
}
_VALUES = {"reason": _REASONS, "dimension": _DIMENSIONS, "figure": _FIGURES, "difficulty": _DIFFICULTIES}

_NOTES: Mapping[str, Promise] = {
    "intervals": gettext_lazy("Small: the 95 % interval of a bootstrap over tasks."),
    "no_judge": gettext_lazy("No judge has rated these sessions; what needs one is empty."),
    "judged_by": gettext_lazy("Judged by %(judge)s, calibrated by %(meta)s."),
    "one_run": gettext_lazy("A report of two runs or more compares them here."),
    "no_pairs": gettext_lazy("These runs have no task in common."),
    "paired": gettext_lazy(
        "Paired bootstrap over common tasks (%(times)s resamples): the mean difference with its 95 %% interval, "
        "and p of no difference. d: the mean difference in standard deviations of the differences."
    ),
    "one_trial": gettext_lazy("A run needs at least two trials of its tasks."),
    "no_issues": gettext_lazy("No plan has been scored, or none has an issue."),
    "log": gettext_lazy("Logarithmic scale; a type that a run does not have has no bar."),
    "mean_of": gettext_lazy("%(run)s: mean %(mean)s, standard deviation %(std)s."),
    "over_runs": gettext_lazy("Pearson's r over %(n)s runs: %(r)s."),
    "over_tasks": gettext_lazy("%(run)s: Pearson's r over %(n)s tasks: %(r)s."),
    "no_online": gettext_lazy(
        "No two of these runs have the same participants and protocol, one of them in online mode."
    ),
    "no_labels": gettext_lazy("There are no human labels yet."),
}


def title_of(part: str) -> str:
    """The heading of a part."""
    return str(TITLES[part][0])


def about(part: str) -> str:
    """What a part shows."""
    return str(TITLES[part][1])


def label_of(key: str) -> str:
    """The head of a column."""
    return str(_COLUMNS[key])


def value_words(key: str, value: str) -> str:
    """A name in a column as it is shown; an unknown one as it is."""
    if key == "run" and value == "":
        return _("all runs")
    return type_words(value) if key == "issue" else str(_VALUES.get(key, {}).get(value, value))


def note_words(note: Note) -> str:
    """A note as a sentence."""
    given = {name: _plain(value) for name, value in note.given.items()}
    sentence = str(_NOTES[note.key])
    return sentence % given if given else sentence


def _plain(value: Cell) -> str:
    return number_words(value, 2) if isinstance(value, float) or value is None else str(value)


def number_words(value: float | None, places: int, *, signed: bool = False) -> str:
    """A number with so many decimals; a dash for none."""
    if value is None:
        return "–"
    text = f"{value:+.{places}f}" if signed else f"{value:.{places}f}"
    if float(text) == 0:
        text = text.lstrip("+-")
    return text.replace("-", "−")


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
            return str(cell), ""
    return number_words(cell, column.places, signed=column.signed), ""


def _interval(column: Column, cell: Estimate) -> str:
    if cell.low is None or cell.high is None:
        return ""
    low, high = (number_words(end, column.places, signed=column.signed) for end in (cell.low, cell.high))
    return _("%(low)s to %(high)s") % {"low": low, "high": high}


def _spread(column: Column, cell: Spread) -> str:
    mean, std = (number_words(value, column.places) for value in (cell.mean, cell.std))
    return mean if cell.std is None else f"{mean} ± {std}"
