from django.apps import AppConfig


class ReportsConfig(AppConfig):
    name = "webapp.reports"
    label = "reports"

    def ready(self) -> None:
        from webapp.reports.folding import fold_scored
        from webapp.sessions.scoring import session_scored

        session_scored.connect(fold_scored, dispatch_uid="reports.fold_scored")
