"""The two rule-based baselines of appendix A.4: a query and the tables of its world give a plan."""

from benchmark.suites.traveleval.baselines.budget import plan_within_budget
from benchmark.suites.traveleval.baselines.plans import UnmetBudget, plan_without_limit

__all__ = ["UnmetBudget", "plan_within_budget", "plan_without_limit"]
