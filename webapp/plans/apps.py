from django.apps import AppConfig


class PlansConfig(AppConfig):
    name = "webapp.plans"
    label = "plans"

    def ready(self) -> None:
        """Add what the plans of a session show to its page."""
        from webapp.pages import place_parts
        from webapp.plans.panels import PANELS
        from webapp.sessions import panels

        panels.SHARED_PANELS[:] = place_parts(panels.SHARED_PANELS, PANELS)
