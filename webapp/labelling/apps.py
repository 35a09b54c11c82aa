from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LabellingConfig(AppConfig):
    name = "webapp.labelling"
    label = "labelling"
    verbose_name = _("Labelling")

    def ready(self) -> None:
        """Add to pages of endpoints how comparisons used them; keep what models and annotators wrote removable."""
        from webapp.endpoints.selectors import USERS
        from webapp.labelling.comparisons import being_compared, personal_data_tables, used_models
        from webapp.labelling.retention import removals
        from webapp.people import personal
        from webapp.people.retention import FURTHER_REMOVALS

        USERS.append(used_models)
        personal.PERSONAL_DATA_TABLES.extend(personal_data_tables())
        personal.BUSY.append(being_compared)
        FURTHER_REMOVALS.append(removals)
