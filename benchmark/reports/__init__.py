"""Reports over runs: the tables and figures of the paper, with intervals, from rows of session figures."""

from benchmark.reports.agreement import RatedSession, UnmatchedRatings, agreement
from benchmark.reports.measures import Mean, Measures
from benchmark.reports.report import PairRater, Part, Report
from benchmark.reports.reporting import Reporting
from benchmark.reports.run import RunFigures
from benchmark.reports.session import SessionFigures
from benchmark.reports.statistics import LEVEL, Estimate, Resampler
from benchmark.reports.table import Cell, Chart, Column, Figure, Note, Spread, Table
from benchmark.reports.words import PartWords
