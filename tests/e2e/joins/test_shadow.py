"""Shadow mode finds rows that the values of a join would lose, and changes no answer."""

from typing import Final

from ..harness import engines
from ..harness.check import SHADOW, Checker
from ..harness.lake import Lake, publish_lie
from .tables import FILES, FILES_OF_RARE, KEYS_PER_FILE, RARE, VISITS
from .test_join_forms import ON

FILE: Final = RARE[0] // KEYS_PER_FILE
LOST: Final = [row["id"] for row in VISITS.files[FILE] if row["k"] in RARE]
TEXT: Final = "select v.id from {} v join places p on v.k = p.k where p.kind = 'rare'"


def test_a_lie_of_the_index_is_caught_where_only_a_join_skips(check_join: Checker, lake: Lake) -> None:
    path = lake.copy("visits")
    file = publish_lie(path, "k", FILE)
    settings = {**engines.TEZ, **ON}
    with check_join.session.table(path) as name:
        text = TEXT.format(name)
        control = check_join.run(text, settings, scans=2)
        assert not set(control.column()) & set(LOST), "with skipping, the lie loses the rows"
        shadow = check_join.run(text, {**settings, **SHADOW}, scans=2)
    expected = [row["id"] for rows in VISITS.files for row in rows if row["k"] in RARE]
    assert sorted(shadow.column()) == sorted(expected)
    scan = shadow.of(path.name)
    assert (scan.mode, scan.files, scan.kept) == ("shadow", FILES, FILES_OF_RARE - 1), scan.line
    found = {checked.file: checked for checked in shadow.shadow_checks if checked.table == scan.table}
    assert len(found) == FILES - scan.kept, "every file that would be skipped is checked"
    assert found[file].violations == len(LOST), found[file].line
    assert "k: 33" in found[file].row, found[file].line
    assert sum(checked.violations for checked in found.values()) == len(LOST), "the other files are right"
