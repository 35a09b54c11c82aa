from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PeopleConfig(AppConfig):
    name = "webapp.people"
    label = "people"

    def ready(self) -> None:
        """Have forms offer studies, keep which session belongs to which, and remove what waited for scores."""
        from webapp.pages import Panel
        from webapp.people import results
        from webapp.people.audit_kinds import register
        from webapp.people.exports import mark_people
        from webapp.people.personal import scored_sent
        from webapp.people.studies import store_sittings, study_field
        from webapp.sessions import panels, studies
        from webapp.sessions.scoring import MARKING, session_scored
        from webapp.sessions.services import sessions_stored

        register()
        studies.FIELDS.append(study_field)
        sessions_stored.connect(store_sittings, dispatch_uid="people.store_sittings")
        MARKING.append(mark_people)
        refresh = "participant_joined presence_changed session_finished personal_data_removed"
        panels.SHARED_PANELS.append(
            Panel("people", _("People"), results.context, refresh, applies_to=results.has_guests)
        )
        session_scored.connect(scored_sent, dispatch_uid="people.scored_sent")
