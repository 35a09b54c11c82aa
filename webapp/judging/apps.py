from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class JudgingConfig(AppConfig):
    name = "webapp.judging"
    label = "judging"

    def ready(self) -> None:
        """Add to the pages of endpoints how judges used them, and to those of sessions what judges say."""
        from webapp.endpoints.selectors import USERS
        from webapp.judging import page
        from webapp.judging.selectors import used_models
        from webapp.pages import Panel
        from webapp.sessions import head, panels

        USERS.append(used_models)
        head.ADDED.append(page.figure)
        panels.SHARED.append(Panel("judge", _("Judge"), page.context, "session_finished"))
