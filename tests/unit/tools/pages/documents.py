"""Reads a page back, as a browser's parser would."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"meta", "link", "img", "br", "hr", "input"})


@dataclass
class Element:
    """An element, with its text and that of what is in it."""

    name: str
    attributes: dict[str, str]
    children: "list[Element]" = field(default_factory=list)
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.parts)

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()

    def all(self, name: str = "", of_class: str = "") -> "list[Element]":
        """The elements below it with a name and a class, in order."""
        found = []
        for child in self.children:
            if name in ("", child.name) and (not of_class or of_class in child.classes):
                found.append(child)
            found += child.all(name, of_class)
        return found

    def one(self, name: str = "", of_class: str = "") -> "Element":
        (found,) = self.all(name, of_class)
        return found


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Element("", {})
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        last = self._open.pop()
        assert last.name == tag, f"<{last.name}> ends with </{tag}>"

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.parts.append(data)


def parsed(html: str) -> Element:
    """The document; its elements must be closed in order."""
    builder = _Builder()
    builder.feed(html)
    builder.close()
    assert builder._open == [builder.root], f"not closed: {[element.name for element in builder._open]}"
    return builder.root


def references(document: Element) -> list[str]:
    """What a browser would fetch, or follow."""
    return [
        value
        for element in document.all()
        for name, value in element.attributes.items()
        if name in ("src", "href", "srcset", "action", "data", "xlink:href", "poster")
    ]
