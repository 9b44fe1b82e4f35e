"""Pages of what the demo's queries read, to look at when the server has stopped."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from pycompiler.compile.sql.from_sql import Dialect
from pycompiler.index.file_systems.location import Location
from pycompiler.tools.explain.explanation import explain_filter
from pycompiler.tools.layout.table_layout import table_layout
from pycompiler.tools.pages.explanation_page import page_of_explanation
from pycompiler.tools.pages.layout_page import page_of_layout
from pycompiler.tools.pages.scans_page import page_of_scans
from pycompiler.tools.scan_log.scans import Scan


def write_pages(table: Path, where: str, scans: Sequence[Scan], log: Path, directory: Path) -> list[str]:
    """Draws the pages of `hudi-skip explain`, `scans` and `layout` into a directory.

    Args:
        table: The table whose layout is drawn.
        where: The condition on it that is explained.
        scans: The scans of the demo's queries.
        log: The log that they are from.
        directory: Where to.

    Returns:
        The names of the pages.

    Raises:
        HudiSkipError: The table cannot be read, or a page cannot be written.
    """
    shown, location = str(_shown(table)), Location.parse(str(table))
    now = datetime.now().astimezone()
    explanation = explain_filter(location, where, Dialect.HIVE, now)
    pages = {
        "explain.html": page_of_explanation(shown, where, explanation, None, now),
        "scans.html": page_of_scans(f"{_shown(log)}, queries with skipping", scans, directory),
        "layout.html": page_of_layout(shown, table_layout(location, scans=scans)),
    }
    for name, page in pages.items():
        page.write(directory / name)
    return [*pages]


def _shown(path: Path) -> Path:
    """A path as one types it here; the commands on the pages have it too."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
