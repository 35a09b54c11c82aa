from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RepairsConfig(AppConfig):
    name = "webapp.repairs"
    label = "repairs"
    verbose_name = _("Repairs")

    def ready(self) -> None:
        """Add to pages of endpoints how repairs used them; keep what models wrote removable."""
        from webapp.endpoints.selectors import USERS
        from webapp.people import personal
        from webapp.repairs.selectors import being_repaired, personal_data_table, used_models

        USERS.append(used_models)
        personal.PERSONAL_DATA_TABLES.append(personal_data_table())
        personal.BUSY.append(being_repaired)
