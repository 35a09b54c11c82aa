"""What the reports of TravelBench say beside the words that all have."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, ngettext_lazy

from webapp.pages import ReportWords

_SUBSETS = {
    "multi": gettext_lazy("multi-turn"),
    "single": gettext_lazy("single-turn"),
    "unsolved": gettext_lazy("unsolvable"),
}
_ALL = gettext_lazy("mean ± deviation")

REPORT_WORDS = ReportWords(
    titles={
        "subsets": (
            gettext_lazy("Main results by subset"),
            gettext_lazy(
                "Raw: the judge's ratings alone. Errors: tool errors per call. Final: less tool errors, calibrated "
                "by the meta-judge. All figures are 0 to 100."
            ),
        ),
        "trial_stability": (
            gettext_lazy("Stability over trials, by subset"),
            gettext_lazy("Final scores of each trial, over the tasks that every trial has."),
        ),
        "judge_stability": (
            gettext_lazy("Stability of the judge"),
            gettext_lazy("Final scores by the first, second, … judgement of the same sessions."),
        ),
        "offline_online": (
            gettext_lazy("Offline against online"),
            gettext_lazy(
                "Runs with the same participants, isolated and online, over the tasks that both runs "
                "played: overall score, calls that the cache knew, and all tool calls."
            ),
        ),
        "frameworks": (
            gettext_lazy("One model in several agents"),
            gettext_lazy("Overall scores of runs whose agents have the same model."),
        ),
        "hardest": (
            gettext_lazy("The hardest tasks"),
            gettext_lazy("Final scores over the tasks of each subset that took the most tool calls."),
        ),
        "composition": (
            gettext_lazy("Steps and turns"),
            gettext_lazy("Over tasks: each value is the mean of a task over runs and trials."),
        ),
        "subset_calls": (
            gettext_lazy("Tool calls per task, by subset"),
            gettext_lazy("Percentage of tasks by their mean number of tool calls over trials."),
        ),
        "single_steps": (
            gettext_lazy("Steps of single-turn tasks"),
            gettext_lazy("Percentage of tasks by their mean number of tool steps over trials."),
        ),
        "multi_turns": (
            gettext_lazy("Turns of multi-turn tasks"),
            gettext_lazy("Percentage of tasks by their mean number of turns over trials."),
        ),
        "multi_ratings": (
            gettext_lazy("How the judge rated multi-turn sessions"),
            gettext_lazy("Percentage of judgements with each rating of 1 to 5."),
        ),
        "single_ratings": (
            gettext_lazy("How the judge rated single-turn sessions"),
            gettext_lazy("Percentage of judgements with each rating of 1 to 5."),
        ),
        "subset_dimensions": (
            gettext_lazy("Final scores by subset and dimension"),
            gettext_lazy("0 to 100, less tool errors, calibrated by the meta-judge."),
        ),
    },
    columns={
        "judge": gettext_lazy("judge"),
        "multi_raw": gettext_lazy("multi-turn: raw"),
        "multi_errors": gettext_lazy("multi-turn: errors %"),
        "multi_final": gettext_lazy("multi-turn: final"),
        "single_raw": gettext_lazy("single-turn: raw"),
        "single_errors": gettext_lazy("single-turn: errors %"),
        "single_final": gettext_lazy("single-turn: final"),
        "accuracy": gettext_lazy("unsolvable: accuracy %"),
        "overall": gettext_lazy("overall"),
        "multi_judged": gettext_lazy("multi-turn: sessions judged"),
        "single_judged": gettext_lazy("single-turn: sessions judged"),
        "multi_tasks": gettext_lazy("multi-turn: tasks"),
        "single_tasks": gettext_lazy("single-turn: tasks"),
        "multi": gettext_lazy("multi-turn"),
        "single": gettext_lazy("single-turn"),
        "trial": gettext_lazy("trial"),
        "judgement": gettext_lazy("judgement"),
        "offline": gettext_lazy("offline"),
        "online": gettext_lazy("online"),
        "overall_offline": gettext_lazy("overall offline"),
        "overall_online": gettext_lazy("overall online"),
        "multi_hits_offline": gettext_lazy("multi-turn: hits % offline"),
        "multi_hits_online": gettext_lazy("multi-turn: hits % online"),
        "multi_calls_offline": gettext_lazy("multi-turn: tool calls offline"),
        "multi_calls_online": gettext_lazy("multi-turn: tool calls online"),
        "single_hits_offline": gettext_lazy("single-turn: hits % offline"),
        "single_hits_online": gettext_lazy("single-turn: hits % online"),
        "single_calls_offline": gettext_lazy("single-turn: tool calls offline"),
        "single_calls_online": gettext_lazy("single-turn: tool calls online"),
        "hardest": gettext_lazy("hardest tasks"),
        "model": gettext_lazy("model"),
        "agent": gettext_lazy("agent"),
        "subset": gettext_lazy("subset"),
        "counted_by": gettext_lazy("counted"),
        "mean": gettext_lazy("mean"),
        "least": gettext_lazy("least"),
        "most": gettext_lazy("most"),
    },
    axes={
        ("subset_calls", "bin"): gettext_lazy("tool calls per task"),
        ("subset_calls", "share"): gettext_lazy("% of tasks"),
        ("single_steps", "bin"): gettext_lazy("tool steps per task"),
        ("single_steps", "share"): gettext_lazy("% of tasks"),
        ("multi_turns", "bin"): gettext_lazy("turns per task"),
        ("multi_turns", "share"): gettext_lazy("% of tasks"),
        ("multi_ratings", "share"): gettext_lazy("% of judgements"),
        ("single_ratings", "share"): gettext_lazy("% of judgements"),
        ("subset_dimensions", "score"): gettext_lazy("score, 0 to 100"),
    },
    values={
        "subset": _SUBSETS,
        "counted_by": {"steps": gettext_lazy("steps, with the answer"), "turns": gettext_lazy("turns taken")},
        "trial": {"all": _ALL},
        "judgement": {"all": _ALL},
        "hardest": {"all": gettext_lazy("all")},
        "reason": {
            "completed": gettext_lazy("answered"),
            "user_ended": gettext_lazy("ended by the user"),
            "max_turns_reached": gettext_lazy("turn limit"),
        },
    },
    notes={
        "subsets": gettext_lazy(
            "The overall score is the mean of the multi-turn final score, the single-turn final "
            "score and the accuracy. It is empty where one of the three is."
        ),
        "sample_deviation": gettext_lazy("Standard deviations with n − 1, n being the number of rows above."),
        "one_judgement": gettext_lazy("Judge the sessions of a run at least twice by the same judge."),
        "judged_less_often": ngettext_lazy(
            "%(run)s: %(n)s session is left out, since it was judged fewer times.",
            "%(run)s: %(n)s sessions are left out, since they were judged fewer times.",
            "n",
        ),
        "one_agent_a_model": gettext_lazy("No two of these runs have the same model in different agents."),
        "hardest": gettext_lazy(
            "The hardest are those with the most tool calls on average over all runs and trials of this report."
        ),
        "mean_of_single": ngettext_lazy(
            "%(run)s: mean %(mean)s over %(n)s single-turn task.",
            "%(run)s: mean %(mean)s over %(n)s single-turn tasks.",
            "n",
        ),
        "mean_of_multi": ngettext_lazy(
            "%(run)s: mean %(mean)s over %(n)s multi-turn task.",
            "%(run)s: mean %(mean)s over %(n)s multi-turn tasks.",
            "n",
        ),
        "differing_world": gettext_lazy("%(offline)s and %(online)s were played over different worlds."),
        "differing_seed": gettext_lazy("%(offline)s and %(online)s were played with different seeds."),
        "no_online": gettext_lazy(
            "No two of these runs have a task, agent, users, models and protocol in common, one of "
            "them in the mode isolated and the other in the mode online. Runs in the mode world have "
            "no cache and are left out."
        ),
    },
    counterparts=gettext_lazy(
        "“Table 2” or “Figure 3” beside a heading: the table or figure of the TravelBench paper that "
        "this part corresponds to."
    ),
)
