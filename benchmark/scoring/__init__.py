"""Rule scores of a run record: completeness, utility, fairness, validity, each with its evidence."""

from benchmark.scoring.aggregation import FIGURES, aggregate
from benchmark.scoring.catalogue import Catalogue, CataloguePlace
from benchmark.scoring.completeness import Completeness, completeness
from benchmark.scoring.evidence import Difference, differences, evidence_digest
from benchmark.scoring.fairness import fairness
from benchmark.scoring.faults import FAULTS
from benchmark.scoring.files import score_file
from benchmark.scoring.profile import CODE_VERSION, PROFILES, Profile
from benchmark.scoring.records import BadRecords, load_catalogue, read_records
from benchmark.scoring.score import figures_of, score_record, scores_by_profile
from benchmark.scoring.strict import REASONS
from benchmark.scoring.tally import Tally
from benchmark.scoring.validity import MENDS, MESSAGES, words

__all__ = [
    "CODE_VERSION",
    "FAULTS",
    "FIGURES",
    "MENDS",
    "MESSAGES",
    "PROFILES",
    "REASONS",
    "BadRecords",
    "Catalogue",
    "CataloguePlace",
    "Completeness",
    "Difference",
    "Profile",
    "Tally",
    "aggregate",
    "completeness",
    "differences",
    "evidence_digest",
    "fairness",
    "figures_of",
    "load_catalogue",
    "read_records",
    "score_file",
    "score_record",
    "scores_by_profile",
    "words",
]
