"""The file format of a world: one SQLite database, written once and then only read."""

from __future__ import annotations

FORMAT = "caravan-world-1"

# Rows of `places` are numbered by rank, best known first, so that row order is the order of relevance.
# A gram carries its city's number, which keeps the posting lists of a national world as short as a city's.
TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE cities (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, body TEXT NOT NULL);
CREATE TABLE places (rank INTEGER PRIMARY KEY, id TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE place_keys (
    rank INTEGER PRIMARY KEY, city INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
    categories TEXT NOT NULL, dishes TEXT NOT NULL, address TEXT NOT NULL,
    price REAL, rating REAL, lon REAL NOT NULL, lat REAL NOT NULL
);
CREATE VIRTUAL TABLE place_grams USING fts5(
    grams, content='', detail=none, columnsize=0,
    tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* Co Cn'"
);
CREATE VIRTUAL TABLE place_boxes USING rtree(rank, west, east, south, north);
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
CREATE VIRTUAL TABLE fact_grams USING fts5(
    grams, content='', detail=none, columnsize=1,
    tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* Co Cn'"
);
"""

INDEXES = """
CREATE UNIQUE INDEX places_id ON places (id);
CREATE INDEX place_keys_listing ON place_keys (city, kind, rank, price, rating);
CREATE INDEX place_keys_name ON place_keys (name, city);
CREATE INDEX stations_listing ON stations (city, kind);
CREATE INDEX stations_key ON stations (key);
CREATE INDEX services_listing ON services (origin, destination, mode, depart, number);
ANALYZE;
"""


class WorldError(Exception):
    """A pack that can't be built from its records, or a file that is no pack of this format."""
