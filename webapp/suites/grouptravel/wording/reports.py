"""What the reports of GroupTravelBench say beside the words that all have."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, ngettext_lazy

from webapp.pages import ReportWords
from webapp.suites.grouptravel.wording.issues import TYPES

REPORT_WORDS = ReportWords(
    titles={
        "interaction": (gettext_lazy("Interaction"), gettext_lazy("Means per session.")),
        "validity_issues": (
            gettext_lazy("Validity issues by type"),
            gettext_lazy(
                "All issues of all scored plans. Each line of the scale stands for ten times the one before."
            ),
        ),
        "compromises": (
            gettext_lazy("Compromises per task"),
            gettext_lazy("Percentage of tasks by their mean number of applied compromises over trials."),
        ),
        "tools_and_utility": (
            gettext_lazy("Tool calls against group utility"),
            gettext_lazy("One point per run; with fewer than three runs, one point per task."),
        ),
        "offline_online": (
            gettext_lazy("Offline against online"),
            gettext_lazy(
                "Runs with the same participants, isolated and online, over the tasks that both runs played."
            ),
        ),
    },
    columns={
        "judge": gettext_lazy("judge"),
        "other": gettext_lazy("Other"),
        "rules": gettext_lazy("mean of PC, GF, PV"),
        "compromises": gettext_lazy("compromises"),
        "rounds": gettext_lazy("rounds"),
        "plans": gettext_lazy("plans %"),
        "issue": gettext_lazy("issue"),
        "issues": gettext_lazy("issues"),
        "plans_with": gettext_lazy("plans with this issue"),
        "a_plan": gettext_lazy("per plan"),
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
    },
    axes={
        ("compromises", "bin"): gettext_lazy("compromises per task"),
        ("compromises", "share"): gettext_lazy("% of tasks"),
        ("tools_and_utility", "calls"): gettext_lazy("tool calls per task"),
        ("tools_and_utility", "gu"): gettext_lazy("GU, points"),
    },
    values={
        "reason": {
            "plan_generated": gettext_lazy("plan proposed"),
            "max_turn_reached": gettext_lazy("round limit"),
            "mention_exhausted": gettext_lazy("mention not answered"),
            "event_cap_reached": gettext_lazy("too many events in a round"),
        },
        "figure": {
            "judge": gettext_lazy("judge"),
            "other": gettext_lazy("Other"),
        },
        "difficulty": {
            "easy": gettext_lazy("easy"),
            "medium": gettext_lazy("medium"),
            "hard": gettext_lazy("hard"),
        },
        "issue": TYPES,
    },
    notes={
        "judged_alone": gettext_lazy(
            "Not every session was judged. The judge's figure and Other cover the judged sessions "
            "only, with their PC, GF and PV, so Other may differ from the mean of the columns beside "
            "it."
        ),
        "without_issues": gettext_lazy("%(run)s has no issue, so it has no bar."),
        "without_plans": gettext_lazy("%(run)s has no plan that could have an issue."),
        "differing_world": gettext_lazy("%(offline)s and %(online)s were played over different worlds."),
        "differing_seed": gettext_lazy("%(offline)s and %(online)s were played with different seeds."),
        "no_scored_plan": gettext_lazy("No plan has been scored."),
        "no_issues": ngettext_lazy(
            "The %(n)s plan that has been scored has no issue.",
            "None of the %(n)s plans that have been scored has an issue.",
            "n",
        ),
        "log": gettext_lazy("Logarithmic scale from 0.5; an issue that a run does not have has no bar."),
        "over_runs": ngettext_lazy(
            "Pearson's r over %(n)s run: %(r)s.", "Pearson's r over %(n)s runs: %(r)s.", "n"
        ),
        "over_tasks": ngettext_lazy(
            "%(run)s: Pearson's r over %(n)s task: %(r)s.",
            "%(run)s: Pearson's r over %(n)s tasks: %(r)s.",
            "n",
        ),
        "too_few_points": ngettext_lazy(
            "%(run)s %(n)s point: too few for a correlation, which needs five.",
            "%(run)s %(n)s points: too few for a correlation, which needs five.",
            "n",
        ),
        "no_online": gettext_lazy(
            "No two of these runs have a task, agent, users, models and protocol in common, one of "
            "them in the mode isolated and the other in the mode online. Runs in the mode world have "
            "no cache and are left out."
        ),
    },
    means={
        "other": gettext_lazy(
            "the mean of PC, GF, PV and judge, over judged tasks; empty where there are none; 0 to 100."
        ),
        "rules": gettext_lazy("Other without the judge, over all tasks; 0 to 100."),
    },
    counterparts=gettext_lazy(
        "“Table 1” or “Figure 7” beside a heading: the table or figure of the GroupTravelBench paper "
        "that this part corresponds to."
    ),
)
