"""A session's model calls and tool results, kept so that it can be run again without any of what gave them."""

from benchmark.cassettes.cassette import AFTER_OPENING, Cassette, InboxDelivery
from benchmark.cassettes.files import CassetteError, GrowingCassette, KeptStep, read_cassette, write_cassette
from benchmark.cassettes.mismatch import EndOfCassette, Mismatch
from benchmark.cassettes.model import CassetteModel
from benchmark.cassettes.sameness import Difference, differences, first_difference
from benchmark.cassettes.tools import CassetteTools
