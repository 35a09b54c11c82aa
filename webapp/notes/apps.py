from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NotesConfig(AppConfig):
    name = "webapp.notes"
    label = "notes"

    def ready(self) -> None:
        """Add what people noted to the pages of sessions."""
        from webapp.notes import page
        from webapp.pages import Panel
        from webapp.sessions import panels

        panels.SHARED_PANELS.append(Panel("notes", _("Notes"), page.context, ""))
