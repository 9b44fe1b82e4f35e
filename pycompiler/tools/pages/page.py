"""A page: one HTML document without references, so that it can be mailed, archived and viewed offline."""

import re
import shlex
import uuid
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from pycompiler.compile.predicate.text import shorten
from pycompiler.errors import HudiSkipError
from pycompiler.figures import bytes_text, percent
from pycompiler.one_line import one_line
from pycompiler.version import VERSION

_NEEDS_SINGLE: Final = re.compile(r'["$`\\!\n]')
"""What a shell replaces within double quotes."""
_MARGIN: Final = 0.7
"""At each side of a chart, in percent of its width, for bars that begin or end at its ends."""


class PageError(HudiSkipError):
    """A page cannot be written; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page as HTML, which notebooks display."""

    title: str
    html: str

    def write(self, path: str | Path) -> None:
        """Writes the page to a file, at once: readers see the previous file or this one, never a part.

        Raises:
            PageError: The file cannot be written.
        """
        target = Path(path)
        if target.is_dir():
            raise PageError(f"{target} is a directory; name a file, such as {target / 'page.html'}")
        # So that a page replaces the file that a link leads to, and not the link.
        target = target.resolve()
        if target.exists() and not target.is_file():
            raise PageError(f"{target} is not a regular file; name another one")
        partial = target.with_name(f".{uuid.uuid4()}.html")
        try:
            with partial.open("xb") as file:
                if target.exists():
                    partial.chmod(target.stat().st_mode & 0o777)
                # File names may hold bytes that are not UTF-8.
                file.write(self.html.encode("utf-8", errors="replace"))
            partial.replace(target)
        except OSError as error:
            raise PageError(f"cannot write {path}: {error.strerror or error}") from error
        finally:
            with suppress(OSError):
                partial.unlink()

    def _repr_html_(self) -> str:
        # A frame keeps the styles of the page and those of the notebook apart.
        return (
            Markup(
                '<iframe srcdoc="{}" title="{}" sandbox="allow-scripts"'
                ' style="width:100%;height:48rem;border:0"></iframe>'
            )
            .format(self.html, self.title)
            .__html__()
        )


def rendered(template: str, title: str, **content: object) -> Page:
    """Fills in a template. Whatever comes from a table or a log is escaped."""
    html = _environment().get_template(f"{template}.html").render(title=title, version=VERSION, **content)
    return Page(title, html)


def across(position: float) -> float:
    """Where a position from 0 to 1 is in a chart, in percent of its width."""
    return round(_MARGIN + position * (100 - 2 * _MARGIN), 3)


def quoted(text: str) -> str:
    """Quotes an argument for a shell: in double quotes if it has single ones, as conditions do."""
    if "'" in text and not _NEEDS_SINGLE.search(text):
        return f'"{text}"'
    return shlex.quote(text)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("pycompiler.tools.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "bytes": bytes_text,
        "number": "{:,}".format,
        "one_line": one_line,
        "short": lambda text, most: one_line(shorten(text, most)),
    }
    environment.globals |= {"across": across, "percent": percent}
    return environment
