"""What parts of all benchmarks have in common: columns, names in them, sentences."""

from __future__ import annotations

from typing import Final

from benchmark.remarks import gettext_noop as _
from benchmark.remarks import ngettext_noop
from benchmark.reports.words import PartWords

SHARED_WORDS: Final = PartWords(
    columns={
        "run": _("run"),
        "difficulty": _("difficulty"),
        "tasks": _("tasks"),
        "judged": _("tasks judged"),
        "judged_sessions": _("sessions judged"),
        "sessions": _("sessions"),
        "figure": _("figure"),
        "value": _("value"),
        "calls": _("tool calls"),
        "share": _("%"),
        "bin": _("per task"),
        "dimension": _("dimension"),
        "score": _("score"),
        "rating": _("rating"),
        "rubric": _("rubric"),
        "verdicts": _("judgements"),
        "offline": _("offline"),
        "online": _("online"),
    },
    values={"run": {"": _("all runs")}, "difficulty": {"all": _("all")}},
    notes={
        "no_sessions": _("No session of these runs has ended and been scored."),
        "shared": ngettext_noop(
            "Over the %(n)s task that all these runs have.",
            "Over the %(n)s tasks that all these runs have.",
        ),
        "left_out": ngettext_noop(
            "Left out: %(n)s task of %(run)s that the other runs do not all have.",
            "Left out: %(n)s tasks of %(run)s that the other runs do not all have.",
        ),
        "nothing_shared": _(
            "These runs have no task in common, so they can't be compared. Make a report of each run alone."
        ),
        "one_run": _("A report of two or more runs compares them here."),
        "one_trial": _("A run needs at least two trials of its tasks."),
        "mean_of": ngettext_noop(
            "%(run)s: mean %(mean)s, standard deviation (n − 1) %(std)s, over %(n)s task.",
            "%(run)s: mean %(mean)s, standard deviation (n − 1) %(std)s, over %(n)s tasks.",
        ),
        "mean_of_shares": _("All runs: the mean of the runs' percentages, whatever their numbers of tasks."),
        "no_judge": _("No judge has rated these sessions, so figures that need a judge are empty."),
        "not_calibrated": _(
            "%(judge)s has rated, but %(meta)s has calibrated nothing, so there is no score."
        ),
        "judged_by": _(
            "Judged by %(judge)s, calibrated by %(meta)s. Several judgements of a session count as their "
            "mean, also across batches. Sessions without a judgement count as not judged."
        ),
        "judged": ngettext_noop(
            "%(run)s: %(n)s of %(sessions)s session judged.",
            "%(run)s: %(n)s of %(sessions)s sessions judged.",
            "sessions",
        ),
        "judged_alone": _(
            "Not every session was judged: the judge's figures cover the judged sessions only."
        ),
        "other_judges": ngettext_noop(
            "%(judge)s with %(meta)s has judged %(n)s session too, which does not count here.",
            "%(judge)s with %(meta)s has judged %(n)s sessions too, which does not count here.",
        ),
        "prompts": _("Their prompts have the version %(prompts)s."),
        "other_prompts": ngettext_noop(
            "%(judge)s with %(meta)s and prompts %(prompts)s has judged %(n)s session too, which does not count "
            "here.",
            "%(judge)s with %(meta)s and prompts %(prompts)s has judged %(n)s sessions too, which does not count "
            "here.",
        ),
        "no_online": _(
            "No two of these runs have a task, agent, users, models and protocol in common, one of "
            "them in the mode isolated and the other in the mode online. Runs in the mode world have "
            "no cache and are left out."
        ),
        "differing_world": _("%(offline)s and %(online)s were played over different worlds."),
        "differing_seed": _("%(offline)s and %(online)s were played with different seeds."),
    },
)
