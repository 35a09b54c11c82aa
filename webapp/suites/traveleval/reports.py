"""What TravelEval's reports say."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from benchmark.suites.traveleval.metrics import GROUPS
from benchmark.suites.traveleval.options import OPTIONS, SCORING_OPTIONS
from benchmark.suites.traveleval.report.means import COSTS, METRIC
from benchmark.suites.traveleval.tasks.listing import LEVELS
from webapp.pages import ReportWords

FAILURES = {
    "claimed_costs": _("told costs that do not add up"),
    "false_within_budget": _("said to be within the budget, and is not"),
    "omitted_days": _("omitted days"),
    "nightly_ends": _("a day that ends in the small hours"),
}
_LEVELS = {"all": _("all queries"), **{key: _(word) for key, word in LEVELS.items()}}
_COLOURS = dict(zip(COSTS, (f"var(--run{number})" for number in range(1, 7)), strict=True))
REPORT_WORDS = ReportWords(
    titles={
        "runs_side_by_side": (
            _("All metrics"),
            _(
                "Plain means over the plans of each run. Small: how many of how many sessions have the figure."
            ),
        ),
        "gaps": (
            _("Gaps to the paper"),
            _(
                "Figures that are more than 10 % off the row of the same agent in Table B1, and what closes the "
                "gap: no queues, another profile, or another run here that differs in one option."
            ),
        ),
        "approaches": (_("The figures that tell baselines apart"), _("Plain means over plans.")),
        "within_budget": (_("Plans within the budget"), _("Percentage of plans.")),
        "dimension_radars": (
            _("Six dimensions by difficulty"),
            _(
                "In each chart the worst of the runs has 0 and the best has 100 in each metric. A dimension is the "
                "mean of its metrics. The paper does not say how it normalises; this way is ours."
            ),
        ),
        "strategy_radars": (
            _("Strategies on hard queries"),
            _("Metrics of runs over the same model: 0 for the worst of them, 100 for the best."),
        ),
        "by_level": (_("All metrics by difficulty"), _("Plain means over plans.")),
        "progressive": (
            _("Progressive groups"),
            _(
                "The same journeys with no wishes (G1), some (G2) and many (G3), and the relative changes from "
                "each level to the next."
            ),
        ),
        "cost_composition": (_("Costs by kind"), _("Mean costs of a plan, CNY, and their shares.")),
        "ablations": (
            _("Without queues, and as the crow flies"),
            _(
                "The figures of the same plans as the run is scored and without queues, and the mean way between "
                "neighbouring sights by the distances of the run and as the crow flies."
            ),
        ),
        "correlations": (
            _("Correlations over runs"),
            _(
                "Pearson's coefficients of the means of the runs. Blue squares: both rise together. Orange: "
                "one rises where the other falls. The stronger, the darker."
            ),
        ),
        "plan_correlations": (_("Correlations over plans"), _("The same over all plans of all runs.")),
        "plan_failures": (
            _("How plans fail"),
            _("Percentage of plans with failures that no metric names (appendix B.2 of the paper)."),
        ),
    },
    columns={
        "figure": _("metric"),
        "other_figure": _("other metric"),
        "here": _("here"),
        "paper": _("paper"),
        "gap": _("gap, %"),
        "switch": _("closed by"),
        "switched": _("figure then"),
        "switched_run": _("in the run"),
        "all": _("all"),
        **{key: _(word) for key, word in LEVELS.items()},
        "change_g2": _("change from G1 to G2, %"),
        "change_g3": _("change from G2 to G3, %"),
        **{f"{key}_change": _("change, %") for key in ("str", "dtu", "otu", "distance")},
        "group": _("queries"),
        "kind": _("kind"),
        "cost": _("CNY"),
        "metrics": _("dimension"),
        "model": _("model"),
        "correlation": _("Pearson's r"),
        "pairs": _("pairs"),
        "failure": _("failure"),
        "plans": _("plans"),
    },
    axes={
        ("within_budget", "bcs"): _("% of plans"),
        ("cost_composition", "cost"): _("CNY for each plan"),
        ("plan_failures", "share"): _("% of plans"),
    },
    values={
        "group": _LEVELS,
        "kind": {key: _(METRIC[key].label) for key in COSTS},
        "metrics": {group.key: _(group.label) for group in GROUPS},
        "failure": FAILURES,
        "switch": {
            "no_queue": _("no queues"),
            "profile_published": _("the profile published"),
            "profile_paper": _("the profile paper"),
            **{option.key: _(option.label) for option in (*OPTIONS, *SCORING_OPTIONS)},
            "": _("no switch here"),
        },
        "reason": {
            "planned": _("plan given"),
            "no_plan": _("no plan"),
        },
    },
    notes={
        "coverage": _("Sessions without a figure are not part of its mean."),
        "no_groups": _("These runs have no queries of progressive groups."),
        "normalised": _("Metrics in which all of these runs are alike are left out."),
        "one_strategy": _("No model has two agents here."),
        "few_runs": _("Correlations need three runs or more whose figures differ."),
        "few_plans": _("Correlations need three plans or more whose figures differ."),
        "constant_figures": _("Left out, since they do not vary: %(names)s."),
        "find_failures": _("The table of sessions finds such plans by the filter for issue types."),
        "not_in_paper": _(
            "The paper has no row for the agents of these runs: it has both baselines, and strategies over "
            "the models of its Table B1."
        ),
        "no_gaps": _("No figure is more than 10 % off."),
        "plans_of_run": _("%(run)s is over %(n)s sessions; the paper's row is over its 1,150 queries."),
    },
    counterparts=_("The table or figure beside a heading is its counterpart in the TravelEval paper."),
    colours={"kind": _COLOURS},
)
