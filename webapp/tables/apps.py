from django.apps import AppConfig
from django.db.models.signals import post_migrate


class TablesConfig(AppConfig):
    name = "webapp.tables"
    label = "tables"

    def ready(self) -> None:
        """Keep the rows of the table of sessions and what is searched up to date."""
        from webapp.judging.values import ratings_stored
        from webapp.people.personal import words_removed
        from webapp.sessions.scoring import session_scored
        from webapp.sessions.services import sessions_changed
        from webapp.tables import entries, search

        post_migrate.connect(entries.fill_after_migration, sender=self, dispatch_uid="tables.fill")
        post_migrate.connect(search.fill_after_migration, sender=self, dispatch_uid="tables.fill_said")
        for signal in (sessions_changed, session_scored, ratings_stored, words_removed):
            signal.connect(entries.refresh_sent, dispatch_uid="tables.refresh_sent")
        sessions_changed.connect(search.refresh_sent, dispatch_uid="tables.refresh_said")
        ratings_stored.connect(search.refresh_rated, dispatch_uid="tables.refresh_rated")
        words_removed.connect(search.refresh_removed, dispatch_uid="tables.refresh_removed")
