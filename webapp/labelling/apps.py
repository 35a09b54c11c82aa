from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LabellingConfig(AppConfig):
    name = "webapp.labelling"
    label = "labelling"
    verbose_name = _("Labelling")
