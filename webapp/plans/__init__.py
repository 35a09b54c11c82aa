"""Plans on pages, whatever the benchmark: day by day, as lanes, on a map, with costs, and two side by side.

All of it is made from `benchmark.plans.view.PlanView`; no module here knows a benchmark.
"""
