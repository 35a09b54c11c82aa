from django.apps import AppConfig
from django.db.models.signals import post_save


class ReportsConfig(AppConfig):
    name = "webapp.reports"
    label = "reports"

    def ready(self) -> None:
        from webapp.reports.folding import fold_scored
        from webapp.sessions.models import Score

        post_save.connect(fold_scored, sender=Score, dispatch_uid="reports.fold_scored")
