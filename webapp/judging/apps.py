from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class JudgingConfig(AppConfig):
    name = "webapp.judging"
    label = "judging"

    def ready(self) -> None:
        """Add to pages of endpoints how judges used them, to those of sessions what judges say; judge."""
        from webapp.endpoints.selectors import USERS
        from webapp.judging import page
        from webapp.judging.selectors import used_models
        from webapp.judging.services import judge_scored
        from webapp.judging.values import being_judged, join_scored, personal_data_table
        from webapp.pages import Panel
        from webapp.people import personal
        from webapp.sessions import head, panels
        from webapp.sessions.scoring import session_scored

        USERS.append(used_models)
        head.ADDED_FIGURES.append(page.figures)
        personal.PERSONAL_DATA_TABLES.append(personal_data_table())
        personal.BUSY.append(being_judged)
        panels.SHARED_PANELS.append(Panel("judge", _("Judge"), page.context, "session_finished"))
        session_scored.connect(judge_scored, dispatch_uid="judging.judge_scored")
        session_scored.connect(join_scored, dispatch_uid="judging.join_scored")
