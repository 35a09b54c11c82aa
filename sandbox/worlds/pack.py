"""The file format of a world: one SQLite database, written once and then only read."""

from __future__ import annotations

FORMAT = "caravan-world-5"
"""What a pack is written in: the layout of the tables, and what a record may say."""

WITHOUT_EXTRAS = ("caravan-world-4", "caravan-world-3")
"""Formats of the same tables but for `extra`. 3 knows no seat and cabin classes, stops, wind, phones and numbers of
reviews either."""

READABLE = (FORMAT, *WITHOUT_EXTRAS)
"""What can be read; a pack of another format must be built again."""

RECORDS_FORMAT = "caravan-world-1"
"""What a pack's hash is a hash of; it outlives layouts."""

# `places.rank` goes city by city, and in each from the best known place on; extras.py tells of `extra`, index.py of
# the other tables.
TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE cities (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, body TEXT NOT NULL);
CREATE TABLE places (
    rank INTEGER PRIMARY KEY, id TEXT NOT NULL, city INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL
);
CREATE TABLE place_keys (
    rank INTEGER PRIMARY KEY, city INTEGER NOT NULL, name TEXT NOT NULL
);
CREATE TABLE postings (
    city INTEGER NOT NULL, gram TEXT NOT NULL, field INTEGER NOT NULL,
    places BLOB NOT NULL, occurrences BLOB NOT NULL,
    PRIMARY KEY (city, gram, field)
) WITHOUT ROWID;
CREATE TABLE city_columns (
    city INTEGER PRIMARY KEY, base INTEGER NOT NULL, kinds BLOB, prices BLOB, ratings BLOB, longitudes BLOB,
    latitudes BLOB, sorted_latitudes BLOB, by_latitude BLOB
);
CREATE TABLE stations (
    city INTEGER NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL, body TEXT NOT NULL
);
CREATE TABLE services (
    origin INTEGER NOT NULL, destination INTEGER NOT NULL, mode TEXT NOT NULL, depart TEXT NOT NULL,
    number TEXT NOT NULL, body TEXT NOT NULL
);
CREATE TABLE climates (city INTEGER NOT NULL, month INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (city, month)) WITHOUT ROWID;
CREATE TABLE facts (rank INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE fact_terms (term TEXT NOT NULL, fact INTEGER NOT NULL, title INTEGER NOT NULL, weight REAL NOT NULL);
CREATE TABLE extra (
    owner TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, seq INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (owner, kind, key, seq)
) WITHOUT ROWID;
"""

INDEXES = """
CREATE UNIQUE INDEX places_id ON places (id);
CREATE INDEX places_city ON places (city, kind);
CREATE INDEX place_keys_name ON place_keys (city, name);
CREATE INDEX stations_listing ON stations (city, kind);
CREATE INDEX stations_key ON stations (key);
CREATE INDEX fact_terms_term ON fact_terms (term, fact, title, weight);
CREATE INDEX services_listing ON services (origin, destination, mode, depart, number);
ANALYZE;
"""


class WorldError(Exception):
    """A pack that can't be built from its records, or a file that is no pack of this format."""
