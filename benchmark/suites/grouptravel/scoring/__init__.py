"""Rule scores of a run record: completeness, utility, fairness, validity, each with its evidence."""

from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.scoring.completeness import completeness
from benchmark.suites.grouptravel.scoring.evidence import differences
from benchmark.suites.grouptravel.scoring.fairness import fairness
from benchmark.suites.grouptravel.scoring.faults import FAULTS
from benchmark.suites.grouptravel.scoring.files import score_file
from benchmark.suites.grouptravel.scoring.paper import REASONS
from benchmark.suites.grouptravel.scoring.profile import CODE_VERSION, PROFILES
from benchmark.suites.grouptravel.scoring.records import BadRecords, load_catalogue, read_records
from benchmark.suites.grouptravel.scoring.score import figures_of, score_record, scores_by_profile
from benchmark.suites.grouptravel.scoring.tally import Tally
from benchmark.suites.grouptravel.scoring.validity import MENDS, MESSAGES
