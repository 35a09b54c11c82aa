from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ExperimentsConfig(AppConfig):
    name = "webapp.experiments"
    label = "experiments"
    verbose_name = _("Experiments")

    def ready(self) -> None:
        """Add to pages of endpoints how experiments used them; keep what they hold of people removable."""
        from webapp.endpoints.selectors import USERS
        from webapp.experiments.selectors import being_asked, personal_data_tables, used_models
        from webapp.people import personal

        USERS.append(used_models)
        personal.PERSONAL_DATA_TABLES.extend(personal_data_tables())
        personal.BUSY.append(being_asked)
