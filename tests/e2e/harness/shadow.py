"""The shadow log: files that skipping would have left out, and the violations in them.

With `hudi.skipping.mode=shadow` the handler writes a line for each split of such a file to the logger
`io.hudiskip.shadow`.
"""

from __future__ import annotations

from dataclasses import dataclass

from pycompiler.tools.scan_log.lines import fields_about


@dataclass(frozen=True, slots=True)
class ShadowCheck:
    """The check of one split of a file that would have been skipped.

    Attributes:
        start: Offset of the split in bytes.
        rows: Rows that were checked.
        violations: Rows for which the filter is true.
        row: The filter's columns in the first of them, as text for people.
        error: Why the check failed; empty if it did not.
    """

    tag: str
    table: str
    file: str
    start: int
    rows: int
    violations: int
    row: str
    error: str
    line: str

    @staticmethod
    def parse(line: str) -> ShadowCheck | None:
        """Reads a line of the log; None if it is not about a check."""
        fields = fields_about("shadow", line)
        if fields is None:
            return None
        return ShadowCheck(
            tag=fields["tag"],
            table=fields["table"],
            file=fields["file"],
            start=int(fields["start"]),
            rows=int(fields.get("rows", 0)),
            violations=int(fields.get("violations", 0)),
            row=fields.get("row", ""),
            error=fields.get("error", ""),
            line=line.strip(),
        )
