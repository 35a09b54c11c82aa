"""Weights of a scoring function that agree best with labelled pairs."""

from benchmark.labelling.weights.grid import LARGEST_GRID, Grid, GridError, Weights, grid_of, read_grid
from benchmark.labelling.weights.learning import CODE_VERSION, MOST_POINTS, Options, data_version, learn
from benchmark.labelling.weights.pairs import (
    LABELS,
    LONGEST_PAIR,
    Label,
    Pair,
    PairsError,
    pairs_of,
    read_pairs,
)
from benchmark.labelling.weights.results import Agreement, LearnedWeights
