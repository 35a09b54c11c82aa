from django.apps import AppConfig
from django.db.models.signals import post_migrate


class TablesConfig(AppConfig):
    name = "webapp.tables"
    label = "tables"

    def ready(self) -> None:
        """Keep the rows of the table of sessions up to date."""
        from webapp.judging.values import rated
        from webapp.sessions.scoring import scored
        from webapp.sessions.services import changed
        from webapp.tables.entries import fill_after_migration, refresh_sent

        post_migrate.connect(fill_after_migration, sender=self, dispatch_uid="tables.fill")
        for signal in (changed, scored, rated):
            signal.connect(refresh_sent, dispatch_uid="tables.refresh_sent")
