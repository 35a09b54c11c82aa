"""What a traveller wants: the schema of a preference table, lenient reading, and conflicts within a group."""

from benchmark.suites.grouptravel.preferences.conflicts import Conflict, conflicts
from benchmark.suites.grouptravel.preferences.schema import (
    CITY_FIELDS,
    CITY_ROOT,
    FIELD,
    FIELDS,
    GLOBAL_FIELDS,
    TRANSPORT_MODES,
    PreferenceField,
    is_schema_path,
)
from benchmark.suites.grouptravel.preferences.tables import (
    FieldValues,
    cities,
    filled,
    filled_by_city,
    number,
    read,
    table_of,
)

__all__ = [
    "CITY_FIELDS",
    "CITY_ROOT",
    "FIELD",
    "FIELDS",
    "GLOBAL_FIELDS",
    "TRANSPORT_MODES",
    "Conflict",
    "FieldValues",
    "PreferenceField",
    "cities",
    "conflicts",
    "filled",
    "filled_by_city",
    "is_schema_path",
    "number",
    "read",
    "table_of",
]
