"""Making and changing tasks in a form."""

from webapp.pages import TaskEditor
from webapp.suites.grouptravel.editing.checking import checked, reviewed
from webapp.suites.grouptravel.editing.form import TaskForm

EDITOR = TaskEditor(form=TaskForm, checked=checked, reviewed=reviewed)

__all__ = ["EDITOR", "TaskForm"]
