from django.apps import AppConfig


class PlansConfig(AppConfig):
    name = "webapp.plans"
    label = "plans"

    def ready(self) -> None:
        """Add what the plans of a session show to its page, and to two sessions side by side."""
        from webapp.pages import place_parts
        from webapp.plans.pair import compare_plans
        from webapp.plans.panels import PANELS
        from webapp.sessions import panels, side_by_side

        panels.SHARED_PANELS[:] = place_parts(panels.SHARED_PANELS, PANELS)
        side_by_side.SHARED_COMPARISONS.append(compare_plans)
