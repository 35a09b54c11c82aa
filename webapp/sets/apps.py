from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SetsConfig(AppConfig):
    name = "webapp.sets"
    label = "sets"
    verbose_name = _("Sets of sessions")
