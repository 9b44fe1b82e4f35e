"""The configuration files of Hadoop and what is built on it."""

from collections.abc import Mapping
from xml.sax.saxutils import escape


def site_xml(settings: Mapping[str, object]) -> str:
    """The text of a file such as `core-site.xml`."""
    properties = "".join(
        f"<property><name>{name}</name><value>{escape(str(value))}</value></property>"
        for name, value in settings.items()
    )
    return f"<configuration>{properties}</configuration>"
